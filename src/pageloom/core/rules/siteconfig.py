"""Import site configurations of Full-Text RSS (also used by wallabag and other readers).

One file holds what is known about one host: ``example.com.txt`` (also ``www.``),
``.example.com.txt`` (hosts below it), ``fingerprint.NAME.txt`` (pages made by one system) or
``global.txt`` (all pages). Each line is a directive and its value; selectors are XPath.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pageloom.core.dom import SelectorError
from pageloom.core.rules.actions import UNREADABLE
from pageloom.core.rules.selectors import XPATH, read_selector

if TYPE_CHECKING:
    from collections.abc import Callable

FINGERPRINTS = {
    "blogspot.com": ["meta[name='generator'][content='blogger' i]"],
    "wordpress.com": ["meta[name='generator'][content^='WordPress' i]"],
    "posterous.com": ["meta[name='generator'][content='Posterous' i]"],
    "ippen.media": [
        "[class*='id-Story-timestamp']",
        "[class*='id-Story-authors']",
        "[class*='id-Article-content-item']",
    ],
}
"""How pages of the systems are known that have files by fingerprint."""

_PRIORITIES = {"host": 60, "below": 55, "fingerprint": 45, "global": 20}
_LINE = re.compile(r"\s*([A-Za-z_]+)\s*(?:\((.*)\)\s*)?:(.*)", re.DOTALL)
_WITH_ARGUMENT = re.compile(r"\s*(replace_string|wrap_in|move_into|http_header)\((.*)\)\s*:(.*)")
_TAIL = re.compile(r"(.*?)/{1,2}@([A-Za-z_][\w:.-]*)\s*", re.DOTALL)
_TAG = re.compile(r"[a-z][a-z0-9]*")
_HOST = re.compile(r"\.?[^\s/:?#@]+\.[^\s/:?#@.]+")
_QUOTES = str.maketrans("", "", "'\"")
_YES = frozenset(("yes", "true", "1", "on"))
_SHORT = 3
"""Letters: so short a name is meant as a whole word, or it would be found in half of all names."""

_WITHOUT_EFFECT = {
    "tidy": "not needed: the HTML parser repairs markup as browsers do",
    "parser": "not needed: there is only one HTML parser",
    "insert_detected_image": "not needed: the lead image is stored separately",
    "footnotes": "no reader supports it",
    "strip_comments": "no reader supports it",
    "skip_id_or_class": "no reader supports it",
    "post_strip_attr": "no reader supports it",
}
"""Directives that change nothing here; those that no reader implements are noted."""
_LOGIN = frozenset(
    "requires_login login_uri login_username_field login_password_field login_extra_fields".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A line that did not become part of a rule."""

    line: int
    directive: str
    value: str
    reason: str
    lost: bool
    """Whether some reader does something with it that is not done here."""


@dataclass(slots=True)
class Converted:
    """The rules of one file, and what was dropped on the way."""

    rules: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    dropped: list[Dropped] = field(default_factory=list[Dropped])

    @property
    def is_lossless(self) -> bool:
        """Whether everything that means anything is in the rules."""
        return not any(each.lost for each in self.dropped)


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    name: str
    argument: str
    value: str


def is_site_config(file_name: str) -> bool:
    """Whether a file has the name of a site configuration."""
    return file_name.endswith(".txt")


def convert_config(text: str, file_name: str) -> Converted:
    """The rules that a site configuration means.

    Args:
        text: the file.
        file_name: its name, which says what it is for.
    """
    maker = _Maker(file_name.removesuffix(".txt"))
    for line in _lines(text, maker):
        maker.take(line)
    return maker.finish()


def _lines(text: str, maker: _Maker) -> list[_Line]:
    found: list[_Line] = []
    for number, raw in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        stripped = raw.strip()
        if not stripped or stripped.startswith("#"):
            continue
        parts = _WITH_ARGUMENT.fullmatch(stripped) or _LINE.fullmatch(stripped)
        if parts is None:
            maker.drop(_Line(number, "", "", stripped), "not a directive")
            continue
        name, argument, value = parts.groups()
        found.append(_Line(number, name.lower(), (argument or "").strip(), value.strip()))
    return found


