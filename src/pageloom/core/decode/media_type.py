"""Detect the media type of a text, from the header, its beginning and its structure."""

from __future__ import annotations

import re
from typing import Final

HTML: Final = "text/html"
XHTML: Final = "application/xhtml+xml"
RSS: Final = "application/rss+xml"
ATOM: Final = "application/atom+xml"
RDF: Final = "application/rdf+xml"
XML: Final = "application/xml"
JSON_FEED: Final = "application/feed+json"
JSON: Final = "application/json"
PLAIN: Final = "text/plain"
MARKDOWN: Final = "text/markdown"
PDF: Final = "application/pdf"

FEEDS: Final = frozenset({RSS, ATOM, RDF, JSON_FEED})

_HEAD = 4_096
_ROOTS = {"rss": RSS, "feed": ATOM, "channel": RSS, "rdf:rdf": RDF, "html": HTML}

_PROLOG = re.compile(
    r"(?:\s+|<\?[^>]*>|<!--(?:[^-]|-(?!->))*-->|<!doctype\b[^>\[]*(?:\[[^\]]*\]\s*)?>)+",
    re.IGNORECASE,
)
_ROOT = re.compile(r"<([a-z_][\w.:-]*)", re.IGNORECASE)
_HTML_MARK = re.compile(
    r"<(?:!doctype\s+html|html|head|body|title|meta|link|script|style|div|p|br|h[1-6]|a|b|i|em|ul|ol|li"
    r"|table|tr|td|span|img|article|section|main|header|footer|nav|form|center|font|strong|pre"
    r"|blockquote|iframe|noscript|figure|hr|dl)(?=[\s>/])",
    re.IGNORECASE,
)
_FEED_MARK = re.compile(r"<(rss|feed|rdf:rdf)(?=[\s>])", re.IGNORECASE)
_WHOLE_FEED = re.compile(r"<\?xml\b[^>]{0,200}>\s{0,20}<(rss|feed|rdf:rdf)(?=[\s>])", re.IGNORECASE)
_PAGE_MARK = re.compile(r"<(?:!doctype|html|head|body|title)\b", re.IGNORECASE)
_JSON_START = re.compile(r"[{\[]\s*(?:[\"{\[\]}\d-]|true|false|null)")
_MARKDOWN_MARK = re.compile(
    r"^#{1,6} \S|^(?:```|~~~)|^[-*+] \S|^\d+\. \S|^> \S|\[[^\]\n]{1,200}\]\([^)\s]{1,500}\)"
    r"|\*\*[^*\n]{1,200}\*\*|^(?:===+|---+)$",
    re.MULTILINE,
)
_STRONG_MARKS = 2


def find_media_type(text: str, *, declared: str = "", url: str = "") -> str:
    """The media type that fits the text best; one of the names of this module.

    Args:
        text: the decoded content.
        declared: the ``Content-Type`` header, believed where the text leaves a choice.
        url: the URL, whose extension tells Markdown from plain text.
    """
    claim = declared.split(";", maxsplit=1)[0].strip().lower()
    head = text[:_HEAD].lstrip("\ufeff\x00 \t\r\n\x0c")
    if head.startswith(("{", "[")) or ("json" in claim and not head.startswith("<")):
        return _name_json(head, text, claim) or _name_text(head, claim, url)
    return _name_markup(head, claim) or _name_text(head, claim, url)


def _name_json(head: str, text: str, claim: str) -> str:
    is_json = "json" in claim or _JSON_START.match(head)
    if not is_json or text.rstrip("\x00 \t\r\n;")[-1:] not in "]}":
        return JSON if "json" in claim else ""
    return JSON_FEED if "jsonfeed.org/version" in head.replace("\\/", "/") else JSON


def _name_markup(head: str, claim: str) -> str:
    prolog = _PROLOG.match(head)
    start = prolog.end() if prolog else 0
    root = _ROOT.match(head, start)
    name = root[1].lower() if root else ""
    declares_xml = head[:200].lstrip()[:5].lower() == "<?xml"
    if name == "html":
        return XHTML if declares_xml or claim == XHTML else HTML
    if name in _ROOTS and (name != "channel" or declares_xml):
        return _ROOTS[name]
    return _name_other_markup(head, name, claim, declares_xml=declares_xml)


def _name_other_markup(head: str, root: str, claim: str, *, declares_xml: bool) -> str:
    feed = _FEED_MARK.search(head[:1_500])
    is_page = _HTML_MARK.search(head)
    whole = _WHOLE_FEED.search(head)
    if whole and not _PAGE_MARK.search(head, 0, whole.start()):
        return _ROOTS[whole[1].lower()]  # a program complained before it wrote the feed
    if feed and not (is_page and is_page.start() < feed.start()):
        return _ROOTS[feed[1].lower()]
    if root and ":" in root and root.endswith((":rss", ":feed")):
        return _ROOTS[root.split(":")[1]]
    if (
        root
        and (declares_xml or claim.endswith(("/xml", "+xml")))
        and not (is_page and claim in {HTML, XHTML})
    ):
        return XML
    return HTML if is_page and claim not in {PLAIN, MARKDOWN} else ""


def _name_text(head: str, claim: str, url: str) -> str:
    path = url.split("?", maxsplit=1)[0].split("#", maxsplit=1)[0].lower()
    if claim in {MARKDOWN, "text/x-markdown"} or path.endswith((".md", ".markdown", ".mdown")):
        return MARKDOWN
    if claim in {HTML, XHTML} or (not claim and _ROOT.search(head)):
        return HTML
    if claim == PLAIN and path.endswith((".txt", ".log")):
        return PLAIN
    return MARKDOWN if len(_MARKDOWN_MARK.findall(head)) >= _STRONG_MARKS else PLAIN
