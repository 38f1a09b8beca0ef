"""The table of rule actions (edits); add new ones here. None of them loses text.

What an edit removes on purpose (``remove_children``, ``remove_after``, ``remove_before``) goes with
all that is in it, and nothing else does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pageloom.core.dom import Comment, Element, Node, Text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.rules.selectors import Look, Selector

Arguments = dict[str, Any]

_SKELETON = frozenset(("html", "head", "body"))
VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
UNREADABLE = frozenset(
    "script style template noscript title textarea iframe xmp noembed noframes plaintext select "
    "option svg math object frameset frame head html body".split()
)
"""Names that would hide the text of what is given them, or break the page."""
_FLOW = frozenset(
    "address article aside blockquote body center dd details div dl fieldset figcaption figure "
    "footer form header li main nav section td th".split()
)
_PHRASES = frozenset(
    "a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span "
    "strike strong sub sup time tt u var wbr".split()
)
_PLACE = re.compile(r"\{([A-Za-z_:][\w:.-]{0,60})\}")


@dataclass(frozen=True, slots=True)
class Op:
    """One kind of edit: what it does, what it has to be told, and what it may be told."""

    edit: Any
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()


def _parent(element: Node) -> Element | None:
    parent = element.parent
    return parent if isinstance(parent, Element) else None


def _is_movable(element: Element, look: Look) -> bool:
    if element.tag in _SKELETON or element.parent is None:
        return False
    return element not in look.protected


def _unwrap(element: Element, look: Look) -> bool:
    if not _is_movable(element, look):
        return False
    element.unwrap()
    return True


def unwrap(elements: list[Element], arguments: Arguments, look: Look) -> int:
    """Take the element away and leave all that was in it."""
    return sum([_unwrap(element, look) for element in elements])


def retag(elements: list[Element], arguments: Arguments, look: Look) -> int:
    """Give the element another name; what an empty kind of element cannot hold follows it."""
    tag = arguments["tag"]
    changed = 0
    for element in elements:
        if element.tag in _SKELETON:
            continue
        element.tag = tag
        changed += 1
        if tag in VOID:
            _insert_after(element, list(element.children))
    return changed


def _insert_after(place: Node, nodes: Iterable[Node]) -> None:
    moved = [node.extract() for node in nodes]
    if moved:
        place.insert_after(*moved)


def _made(arguments: Arguments) -> Element:
    attributes = {"class": arguments["class"]} if arguments.get("class") else None
    return Element(arguments.get("wrapper_tag") or "div", attributes)


def wrap(elements: list[Element], arguments: Arguments, look: Look) -> int:
    """Put each element into a new one."""
    movable = [element for element in elements if _is_movable(element, look)]
    for element in movable:
        element.wrap(_made(arguments))
    return len(movable)


def remove_children(elements: list[Element], arguments: Arguments, look: Look) -> int:
    """Remove the elements inside; text that is the element's own stays."""
    inner = [child for element in elements for child in element if isinstance(child, Element)]
    for child in inner:
        if child.parent is not None:
            child.extract()
    return len(inner)


def remove_parent(elements: list[Element], arguments: Arguments, look: Look) -> int:
    """Take away the element around, once, however many of its children were found."""
    return _unwrap_each((_parent(element) for element in elements), look)


def remove_outer_parent(elements: list[Element], arguments: Arguments, look: Look) -> int:
    """Take away the element around the parent."""
    parents = (_parent(element) for element in elements)
    outer = (_parent(parent) for parent in parents if parent is not None)
    return _unwrap_each(outer, look)


def _unwrap_each(found: Iterable[Element | None], look: Look) -> int:
    # All are looked up before the first goes: what is above an element changes as they go.
    once = dict.fromkeys(element for element in list(found) if element is not None)
    return sum([_unwrap(element, look) for element in once])


def remove_to_parent(elements: list[Element], arguments: Arguments, look: Look) -> int:
    """Take away all elements between the one found and the ancestor that is named."""
    ends = set(look.select(arguments["parent"]))
    between: list[Element] = []
    for element in elements:
        above = [each for each in element.ancestors if isinstance(each, Element)]
        stop = next((place for place, each in enumerate(above) if each in ends), 0)
        between.extend(above[:stop])
    return _unwrap_each(between, look)


