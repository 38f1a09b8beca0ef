# cython: language_level=3, wraparound=False, cdivision=True
"""What ``near_duplicate`` makes of the words of a text, in C: the same signature.

That module is the reference, and does it itself where this is not compiled. A test holds the two
together.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef uint32_t[256] steps


cdef void prepare() noexcept:
    """What each byte does to a CRC-32."""
    cdef uint32_t code, value
    for code in range(256):
        value = code
        for _ in range(8):
            value = (value >> 1) ^ (<uint32_t>0xEDB88320 if value & 1 else 0)
        steps[code] = value


prepare()


cdef class Votes:
    """How many runs of three words want each bit of the signature set."""

    cdef uint64_t[3] last
    cdef uint32_t[64] counts
    cdef Py_ssize_t words, runs

    cdef void hear(self, uint64_t word) noexcept:
        """Another word, by its checksum."""
        self.last[0], self.last[1], self.last[2] = self.last[1], self.last[2], word
        self.words += 1
        if self.words >= 3:
            self.vote(self.last[0], self.last[1], self.last[2])

    cdef void vote(self, uint64_t first, uint64_t second, uint64_t third) noexcept:
        cdef uint64_t value = (
            first * <uint64_t>0x9E3779B97F4A7C15
            + second * <uint64_t>0xC2B2AE3D27D4EB4F
            + third * <uint64_t>0x165667B19E3779F9
        )
        cdef int bit
        value = (value ^ (value >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
        value = (value ^ (value >> 27)) * <uint64_t>0x94D049BB133111EB
        value ^= value >> 31
        for bit in range(64):
            self.counts[bit] += (value >> bit) & 1
        self.runs += 1

    cdef uint64_t count(self) noexcept:
        """The signature; a text of fewer words is one run."""
        cdef uint64_t found = 0
        cdef int bit
        if self.words == 1:
            self.vote(self.last[2], 0, 0)
        elif self.words == 2:
            self.vote(self.last[1], self.last[2], 0)
        for bit in range(64):
            if self.counts[bit] > self.runs // 2:
                found |= <uint64_t>1 << bit
        return found


def signature(bytes spaced not None):
    """The signature of the words between spaces; None where there is no word."""
    cdef const uint8_t* codes = spaced
    cdef Votes votes = Votes()
    cdef Py_ssize_t place
    cdef uint32_t value = 0xFFFFFFFF
    cdef uint8_t code
    cdef bint inside = False
    for place in range(len(spaced)):
        code = codes[place]
        if code != c" ":
            value = (value >> 8) ^ steps[(value ^ code) & 255]
            inside = True
        elif inside:
            votes.hear(value ^ <uint32_t>0xFFFFFFFF)
            value = 0xFFFFFFFF
            inside = False
    if inside:
        votes.hear(value ^ <uint32_t>0xFFFFFFFF)
    return votes.count() if votes.words else None
