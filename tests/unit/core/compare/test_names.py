"""What a page names as changing by itself, by the classes of its elements."""

from __future__ import annotations

import pytest

import pageloom

_PAGE = """<!doctype html><html lang="xx"><title>Zorana kelpi</title><body>
<article><h1>Zorana kelpi</h1>
<p>Velo mirat sonta kelpi dor hanu tevil, sorat mekil dovan pelu tirani, gosta relin mavo.</p>
{}
<p>Harot velin daru sopel mirta konu, tavel lorin peska dumo relat, vinka sorel hapo tenim.</p>
<p>Pelin soru davek mirol tansa, kelpi votar heni dusol, marek tivo lansa porel gundi sato.</p>
</article></body></html>"""


def _told(before: str, after: str) -> bool:
    pages = (pageloom.extract(_PAGE.format(part)) for part in (before, after))
    return pageloom.diff(*pages).has_changes


@pytest.mark.parametrize(
    ("markup", "before", "after"),
    [
        ('<p>Zora <span class="view-count">{}</span> tirla</p>', "1,204 melu", "1,377 melu"),
        ('<p>Zora <span class="PostMeta_likes__x81ab">{}</span></p>', "17", "19"),
        ('<p>Portil <b class="clock">{}</b> sona</p>', "21:28", "17:28"),
        ('<p>Portil <span class="wx">{}</span></p>', "-2°C", "11°C"),
        ('<p class="last-updated">Toral {}</p>', "3. 4. 11:20", "4. 4. 09:05"),
    ],
)
def test_what_is_named_as_fleeting_is_not_told_in_any_language(markup, before, after):
    assert not _told(markup.format(before), markup.format(after))


@pytest.mark.parametrize(
    ("markup", "before", "after"),
    [
        ('<p>Zora <span class="promo price">{}</span></p>', "12,00 €", "10,00 €"),
        ('<p>Portil <span class="icon-clock">{}</span></p>', "25 mina", "40 mina"),
        ('<p>Portil <span class="clock">{}</span></p>', "8:00 – 16:00", "8:00 – 18:00"),
        ('<p>Portil <span class="temperature">{}</span></p>', "180°C", "200°C"),
        ('<p>Zora <span class="content">{}</span> tirla</p>', "1,204 melu", "1,377 melu"),
    ],
)
def test_a_name_is_not_believed_where_the_text_says_otherwise(markup, before, after):
    assert _told(markup.format(before), markup.format(after))