def move(elements: list[Element], arguments: Arguments, look: Look) -> int:
    """Move elements, in their order, to a place named by another."""
    chosen = set(elements)
    targets = look.select(arguments["target"])
    target = next((each for each in targets if each not in chosen and look.holds(each)), None)
    if target is None:
        return 0
    around = {target, *target.ancestors}
    moving = [each for each in elements if _is_movable(each, look) and each not in around]
    moving = _outermost(moving)
    if not moving:
        return 0
    _put([element.extract() for element in moving], target, arguments)
    return len(moving)


def _outermost(elements: list[Element]) -> list[Element]:
    chosen = set(elements)
    return [each for each in elements if not any(above in chosen for above in each.ancestors)]


def _put(moved: list[Element], target: Element, arguments: Arguments) -> None:
    position = arguments.get("position") or ("index" if "index" in arguments else "append")
    if target.tag in VOID and position not in ("before", "after"):
        position = "after"
    if position == "before":
        target.insert_before(*moved)
    elif position == "after":
        target.insert_after(*moved)
    elif position == "append":
        target.extend(moved)
    else:
        _insert_at(moved, target, arguments.get("index", 0) if position == "index" else 0)


def _insert_at(moved: list[Element], target: Element, index: int) -> None:
    """Before the element child of that number, negative ones counted from the end."""
    inner = [child for child in target if isinstance(child, Element)]
    if index < 0:
        index = max(0, len(inner) + 1 + index)
    if index == 0 and target.children:
        target.children[0].insert_before(*moved)
    elif index < len(inner):
        inner[index].insert_before(*moved)
    else:
        target.extend(moved)


def remove_attrs(elements: list[Element], arguments: Arguments, look: Look) -> int:
    """Remove attributes by name."""
    changed = 0
    for element in elements:
        present = [name for name in arguments["attrs"] if name in element.attrs]
        for name in present:
            del element.attrs[name]
        changed += bool(present)
    return changed


def set_attr(elements: list[Element], arguments: Arguments, look: Look) -> int:
    """Set one attribute."""
    for element in elements:
        element.attrs[arguments["attr"]] = arguments["value"]
    return len(elements)


def copy_attr(elements: list[Element], arguments: Arguments, look: Look) -> int:
    """Copy one attribute to another where there is something to copy."""
    changed = 0
    for element in elements:
        value = element.attr(arguments["from"])
        if value:
            element.attrs[arguments["to"]] = value
            changed += 1
    return changed


def replace_with_text(elements: list[Element], arguments: Arguments, look: Look) -> int:
    """Put a text in the element's place; ``{src}`` is an attribute, ``{text}`` its own text."""
    movable = [element for element in elements if _is_movable(element, look)]
    for element in movable:
        element.replace_with(_as_node(_fill(arguments["template"], element), element))
    return len(movable)


def _fill(template: str, element: Element) -> str:
    return _PLACE.sub(lambda name: _filled(element, name[1]), template)


def _filled(element: Element, name: str) -> str:
    if name == "text":
        return " ".join(element.text.split())
    return element.attr(name) or ""


def _as_node(text: str, instead_of: Element) -> Node:
    """Running text inside a line, a paragraph of its own where blocks stand."""
    parent = _parent(instead_of)
    if parent is not None and parent.tag in _FLOW and instead_of.tag not in _PHRASES:
        paragraph = Element("p")
        paragraph.append(Text(text))
        return paragraph
    return Text(text)


def group_siblings(elements: list[Element], arguments: Arguments, look: Look) -> int:
    """Put two or more elements that follow each other directly into one new element."""
    chosen = set(elements)
    grouped: set[Element] = set()
    groups = 0
    for element in elements:
        if element in grouped or not _is_movable(element, look):
            continue
        run = _run(element, chosen)
        members = [node for node in run if isinstance(node, Element) and node in chosen]
        grouped.update(members)
        if len(members) > 1:
            _gather(run, _made(arguments))
            groups += 1
    return groups