class _Maker:
    """A rule under construction, line by line."""

    def __init__(self, stem: str) -> None:
        self.stem = stem
        self.result = Converted()
        self.kind = _kind(stem)
        self.is_named = self.kind != "host" or bool(_HOST.fullmatch(stem))
        self.articles: list[str] = []
        self.remove: list[str] = []
        self.include: list[str] = []
        self.actions: list[dict[str, Any]] = []
        self.fields: dict[str, list[str]] = {}
        self.headers: dict[str, str] = {}
        self.cookies: dict[str, str] = {}
        self.links: list[dict[str, str]] = []
        self.replace: list[dict[str, Any]] = []
        self.waiting: list[_Line] = []
        self.ads: list[str] = []
        self.walls: list[str] = []
        self.tests: list[dict[str, Any]] = []
        self.clean: bool | None = None
        self.required = False

    def drop(self, line: _Line, reason: str, *, lost: bool = False) -> None:
        self.result.dropped.append(
            Dropped(
                line=line.number,
                directive=line.name,
                value=line.value[:200],
                reason=reason,
                lost=lost,
            )
        )

    def take(self, line: _Line) -> None:
        """Make one line part of the rule."""
        handler = _HANDLERS.get(line.name)
        if not self.is_named:
            self.drop(line, "the file name is not a host name")
        elif handler is not None:
            handler(self, line)
        elif line.name in _LOGIN:
            self.drop(line, "signing in is not supported", lost=True)
        elif line.name in _WITHOUT_EFFECT:
            reason = _WITHOUT_EFFECT[line.name]
            if reason.startswith("no reader"):
                self.drop(line, reason)
        else:
            self.drop(line, "unknown directive")

    def selector(self, line: _Line, expression: str | None = None) -> str | None:
        """An expression as a selector of ours, or None where it is broken."""
        query = line.value if expression is None else expression
        if not query:
            self.drop(line, "no value after the colon")
            return None
        text = f"{XPATH}{query}"
        try:
            read_selector(text)
        except SelectorError as error:
            self.drop(line, f"invalid XPath, which no reader supports: {error}")
            return None
        return text

    # what each directive does

    def take_field(self, line: _Line) -> None:
        name = {"date": "published"}.get(line.name, line.name)
        if found := self.selector(line):
            self.fields.setdefault(name, []).append(found)

    def take_body(self, line: _Line) -> None:
        if found := self.selector(line):
            self.articles.append(found)

    def take_strip(self, line: _Line) -> None:
        if found := self.selector(line):
            self.remove.append(found)

    def take_strip_name(self, line: _Line) -> None:
        name = " ".join(line.value.translate(_QUOTES).split())
        if not name:
            self.drop(line, "no value after the colon")
            return
        sign = "~=" if len(name) <= _SHORT else "*="
        self.remove.append(f"[class{sign}{_quoted(name)}], [id{sign}{_quoted(name)}]")

    def take_strip_image(self, line: _Line) -> None:
        part = line.value.translate(_QUOTES).strip()
        if part:
            self.remove.append(f"img[src*={_quoted(part)}]")
        else:
            self.drop(line, "no value after the colon")

    def take_strip_attr(self, line: _Line) -> None:
        for part in line.value.split("|"):
            found = _TAIL.fullmatch(part.strip())
            elements = found[1] if found else ""
            selector = self.selector(line, elements or "//*") if found else None
            if found is None:
                self.drop(line, "the expression does not end in an attribute", lost=True)
            elif selector:
                action = {"op": "remove_attrs", "selector": selector, "attrs": [found[2]]}
                self.actions.append(action)

    def take_wrap(self, line: _Line) -> None:
        tag = line.argument.lower()
        selector = self.selector(line)
        if not _TAG.fullmatch(tag) or tag in UNREADABLE:
            self.drop(line, f"{tag or 'nothing'} is not an element that can wrap others")
        elif selector:
            self.actions.append({"op": "wrap", "selector": selector, "wrapper_tag": tag})

    def take_move(self, line: _Line) -> None:
        selector = self.selector(line)
        if line.argument.lower() == "body":
            if selector:
                self.include.append(selector)
            return
        target = self.selector(line, line.argument)
        if selector and target:
            self.actions.append({"op": "move", "selector": selector, "target": target})
            self.include.append(selector)  # from outside the article it comes in only so

    def take_dissolve(self, line: _Line) -> None:
        if selector := self.selector(line):
            self.actions.append({"op": "unwrap", "selector": selector})

    def take_lazy(self, line: _Line) -> None:
        if re.fullmatch(r"[\w:.-]{1,60}", line.value):
            selector = f"img[{line.value}]"
            copy = {"op": "copy_attr", "selector": selector, "from": line.value, "to": "src"}
            self.actions.append(copy)
        else:
            self.drop(line, "not an attribute name")

    def take_link(self, line: _Line) -> None:
        if selector := self.selector(line):
            kind = "single_page" if line.name.startswith("single") else "next_page"
            self.links.append({"kind": kind, "selector": selector})

    def take_condition(self, line: _Line) -> None:
        """It belongs to the last link to a single page before it, or else to a next page."""
        for kind in ("single_page", "next_page"):
            link = next((each for each in reversed(self.links) if each["kind"] == kind), None)
            if link is not None:
                if condition := self.selector(line):
                    link["if"] = condition
                return
        self.drop(line, "there is no link before it that the condition could belong to")

    def take_header(self, line: _Line) -> None:
        name = line.argument.lower()
        if not re.fullmatch(r"[a-z0-9-]{1,60}", name) or not line.value.isprintable():
            self.drop(line, "not a valid header")
        elif name == "cookie":
            self._take_cookies(line)
        else:
            self.headers.setdefault(name, line.value)

    def _take_cookies(self, line: _Line) -> None:
        for part in filter(None, (part.strip() for part in line.value.split(";"))):
            name, sign, value = part.partition("=")
            if sign and re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}", name.strip()):
                self.cookies.setdefault(name.strip(), value.strip())
            else:
                self.drop(line, f"{part[:40]} is not a cookie")

    def take_find(self, line: _Line) -> None:
        self.waiting.append(line)

    def take_replace(self, line: _Line) -> None:
        if line.argument:
            self.replace.append({"find": line.argument, "with": line.value})
        elif self.waiting:
            found = self.waiting.pop(0)
            if found.value:
                self.replace.append({"find": found.value, "with": line.value})
            else:
                self.drop(found, "no value after the colon")
        else:
            self.drop(line, "there is no find_string before it")

    def take_double_breaks(self, line: _Line) -> None:
        if line.value.lower() in _YES:
            pattern = r"(?i)<br\s*/?>(?:\s|&nbsp;)*<br\s*/?>"
            self.replace.append({"find": pattern, "with": "</p><p>", "regex": True})

    def take_no_json_ld(self, line: _Line) -> None:
        if line.value.lower() in _YES:
            found = "application/ld+json"
            self.replace.append({"find": found, "with": "application/x-not-read"})

    def take_ad(self, line: _Line) -> None:
        if selector := self.selector(line):
            self.ads.append(selector)

    def take_wall(self, line: _Line) -> None:
        if selector := self.selector(line):
            self.walls.append(selector)

    def take_prune(self, line: _Line) -> None:
        self.clean = line.value.lower() in _YES

    def take_failure(self, line: _Line) -> None:
        self.required = line.value.lower() not in _YES

    def take_auto_next(self, line: _Line) -> None:
        if line.value.lower() in _YES:
            self.links.append(
                {"kind": "next_page", "selector": "a[rel~='next'], link[rel~='next']"}
            )

    def take_test(self, line: _Line) -> None:
        if line.name == "test_url":
            self.tests.append({"url": line.value})
        elif self.tests:
            self.tests[-1].setdefault("contains", []).append(line.value)
        else:
            self.drop(line, "there is no test_url before it")

    def take_lost(self, line: _Line) -> None:
        self.drop(line, "links in the text of feeds are not followed", lost=True)

    # the rule

    def finish(self) -> Converted:
        for line in self.waiting:
            self.drop(line, "there is no replace_string for it, so no reader acts on it")
        main = self._main_rule()
        if main:
            self._add("", main)
        for number, link in enumerate(each for each in self.links if "if" in each):
            request = {link["kind"]: link["selector"]}
            self._add(f"/{link['kind']}-{number + 1}", {"request": request}, [link["if"]])
        if self.ads:
            self._add("/native-ad", {"metadata": {"native_ad": {"value": True}}}, self.ads)
        if self.walls:  # whoever is not signed in sees less than the article
            closed = {"metadata": {"accessible_for_free": {"value": False}}}
            self._add("/signed-out", closed, self.walls)
        self.result.dropped.sort(key=lambda each: each.line)
        return self.result

    def _add(self, suffix: str, parts: dict[str, Any], needs: list[str] | None = None) -> None:
        trigger = self._trigger(parts, needs)
        if trigger is None:
            line = _Line(1, "fingerprint", "", self.stem)
            self.drop(line, "it is not known how to recognise pages of this system", lost=True)
            return
        rule: dict[str, Any] = {"id": f"ftr:{self.stem}{suffix}"}
        rule |= {"priority": _PRIORITIES[self.kind], "trigger": trigger}
        self.result.rules.append(rule | parts)

    def _trigger(self, parts: dict[str, Any], needs: list[str] | None) -> dict[str, Any] | None:
        dom = {"dom": {"any": needs}} if needs else {}
        if self.kind == "host":
            return {"host": {"equals": self.stem}} | dom
        if self.kind == "below":
            return {"host": {"ends_with": self.stem}} | dom
        if self.kind == "global":
            return {"dom": {"any": needs or _what_it_touches(parts)}}
        known = FINGERPRINTS.get(self.stem.removeprefix("fingerprint."))
        if known is None:
            return None
        return {"dom": {"all": [", ".join(known), *needs]} if needs else {"any": known}}

    def _main_rule(self) -> dict[str, Any]:
        parts: dict[str, Any] = {}
        if request := self._request():
            parts["request"] = request
        if self.replace:
            parts["replace"] = self.replace
        if self.articles:
            scope: dict[str, Any] = {"article": self.articles}
            parts["selector_overrides"] = scope | ({"required": True} if self.required else {})
            if self.clean is not None:
                parts["clean"] = self.clean
        for name, value in (("remove", self.remove), ("include", self.include)):
            if value:
                parts[name] = list(dict.fromkeys(value))
        if self.actions:
            parts["actions"] = self.actions
        if self.fields:
            parts["metadata"] = {name: {"selector": each} for name, each in self.fields.items()}
        if self.tests:
            parts["tests"] = self.tests
        return parts

    def _request(self) -> dict[str, Any]:
        request: dict[str, Any] = {}
        if self.headers:
            request["headers"] = self.headers
        if self.cookies:
            request["cookies"] = self.cookies
        for kind in ("next_page", "single_page"):
            found = [e["selector"] for e in self.links if e["kind"] == kind and "if" not in e]
            if found:
                request[kind] = found
        return request


