"""Choose the tags and categories that the page states."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.core.normalize.text import clean_text, decode_entities, fold_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.parts import Claim

MAX_TAGS = 40
_LONGEST = 60
_MOST_WORDS = 7
_COMMA = re.compile(r"[,;|\u060c\u3001\uff0c\u00b7\u2022\n]+")
_CONJUNCTION = re.compile(r"^(?:and|und|et|y|e|en|och|og|ja|oraz|и|&)\s+(?=\S)", re.IGNORECASE)
"""Before the last of several: ``Equity, Diversity, and Inclusion``."""
_SETTING = re.compile(
    r"[a-z]+(?:-[a-z]+|[A-Z][a-z]*)*: \S|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
)
"""What a system notes for itself among the keywords: ``locale: US``, ``hasProduct: true``."""
_PRICED = re.compile(r"[$€£¥]\s?\d|\d\s?[€£]")
_AROUND = " #\"'.:-\u2013\u2014"
_HOME = frozenset(
    (
        "home",
        "homepage",
        "home page",
        "start",
        "startseite",
        "accueil",
        "inicio",
        "início",
        "home »",
        "главная",
        "головна",
        "domov",
        "strona główna",
        "anasayfa",
        "ana sayfa",
        "etusivu",
        "hem",
        "hjem",
        "forside",
        "kezdőlap",
        "главна",
        "トップ",
        "ホーム",
        "首页",
        "首頁",
        "홈",
        "الرئيسية",
        "خانه",
        "ראשי",
        "back",
        "zurück",
        "retour",
        "volver",
        "voltar",
        "indietro",
        "terug",
        "wstecz",
        "tillbaka",
        "tilbage",
        "назад",
        "geri",
        "戻る",
        "返回",
        "you are here",
        "sie sind hier",
        "blog",
        "index",
        "main",
        "root",
        "all",
    )
)
_NOT_TAGS = frozenset(
    (
        "tags",
        "tag",
        "keywords",
        "more",
        "uncategorized",
        "uncategorised",
        "allgemein",
        "unkategorisiert",
        "non classé",
        "sin categoría",
        "senza categoria",
        "article",
        "post",
        "page",
        "website",
        "×",
        "read more",
        "share",
        "comments",
        "leave a comment",
        "no comments",
        "permalink",
        "edit",
        "reply",
        "print",
        "email",
        "twitter",
        "facebook",
        "pinterest",
        "linkedin",
        "whatsapp",
    )
)
_RANK = {
    "meta[article:tag]": 0,
    "meta[og:article:tag]": 0,
    "json-ld": 1,
    "rel[tag]": 2,
    "microdata": 3,
    "meta[news_keywords]": 4,
    "meta[parsely-tags]": 4,
    "meta[sailthru.tags]": 4,
    "meta[keywords]": 5,
    "tag class": 7,
}


def choose_tags(claims: Iterable[Claim], title: str = "") -> tuple[tuple[str, ...], str]:
    """The page's own tags, best sources first, and the name of the first source.

    A link that says what the page itself is called is none of them.
    """
    here = fold_text(title)
    by_source: dict[str, list[str]] = {}
    for claim in claims:
        by_source.setdefault(claim.source, []).extend(split_tags(claim.value))
    ordered = sorted(by_source.items(), key=lambda item: (_rank(item[0]), item[0]))
    found: dict[str, str] = {}
    first = ""
    for source, tags in ordered:
        if found and _rank(source) >= 6:
            continue
        for tag in tags:
            folded = fold_text(tag)
            if folded != here or "class" not in source:
                found.setdefault(folded, tag)
        first = first or (source if found else "")
    return tuple(found.values())[:MAX_TAGS], first


def _rank(source: str) -> int:
    return (
        -1
        if source.startswith(("rule", "source"))
        else _RANK.get(source, 6 if "class" in source else 5)
    )


def split_tags(value: str) -> list[str]:
    """The tags of one claim: between commas, semicolons and the like; sentences are none.

    Example:
        >>> split_tags("Rain, weather ;Uncategorized, #clouds")
        ['Rain', 'weather', 'clouds']
    """
    plain = decode_entities(value[:4_000])  # before their semicolons part them
    tags = [_tidy_tag(clean_text(part)) for part in _COMMA.split(plain)]
    if len(tags) > 1:
        tags[-1] = _CONJUNCTION.sub("", tags[-1])
    return [tag for tag in tags if is_tag(tag)]


def _tidy_tag(text: str) -> str:
    """Without marks around it; a bracket stays where its partner is inside."""
    tag = text.strip(_AROUND)
    for opening, closing in ("()", "[]"):
        if closing not in tag or (tag.startswith(opening) and tag.endswith(closing)):
            tag = tag.strip(opening + closing + _AROUND)
        if opening not in tag:
            tag = tag.strip(closing + _AROUND)
    return tag


def is_tag(tag: str) -> bool:
    """Whether a text is short enough, and says enough, to be a tag."""
    if (
        not 1 < len(tag) <= _LONGEST
        or len(tag.split()) > _MOST_WORDS
        or fold_text(tag) in _NOT_TAGS
    ):
        return False
    if "http" in tag or _SETTING.match(tag) or _PRICED.search(tag):
        return False
    return any(char.isalpha() for char in tag)


def choose_categories(claims: Iterable[Claim], title: str) -> tuple[tuple[str, ...], str]:
    """Sections and breadcrumb steps, without the home page and the page itself."""
    here = fold_text(title)
    found: dict[str, str] = {}
    first = ""
    for claim in claims:
        parts = (
            split_tags(claim.value)
            if claim.field == "category"
            else [clean_text(claim.value).strip(" ›»‹«←/><|")]
        )
        for part in parts:
            folded = fold_text(part)
            if (
                is_tag(part)
                and folded not in _HOME
                and not (
                    here and (folded == here or (here.startswith(folded) and len(folded) > 20))
                )
            ):
                found.setdefault(folded, part)
                first = first or claim.source
    return tuple(found.values())[:20], first
