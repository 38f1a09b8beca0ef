"""Escape text for Markdown: running text, line starts, URLs, code, cells."""

from __future__ import annotations

import re

from pageloom.core.page_urls import scheme_of
from pageloom.core.words import is_printable, single_spaced

BREAK = "\\\n"
"""A hard line break. Nothing else in a run holds a newline, so other places can replace it."""

_INVISIBLE = (
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u180e\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff"
)
_NOISE = re.compile(f"[{_INVISIBLE}]+")
_SIGNS = "\\`*[]~_<&"
"""Signs that are escaped, the backslash before those that it escapes."""
_WITH_MEANING = {
    "_": re.compile(r"_(?:(?<![^\W_]_)|(?![^\W_]))"),  # inside a word never means emphasis
    "<": re.compile(r"<(?=[A-Za-z/!?]|\Z)"),
    "&": re.compile(r"&(?=#?[A-Za-z0-9]{0,40}(?:;|\Z))"),
}
"""Where signs that are not escaped wherever they stand mean something."""
_SPACES = re.compile("[ \t\n\r\f\v\x85\u2028\u2029]{2,}|[\t\n\r\f\v\x85\u2028\u2029]")
_ORDERED = re.compile(r"\d{1,9}(?=[.)](?:\s|\Z))")
_HEADING = re.compile(r"#{1,6}(?:\s|\Z)")
_CLOSING_HASHES = re.compile(r"(?:(?<=\s)|\A)(#+)\Z")
_TICKS = re.compile(r"`+")
_FENCE_LIKE = re.compile(r"^ {0,3}(`{3,})", re.MULTILINE)
_ADDRESS = re.compile(r"[\s<>\\`\"^{|}]")
_PLAIN_ADDRESS = re.compile(r"[A-Za-z0-9/:.\-_?=%#~+,@!$';*&]*")
"""Nothing that would be changed, but for ``&`` before a name and ``;``; to see so is faster than
to look for what would be."""
_ENTITY = re.compile(r"&(?=#?[A-Za-z0-9]{1,40};)")
_FOLLOWED = frozenset({"", "http", "https", "mailto", "tel", "sms", "ftp"})
"""Schemes a link may have, or none. A list of bad ones would never be whole."""
_DOLLAR = re.compile(r"(?<!\\)\$")
AT_START = frozenset("-+#>=:|0123456789")
"""What a line must begin with for ``guard_line`` to change it."""


def collapse(text: str) -> str:
    """White space as HTML shows it: every run of it is one space."""
    # all white space but the plain space counts as not printable
    if "  " not in text and text.isprintable():
        return text
    return collapse_some(text)[0]


def collapse_some(text: str) -> tuple[str, bool]:
    """The same where there is something to collapse, and whether noise may be in it."""
    spaced = single_spaced(text)
    return (_SPACES.sub(" ", text), True) if spaced is None else (spaced, False)


def without_noise(text: str) -> str:
    """The text without what has no width."""
    return _NOISE.sub("", text)


def escape_text(text: str) -> str:
    """Running text whose characters mean themselves; noise without width is gone."""
    return escape_signs(text if is_printable(text) else _NOISE.sub("", text), _SIGNS)


def signs_in(text: str) -> str:
    """Which signs ``escape_signs`` has to look for in parts of a text."""
    return "".join(filter(text.__contains__, _SIGNS))


def escape_signs(text: str, signs: str) -> str:
    """Running text without noise whose characters mean themselves.

    Most texts hold none of the signs, and to look for each is faster than for any of them. What
    a sign means depends on letters, digits and ``#;/!?`` beside it, never on another sign, so one
    after the other may be escaped.

    Args:
        text: the text.
        signs: what ``signs_in`` says of it, or of all that it is part of.
    """
    for sign in signs:
        if sign in text:
            meaning = _WITH_MEANING.get(sign)
            if meaning is None:
                text = text.replace(sign, "\\" + sign)
            else:
                text = meaning.sub(_with_backslash, text)
    return text


def _with_backslash(found: re.Match[str]) -> str:
    return "\\" + found[0]


def guard_line(line: str) -> str:
    """A line of a paragraph that must not be read as a list, heading, quote, rule or table."""
    if not line or line[0] not in AT_START:
        return line
    first = line[0]
    if first.isdigit():
        found = _ORDERED.match(line)
        return f"{found[0]}\\{line[found.end() :]}" if found else line
    if first == "#":
        risky = _HEADING.match(line) is not None
    elif first == ">":
        risky = True
    else:
        risky = line[1:2] in {"", " "} or not line.strip("-=|: ")
    return "\\" + line if risky else line


def guard_heading(text: str) -> str:
    """Heading text whose last ``#`` signs are not taken for a closing sequence."""
    if not text.endswith("#"):
        return text
    return _CLOSING_HASHES.sub(r"\\\1", text)


def code_span(text: str) -> str:
    """Inline code, fenced by more backticks than it holds."""
    text = collapse(text)
    if "`" not in text and not (text[0] == " " == text[-1]):
        return f"`{text}`"
    ticks = "`" * free_run(text, 1)
    padded = text[0] == "`" or text[-1] == "`"
    padded = padded or (text[0] == " " == text[-1] and not text.isspace())
    return f"{ticks} {text} {ticks}" if padded else f"{ticks}{text}{ticks}"


def free_run(text: str, least: int) -> int:
    """The shortest length of a run of backticks that does not occur in the text."""
    if "`" not in text:
        return least
    taken = {len(run) for run in _TICKS.findall(text)}
    while least in taken:
        least += 1
    return least


def fence_for(code: str) -> str:
    """The backticks around a block of code: longer than any line of the code starts with."""
    longest = max((len(run) for run in _FENCE_LIKE.findall(code)), default=2)
    return "`" * max(3, longest + 1)


def link_target(url: str) -> str:
    """A URL as the destination of a link; it means the same URL when read back."""
    if not _PLAIN_ADDRESS.fullmatch(url):
        url = _ADDRESS.sub(_percent, url)
        if ("(" in url or ")" in url) and not _balanced(url):
            url = url.replace("(", "\\(").replace(")", "\\)")
    return _ENTITY.sub("&amp;", url) if ";" in url and "&" in url else url


def link_title(title: str) -> str:
    """The title of a link or picture with the space and quotes around it, or nothing."""
    if not title:
        return ""
    quoted = _NOISE.sub("", title).replace("\\", "\\\\").replace('"', '\\"')
    return f' "{_ENTITY.sub("&amp;", quoted)}"'


def safe_tex(tex: str) -> str:
    """TeX on one line, in which nothing can be read as a tag, a link or the end of the formula."""
    if "<" in tex:
        tex = tex.replace("<", " < ")
    if "]" in tex:
        tex = tex.replace("](", "] (").replace("][", "] [").replace("]:", "] :")
    if "$" in tex:
        tex = _DOLLAR.sub(r"\\$", tex)
    return " ".join(tex.split())


def is_refused(href: str) -> bool:
    """Whether a URL has a scheme that a reader should not follow."""
    return ":" in href and scheme_of(href) not in _FOLLOWED


def _percent(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "replace"))


def _balanced(url: str) -> bool:
    depth = 0
    for character in url:
        if character == "(":
            depth += 1
            if depth > 3:
                return False
        elif character == ")":
            depth -= 1
            if depth < 0:
                return False
    return depth == 0
