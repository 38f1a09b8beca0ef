# cython: language_level=3, wraparound=False, cdivision=True
"""``features`` and ``ancestry`` in C: the same figures to the bit.

Those modules are the reference: they say what is measured and why, and do it themselves where this
is not compiled, and for long pages. A test holds the two together.
"""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

cdef enum:
    DIGIT = 1
    UPPER
    LETTER
    COMMA
    STOP
    MARK
    SPACE
    CJK
    MONEY
    KINDS

cdef enum:
    LONG = 10
    SHORT = 16
    LEVELS = 6
    NEVER = 9999
    MOST = 64  # of tags, of groups, of bits


ctypedef struct Sums:
    double good
    double words
    double linked
    double blocks
    double chars
    double stops

ctypedef struct Block:
    Py_ssize_t owner
    int32_t tag
    bint heading
    bint long
    float link_ratio
    double words
    double money
    uint64_t said
    float title_cover
    float description_cover

ctypedef struct Holder:
    Py_ssize_t parent
    Py_ssize_t start
    Py_ssize_t end
    Py_ssize_t named
    Py_ssize_t alike
    Py_ssize_t item
    Py_ssize_t heaviest
    Py_ssize_t beyond
    Py_ssize_t branch
    int32_t depth
    int32_t tag
    bint linked
    uint64_t flags
    uint64_t own
    uint64_t near
    uint64_t far
    double weight
    double most
    double share
    double running
    double length
    double links
    Sums sums

ctypedef struct Said:
    uint64_t groups
    Py_ssize_t times
    float title_share
    float title_cover
    float description_cover

ctypedef struct Alike:
    double blocks
    double words
    double long


cdef struct Numbers:
    Py_ssize_t count
    int at[MOST]


cdef Numbers numbers(object values) except *:
    cdef Numbers found
    found.count = len(values)
    if found.count > MOST:
        raise ValueError("too many")
    for place in range(found.count):
        found.at[place] = values[place]
    return found


cdef class Tables:
    """What is the same for all pages; ``features`` and ``ancestry`` say what it means."""

    cdef const uint8_t[::1] characters
    cdef str edges
    cdef Numbers shown, inline, headed, announced
    cdef int groups, names, first_tag, h1, first_heading, last_heading, repeated
    cdef uint64_t group_bits, unmistakable, unmistakable_bit, side, side_bit
    cdef uint64_t tag_bits[MOST]
    cdef double most, small, heavy

    def __init__(self, **given):
        self.characters = given["characters"]
        self.edges = given["edges"]
        self.shown = numbers(given["shown"])
        self.inline = numbers(given["inline"])
        self.headed = numbers(given["headed"])
        self.announced = numbers(given["announced"])
        self.groups, self.names, self.first_tag = given["bits"]
        if max(self.groups, self.names, self.first_tag) > MOST:
            raise ValueError("what is told has a bit each")
        self.first_heading, self.last_heading = given["headings"]
        self.h1 = self.first_heading
        self.group_bits = given["group_bits"]
        self.unmistakable, self.unmistakable_bit = given["unmistakable"]
        self.side, self.side_bit = given["side"]
        self.most, self.small, self.heavy = given["shares"]
        self.repeated = given["repeated"]
        memset(self.tag_bits, 0, sizeof(self.tag_bits))
        for kind, bits in enumerate(given["tag_bits"][:MOST]):
            self.tag_bits[<Py_ssize_t>kind] = bits


