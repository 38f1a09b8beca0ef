"""Code blocks: the exact text without line numbers, and the language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.core.dom import Element, Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.core.dom import Node

_PREFIXES = (
    "language-",
    "lang-",
    "highlight-source-",
    "highlight-text-",
    "brush:",
    "syntax-",
    "code-",
    "highlight-",
)
_NOT_LANGUAGES = frozenset(
    "block text-html wrapper container toolbar box inner content line lines example sample snippet "
    "area body none default nohighlight plaintext plain text undefined null auto wrap".split()
)
_LANGUAGES = frozenset(
    "abap ada apache applescript arduino asm assembly awk bash basic bat batch c c# c++ clojure "
    "cmake cobol coffeescript cpp crystal cs csharp css csv d dart delphi diff django docker "
    "dockerfile elisp elixir elm erb erlang f# fish fortran fsharp gherkin glsl go golang gradle "
    "graphql groovy haml handlebars haskell haxe hcl hlsl html http ini java javascript jinja "
    "jinja2 js json json5 jsonc jsx julia kotlin kql latex less lisp lua makefile markdown "
    "matlab md mermaid mysql nginx nim nix objc objectivec objective-c ocaml octave pascal perl "
    "pgsql php plsql postgresql powershell prolog properties protobuf ps1 puppet purescript py "
    "python python3 qml r racket rb reason rego rs rst ruby rust sas sass scala scheme scss sh "
    "shell shell-session solidity sparql sql stata svelte swift systemverilog tcl terraform tex "
    "toml ts tsx twig typescript vb vb.net vbnet verilog vhdl vim viml vue wasm wgsl xml xquery "
    "yaml yml zig zsh console pycon text-session".split()
)
_LANGUAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9+#._\-]{0,30}")
_LANGUAGE_ATTRIBUTES = (
    "data-lang",
    "data-language",
    "data-code-language",
    "data-enlighter-language",
    "language",
)
_BRUSH = re.compile(r"brush:\s{0,4}([A-Za-z0-9+#\-]{1,30})")
_GUTTERS = frozenset(
    "gutter lineno linenos linenumber linenumbers line-number line-numbers line-numbers-rows "
    "ln-num rouge-gutter blob-num hljs-ln-numbers hljs-ln-n crayon-nums gl lnt "
    "code-line-number".split()
)
_LINES = frozenset({"div", "p", "li", "tr", "section"})
_LINE_CLASS = re.compile(r"(?<![a-z])(?:line|row)(?!-?(?:num|no|content))(?![a-z])")
_SILENT = frozenset({"script", "style", "button", "template", "svg"})


def code_text(element: Element) -> str:
    """The text of a block of code, without line numbers and without the newline at its end."""
    pieces: list[str] = []
    stack: list[tuple[Iterator[Node], bool]] = [(iter(element), False)]
    while stack:
        nodes, ends_line = stack[-1]
        for node in nodes:
            if type(node) is Text:
                pieces.append(node.data)
            elif type(node) is Element:
                entered = _enter(node, pieces)
                if entered is not None:
                    stack.append((iter(node), entered))
                    break
        else:
            stack.pop()
            if ends_line:
                _end_line(pieces)
    text = "".join(pieces)
    return text.removesuffix("\n").replace("\r\n", "\n").replace("\r", "\n")


def _enter(node: Element, pieces: list[str]) -> bool | None:
    """Whether the element is a line of its own; None when it holds no code."""
    tag = node.tag
    if tag == "br":
        pieces.append("\n")
        return None
    if tag in _SILENT:
        return None
    classes = node.attr("class")
    names = classes.split() if classes else ()
    if classes and not _GUTTERS.isdisjoint(names):
        return None
    if tag in _LINES:
        _end_line(pieces)
        return True
    if _is_line(node):
        _separate_line(node, pieces)
    return False


def _is_line(node: Element) -> bool:
    """Whether an element inside a line is named as a line."""
    classes = node.attr("class")
    named = _LINE_CLASS.search(classes) if classes else None
    return named is not None or node.attr("data-line") is not None


def _separate_line(node: Element, pieces: list[str]) -> None:
    """Part two lines marked as such that have no newline between them."""
    before = node.previous_sibling
    is_apart = not pieces or pieces[-1].endswith("\n")
    if not is_apart and type(before) is Element and _is_line(before):
        pieces.append("\n")


def _end_line(pieces: list[str]) -> None:
    for piece in reversed(pieces):
        if piece:
            if not piece.endswith("\n"):
                pieces.append("\n")
            return


def language_of(element: Element) -> str:
    """The language that the block, its code or the wrappers around it name, if any does."""
    inner = element.find("code")
    parent = element.parent
    outer = parent.parent if parent is not None else None
    for place in (inner, element, parent, outer):
        if isinstance(place, Element):
            found = _stated(place, wrapper=place is not inner and place is not element)
            if found:
                return found
    return ""


def _stated(element: Element, *, wrapper: bool) -> str:
    for name in _LANGUAGE_ATTRIBUTES:
        value = element.attr(name)
        if value and _LANGUAGE.fullmatch(value):
            return _clean(value)
    if not wrapper:
        lang = (element.attr("lang") or "").lower()
        if len(lang) > 2 and lang in _LANGUAGES:
            return lang
    return _from_classes(element.attr("class") or "", wrapper=wrapper)


def _from_classes(classes: str, *, wrapper: bool) -> str:
    brush = _BRUSH.search(classes) if "brush" in classes else None
    if brush:
        return _clean(brush[1])
    names = classes.split()
    for prefix in _PREFIXES:
        for name in names:
            if name.startswith(prefix) and _LANGUAGE.fullmatch(rest := name[len(prefix) :]):
                found = _clean(rest)
                if found and (prefix in _PREFIXES[:4] or found in _LANGUAGES):
                    return found
    if wrapper and not {"highlight", "sourceCode", "codehilite", "hljs"}.intersection(names):
        return ""
    return next((name.lower() for name in names if name.lower() in _LANGUAGES), "")


def _clean(name: str) -> str:
    name = name.lower()
    return "" if name in _NOT_LANGUAGES else name
