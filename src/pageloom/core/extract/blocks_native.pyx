# cython: language_level=3, wraparound=False
"""``blocks`` in C: the same walk.

That module is the reference: it says what a block is and why, and walks itself where this is not
compiled. A test holds the two together.
"""

from cpython.dict cimport PyDict_GetItem
from cpython.object cimport PyObject

from pageloom.core.dom import Element, Text
from pageloom.core.extract.vocabulary import HIDDEN, class_flags

cdef enum:
    PHRASE
    LINK
    STRONG
    CELL
    BREAK
    PICTURE
    SILENT

cdef enum:
    LINKED = 1
    BOLD = 2
    BLOCK = 4

cdef type element_type = Element
cdef type text_type = Text
cdef object remembered = class_flags.__self__
cdef object hiding = HIDDEN


cdef object flags_of(str name):
    """The groups of the words in a name."""
    cdef PyObject* known = PyDict_GetItem(remembered, name)
    return class_flags(name) if known is NULL else <object>known


cdef class Walk:
    """One walk, and the columns of what it has found."""

    cdef dict roles, tags
    cdef set hidden
    cdef Py_ssize_t many
    cdef object other_tag
    # blocks
    cdef list texts, owners, nodes, link_chars, links, strong_chars, breaks, flags
    # holders
    cdef list elements, parents, depths, kinds, named, names, linked, starts, ends
    cdef list pictures
    # the block-level elements around the place, and the holders of those that have text
    cdef list open, open_tags, open_linked, indices
    # of the run that is being read
    cdef list run, run_nodes
    cdef Py_ssize_t run_links, run_link_chars, run_strong_chars, run_breaks
    cdef object run_flags

    def __init__(self, dict roles, dict tags, other_tag, set hidden, Py_ssize_t many):
        self.roles, self.tags, self.other_tag = roles, tags, other_tag
        self.hidden, self.many = hidden, many
        self.texts, self.owners, self.nodes, self.flags = [], [], [], []
        self.link_chars, self.links, self.strong_chars, self.breaks = [], [], [], []
        self.elements, self.parents, self.depths, self.kinds = [], [], [], []
        self.named, self.names, self.linked, self.starts, self.ends = [], [], [], [], []
        self.pictures = []
        self.open, self.open_tags, self.open_linked, self.indices = [], [], [], []
        self.begin()

    cdef int begin(self) except -1:
        """A new run."""
        self.run, self.run_nodes, self.run_flags = [], [], 0
        self.run_links = self.run_link_chars = self.run_strong_chars = self.run_breaks = 0
        return 0

    cdef int enter(self, element, tag, bint linked) except -1:
        """A block-level element opens."""
        self.open.append(element)
        self.open_tags.append(tag)
        self.open_linked.append(linked)
        return 0

    cdef int leave(self) except -1:
        """The innermost of them closes."""
        if len(self.indices) == len(self.open):
            self.ends[<Py_ssize_t>self.indices.pop()] = len(self.texts)
        self.open.pop()
        self.open_tags.pop()
        self.open_linked.pop()
        return 0

    cdef int hold(self) except -1:
        """Make holders of the open elements that are none yet."""
        cdef Py_ssize_t level, start = len(self.texts)
        cdef str name, tag
        for level in range(len(self.indices), len(self.open)):
            element = self.open[level]
            tag = self.open_tags[level]
            attributes = element.attrs
            name = ""
            flags = 0
            if attributes:
                name = element.attr("class") or ""
                if "id" in attributes:
                    identifier = element.attr("id")
                    if identifier:
                        name = f"{name} {identifier}"
                if name:
                    flags = flags_of(name)
                if "role" in attributes:
                    role = element.attr("role")
                    if role:
                        flags = flags | flags_of(f"role-{role}")
                if self.hidden and element in self.hidden:
                    flags = flags | hiding
            self.parents.append(self.indices[level - 1] if level else -1)
            self.indices.append(len(self.elements))
            self.elements.append(element)
            self.depths.append(level)
            self.kinds.append(self.tags.get(tag, self.other_tag))
            self.named.append(flags)
            self.names.append(f"{tag} {name}")
            self.linked.append(self.open_linked[level])
            self.starts.append(start)
            self.ends.append(start)
        return 0

    cdef int flush(self) except -1:
        """Make a block of the run, which is never of white space alone."""
        if len(self.indices) < len(self.open):
            self.hold()
        self.texts.append(
            single_spaced(self.run[0] if len(self.run) == 1 else "".join(self.run))
        )
        self.owners.append(self.indices[len(self.indices) - 1])
        self.nodes.append(self.run_nodes)
        self.link_chars.append(self.run_link_chars)
        self.links.append(self.run_links)
        self.strong_chars.append(self.run_strong_chars)
        self.breaks.append(self.run_breaks)
        self.flags.append(self.run_flags)
        return self.begin()

    cdef int read(self, body) except -1:
        """Read all below an element into blocks; one that holds no text leaves no trace."""
        cdef list outer = []  # where to go on
        cdef bytearray states = bytearray()  # and how
        cdef bint linked = False, strong = False, after_break = False, is_block = True
        cdef int role, state
        cdef PyObject* known
        cdef str data
        place = iter(body)
        while True:
            for child in place:
                if type(child) is text_type:
                    data = child.data
                    if len(data) and data[0].isspace() and data.isspace():
                        if self.run:
                            self.run.append(" ")
                        continue
                    self.run.append(data)
                    self.run_nodes.append(child)
                    after_break = False
                    if linked:
                        self.run_link_chars += len(data)
                    if strong:
                        self.run_strong_chars += len(data)
                    continue
                if type(child) is not element_type:
                    continue
                tag = child.tag
                known = PyDict_GetItem(self.roles, tag)
                role = -1 if known is NULL else <int><object>known
                if role < 0 or (role == CELL and len(self.texts) < self.many):
                    if self.run:
                        self.flush()
                    outer.append(place)
                    states.append(LINKED * linked | BOLD * strong | BLOCK * is_block)
                    self.enter(child, tag, linked)
                    is_block = True
                    strong = after_break = False
                    place = iter(child)
                    break
                if role <= CELL:
                    outer.append(place)
                    states.append(LINKED * linked | BOLD * strong | BLOCK * is_block)
                    if role == CELL:
                        if self.run:
                            self.run.append(" ")
                    else:
                        name = child.attr("class")
                        if name:
                            self.run_flags = self.run_flags | flags_of(name)
                        if role == LINK:
                            self.run_links += 1
                            linked = linked or child.attr("href") is not None
                        elif role == STRONG:
                            strong = True
                    is_block = after_break = False
                    place = iter(child)
                    break
                if role == BREAK:
                    if self.run and after_break:
                        self.flush()
                    elif self.run:
                        self.run.append(" ")
                        self.run_breaks += 1
                    after_break = True
                elif role == PICTURE:
                    self.pictures.append((child, len(self.texts)))
            else:
                if is_block:
                    if self.run:
                        self.flush()
                    self.leave()
                if not outer:
                    return 0
                place = outer.pop()
                state = states.pop()
                linked, strong = state & LINKED != 0, state & BOLD != 0
                is_block, after_break = state & BLOCK != 0, False


cdef str single_spaced(str text):
    """The text without white space around it, and with each run of it as one space."""
    cdef Py_UCS4 char, before = c"x"
    text = text.strip()
    for char in text:
        if (char == c" " == before) or char < c" " or (char > c"~" and not char.isprintable()):
            return " ".join(text.split())
        before = char
    return text


def walk(body, dict roles, dict tags, other_tag, set hidden not None, Py_ssize_t many):
    """The columns of blocks, those of holders, and pictures with the blocks before each.

    Args:
        body: what is read.
        roles: what elements are to the walk, by tag; the others begin a block.
        tags: the kinds of tags.
        other_tag: the kind of all others.
        hidden: the elements that are.
        many: blocks from which on the cells of a table begin none.
    """
    cdef Walk one = Walk(roles, tags, other_tag, hidden, many)
    one.enter(body, "body", False)
    one.hold()
    one.read(body)
    blocks = (
        one.texts, one.owners, one.nodes, one.link_chars, one.links, one.strong_chars, one.breaks,
        one.flags,
    )
    holders = (
        one.elements, one.parents, one.depths, one.kinds, one.named, one.names, one.linked,
        one.starts,
    )
    return tuple(map(tuple, blocks)), (*map(tuple, holders), one.ends), one.pictures