cdef class Measuring:
    """One page while it is measured: its rows are written one after another."""

    cdef Tables tables
    cdef float[:, ::1] sheet
    cdef Py_ssize_t row, count, held
    cdef Block* blocks
    cdef Holder* holders
    cdef Sums* before
    cdef double total_words, total_good
    cdef Py_ssize_t path_length, path_end, max_repeat

    def __cinit__(self, Tables tables, float[:, ::1] sheet, Py_ssize_t count, Py_ssize_t held):
        if sheet.shape[1] != count or count < 1 or held < 1:
            raise ValueError("a sheet has a column for each block")
        self.tables, self.sheet, self.count, self.held = tables, sheet, count, held
        self.blocks = <Block*>PyMem_Calloc(count, sizeof(Block))
        self.holders = <Holder*>PyMem_Calloc(held, sizeof(Holder))
        self.before = <Sums*>PyMem_Calloc(count + 1, sizeof(Sums))
        if self.blocks is NULL or self.holders is NULL or self.before is NULL:
            raise MemoryError

    def __dealloc__(self):
        PyMem_Free(self.blocks)
        PyMem_Free(self.holders)
        PyMem_Free(self.before)

    cdef float* rows(self, Py_ssize_t count) except NULL:
        """So many rows, to be written."""
        cdef Py_ssize_t first = self.row
        self.row += count
        if self.row > self.sheet.shape[0]:
            raise IndexError("the sheet has too few rows")
        return &self.sheet[first, 0]

    cdef int read_holders(self, object columns) except -1:
        cdef tuple parents = columns.parents, depths = columns.depths, tags = columns.tags
        cdef tuple flags = columns.flags, names = columns.names, linked = columns.linked
        cdef tuple starts = columns.starts
        cdef list ends = columns.ends
        cdef dict known = {}
        cdef Py_ssize_t index
        cdef Holder* holder
        for index in range(self.held):
            holder = &self.holders[index]
            holder.parent = max(<Py_ssize_t>parents[index], 0)
            holder.depth = depths[index]
            holder.tag = tags[index]
            holder.flags = flags[index]
            holder.linked = linked[index]
            holder.start = starts[index]
            holder.end = ends[index]
            holder.named = known.setdefault(names[index], len(known))
            if holder.parent >= index > 0 or not 0 <= holder.tag < MOST:
                raise ValueError("holders come in the order of the page")
            if not 0 <= holder.start <= holder.end <= self.count:
                raise ValueError("holders hold blocks of the page")
        return 0

    cdef int own_figures(self, object columns) except -1:
        """What stands in each block, and the sums of what stands before it."""
        cdef tuple texts = columns.texts, owners = columns.owners, links = columns.links
        cdef tuple link_chars = columns.link_chars, strong = columns.strong_chars
        cdef tuple breaks = columns.breaks, flags = columns.flags
        cdef Tables tables = self.tables
        cdef const uint8_t* characters = &tables.characters[0]
        cdef Py_UCS4 char, last = <Py_UCS4>(tables.characters.shape[0] - 1)
        cdef Py_ssize_t place, bit, n = self.count
        cdef Py_ssize_t counts[KINDS]
        cdef float* own = self.rows(17)
        cdef float* shown = self.rows(tables.shown.count)
        cdef float* inline = self.rows(tables.inline.count)
        cdef Sums sums = self.before[0]
        cdef Block* block
        cdef str text
        cdef int kind
        cdef uint64_t groups
        cdef double size, words, linked
        for place in range(n):
            text = texts[place]
            memset(counts, 0, sizeof(counts))
            kind = 0
            for char in text:
                kind = characters[char if char < last else last]
                counts[kind] += 1
            block = &self.blocks[place]
            block.owner = owners[place]
            if not 0 <= block.owner < self.held:
                raise ValueError("blocks stand in holders")
            size = len(text)
            words = counts[SPACE] + 1 + counts[CJK] / 2.0
            linked = min(<double><Py_ssize_t>link_chars[place], size)
            block.tag = self.holders[block.owner].tag
            block.heading = tables.first_heading <= block.tag <= tables.last_heading
            block.words = words
            block.money = counts[MONEY]
            block.link_ratio = <float>(linked / size)
            block.long = words >= LONG and block.link_ratio < 0.5
            own[place] = <float>words
            own[n + place] = <float>size
            own[2 * n + place] = <float>(size / words)
            own[3 * n + place] = block.link_ratio
            own[4 * n + place] = <float><Py_ssize_t>links[place]
            own[5 * n + place] = <float>(counts[DIGIT] / size)
            own[6 * n + place] = <float>(counts[UPPER] / size)
            own[7 * n + place] = <float>(counts[COMMA] / words)
            own[8 * n + place] = <float>counts[STOP]
            own[9 * n + place] = <float>(counts[MARK] / size)
            own[10 * n + place] = <float>(counts[CJK] / size)
            own[11 * n + place] = <float>counts[MONEY]
            own[12 * n + place] = kind == STOP
            own[13 * n + place] = <float>(<Py_ssize_t>strong[place] / size)
            own[14 * n + place] = <float><Py_ssize_t>breaks[place]
            own[15 * n + place] = self.holders[block.owner].depth
            own[16 * n + place] = block.tag
            for bit in range(tables.shown.count):
                shown[bit * n + place] = block.tag == tables.shown.at[bit]
            groups = flags[place]
            for bit in range(tables.inline.count):
                inline[bit * n + place] = (groups >> tables.inline.at[bit]) & 1
            sums.good += words if block.long else 0
            sums.words += words
            sums.linked += linked
            sums.blocks += 1
            sums.chars += size
            sums.stops += counts[STOP]
            self.before[place + 1] = sums
        self.total_words = max(sums.words, 1.0)
        self.total_good = max(sums.good, 1.0)
        return 0

    cdef int vocabulary(
        self, tuple texts, dict table, Py_ssize_t title, frozenset description
    ) except -1:
        """What short blocks say, and what blocks hold of title and description."""
        cdef Py_ssize_t place, bit, n = self.count
        cdef dict known = {}
        cdef float* says = self.rows(self.tables.groups)
        cdef float* others = self.rows(4)
        cdef Said* said = <Said*>PyMem_Calloc(n, sizeof(Said))
        cdef Py_ssize_t* number = <Py_ssize_t*>PyMem_Calloc(n, sizeof(Py_ssize_t))
        cdef Block* block
        cdef Said* one
        try:
            if said is NULL or number is NULL:
                raise MemoryError
            for place in range(n):
                number[place] = known.setdefault(texts[place], len(known))
                one = &said[number[place]]
                if not one.times:
                    read_words(one, texts[place], self.tables, table, title, description)
                one.times += 1
            for place in range(n):
                block = &self.blocks[place]
                one = &said[number[place]]
                block.said = one.groups
                block.title_cover = one.title_cover
                block.description_cover = one.description_cover
                for bit in range(self.tables.groups):
                    says[bit * n + place] = (one.groups >> bit) & 1
                others[place] = <float>one.times
                others[n + place] = one.title_share
                others[2 * n + place] = one.title_cover
                others[3 * n + place] = one.description_cover
        finally:
            PyMem_Free(said)
            PyMem_Free(number)
        return 0

    cdef int heading_above(self) except -1:
        """The nearest heading before each block, or that it is one, and how far the next one is."""
        cdef Numbers headed = self.tables.headed
        cdef Py_ssize_t place, bit, n = self.count, above = -1, ahead = 2 * NEVER
        cdef float* figures = self.rows(4)
        cdef float* spoken = self.rows(headed.count)
        cdef float* following = self.rows(1)
        cdef Block* heading = NULL
        cdef bint inside
        for place in range(n):
            if self.blocks[place].heading:
                above = place
                heading = &self.blocks[place]
            if heading is NULL:
                figures[place] = figures[n + place] = NEVER
                figures[2 * n + place] = figures[3 * n + place] = 0
                for bit in range(headed.count):
                    spoken[bit * n + place] = 0
                continue
            inside = place < self.holders[self.holders[heading.owner].parent].end
            figures[place] = place - above
            figures[n + place] = <float>(self.before[place].words - self.before[above].words)
            figures[2 * n + place] = heading.tag
            figures[3 * n + place] = inside
            for bit in range(headed.count):
                spoken[bit * n + place] = inside and (heading.said >> headed.at[bit]) & 1
        for place in range(n - 1, -1, -1):
            following[place] = min(ahead - place, NEVER)
            if self.blocks[place].heading:
                ahead = place
        return 0

    cdef int distances(self) except -1:
        """Blocks since the best match with the title, since the first h1, since the description."""
        cdef Py_ssize_t place, n = self.count, title = 0, first = -1, description = 0
        cdef float* after = self.rows(3)
        cdef Block* block
        cdef double match, best = -1
        cdef float told = -1
        for place in range(n):
            block = &self.blocks[place]
            match = block.title_cover * (1.0 if block.heading else 0.5)
            if match > best:
                best, title = match, place
            if first < 0 and block.tag == self.tables.h1:
                first = place
            if block.description_cover > told:
                told, description = block.description_cover, place
        for place in range(n):
            after[place] = place - title if best > 0.3 else -NEVER
            after[n + place] = place - first if first >= 0 else -NEVER
            after[2 * n + place] = place - description if <double>told > 0.5 else -NEVER
        return 0

    cdef int announcements(self) except -1:
        """How far back comments, related stories, small print and the like were announced."""
        cdef Numbers announced = self.tables.announced
        cdef Py_ssize_t place, which, after, n = self.count
        cdef float* since = self.rows(2 * announced.count)
        cdef Block* block
        for which in range(announced.count):
            after = 0
            for place in range(n):
                if after:
                    since[place] = place + 1 - after
                    since[n + place] = <float>(self.before[place].words - self.before[after].words)
                else:
                    since[place] = since[n + place] = NEVER
                block = &self.blocks[place]
                if block.words <= SHORT and (block.said >> announced.at[which]) & 1:
                    after = place + 1
            since += 2 * n
        return 0

    cdef int lookalikes(self) except -1:
        """Blocks whose owners have the same tag, class and id: how many, how long, how large."""
        cdef Py_ssize_t place, n = self.count
        cdef float* figures = self.rows(4)
        cdef Alike* groups = <Alike*>PyMem_Calloc(self.held, sizeof(Alike))
        cdef Alike* group
        if groups is NULL:
            raise MemoryError
        for place in range(n):
            group = &groups[self.holders[self.blocks[place].owner].named]
            group.blocks += 1
            group.words += self.blocks[place].words
            group.long += self.blocks[place].long
        for place in range(n):
            group = &groups[self.holders[self.blocks[place].owner].named]
            figures[place] = <float>group.blocks
            figures[n + place] = <float>(group.words / group.blocks)
            figures[2 * n + place] = <float>(group.long / group.blocks)
            figures[3 * n + place] = <float>(group.words / self.total_words)
        PyMem_Free(groups)
        return 0

    cdef int places(self) except -1:
        cdef Py_ssize_t place, n = self.count, first = -1, last = n - 1
        cdef float* figures = self.rows(7)
        cdef Sums* before
        for place in range(n):
            if self.blocks[place].long:
                if first < 0:
                    first = place
                last = place
        first = max(first, 0)
        for place in range(n):
            before = &self.before[place]
            figures[place] = <float>(place / <double>n)
            figures[n + place] = <float>(before.words / self.total_words)
            figures[2 * n + place] = <float>(before.good / self.total_good)
            figures[3 * n + place] = <float>(
                (self.before[n].good - self.before[place + 1].good) / self.total_good
            )
            figures[4 * n + place] = <float>(self.blocks[place].words / self.total_words)
            figures[5 * n + place] = place - first
            figures[6 * n + place] = last - place
        return 0

    cdef int neighbours(self) except -1:
        """The two blocks on either side, the outermost standing for those beyond, and windows."""
        cdef Py_ssize_t place, which, at, n = self.count
        cdef int[4] steps = [-2, -1, 1, 2]
        cdef int[2] reaches = [3, 8]
        cdef float* near = self.rows(12)
        cdef float* windows = self.rows(6)
        cdef Block* block
        cdef Sums sums
        for place in range(n):
            for which in range(4):
                block = &self.blocks[min(max(place + steps[which], 0), n - 1)]
                at = 3 * which * n + place
                near[at] = <float>block.words
                near[at + n] = block.link_ratio
                near[at + 2 * n] = block.tag
            for which in range(2):
                sums = between(
                    &self.before[max(place - reaches[which], 0)],
                    &self.before[min(place + reaches[which] + 1, n)],
                )
                at = 3 * which * n + place
                windows[at] = <float>(sums.good / max(sums.words, 1.0))
                windows[at + n] = <float>(sums.words / max(sums.blocks, 1.0))
                windows[at + 2 * n] = <float>(sums.linked / max(sums.chars, 1.0))
        return 0

    cdef int ancestors(self, uint8_t[::1] unmistakable, uint8_t[::1] side) except -1:
        """The elements above a block, one by one and all together, and its way off the path."""
        cdef Py_ssize_t place, level, bit, at, n = self.count
        cdef Tables tables = self.tables
        cdef float* up = self.rows(6 * LEVELS)
        cdef float* near
        cdef float* far
        cdef float* tags
        cdef float* others
        cdef float* branches
        cdef Holder* holder
        cdef Holder* item
        cdef Holder* branch
        cdef Holder* origin
        self.weigh()
        self.hand_down()
        self.follow()
        near, far = self.rows(tables.names), self.rows(tables.names)
        tags = self.rows(64 - tables.first_tag)
        others, branches = self.rows(4), self.rows(9)
        for place in range(n):
            holder = &self.holders[self.blocks[place].owner]
            for bit in range(tables.names):
                near[bit * n + place] = (holder.near >> bit) & 1
                far[bit * n + place] = (holder.far >> bit) & 1
            for bit in range(64 - tables.first_tag):
                tags[bit * n + place] = (holder.far >> (tables.first_tag + bit)) & 1
            unmistakable[place] = (holder.far & tables.unmistakable_bit) != 0
            side[place] = (holder.far & tables.side_bit) != 0
            item = &self.holders[holder.item]
            others[place] = holder.linked
            others[n + place] = item.alike
            others[2 * n + place] = <float>(item.sums.words if holder.item else 0)
            others[3 * n + place] = holder.depth - item.depth
            branch = &self.holders[holder.branch]
            origin = &self.holders[branch.parent]
            branches[place] = holder.branch == 0
            if holder.branch:
                branches[n + place] = <float>branch.share
                branches[2 * n + place] = <float>branch.links
                branches[3 * n + place] = <float>(branch.sums.good / self.total_good)
                branches[4 * n + place] = <float>(branch.sums.stops / max(branch.sums.blocks, 1.0))
                branches[5 * n + place] = <float>branch.sums.blocks
                branches[6 * n + place] = self.path_length - origin.depth
                branches[7 * n + place] = <float>(
                    origin.depth / <double>max(self.path_length, 1)
                )
                branches[8 * n + place] = 1 if holder.branch > origin.beyond else -1
            else:
                branches[n + place] = branches[3 * n + place] = 1
                branches[2 * n + place] = branches[4 * n + place] = -1
                branches[5 * n + place] = branches[6 * n + place] = 0
                branches[7 * n + place] = 1 if self.path_length else 0
                branches[8 * n + place] = 0
            for level in range(LEVELS):
                at = 6 * level * n + place
                up[at] = <float>holder.share
                up[at + n] = <float>holder.links
                up[at + 2 * n] = <float>holder.sums.blocks
                up[at + 3 * n] = <float>holder.running
                up[at + 4 * n] = <float>holder.length
                up[at + 5 * n] = holder.tag
                holder = &self.holders[holder.parent]
        return 0

    cdef int weigh(self) except -1:
        """What each holder holds."""
        cdef Holder* holder
        cdef Py_ssize_t index
        for index in range(self.held):
            holder = &self.holders[index]
            holder.sums = between(&self.before[holder.start], &self.before[holder.end])
            holder.share = holder.sums.words / self.total_words
            holder.running = holder.sums.good / max(holder.sums.words, 1.0)
            holder.length = holder.sums.words / max(holder.sums.blocks, 1.0)
            holder.links = holder.sums.linked / max(holder.sums.chars, 1.0)
            holder.weight = holder.sums.good + holder.sums.words * 0.0625
        return 0

    cdef int hand_down(self) except -1:
        """Names, tags and repetition, from each holder to those below it."""
        cdef Tables tables = self.tables
        cdef Py_ssize_t index
        cdef Holder* holder
        cdef Holder* above
        self.count_alike()
        self.max_repeat = 1
        for index in range(1, self.held):  # the first holds all of the page
            holder = &self.holders[index]
            above = &self.holders[holder.parent]
            holder.own = holder.flags & tables.group_bits if holder.share < tables.most else 0
            holder.near = holder.own | above.own | self.holders[above.parent].own
            holder.far = holder.own | tables.tag_bits[holder.tag] | above.far
            if holder.share < tables.small:
                if holder.flags & tables.unmistakable:
                    holder.far |= tables.unmistakable_bit
                if holder.flags & tables.side:
                    holder.far |= tables.side_bit
            holder.item = index if holder.alike >= tables.repeated else above.item
            self.max_repeat = max(self.max_repeat, self.holders[holder.item].alike)
        return 0

    cdef int count_alike(self) except -1:
        """How many holders below the same one have the same name; the first is one of its own."""
        cdef Py_ssize_t index, size = 4
        cdef uint64_t key, place
        cdef Py_ssize_t* table
        cdef Holder* other
        while size < 2 * self.held:
            size *= 2
        table = <Py_ssize_t*>PyMem_Calloc(size, sizeof(Py_ssize_t))
        if table is NULL:
            raise MemoryError
        self.holders[0].alike = 1
        for index in range(1, self.held):
            key = self.holders[index].parent * <uint64_t>self.held + self.holders[index].named
            place = (key * <uint64_t>0x9E3779B97F4A7C15) >> 20
            while True:
                place &= size - 1
                if not table[place]:
                    table[place] = index
                other = &self.holders[table[place]]
                if (
                    other.parent == self.holders[index].parent
                    and other.named == self.holders[index].named
                ):
                    other.alike += 1
                    self.holders[index].item = table[place]
                    break
                place += 1
        for index in range(1, self.held):
            self.holders[index].alike = self.holders[self.holders[index].item].alike
        PyMem_Free(table)
        return 0

    cdef int follow(self) except -1:
        """The path into the heaviest child always, and where each holder leaves it."""
        cdef Py_ssize_t index, below
        cdef Holder* holder
        cdef Holder* above
        for index in range(self.held):
            self.holders[index].heaviest = self.holders[index].beyond = -1
        for index in range(1, self.held):
            above = &self.holders[self.holders[index].parent]
            if above.heaviest < 0 or self.holders[index].weight > above.most:
                above.heaviest, above.most = index, self.holders[index].weight
        index = 0
        while True:
            holder = &self.holders[index]
            below = holder.heaviest
            if below < 0 or self.holders[below].weight < holder.weight * self.tables.heavy:
                break
            holder.beyond = index = below
            self.path_length += 1
        self.path_end = index
        for index in range(1, self.held):
            holder = &self.holders[index]
            above = &self.holders[holder.parent]
            if above.beyond == index:
                holder.branch = 0
            else:
                holder.branch = index if above.beyond >= 0 else above.branch
        return 0

    cdef dict page_figures(self):
        """What is counted of the whole page."""
        cdef Py_ssize_t own[MOST]
        cdef Py_ssize_t held[MOST]
        cdef Py_ssize_t spoken[MOST]
        cdef Py_ssize_t announced[MOST]
        cdef Py_ssize_t index, bit, headings = 0, priced = 0
        cdef Sums* sums = &self.before[self.count]
        cdef double longest = 0
        cdef uint64_t groups
        cdef Block* block
        memset(own, 0, sizeof(own))
        memset(held, 0, sizeof(held))
        memset(spoken, 0, sizeof(spoken))
        memset(announced, 0, sizeof(announced))
        for index in range(self.count):
            block = &self.blocks[index]
            own[block.tag] += 1
            headings += block.heading
            priced += block.money > 0
            longest = max(longest, block.words)
            groups = block.said
            for bit in range(self.tables.groups if groups else 0):
                spoken[bit] += (groups >> bit) & 1
                announced[bit] += block.heading & (groups >> bit)
        for index in range(self.held):
            held[self.holders[index].tag] += 1
        return {
            "own": [own[index] for index in range(MOST)],
            "held": [held[index] for index in range(MOST)],
            "spoken": [spoken[index] for index in range(self.tables.groups)],
            "announced": [announced[index] for index in range(self.tables.groups)],
            "headings": headings,
            "priced": priced,
            "longest": longest,
            "words": self.total_words,
            "good": self.total_good,
            "linked": sums.linked,
            "chars": sums.chars,
            "path_depth": self.path_length,
            "path_good": self.holders[self.path_end].sums.good / self.total_good,
            "max_repeat": self.max_repeat,
        }