def _kind(stem: str) -> str:
    if stem == "global":
        return "global"
    if stem.startswith("fingerprint."):
        return "fingerprint"
    return "below" if stem.startswith(".") else "host"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _what_it_touches(parts: dict[str, Any]) -> list[str]:
    """Selectors of all that a rule for every page would do something to."""
    found = [*parts.get("remove", ())]
    found.extend(action["selector"] for action in parts.get("actions", ()))
    for reader in parts.get("metadata", {}).values():
        found.extend(reader.get("selector", ()))
    for each in parts.get("replace", ()):
        tag = re.match(r"</?([a-z][\w-]*)", each["find"])
        found.append(tag[1] if tag else "html")
    return list(dict.fromkeys(_simpler(each) for each in found)) or ["html"]


_STEP = re.compile(
    r"//(\w+|\*)(?:\[(@\w[\w-]*|contains\(@\w[\w-]*,)\s*=?\s*(\"[^\"]*\"|'[^']*')\)?\])?"
)


def _simpler(selector: str) -> str:
    """The elements of a plain XPath as CSS, which the index understands; others as they are."""
    query = selector.removeprefix(XPATH)
    path = re.sub(r"/@[\w:-]+$", "", query)
    found = _STEP.fullmatch(path) if selector.startswith(XPATH) else None
    if found is None:
        return selector
    tag = "" if found[1] == "*" and found[2] else found[1]
    if not found[2]:
        return tag
    name = found[2].removeprefix("contains(").strip("@,")
    sign = "*=" if found[2].startswith("contains") else "="
    return f"{tag}[{name}{sign}{found[3]}]"