def _run(first: Element, chosen: set[Element]) -> list[Node]:
    """The element and the chosen ones after it, with only white space between; ends on a chosen."""
    run: list[Node] = [first]
    waiting: list[Node] = []
    for node in first.next_siblings:
        if isinstance(node, Element) and node in chosen:
            run.extend((*waiting, node))
            waiting = []
        elif isinstance(node, Comment) or (isinstance(node, Text) and not node.data.strip()):
            waiting.append(node)
        else:
            break
    return run


def _gather(run: list[Node], holder: Element) -> None:
    run[0].insert_before(holder)
    for node in run:
        holder.append(node.extract())


def reorder(elements: list[Element], arguments: Arguments, look: Look) -> int:
    """Move elements to the top or the bottom of their parents, in their order."""
    by_parent: dict[Element, list[Element]] = {}
    for element in elements:
        parent = _parent(element)
        if parent is not None and _is_movable(element, look):
            by_parent.setdefault(parent, []).append(element)
    for parent, members in by_parent.items():
        moved = [member.extract() for member in members]
        if arguments.get("method") == "move_to_bottom" or not parent.children:
            parent.extend(moved)
        else:
            parent.children[0].insert_before(*moved)
    return sum(map(len, by_parent.values()))


def remove_after(elements: list[Element], arguments: Arguments, look: Look) -> int:
    """Remove all that comes after the element in its parent."""
    return sum([_drop(list(element.next_siblings)) for element in elements])


def remove_before(elements: list[Element], arguments: Arguments, look: Look) -> int:
    """Remove all that comes before the element in its parent."""
    return sum([_drop(list(element.previous_siblings)) for element in elements])


def _drop(nodes: list[Node]) -> int:
    for node in nodes:
        node.extract()
    return bool(nodes)


def attr_to_text(elements: list[Element], arguments: Arguments, look: Look) -> int:
    """Write the value of an attribute out as text, beside or inside the element."""
    changed = 0
    for element in elements:
        value = element.attr(arguments["attr"])
        if value and element.parent is not None:
            _write_beside(element, value, arguments.get("position") or "append")
            changed += 1
    return changed


def _write_beside(element: Element, value: str, position: str) -> None:
    if position in ("append", "prepend") and element.tag in VOID:
        position = "after"
    if position == "before":
        element.insert_before(Text(f"{value} "))
    elif position == "after":
        element.insert_after(Text(f" {value}"))
    elif position == "prepend":
        element.insert(0, Text(f"{value} " if element.children else value))
    else:
        element.append(Text(f" {value}" if element.children else value))


ACTIONS: dict[str, Op] = {
    "retag": Op(retag, needs=("tag",)),
    "wrap": Op(wrap, takes=("wrapper_tag", "class")),
    "unwrap": Op(unwrap),
    "remove_container": Op(unwrap),
    "remove_children": Op(remove_children),
    "remove_parent": Op(remove_parent),
    "remove_outer_parent": Op(remove_outer_parent),
    "remove_to_parent": Op(remove_to_parent, needs=("parent",)),
    "move": Op(move, needs=("target",), takes=("position", "index")),
    "remove_attrs": Op(remove_attrs, needs=("attrs",)),
    "set_attr": Op(set_attr, needs=("attr", "value")),
    "copy_attr": Op(copy_attr, needs=("from", "to")),
    "replace_with_text": Op(replace_with_text, needs=("template",)),
    "group_siblings": Op(group_siblings, takes=("wrapper_tag", "class")),
    "reorder": Op(reorder, takes=("method",)),
    "remove_after": Op(remove_after),
    "remove_before": Op(remove_before),
    "attr_to_text": Op(attr_to_text, needs=("attr",), takes=("position",)),
}

SELECTORS = frozenset(("parent", "target"))
"""Arguments that are selectors."""
CHOICES: dict[tuple[str, str], tuple[str, ...]] = {
    ("move", "position"): ("append", "prepend", "before", "after", "index"),
    ("attr_to_text", "position"): ("append", "prepend", "before", "after"),
    ("reorder", "method"): ("move_to_top", "move_to_bottom"),
}


@dataclass(frozen=True, slots=True)
class Action:
    """One edit of a rule, ready to be made."""

    op: str
    selector: Selector
    arguments: Arguments

    def apply(self, elements: list[Element], look: Look) -> int:
        """Make the edit; how many elements it was made on."""
        return ACTIONS[self.op].edit(elements, self.arguments, look)
