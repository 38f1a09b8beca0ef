"""A product can be had in some sizes and colours: one that goes, or comes back, is told."""

from __future__ import annotations

import pytest

import pageloom

URL = "https://fell-and-dale.example/p/trail-shoe"
SIZES = ("UK 7", "UK 8", "UK 9", "UK 10")
DATA = (
    '{"@context":"https://schema.org","@type":"Product","name":"Trail shoe","offers":{"@type":'
    '"Offer","price":"89.00","priceCurrency":"GBP","availability":"https://schema.org/InStock"}}'
)


def page(choices: str, suggested: str = "Socks") -> str:
    return (
        "<html lang=en><head><title>Trail shoe | Fell and Dale</title><script type='application/"
        f"ld+json'>{DATA}</script></head><body><nav><a href=/>Home</a></nav>"
        f"<main class=product><h1>Trail shoe</h1><div class=price>£89.00</div>"
        f"<form action=/cart/add>{choices}<select name=quantity><option>1<option>2</select>"
        "<button>Add to cart</button></form><div class=description><p>A light shoe for long days "
        "on the fells, with a "
        "sole that grips on wet rock and a toe that forgives a stumble.</p><p>The upper is one "
        "piece of knitted yarn, so that there is nothing to rub, and it dries within an hour by a "
        "stove.</p></div></main><aside class=related><h2>You may also like</h2><ul class=swatches>"
        f"<li class=swatch>{suggested}</li></ul></aside><footer>© Fell and Dale</footer>"
        "</body></html>"
    )


def swatches(*labels: str, gone: str = "") -> str:
    items = "".join(
        f"<li class='swatch{' sold-out' * (label == gone)}'><button>{label}</button></li>"
        for label in labels
    )
    return f"<ul class='swatches size-picker'>{items}</ul>"


def options(*labels: str, gone: str = "") -> str:
    items = "".join(
        f"<option value='{label}'{' disabled' * (label == gone)}>{label}</option>"
        for label in labels
    )
    return f"<select name=attribute_pa_size><option value=''>Choose one</option>{items}</select>"


def said(*labels: str, gone: str = "") -> str:
    items = "".join(
        f"<option>{label}{' – sold out' * (label == gone)}</option>" for label in labels
    )
    return f"<select id=size-select>{items}</select>"


def by_attribute(*labels: str, gone: str = "") -> str:
    items = options(*labels, gone=gone).partition(">")[2]
    return f"<select class=form-control data-product-attribute=1>{items}"


def in_cart_form(*labels: str, gone: str = "") -> str:
    items = options(*labels, gone=gone).partition(">")[2]
    return f"</form><form class='variations_form cart'><select id=g>{items}"


def radios(*labels: str, gone: str = "") -> str:
    items = "".join(
        f"<input type=radio name=c id=s{number} value='{label}'"
        f"{' class=disabled' * (label == gone)}><label for=s{number}>{label}</label>"
        for number, label in enumerate(labels)
    )
    return f"<fieldset><legend>Size</legend>{items}</fieldset>"


def compared(before: str, after: str) -> pageloom.ChangeReport:
    return pageloom.diff(pageloom.extract(before, URL), pageloom.extract(after, URL))


EVERY_WAY = pytest.mark.parametrize(
    "shown", [swatches, options, said, by_attribute, in_cart_form, radios]
)


@EVERY_WAY
def test_a_size_that_sells_out_and_comes_back_is_told(shown):
    whole, without = page(shown(*SIZES)), page(shown(*SIZES, gone="UK 9"))
    assert "“UK 9”" in compared(whole, without).summary
    assert "New: “UK 9”" in compared(without, whole).summary


@EVERY_WAY
def test_a_size_that_is_withdrawn_is_told(shown):
    assert compared(page(shown(*SIZES)), page(shown("UK 7", "UK 8", "UK 10"))).has_changes


@EVERY_WAY
def test_a_size_of_a_letter_is_told_though_any_text_has_that_letter(shown):
    before, after = page(shown("S", "M", "L", "XL")), page(shown("S", "L", "XL"))
    assert "“M”" in compared(before, after).summary


def test_one_label_around_all_choices_is_none_of_them():
    radios = "<input type=radio name=size>" * 400
    long = page(f"<label class=size>{radios}{'Measured flat, in centimetres. ' * 20_000}</label>")
    assert pageloom.extract(long, URL).blocks.choices == {}


@EVERY_WAY
def test_another_order_and_another_suggestion_are_not(shown):
    before, after = page(shown(*SIZES)), page(shown(*reversed(SIZES)), suggested="Hat")
    assert not compared(before, after).has_changes


def test_how_many_to_buy_is_no_choice_of_the_product():
    assert pageloom.extract(page(""), URL).blocks.choices == {}
