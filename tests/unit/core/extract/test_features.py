"""What is measured, and that the shipped trees were trained on just that."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.core.extract.pages import ARTICLE, LONG, blocks_of, source_of

from pageloom.core.extract.blocks import segment
from pageloom.core.extract.feature_matrix import FeatureMatrix
from pageloom.core.extract.features import PageContext, measure
from pageloom.core.extract.page_features import read_context
from pageloom.core.extract.page_kind import page_rows
from pageloom.core.forest import load


def sheet_of(markup: str, context: PageContext | None = None) -> FeatureMatrix:
    return measure(blocks_of(markup), context or PageContext())


def row(sheet: FeatureMatrix, name: str) -> list[float]:
    return sheet.figures[sheet.names.index(name)].tolist()


def article_sheet(markup: str = ARTICLE) -> FeatureMatrix:
    source = source_of(markup)
    body = source.tree.select_one("body")
    assert body is not None
    page = segment(body)
    return measure(page, read_context(source.tree, source.url))


def test_the_shipped_trees_know_exactly_these_features():
    sheet = article_sheet()
    assert tuple(sheet.names) == load("pageloom.core.extract", "blocks").names
    assert tuple(sheet.names[page_rows(sheet)]) == load("pageloom.core.extract", "kinds").names


def test_names_are_the_same_for_every_page():
    assert article_sheet().names == article_sheet("<p>x</p>").names
    assert len(set(article_sheet().names)) == len(article_sheet().names)


@pytest.mark.parametrize(
    "markup", ["<p>x</p>", "x", "<p>🎈</p>", "<h1>今日</h1>", "<td>1</td>", ARTICLE]
)
def test_figures_are_finite(markup: str):
    assert np.isfinite(article_sheet(markup).figures).all()


def test_words_are_counted_in_any_script():
    sheet = sheet_of("<p>one two three</p><p>今日は良い天気</p>")
    assert row(sheet, "own.words") == [3, 1 + 7 / 2]


def test_the_share_of_linked_text():
    sheet = sheet_of("<p>ab<a href=x>cd</a></p><p>plain</p><p><a href=x>all</a></p>")
    assert row(sheet, "own.link_ratio") == [0.5, 0, 1]


def test_tags_are_told_apart():
    sheet = sheet_of("<h2>Heading</h2><p>Text</p><ul><li>Item</ul>")
    assert row(sheet, "is.h2") == [1, 0, 0]
    assert row(sheet, "is.p") == [0, 1, 0]
    assert row(sheet, "is.li") == [0, 0, 1]


def test_short_texts_are_read_for_what_they_announce():
    sheet = sheet_of("<h3>Related stories</h3><p>One</p>")
    assert row(sheet, "says.related") == [1, 0]


def test_the_words_of_the_title_are_looked_for():
    context = PageContext(title_words=frozenset({"books", "lock"}))
    sheet = sheet_of(f"<h1>Books lock</h1><p>{LONG[0]}</p>", context)
    assert row(sheet, "title.cover")[0] == 1
    assert row(sheet, "after.title") == [0, 1]


def test_texts_that_repeat_are_counted():
    assert row(sheet_of("<p>a</p><p>b</p><p>a</p>"), "repeated") == [2, 1, 2]


def test_class_names_of_ancestors_are_inherited():
    sheet = sheet_of(
        f'<p>{LONG[0]}</p><div class="comments"><div><div><div><p>x</p></div></div></div></div>'
    )
    assert row(sheet, "names.comment") == [0, 1]
    assert row(sheet, "name.comment") == [0, 0]


def test_neighbours_of_lone_surrogates_do_not_matter():
    assert np.isfinite(sheet_of("<p>\ud800 x</p><p>\U0001f600</p>").figures).all()


def test_small_parts_with_telling_names_are_unmistakable():
    page = (
        f'<div class="cookie-banner"><p>We store things.</p></div><p>{LONG[0]}</p><p>{LONG[1]}</p>'
    )
    assert sheet_of(page).unmistakable.tolist()[1:] == [False, False]
