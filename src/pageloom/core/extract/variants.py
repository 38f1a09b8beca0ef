"""Product variants: sizes, colours and models, and which are in stock.

Shops keep these in buttons, radio buttons and lists of options, which are no text of the page; and
one size that is gone, or back, is often all that somebody waits for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.core.dom import Element
from pageloom.core.extract.survey import is_aside
from pageloom.core.extract.vocabulary import name_words
from pageloom.core.lazy_regex import lazy_regex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pageloom.core.dom import Tree
    from pageloom.core.extract.survey import Standings

_MOST_ELEMENTS = 400
_MOST = 80
_LONGEST = 60
_LONGEST_READ = 2_000
_LEVELS = 3
_NAMES = frozenset(
    "size sizes color colors colour colours variant variants variation variations swatch swatches "
    "option options attribute attributes model flavour flavor style material capacity storage "
    "edition length width volume weight format finish".split()
)
_OTHER_NAMES = frozenset(
    "qty quantity country currency language lang locale sort sorting order filter filters facet "
    "search shipping delivery rating newsletter payment tab tabs chart guide image gallery thumb "
    "thumbnail review reviews month year title".split()
)
_SWATCH = '[class*="swatch" i]'
_CANDIDATES = 'select option,input[type="radio"],[role="radio"],[data-option-label]'
_WITH_SWATCHES = (
    f"{_CANDIDATES},{_SWATCH} :is(button,label,a),:is(button,li,label,a){_SWATCH},"
    '[class*="swatch-option" i]'
)
_LEAVES = frozenset(("button", "a", "li", "label", "span", "div", "input", "option"))
_CART = re.compile(
    r"cart|basket|bag\b|checkout|warenkorb|panier|carr(?:ito|ello|inho)|winkelwagen|koszyk|kosik",
    re.IGNORECASE,
)
_CANNOT = re.compile(
    r"sold-?out|un-?available|not-?available|out-?of-?stock|disabled|\boos\b", re.IGNORECASE
)
_GONE = tuple(
    (
        "sold out|out of stock|unavailable|not available|ausverkauft|nicht verfügbar"
        "|nicht lieferbar|épuisé|épuisée|indisponible|rupture|rupture de stock|agotado|agotada"
        "|esgotado|esgotada|esaurito|esaurita|non disponibile|uitverkocht|slutsåld|udsolgt|utsolgt"
        "|loppuunmyyty|wyprzedane|wyprzedany|wyprzedana|niedostępne|niedostępny|niedostępna"
        "|vyprodáno|нет в наличии|немає в наявності|tükendi|elfogyott|売り切れ|在庫なし|品切れ"
        "|缺货|售罄|품절"
    ).split("|")
)
_SAYS_SO = lazy_regex(
    rf"\s*[-–—:·|(\[]?\s*(?:{'|'.join(_GONE)})\s*[)\]]?\s*$",
    re.IGNORECASE,
)
_PROMPT = lazy_regex(
    r"(?:please )?(?:choose|select|pick)\b|(?:bitte )?(?:wählen|auswählen)|choisi(?:r|ssez)"
    r"|sélectionn|elige|elegir|selecciona|escolha|selecione|scegli|seleziona|kies|välj|vælg|velg"
    r"|valitse|wybierz|vyberte|выберите|оберіть|seçin|選択|选择|선택|-{2,}|clear$|size$|any\b"
    r"|add to|previous|next|close|size guide|größentabelle|guide des tailles",
    re.IGNORECASE,
)


def read_choices(tree: Tree, classes: Iterable[str]) -> dict[str, bool]:
    """What the product of a page can be chosen in, and whether it can be had in that.

    Args:
        tree: the page, which is only read.
        classes: the class attributes in it.
    """
    found: dict[str, bool] = {}
    texts: dict[Element, str] = {}
    words: dict[Element, list[str]] = {}
    standings: Standings = {}
    # few pages have swatches, and it takes long to look around every button for them
    candidates = _WITH_SWATCHES if "swatch" in "\n".join(classes).lower() else _CANDIDATES
    for element in tree.select(candidates)[:_MOST_ELEMENTS]:
        label = _label(element, texts)
        if not label or label in found or not _is_choice(element, words):
            continue
        bare = _without_note(label)
        if bare and not is_aside(element, standings):
            found[bare] = bare == label and not _cannot_be_had(element)
        if len(found) >= _MOST:
            break
    return {} if _counts_up(found) else found


def _without_note(label: str) -> str:
    """A label without the words that it cannot be had.

    Most have none, which is seen many times faster at their end than by the pattern.
    """
    if label.isascii() and not label.lower().rstrip().rstrip(")]").rstrip().endswith(_GONE):
        return label
    return _SAYS_SO.sub("", label)


def _label(element: Element, texts: dict[Element, str]) -> str:
    """What stands on a choice that holds no further choices; nothing for a call to choose."""
    if element.tag not in _LEAVES or element.find(["button", "select", "li", "label"]) is not None:
        return ""
    if element.tag == "input":
        text = _label_of_input(element, texts)
    elif (
        element.tag == "option" and not element.attr("value") and element.attr("value") is not None
    ):
        text = ""
    else:
        text = _text_of(element, texts)
    text = text or element.attr("aria-label") or element.attr("title") or ""
    return "" if len(text) > _LONGEST or text.endswith(":") or _PROMPT.match(text) else text


def _text_of(element: Element, texts: dict[Element, str]) -> str:
    """The text of an element on one line; read once, for many inputs may share a label."""
    if element not in texts:
        texts[element] = " ".join(element.text[:_LONGEST_READ].split())
    return texts[element]


def _label_of_input(element: Element, texts: dict[Element, str]) -> str:
    parent = element.parent
    if isinstance(parent, Element) and parent.tag == "label":
        return _text_of(parent, texts)
    after = element.next_sibling
    while after is not None and not isinstance(after, Element):
        after = after.next_sibling
    if isinstance(after, Element) and after.tag == "label":
        return _text_of(after, texts)
    return " ".join((element.attr("aria-label") or element.attr("value") or "").split())


def _is_choice(element: Element, words: dict[Element, list[str]]) -> bool:
    """Whether the names of an element, or of those around it, speak of what can be chosen."""
    said = [_words_of(each, words) for each in _with_holders(element)]
    if not all(map(_OTHER_NAMES.isdisjoint, said)):
        return False
    return not all(map(_NAMES.isdisjoint, said)) or _is_bought(element)


def _words_of(element: Element, words: dict[Element, list[str]]) -> list[str]:
    """The words of an element's names; read once, for many choices share what holds them."""
    if element not in words:
        names = [element.attr(name) or "" for name in ("class", "id", "name", "data-option")]
        data = [name for name in element.attrs if name.startswith("data-")]
        words[element] = name_words(" ".join((*names, *data)))
    return words[element]


def _is_bought(element: Element) -> bool:
    """Whether an element is part of what is sent with ``Add to cart``."""
    form = element.closest("form") if element.tag in ("input", "option") else None
    names = (
        [form.attr(name) or "" for name in ("action", "class", "id")] if form is not None else []
    )
    return _CART.search(" ".join(names)) is not None


def _with_holders(element: Element) -> Iterator[Element]:
    node: object = element
    for _ in range(_LEVELS):
        if not isinstance(node, Element) or node.tag in ("body", "main", "form"):
            return
        yield node
        if node.tag in ("fieldset", "select"):
            return
        node = node.parent


def _cannot_be_had(element: Element) -> bool:
    parent = element.parent
    around = [element, parent] if isinstance(parent, Element) else [element]
    return any(
        each.attr("disabled") is not None
        or each.attr("aria-disabled") == "true"
        or _CANNOT.search(each.attr("class") or "") is not None
        for each in around
        if each.tag not in ("select", "fieldset", "form")
    )


def _counts_up(found: dict[str, bool]) -> bool:
    """Whether the choices are 1, 2, 3: how many, and not which."""
    return list(found) == [str(number) for number in range(1, len(found) + 1)]
