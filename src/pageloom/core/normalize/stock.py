"""Parse availability and paywall statements, in structured data and visible text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.core.buying import is_buy_label
from pageloom.core.lazy_regex import lazy_regex
from pageloom.core.normalize.text import fold_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.parts import Claim
    from pageloom.model import Availability

_BUTTON = "buy button"
_SCHEMA: dict[str, Availability] = {
    "instock": "in_stock",
    "instoreonly": "in_stock",
    "limitedavailability": "in_stock",
    "onlineonly": "in_stock",
    "madetoorder": "in_stock",
    "available": "in_stock",
    "instore": "in_stock",
    "oos": "out_of_stock",
    "outofstock": "out_of_stock",
    "soldout": "out_of_stock",
    "discontinued": "out_of_stock",
    "unavailable": "out_of_stock",
    "preorder": "preorder",
    "presale": "preorder",
    "backorder": "preorder",
    "reserved": "out_of_stock",
    "pending": "preorder",
    "availablefororder": "in_stock",
}
_OUT = lazy_regex(
    r"out of stock|sold out|currently unavailable|no longer available|not available|nicht (?:auf"
    r" lager|lieferbar|verfügbar)|ausverkauft|vergriffen"
    r"|rupture de stock|épuisé|indisponible|agotado|no disponible|sin existencias|esgotado"
    r"|indisponível|esaurito|non disponibile"
    r"|uitverkocht|niet (?:op voorraad|leverbaar)|slutsåld|slut i lager|udsolgt|utsolgt"
    r"|loppuunmyyty|brak w magazynie|niedostępny|wyprzedan"
    r"|vyprodáno|není skladem|нет в наличии|распродано|немає в наявності|tükendi|stokta yok|nincs"
    r" készleten|elfogyott|stoc epuizat|εξαντλήθηκε"
    r"|売り切れ|在庫切れ|在庫なし|缺货|缺貨|售罄|품절|hết hàng|สินค้าหมด|غير متوفر|אזל"
)
_PRE = lazy_regex(
    r"pre[- ]?order|back-?order|coming soon|vorbestell|précommande|reserva anticipada|pré-venda"
    r"|preordin|prenota|forudbestil|förhandsbok"
    r"|przedsprzedaż|předobjedn|предзаказ|ön sipariş|予約|预购|預購|예약"
)
_IN = lazy_regex(
    r"in stock|auf lager|sofort lieferbar|lieferbar|vorrätig|en stock|disponible|disponibile|em"
    r" estoque|disponível|op voorraad"
    r"|i lager|på lager|varastossa|w magazynie|dostępny|skladem|в наличии|є в наявності|stokta"
    r"|raktáron|în stoc|σε απόθεμα|διαθέσιμο"
    r"|在庫あり|有货|有貨|재고 있음|còn hàng|متوفر|במלאי|available"
)
_WALL = lazy_regex(
    r"subscribe to (?:continue|read|keep reading)|to continue reading|(?:already a )?subscriber\?"
    r" (?:log|sign) in|for subscribers only|subscribers only"
    r"|this (?:article|content|story) is (?:only )?(?:for|available to|exclusive to|reserved for)"
    r" (?:\w+ )?(?:subscribers|members)|become a (?:subscriber|member) to read"
    r"|jetzt weiterlesen|weiterlesen mit|um weiterzulesen|nur für abonnenten|exklusiv für"
    r" abonnenten|abonnieren, um"
    r"|réservé aux abonnés|article réservé|pour lire la suite|la suite est réservée|abonnez-vous"
    r" pour"
    r"|solo para suscriptores|exclusivo para suscriptores|suscríbete para (?:seguir|leer)"
    r"|contenido exclusivo para|exclusivo para assinantes"
    r"|assine para (?:ler|continuar)|contenuto riservato agli abbonati|riservato agli abbonati"
    r"|abbonati per (?:leggere|continuare)"
    r"|alleen voor abonnees|lees verder met|endast för prenumeranter|kun for abonnenter|dostęp"
    r" tylko dla prenumeratorów|pouze pro předplatitele"
    r"|только для подписчиков|sadece aboneler|有料会員限定|会員限定記事|この記事は有料|订阅后阅读"
    r"|订户专享"
)

_WALL_SIGNS = (
    "subscribe to continue",
    "subscribe to read",
    "subscribe to keep reading",
    "to continue reading",
    "subscriber? log in",
    "subscriber? sign in",
    "subscribers only",
    "this article is ",
    "this content is ",
    "this story is ",
    "become a subscriber to read",
    "become a member to read",
    "weiterlesen",
    "um weiterzulesen",
    "abonn",
    "article réservé",
    "pour lire la suite",
    "la suite est réservée",
    "suscriptores",
    "suscríbete para ",
    "exclusivo para",
    "assine para ",
    "abbonati",
    "lees verder met",
    "prenumer",
    "předplatitele",
    "для подписчиков",
    "sadece aboneler",
    "会員限定",
    "この記事は有料",
    "订阅后阅读",
    "订户专享",
)
"""One of them is in whatever _WALL finds; together they are looked for in a tenth of its time."""
_WALL_WORDS = tuple(
    (
        "subscribe continue article content story member weiterlesen weiterzulesen abonn réservé"
        " suite suscriptores suscríbete exclusivo assine abbonati verder prenumer předplatitele"
        " подписчиков aboneler 会員限定 この記事は有料 订阅后阅读 订户专享"
    ).split()
)
"""One of them is in each of these, however the text is spaced: most texts have none."""


def choose_availability(
    claims: Iterable[Claim], *, for_sale: bool = False
) -> tuple[Availability, str, str]:
    """Availability, source and raw value; one variant in stock is enough for the page.

    Args:
        claims: what the page says, structured data first.
        for_sale: whether the page sells one thing: then a button to buy it says that it is there.
    """
    best: tuple[Availability, str, str] = ("unknown", "", "")
    for claim in claims:
        if claim.source == _BUTTON and not for_sale:
            continue
        if best[0] != "unknown" and (claim.source != best[1] or claim.source == _BUTTON):
            break
        if claim.source == _BUTTON and is_buy_label(claim.value):
            return "in_stock", claim.source, claim.value
        found = read_availability(claim.value)
        if found == "in_stock":
            return found, claim.source, claim.value
        if found != "unknown" and best[0] == "unknown":
            best = (found, claim.source, claim.value)
    return best


def read_availability(value: str) -> Availability:
    """What a schema.org URL, a meta value or a visible phrase says about stock."""
    folded = fold_text(value)
    word = re.sub(r"[^a-z]", "", folded.rsplit("/", 1)[-1])
    if word in _SCHEMA:
        return _SCHEMA[word]
    for pattern, answer in ((_OUT, "out_of_stock"), (_PRE, "preorder"), (_IN, "in_stock")):
        if pattern.search(folded):
            return answer  # type: ignore[return-value]
    return "unknown"


def read_free(claims: Iterable[Claim], text: str) -> tuple[bool | None, str, str]:
    """Whether everyone may read a page, with source and raw value; None when it does not say."""
    for claim in claims:
        folded = claim.value.strip().lower()
        if claim.field == "free" and folded in ("true", "false", "yes", "no", "1", "0"):
            return folded in ("true", "yes", "1"), claim.source, claim.value
        if claim.field == "tier":
            return folded == "free", claim.source, claim.value
    found = _find_wall(text[-800:])
    return (False, "text", found[0]) if found else (None, "", "")


def _find_wall(end: str) -> re.Match[str] | None:
    """The words of a paywall at the end of a text; what is dear to look for comes last."""
    lower = end.casefold()
    if not any(map(lower.__contains__, _WALL_WORDS)):
        return None
    folded = fold_text(end)
    return _WALL.search(folded) if any(map(folded.__contains__, _WALL_SIGNS)) else None