cdef Sums between(const Sums* start, const Sums* end) noexcept:
    cdef Sums sums
    sums.good = end.good - start.good
    sums.words = end.words - start.words
    sums.linked = end.linked - start.linked
    sums.blocks = end.blocks - start.blocks
    sums.chars = end.chars - start.chars
    sums.stops = end.stops - start.stops
    return sums


cdef int read_words(
    Said* one,
    str text,
    Tables tables,
    dict table,
    Py_ssize_t title,
    frozenset description,
) except -1:
    """The groups of a text's words, their share in the title, its share of both others."""
    cdef list words = text[:300].lower().split(None, 60 if description else SHORT)
    cdef Py_ssize_t size = len(words), hits = 0
    cdef uint64_t groups = 0, further
    cdef str word
    if size > SHORT:
        one.description_cover = <float>(
            len(description.intersection(words)) / <double>max(len(description), 1)
        )
        words = words[:4]
    for word in words:
        found = table.get(word if word.isalnum() else word.strip(tables.edges))
        if found is not None:
            groups |= <uint64_t>found
    one.groups = groups
    if size <= SHORT:
        further = groups >> tables.groups
        while further:
            further &= further - 1
            hits += 1
        one.title_share = <float>(hits / <double>size)
        one.title_cover = <float>(hits / <double>max(title, 1))
    return 0


def measure(
    Tables tables,
    float[:, ::1] sheet,
    object page,
    dict table,
    Py_ssize_t title,
    frozenset description,
    uint8_t[::1] unmistakable,
    uint8_t[::1] side,
):
    """Write the rows of all blocks, in the order of ``features.measure``.

    Args:
        tables: what is the same for all pages.
        sheet: rows × blocks, to be written.
        page: the blocks and their holders.
        table: the groups of words.
        title: the number of words in the title.
        description: the words of the description.
        unmistakable: what ``Sheet`` has of this name, to be written.
        side: likewise.

    Returns:
        What is counted of the whole page.
    """
    blocks, holders = page.blocks, page.holders
    cdef Measuring one = Measuring(tables, sheet, len(blocks.texts), len(holders.names))
    if unmistakable.shape[0] != one.count or side.shape[0] != one.count:
        raise ValueError("a warning has a place for each block")
    one.read_holders(holders)
    one.own_figures(blocks)
    one.vocabulary(blocks.texts, table, title, description)
    one.heading_above()
    one.distances()
    one.announcements()
    one.lookalikes()
    one.places()
    one.neighbours()
    one.ancestors(unmistakable, side)
    return one.page_figures()
