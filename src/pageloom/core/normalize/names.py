"""Parse names from bylines: remove labels, split lists, refuse what is not a name."""

from __future__ import annotations

import re

from pageloom.core.normalize.calendars import fold, month_of
from pageloom.core.normalize.text import clean_text, fold_text

LABELS = tuple(
    (
        "written and photographed by|written by|posted by|published by|reported by|reviewed by|"
        "medically reviewed by|fact checked by|fact-checked by|edited by|authored by|article by|"
        "story by|text by|words by|guest post by|contributed by|created by|submitted by|"
        "started by|asked by|answered by|photo by|photos by|a post by|by|author|authors|"
        "author(s)|about the author|about author|contributor|contributors|writer|reporter|von|"
        "geschrieben von|veröffentlicht von|verfasst von|ein beitrag von|ein artikel von|"
        "eingestellt von|erstellt von|text von|interview von|interview|this post was written by|"
        "this article was written by|autor|autorin|autoren|text|redaktion|foto|par|écrit par|"
        "publié par|rédigé par|auteur|auteurs|por|escrito por|publicado por|autores|autora|"
        "a cura di|scritto da|pubblicato da|autore|door|geschreven door|av|skriven av|af|"
        "skrevet av|skrevet af|kirjoittanut|napisał|napisała|autor tekstu|napsal|napsala|автор|"
        "авторы|автори|szerző|írta|yazar|yazan|oleh|penulis|tác giả|作者|文|著者|記者|执笔|執筆|"
        "取材|取材・文|文・取材|글|기자|كتب|بقلم|מאת|posted in|published|posted"
    ).split("|")
)
"""What stands before a name and is none, in lower case."""

NOT_NAMES = frozenset(
    (
        "admin|administrator|administrateur|administrador|editor|editors|webmaster|root|user|"
        "guest|anonymous|unknown|null|undefined|none|n/a|na|author|authors|staff|team|wordpress|"
        "default|test|system|super user|superuser|site admin|siteadmin|website|web|editorial|"
        "redaktion|redazione|rédaction|la rédaction|redacción|redacao|redactie|the editors|"
        "the editor|contributor|contributors|share|follow|more|read more|view profile|profile|"
        "bio|comments|comment|reply|home|news|blog|twitter|facebook|email|contact|contact us|"
        "search|menu|login|log in|sign in|sign up|subscribe|all posts|view all posts|"
        "see all posts|about|about us|about the author|the author|advertisement|sponsored|"
        "details|and|und|by|von|mr|me|member|moderator|verified|op|original poster|"
        "top contributor|new member|active member|junior member|senior member|registered|"
        "community|support|help|info|office|marketing|content|author name|your name|first last|"
        "no author|not available|various|name|text link|link|author spotlight|image|title|others|"
        "and others|us|you|yourself|n.n.|-|view bio|learn more|posts|articles|website owner|"
        "verified buyer|verified purchase|verified customer|customer|shopify api|shopify|wix|"
        "squarespace|post author|author archive|skip to content|follow us|follow me|"
        "politics|politik|wirtschaft|kultur|sport|sports|panorama|lifestyle|gesundheit|kosmetik|"
        "opinion|business|technology|entertainment|health|science|travel|culture|features|"
        "press release|pressemitteilung|guest author|gastbeitrag|gastautor|gastautorin|kommentar|"
        "interview|"
        "more by this author|more from this author|view more|posted|published|updated|last updated"
    ).split("|")
)
"""Accounts, labels and buttons that stand where a name should."""

