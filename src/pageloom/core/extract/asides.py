"""Find parts of a page that announce that they are not content: related stories, newsletters.

A heading such as "Related stories" speaks for what stands under it, and a box that asks for an
e-mail address asks for a subscription. Trees learn such rare things badly from few pages; said once
here, they hold for pages of any make.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from pageloom.core.extract.blocks import OTHER_TAG, TAGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from pageloom.core.dom import Element
    from pageloom.core.extract.blocks import BlockPage

    Sums = NDArray[np.float64]

_ANNOUNCEMENTS = frozenset(
    phrase.strip()
    for phrase in re.split(
        r"[|\n]",
        """
    comments | comment | leave a comment | leave a reply | post a comment | add a comment
    join the conversation | discussion | responses | reader comments | view comments
    show comments | write a comment | add comment | your comments | what do you think
    kommentare | kommentar | kommentar schreiben | schreibe einen kommentar | leserkommentare
    diskussion | commentaires | laisser un commentaire | réactions | comentarios
    deja un comentario | deja una respuesta | commenti | lascia un commento | reacties
    komentarze | dodaj komentarz | комментарии | yorumlar | コメント | 评论 | 댓글 | التعليقات
    تعليقات | hozzászólások | kommentarer | related | related articles | related stories
    related posts | related news | related content | related reading | related topics
    related links | related coverage | more from | more stories | more news | more articles
    more like this | more on this | more on this story | more on this topic | more to read
    more to explore | you may also like | you might also like | you might like | also read
    also on | read next | read more | read also | read this next | up next | recommended
    recommended for you | recommended reading | recommended stories | recommended articles
    most read | most popular | most viewed | popular | popular posts | popular articles
    popular stories | trending | trending now | trending stories | latest | latest news
    latest stories | latest articles | latest posts | recent posts | recent articles
    recent stories | recent news | keep reading | further reading | editors picks
    editor's picks | from our partners | sponsored | sponsored content | promoted
    around the web | from the web | what to read next | similar articles | similar posts
    similar stories | explore more | discover more | in case you missed it | don't miss
    top stories | next article | previous article | next post | previous post | mehr zum thema
    mehr zu diesem thema | das könnte sie auch interessieren
    das könnte dich auch interessieren | das könnte ihnen auch gefallen | auch interessant
    weitere artikel | weitere themen | weitere beiträge | weitere meldungen
    weitere nachrichten | ähnliche artikel | ähnliche beiträge | verwandte artikel
    verwandte themen | lesen sie auch | lesen sie mehr | meistgelesen | meistgelesene artikel
    beliebte artikel | neueste artikel | neueste beiträge | aktuelle meldungen | aktuelles
    empfehlungen | empfohlen | lesetipps | zum thema | passend zum thema | mehr aus | mehr von
    mehr artikel | anzeige | à lire aussi | lire aussi | à lire également
    articles similaires | articles liés | articles associés | sur le même sujet
    dans la même rubrique | les plus lus | à la une | vous aimerez aussi | plus d'articles
    derniers articles | recommandé pour vous | voir aussi | también te puede interesar
    te puede interesar | te recomendamos | artículos relacionados | noticias relacionadas
    relacionados | más noticias | lo más leído | más leídas | lee también | leer también
    últimas noticias | entradas recientes | te podría interesar | leggi anche
    articoli correlati | potrebbe interessarti | ti potrebbe interessare
    potrebbero interessarti | altri articoli | i più letti | lees ook | gerelateerde artikelen
    meer nieuws | meest gelezen | zobacz także | zobacz też | czytaj także | czytaj też
    podobne artykuły | polecane | powiązane artykuły | najczęściej czytane | читайте также
    похожие статьи | по теме | популярное | leia também | leia mais | notícias relacionadas
    veja também | mais lidas | benzer haberler | ilgili haberler | läs också | läs mer
    mest läst | les også | mest lest | læs også | lue myös | 関連記事 | おすすめ記事
    人気記事 | あわせて読みたい | こちらもおすすめ | 最新記事 | 相关文章 | 相关阅读 | 相关新闻
    推荐阅读 | 热门文章 | 猜你喜欢 | 관련기사 | 관련 기사 | 인기기사 | مقالات ذات صلة
    اقرأ أيضا | اقرأ أيضًا | مواضيع ذات صلة | الأكثر قراءة | قد يعجبك أيضا | newsletter
    subscribe | subscribe to our newsletter | sign up for our newsletter | get our newsletter
    stay informed | stay in the loop | stay up to date | sign up | advertisement | share this
    share this article | share this story | share | follow us | about the author
    about the authors | who is online | users browsing this forum
    件のコメント | コメント一覧 | 条评论 | 則留言 | 条留言 | 개의 댓글 | bình luận | 広告 | 广告
    廣告 | 광고
    read on with a subscription | continue reading with a subscription
    subscribe to continue reading | subscribe to keep reading | subscribe to read
    subscribe to read the full story | subscribe to read the full article
    this article is for subscribers | this article is for subscribers only
    to continue reading | to read the full story | unlock this article | want to read more
    keep reading with a subscription | already a subscriber | weiterlesen mit
    jetzt weiterlesen | la suite est réservée aux abonnés | il vous reste à lire
    sigue leyendo | contenuto riservato agli abbonati
    """,
    )
    if phrase.strip()
)
_BEGINNINGS = (
    "more on ",
    "more from ",
    "more in ",
    "more by ",
    "related to ",
    "latest from ",
    "latest in ",
    "popular in ",
    "trending in ",
    "mehr zu ",
    "mehr zum ",
    "mehr aus ",
    "mehr von ",
    "lesen sie ",
    "à lire ",
    "lire aussi",
    "plus d'articles",
    "más sobre ",
    "más de ",
    "lee también",
    "leggi anche",
    "altro su ",
    "meer over ",
    "więcej o ",
    "więcej z ",
    "читайте также",
)
_FIRST = frozenset(beginning[:2] for beginning in _BEGINNINGS)
_SHARING = re.compile(
    r"(?:share (?:on|via|to|by)|send (?:via|by)|teilen auf|partager (?:sur|par)"
    r"|compartir (?:en|por)|condividi su|delen (?:op|via)) \S+|(?:auf|per|via) \S+ teilen"
)
"""A button, not a sentence: ``share on`` and one name."""
_SHARING_FIRST = frozenset(("sh", "se", "au", "pe", "vi", "te", "pa", "co", "de"))
_FOUR_FIRST = frozenset(
    ("shar", "send", "auf ", "per ", "via ", "teil", "part", "comp", "cond", "dele"),
).union(text[:4] for text in (*_ANNOUNCEMENTS, *_BEGINNINGS))
_SHORT_FIRST = frozenset(text[:2] for text in _ANNOUNCEMENTS if len(text) < 4)
"""Two or four letters tell of most texts that they need no closer look."""
_USUAL_EDGES = "0123456789 .:,;!?()[]-–—…•·|»«›‹*#+&/'\"“”„‘’"
_LONGEST = 60
_HEADED = 0.4
"""An element that begins with an announcement is announced as a whole if it is no larger."""
_FOLLOWED = 0.3
"""What follows an announcement up to the next heading is announced if it is no larger."""
_ASKING = 60
"""Words of a box around a field for an e-mail address, at most."""
_HEADINGS = frozenset((TAGS["h1"], TAGS["h2"], TAGS["h3"], TAGS["h4"]))
_NO_LEVEL = 99
_MOST_FIELDS = 20
_ADVERTS = frozenset(("amp-ad", "amp-embed", "amp-sticky-ad", "amp-consent"))


def announced(page: BlockPage, words: Sums) -> NDArray[np.bool_]:
    """Which blocks stand under a heading that announces comments, related stories and the like."""
    flags = np.zeros(len(page), np.bool_)
    before: list[float] = []
    headings: dict[int, int] = {}
    for place, text in _perhaps_announcing(page.blocks.texts):
        if _announces(text.lower()):
            if not before:
                before = [0.0, *np.cumsum(words / max(words.sum(), 1.0)).tolist()]
            start, end = _reach(page, place, before, headings)
            flags[start:end] = True
    return flags


def _perhaps_announcing(texts: Sequence[str]) -> list[tuple[int, str]]:
    """The few texts, with their places, of which the first letters do not tell that they do not."""
    return [
        (place, text)
        for place, text in enumerate(texts)
        if len(text) <= _LONGEST
        and (
            (first := text[:4]).lower() in _FOUR_FIRST
            or not first[0].isalpha()
            or first[:2] in _SHORT_FIRST
        )
    ]


def _announces(text: str) -> bool:
    """Whether a text is an announcement, whatever numbers and marks stand around it."""
    first = text[:2]
    begins_with_letter = text[0].isalpha()
    if first in _FIRST and text.startswith(_BEGINNINGS):
        return True
    if first in _SHARING_FIRST and _SHARING.fullmatch(text):
        return True
    if begins_with_letter and text[-1].isalpha():
        return text in _ANNOUNCEMENTS
    text = text.strip(_USUAL_EDGES)
    start, end = 0, len(text)
    while start < end and not text[start].isalpha():
        start += 1
    while end > start and not text[end - 1].isalpha():
        end -= 1
    return text[start:end] in _ANNOUNCEMENTS


def _reach(
    page: BlockPage, place: int, before: list[float], headings: dict[int, int]
) -> tuple[int, int]:
    """The blocks that an announcement speaks for; for ``headings`` see ``_next_heading``."""
    start, end = place, place + 1
    blocks, holders = page.blocks, page.holders
    linked = blocks.link_chars[place]
    if linked and ":" in blocks.texts[place][:-linked]:
        return start, end  # ``Read also: …`` has said it all
    index = blocks.owners[place]
    while index > 0:
        first, last = holders.starts[index], holders.ends[index]
        if first != place or before[last] - before[first] > _HEADED:
            break
        end = last
        index = holders.parents[index]
    if end == place + 1:
        followed = max(min(_next_heading(page, place, headings), holders.ends[index]), end)
        if before[followed] - before[place] <= _FOLLOWED:
            end = followed
    return start, end


def _next_heading(page: BlockPage, place: int, headings: dict[int, int]) -> int:
    """Where the next heading of the same level or a higher one is, or else the end of the page.

    Args:
        page: the blocks.
        place: where to look from; later with each call.
        headings: what was found for each level, because a page may announce something in each of
            its thousands of lines.
    """
    owners, tags = page.blocks.owners, page.holders.tags
    level = tags[owners[place]]
    level = level if level in _HEADINGS else _NO_LEVEL
    known = headings.get(level, 0)
    if known > place:
        return known
    after = place + 1
    while after < len(owners):
        tag = tags[owners[after]]
        if tag in _HEADINGS and tag <= level:
            break
        after += 1
    headings[level] = after
    return after


def asking(body: Element, page: BlockPage, words: Sums) -> Iterator[slice]:
    """The small boxes around fields for an e-mail address, and advertisements that say so."""
    starts, ends = page.holders.starts, page.holders.ends
    if OTHER_TAG in page.holders.tags:
        names = page.holders.names
        for index, tag in enumerate(page.holders.tags):
            if tag == OTHER_TAG and names[index].partition(" ")[0] in _ADVERTS:
                yield slice(starts[index], ends[index])
    *_, top = (body, *body.ancestors)  # the tree itself knows where its fields are
    fields = [one for one in top.find_all("input") if _takes_mail(one)]
    if not fields:
        return
    index_of = {element: index for index, element in enumerate(page.holders.elements)}
    before = np.concatenate(([0.0], np.cumsum(words)))
    for field in fields[:_MOST_FIELDS]:
        box = None
        for ancestor in field.ancestors:
            index = index_of.get(ancestor)  # type: ignore[call-overload]
            if index is None:
                continue
            first, last = starts[index], ends[index]
            if before[last] - before[first] > _ASKING:
                break
            box = slice(first, last)
        if box is not None:
            yield box


def _takes_mail(field: Element) -> bool:
    return field.attr("type") == "email" or (field.attr("name") or "").lower() == "email"
