# cython: language_level=3, wraparound=False, cdivision=True
"""``forest`` in C: the same scores.

That module is the reference: it says what is asked and why, and does it itself where this is not
compiled. A test holds the two together.
"""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t
from libc.string cimport memset

cdef enum:
    AT_ONCE = 256


cdef class Trees:
    """A forest as ``Forest`` has it, ready to be asked."""

    cdef const Py_ssize_t[::1] feature
    cdef const float[::1] border
    cdef const uint16_t[:, ::1] asked
    cdef const int32_t[:, :, ::1] leaves
    cdef Py_ssize_t most

    def __init__(
        self,
        const Py_ssize_t[::1] feature,
        const float[::1] border,
        const uint16_t[:, ::1] asked,
        const int32_t[:, :, ::1] leaves,
    ):
        cdef Py_ssize_t tree, level, place
        self.feature, self.border, self.asked, self.leaves = feature, border, asked, leaves
        if feature.shape[0] != border.shape[0] or asked.shape[1] != leaves.shape[0]:
            raise ValueError("each question has a border, and each tree its leaves")
        if leaves.shape[1] != 1 << asked.shape[0] or asked.shape[0] > 8:
            raise ValueError("a tree has as many leaves as answers")
        for level in range(asked.shape[0]):
            for tree in range(asked.shape[1]):
                if asked[level, tree] >= feature.shape[0]:
                    raise ValueError("trees ask the questions there are")
        for place in range(feature.shape[0]):
            if feature[place] < 0:
                raise ValueError("questions ask for a feature")
            self.most = max(self.most, feature[place])

    def add(self, const float[:, :] figures, int64_t[:, ::1] scores, Py_ssize_t alike):
        """Add the leaves that things fall into to their scores.

        Args:
            figures: features × things.
            scores: things × outputs.
            alike: from this feature on all things have the same.
        """
        cdef Py_ssize_t low, count = figures.shape[1]
        cdef Py_ssize_t questions = self.feature.shape[0]
        cdef uint8_t* told
        if figures.shape[0] <= self.most:
            raise ValueError("a feature is missing")
        if scores.shape[0] != count or scores.shape[1] != self.leaves.shape[2]:
            raise ValueError("each thing has a score")
        told = <uint8_t*>PyMem_Calloc(max(questions, 1), AT_ONCE)
        if told is NULL:
            raise MemoryError
        for low in range(0, count, AT_ONCE):
            self.ask(figures, low, min(count - low, AT_ONCE), alike, told)
            self.sum_up(&scores[low, 0], scores.shape[1], min(count - low, AT_ONCE), told)
        PyMem_Free(told)

    cdef void ask(
        self, const float[:, :] figures, Py_ssize_t low, Py_ssize_t count, Py_ssize_t alike,
        uint8_t* told,
    ) noexcept:
        """The answers to all questions, each asked once."""
        cdef Py_ssize_t place, question, feature
        cdef float border
        cdef const float* row
        for question in range(self.feature.shape[0]):
            feature, border = self.feature[question], self.border[question]
            if feature >= alike:
                memset(told, figures[feature, 0] > border, count)
            elif figures.strides[1] == sizeof(float):
                row = &figures[feature, low]
                for place in range(count):
                    told[place] = row[place] > border
            else:
                for place in range(count):
                    told[place] = figures[feature, low + place] > border
            told += AT_ONCE

    cdef void sum_up(
        self, int64_t* scores, Py_ssize_t outputs, Py_ssize_t count, const uint8_t* told
    ) noexcept:
        """The leaf that each thing falls into, tree by tree."""
        cdef Py_ssize_t place, tree, level, output
        cdef uint8_t leaf[AT_ONCE]
        cdef int32_t sums[AT_ONCE]
        cdef const uint8_t* answers
        cdef const int32_t* leaves
        memset(sums, 0, sizeof(sums))
        for tree in range(self.asked.shape[1]):
            memset(leaf, 0, count)
            for level in range(self.asked.shape[0] - 1, -1, -1):
                answers = told + self.asked[level, tree] * AT_ONCE
                for place in range(count):
                    leaf[place] = (leaf[place] << 1) | answers[place]
            leaves = &self.leaves[tree, 0, 0]
            if outputs == 1:
                for place in range(count):
                    sums[place] += leaves[leaf[place]]
                continue
            for place in range(count):
                for output in range(outputs):
                    scores[place * outputs + output] += leaves[leaf[place] * outputs + output]
        for place in range(count if outputs == 1 else 0):
            scores[place] += sums[place]