_CUT = re.compile(
    r"(?:[|•·–—›»:]|\s-\s|(?i:\bupdated\b|\bpublished\b|\bposted\b|\blast (?:updated|modified)\b"
    r"|\b\d{1,2}\s?min(?:ute)?s?\b|\bvia\b|\bon\b\s(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|\d)"
    r"|\bat\b\s\d|\bam\b\s\d|\bum\b\s\d|\ble\b\s\d|\bel\b\s\d|@|\(|\[|\bveröffentlicht\b|\baktualisiert\b|\bstand\b))"
)
_URL = re.compile(r"https?:|www\.|\.(?:com|org|net|de|fr|co|io|info|html?|php)\b|/")
_EMAIL = re.compile(r"\(?[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}\)?")
_BODY = re.compile(r"\b(?:for|of|für|pour|para|per|voor|de la)\b", re.IGNORECASE)
_AND = re.compile(
    r"\s(?:and|und|et|y|e|en|og|och|ja|i|и|та|ve|dan|&|\+|and\sby)\s|\s?[;|/]\s?|&", re.IGNORECASE
)
_LEADING_AND = re.compile(r"^(?:and|und|&|\+)\s+", re.IGNORECASE)
_COMMA = re.compile(r"\s?,\s?(?:and\s|und\s)?")
_SUFFIX = re.compile(
    r"^(?:ph\.?d|m\.?d|jr|sr|ii|iii|iv|esq|mba|msc|m\.?sc|bsc|b\.?sc|ma|m\.?a|ba|b\.?a|rn|r\.?d|rdn|ldn|do|dds|dvm|pharmd|cpa|cfa|cfp|pe|mph|jd|ll\.?m"
    r"|lcsw|np|pa-c|facs|cissp|pmp|phd student|esquire|m\.?ed|edd|psyd|faap|facc|mrcp|fca|crnp|msn"
    r"|aprn|cscs|cpt|cdces|frcs|rph|mfa)\.?$",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"\b(?:editor|writer|reporter|correspondent|journalist|contributor|columnist|director|manager|analyst|producer|author|blogger|founder|ceo|cto"
    r"|president|professor|consultant|specialist|expert|engineer|developer|designer|strategist"
    r"|photographer|associate|officer|head of|chief"
    r"|staff|intern|fellow|lead|senior|redakteur(?:in)?|journalistin?|korrespondent(?:in)?|autorin?|redacteur|reviewer|advisor|attorney|lawyer"
    r"|coordinator|executive|owner|freelance|researcher|marketer|partner)\b",
    re.IGNORECASE,
)
_ROLE_END = re.compile(
    r"(?:editor|writer|reporter|correspondent|journalist|contributor|columnist|author|blogger"
    r"|photographer|producer|manager|redakteur(?:in)?|journalistin|korrespondent(?:in)?|autorin?)s?",
    re.IGNORECASE,
)
_ROLE_WORDS = frozenset(
    "tech technology news sports political politics business health science web managing deputy"
    " contributing content guest copy digital features opinion foreign chief lead junior".split()
)
_SENTENCE = re.compile(
    r"\b(?:is|are|was|were|has|have|you|your|our|we|this|that|these|with|from|ist|sind|wird|hat|est|sont|click|read|view|see|more|follow|share"
    r"|subscribe|join|sign|log|get|posts?|articles?|comments?|replies|months?|days?|hours?|weeks?|years?|ago|rating|reviews?|stars?|show|hide"
    r"|newsletter|privacy|cookie|copyright|rights)\b",
    re.IGNORECASE,
)
_CROWD = re.compile(r"(?:contributors|editors|members|users) (?:to|of|on|at) ")
"""Whoever they are: ``Contributors to Wikimedia projects``."""
DIGIT = re.compile(r"\d")
_NEEDS_COLON = frozenset(
    (
        "text",
        "redaktion",
        "foto",
        "interview",
        "autor",
        "autorin",
        "author",
        "authors",
        "writer",
        "reporter",
        "contributor",
        "contributors",
        "文",
        "글",
        "作者",
        "著者",
        "執筆",
        "取材",
        "記者",
        "published",
        "posted",
        "autore",
        "auteur",
        "auteurs",
        "autores",
        "autora",
        "автор",
        "yazar",
        "penulis",
    )
)
_ITALIAN_BY = re.compile(r"^di (?=[^\W\d_a-z]\w+ [^\W\d_a-z])")
"""Small before two names it is a label; ``Di Maria`` and ``di Maria`` are names."""
_LABEL = re.compile(
    r"^(?:"
    + "|".join(re.escape(label) for label in sorted(LABELS, key=len, reverse=True))
    + r")(?:\(\w{1,3}\))?(\s?[:：＝／]\s*|\s+|$)",
    re.IGNORECASE,
)
MAX_NAME = 60
_LONGEST = 2_000
MAX_AUTHORS = 40


def read_names(raw: str, *, strict: bool = False) -> list[str]:
    """The names in one claim; a claim of several lines is read line by line.

    Args:
        raw: what the page states, one text per line.
        strict: whether a name must look like a person's, because the claim is a guess.

    Example:
        >>> read_names("By Jane Doe and John Q. Public | May 5")
        ['Jane Doe', 'John Q. Public']
    """
    names: list[str] = []
    for line in joined_lines(raw[:_LONGEST]):
        for name in names_of_line(line):
            if is_name(name, strict=strict) and fold_text(name) not in map(fold_text, names):
                names.append(name)
        if names and strict:
            break
    return names[:MAX_AUTHORS]


def joined_lines(raw: str) -> list[str]:
    """Lines, with names that a comma or an ``and`` on its own line divides joined again."""
    lines: list[str] = []
    carry = ""
    for line in raw.split("\n"):
        bare = clean_text(line)
        text = bare.strip(" ,|•·–—-:/，、")
        if bare in (",", ", and", ", und") and lines:
            carry = f"{lines.pop()}, "
            continue
        if not text:
            continue
        if fold_text(text) in ("and", "&", "und", "et", "y") and (lines or carry):
            carry = carry or f"{lines.pop()} and "
            continue
        lines.append(f"{carry}{text}")
        carry = ""
    return lines