_HANDLERS: dict[str, Callable[[_Maker, _Line], None]] = {
    "title": _Maker.take_field,
    "author": _Maker.take_field,
    "date": _Maker.take_field,
    "body": _Maker.take_body,
    "strip": _Maker.take_strip,
    "strip_id_or_class": _Maker.take_strip_name,
    "strip_image_src": _Maker.take_strip_image,
    "strip_attr": _Maker.take_strip_attr,
    "wrap_in": _Maker.take_wrap,
    "move_into": _Maker.take_move,
    "dissolve": _Maker.take_dissolve,
    "src_lazy_load_attr": _Maker.take_lazy,
    "single_page_link": _Maker.take_link,
    "next_page_link": _Maker.take_link,
    "if_page_contains": _Maker.take_condition,
    "http_header": _Maker.take_header,
    "find_string": _Maker.take_find,
    "replace_string": _Maker.take_replace,
    "convert_double_br_tags": _Maker.take_double_breaks,
    "skip_json_ld": _Maker.take_no_json_ld,
    "native_ad_clue": _Maker.take_ad,
    "not_logged_in_xpath": _Maker.take_wall,
    "prune": _Maker.take_prune,
    "autodetect_on_failure": _Maker.take_failure,
    "autodetect_next_page": _Maker.take_auto_next,
    "test_url": _Maker.take_test,
    "test_contains": _Maker.take_test,
    "single_page_link_in_feed": _Maker.take_lost,
}
