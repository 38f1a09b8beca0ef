"""The cut: which blocks stay."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.core.extract.pages import ARTICLE, LONG, source_of

from pageloom.core.extract.blocks import segment
from pageloom.core.extract.by_blocks import CERTAIN, FLOOR, choose_blocks, cut
from pageloom.core.extract.content import extract_content
from pageloom.core.extract.page_features import read_context
from pageloom.core.extract.weights import shipped

rows = st.lists(st.tuples(st.integers(0, CERTAIN), st.integers(1, 400)), min_size=1, max_size=40)


@given(rows)
def test_the_cut_is_never_empty(pairs: list[tuple[int, int]]):
    chances, words = (np.array(side) for side in zip(*pairs, strict=True))
    keep, expected = cut(chances, words.astype(np.float64))
    assert keep.any()
    assert 0 <= expected <= 1.0001


@given(rows)
def test_no_block_is_kept_before_a_likelier_one(pairs: list[tuple[int, int]]):
    chances, words = (np.array(side) for side in zip(*pairs, strict=True))
    keep, _ = cut(chances, words.astype(np.float64))
    if not keep.all():
        assert chances[keep].min() >= chances[~keep].max()


@given(rows)
def test_only_a_lone_block_may_lie_under_the_floor(pairs: list[tuple[int, int]]):
    chances, words = (np.array(side) for side in zip(*pairs, strict=True))
    keep, _ = cut(chances, words.astype(np.float64))
    assert keep.sum() == 1 or chances[keep].min() >= FLOOR


def test_sure_blocks_stay_and_hopeless_ones_go():
    keep, expected = cut(np.array([9_900, 100, 9_800, 50]), np.array([40.0, 40.0, 40.0, 40.0]))
    assert keep.tolist() == [True, False, True, False]
    assert expected > 0.95


def verdict_of(markup: str):
    source = source_of(markup)
    body = source.tree.select_one("body")
    assert body is not None
    page = segment(body)
    return page, choose_blocks(page, read_context(source.tree, source.url), shipped())


def test_an_article_is_kept_and_its_surroundings_are_not():
    page, verdict = verdict_of(ARTICLE)
    kept = [text for text, wanted in zip(page.blocks.texts, verdict.keep, strict=True) if wanted]
    assert set(LONG) <= set(kept)
    assert "Copyright, all rights reserved." not in kept
    assert "Sport" not in kept


def test_a_text_for_two_screens_is_kept_once():
    body = "".join(f"<p>{text}</p>" for text in LONG)
    page, verdict = verdict_of(f"<main><div class=a>{body}</div><div class=b>{body}</div></main>")
    kept = [text for text, wanted in zip(page.blocks.texts, verdict.keep, strict=True) if wanted]
    assert sorted(kept) == sorted(LONG)


def test_short_texts_may_repeat():
    rows = "".join(f"<tr><td>{name}</td><td>yes</td></tr>" for name in ("Oak", "Ash", "Elm"))
    page, verdict = verdict_of(
        f"<main><p>{LONG[0]}</p><p>{LONG[1]}</p><table>{rows}</table></main>"
    )
    kept = [text for text, wanted in zip(page.blocks.texts, verdict.keep, strict=True) if wanted]
    assert kept.count("yes") != 1


@pytest.mark.parametrize("markup", ["<p>x</p>", "<li>1</li>", "<footer>x</footer><p>y</p>"])
def test_a_single_block_is_kept_whatever_it_is(markup: str):
    _, verdict = verdict_of(markup)
    assert verdict.keep.tolist() == [True]


@pytest.mark.parametrize("label", ["Advertisement", "Read more", "Share", "Related"])
def test_a_label_between_paragraphs_does_not_silence_the_story(label: str):
    story = "".join(f"<p>{text}</p><p>{label}</p>" for text in LONG)
    text = extract_content(source_of(f"<main><article>{story}</article></main>")).text
    assert all(part in text for part in LONG)


def test_a_box_that_begins_with_a_label_goes():
    story = "".join(f"<p>{text}</p>" for text in LONG)
    box = "<div><span>Advertisement</span><p>Beds for less: order by Sunday, or never.</p></div>"
    text = extract_content(source_of(f"<main><article>{story}{box}</article></main>")).text
    assert "Beds for less" not in text
    assert all(part in text for part in LONG)


def test_names_of_adverts_all_over_a_page_mean_something_else():
    """A template may call every paragraph a component of its "ad" builder."""
    story = "".join(f'<div class="ad-text"><p>{text}</p></div>' for text in LONG)
    text = extract_content(source_of(f"<main>{story}</main>")).text
    assert all(part in text for part in LONG)


def test_a_story_told_as_one_run_and_in_paragraphs_is_kept_once():
    run = " ".join(LONG)
    story = "".join(f"<p>{text}</p>" for text in LONG)
    text = extract_content(source_of(f"<main><div>{run}</div><div>{story}</div></main>")).text
    assert all(text.count(part) == 1 for part in LONG)


def test_a_refrain_is_no_copy():
    refrain = "<p>Row, row, row your boat, gently down the stream, merrily along.</p>"
    verses = "".join(f"<p>{text}</p>{refrain}" for text in LONG[:3])
    text = extract_content(source_of(f"<main><article>{verses}</article></main>")).text
    assert text.count("merrily along") == 3


REFERENCE = (
    "<h2>Parameters</h2><table><tr><td>wick</td><td>The wick to trim, which is not changed by it."
    "</td></tr><tr><td>length</td><td>What is left above the burner, in millimetres.</td></tr>"
    "</table><h2>Remarks</h2><p>A wick that smokes is too long. Trimming it by a few millimetres "
    "gives a calmer flame, and the glass stays clean for longer.</p><p>Wicks are immutable: what "
    "is given back is another wick, and the first one can still be used in other lanterns.</p>"
)


@pytest.mark.parametrize(
    "declaration",
    [
        "<div class=declaration><code>def trim(wick, length=3) -&gt; Wick</code></div>",
        "<div class=member-signature><b>def trim</b>(wick, <i>length=3</i>) -&gt; Wick</div>",
        "<dl><dt class='sig sig-object py'>def trim(wick, <em>length=3</em>) -&gt; Wick</dt></dl>",
        "<pre class=signature>def trim(wick, length=3) -&gt; Wick</pre>",
    ],
)
@pytest.mark.parametrize("heading", ["", "<h1>trim</h1>"])
def test_the_declaration_above_the_first_heading_and_what_is_said_of_it_stay(
    declaration: str, heading: str
):
    menu = "".join(f"<li><a href=/{part}>lantern.part{part}</a></li>" for part in range(15))
    content = extract_content(
        source_of(
            f"<header><a href=/>Lantern</a></header><aside class=sidebar><ul>{menu}</ul></aside>"
            f"<main><div class=intro>{declaration}<div class=summary>Trims a wick to a length."
            f"</div>{heading}</div><div class=body>{REFERENCE}</div></main>"
        )
    )
    assert "length=3" in content.text
    assert "Trims a wick to a length." in content.text
    assert "lantern.part3" not in content.text