def names_of_line(line: str) -> list[str]:
    """The texts of one line that may be names, without labels, degrees and roles."""
    bare = _EMAIL.sub("", line) if "@" in line else line
    text = strip_label(bare.strip(" ()<>"))
    if _URL.search(text.split(" ", 1)[0].lower()):
        return []
    if found := _CUT.search(text, 2):
        text = text[: found.start()]
    names: list[str] = []
    pieces = _AND.split(text)
    if len(text) <= MAX_NAME and len(pieces) == 2 and _BODY.search(text):
        return [tidy_name(text)]
    parts = [part for part in pieces if part.strip()]
    if (
        len(parts) == 2
        and "," not in text
        and not all(is_name(tidy_name(part), strict=True) for part in parts)
    ):
        return [tidy_name(text)]
    for part in parts:
        names.extend(_split_commas(part))
    return [tidy_name(name) for name in names if name.strip()]


def strip_label(text: str) -> str:
    """A byline without ``By``, ``Von``, ``Written by:`` and the like, however many."""
    text = _ITALIAN_BY.sub("", text)
    for _ in range(4):
        found = _LABEL.match(text)
        if not found or (
            not found[1].strip()
            and found[0].strip().lower() in _NEEDS_COLON
            and found.end() < len(text)
        ):
            break
        text = text[found.end() :].lstrip(" :：,-–—")
    return text


def _split_commas(text: str) -> list[str]:
    """Names between commas; degrees and roles are dropped; ``Doe, Jane`` is turned."""
    parts = [part for part in _COMMA.split(text) if part and not _SUFFIX.match(part)]
    if (
        len(parts) == 2
        and all(len(part.split()) == 1 for part in parts)
        and not any(_ROLE.search(part) for part in parts)
    ):
        return [f"{parts[1]} {parts[0]}"]
    kept = [part for part in parts if not _ROLE.search(part)]
    if len(kept) > 1 and len(kept[0].split()) > 1:
        kept = [part for part in kept if len(part.split()) > 1]
    return kept or parts[:1]


def tidy_name(name: str) -> str:
    """A name without the punctuation around it, in normal capitals when it is all in one case."""
    name = _LEADING_AND.sub("", name.strip(' \t,;:|•·–—-/"“”«»*，、©')).strip()
    if name.endswith(".") and not re.search(r"\b(?:[A-Z]|Jr|Sr|St|Dr|Inc|Co|Ltd)\.$", name):
        name = name.rstrip(".")
    return name


def is_name(name: str, *, strict: bool = False) -> bool:
    """Whether a text can be the name of a person or an organisation."""
    folded = fold_text(name)
    if (
        len(name) < 2
        or len(name) > MAX_NAME
        or folded in NOT_NAMES
        or _URL.search(folded)
        or "@" in name
        or _CROWD.match(folded)
    ):
        return False
    words = name.split()
    if strict and ("author" in folded or is_role(name)):
        return False
    if len(words) > 6 or not any(char.isalpha() for char in name) or _is_date(words):
        return False
    if _SENTENCE.search(name) and (strict or len(words) > 3):
        return False
    return _looks_like_person(name, words) if strict else not re.fullmatch(r"[\d\W]+", name)


def is_role(name: str) -> bool:
    """Whether two or three words are what somebody does: ``Senior Staff Writer``."""
    words = name.split()
    if not 2 <= len(words) <= 3 or not _ROLE_END.fullmatch(words[-1]):
        return False
    return all(_ROLE.search(word) or word.lower() in _ROLE_WORDS for word in words[:-1])


def _is_date(words: list[str]) -> bool:
    numbers = sum(1 for word in words if word[0].isdigit())
    months = sum(1 for word in words if month_of(fold(word.strip(".,"))))
    return numbers > 0 and (months > 0 or numbers == len(words))


_PARTICLE = frozenset(
    "de la le van von der den del di da dos do du el al bin ibn ben af av zu zur y e und mac st."
    " the of and for".split()
)


def _looks_like_person(name: str, words: list[str]) -> bool:
    """Two to five words that begin with a capital, or a name in a script without capitals."""
    if DIGIT.search(name) or any(char in name for char in "!?#=<>{}$%…"):
        return False
    cased = [word for word in words if word.lower() != word.upper()]
    if not cased:
        return 2 <= len(name) <= 12
    capital = [word for word in cased if word[0].isupper() or not word[0].isalpha()]
    small = [word for word in cased if word not in capital and word.lower() not in _PARTICLE]
    return 2 <= len(words) <= 5 and len(capital) >= 2 and not small
