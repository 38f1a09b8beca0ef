"""Recognise parked domains: pages that sell the name of a site that is gone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from pageloom.model import RawPage

_HEAD = 100_000
_MOST_WORDS = 400
_HOSTS = (
    "sedoparking.com sedo.com bodis.com hugedomains.com dan.com afternic.com parkingcrew.net"
    " above.com undeveloped.com domainmarket.com buydomains.com uniregistry.com parklogic.com"
).split()
_MARKS = re.compile(
    rb"sedoparking\.com|parkingcrew\.net|bodis\.com|parklogic\.com|cdn-?park|/parking[-_]lander"
    rb"|window\.park\s*=|data-adblockkey=",
    re.IGNORECASE,
)
_SALE = re.compile(
    rb"domain(?: name)?(?: [\w.-]{3,60})? (?:is|may be|could be) (?:available )?for sale"
    rb"|buy this domain|domain is parked|this domain (?:name )?(?:has expired|is available)"
    rb"|diese domain (?:steht zum verkauf|kaufen)|ce nom de domaine est (?:\xc3\xa0|a) vendre"
    rb"|este dominio est\xc3\xa1 (?:a|en) venta|questo dominio \xc3\xa8 in vendita",
    re.IGNORECASE,
)


def is_parked(page: RawPage, *, words: int) -> bool:
    """Whether a page only sells its domain.

    Args:
        page: the answer.
        words: how many words its content has; an article about domains has many.
    """
    host = urlsplit(page.final_url).hostname or ""
    if any(host == each or host.endswith(f".{each}") for each in _HOSTS):
        return True
    head = page.body[:_HEAD]
    return words < _MOST_WORDS and bool(_MARKS.search(head) or _SALE.search(head))
