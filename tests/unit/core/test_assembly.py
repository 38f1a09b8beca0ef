"""Fields that are made when they are first read: the same values, whoever reads what first."""

from __future__ import annotations

import copy
import pickle
import random
import threading
from dataclasses import fields, replace
from importlib.resources import files

import pytest

from pageloom import Document, InternalError, Options, diff, extract, extract_all
from pageloom.edges.store.codec import pack_document
from pageloom.model import defer_fields

URL = "https://tidewatch.example/nature/harbour-swifts"
PAGE = files("pageloom.samples").joinpath("harbour-swifts.html").read_bytes()
SHOP = (
    '<html lang=en><head><title>Kettle | Hob</title><meta property="og:title" content="Kettle">'
    "</head><body><nav><ul><li><a href=/>Home</a></li><li><a href=/pans>Pans</a></li></ul></nav>"
    '<main><h1>Kettle</h1><p class="price">€ 39.00</p><form><select name=size><option>1 l</option>'
    "<option disabled>2 l</option></select><button>Add to cart</button></form><p>The kettle holds "
    "as much as two people drink on a Sunday, and whistles before it boils over.</p>"
    '<p>More of it is <a href="/kettles?utm_source=shop">on the page of kettles</a>.</p></main>'
    "<footer>Hob, 4 Mill Lane</footer></body></html>"
).encode()
BLOG = PAGE.replace(b"<body", b"<body class='wp-singular post-template-default'", 1)
PAGES = {"story": PAGE, "shop": SHOP, "blog": BLOG, "nothing": b"<p>"}
NAMES = [field.name for field in fields(Document)]


def whole(page: bytes, **options: object) -> Document:
    """The same page with all fields made at once."""
    (document,) = extract_all(page, URL, options=options)
    return document


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
@pytest.mark.parametrize("seed", range(6))
def test_the_order_of_reading_changes_nothing(page: bytes, seed: int):
    known, document = whole(page), extract(page, URL)
    order = random.Random(seed).sample(NAMES, len(NAMES))  # noqa: S311  an order, no secret
    assert {name: getattr(document, name) for name in order} == {
        name: getattr(known, name) for name in order
    }


@pytest.mark.parametrize("name", NAMES)
def test_every_field_can_be_the_first(name: str):
    assert getattr(extract(SHOP, URL), name) == getattr(whole(SHOP), name)


@pytest.mark.parametrize("write", [Document.to_dict, pickle.dumps, pack_document])
def test_what_cannot_be_made_is_not_left_out(write):
    def fail(name: str) -> Document:
        raise InternalError(f"no {name}")

    with pytest.raises(InternalError):
        write(defer_fields({"url": URL}, fail))


def test_a_document_is_a_value_before_it_is_read():
    known = whole(SHOP)
    assert extract(SHOP, URL) == known
    assert repr(extract(SHOP, URL)) == repr(known)
    assert copy.deepcopy(extract(SHOP, URL)) == copy.copy(extract(SHOP, URL)) == known
    assert pickle.loads(pickle.dumps(extract(SHOP, URL))) == known  # noqa: S301  our own
    assert replace(extract(SHOP, URL), title="Pot") == replace(known, title="Pot")
    assert extract(SHOP, URL).to_dict(blocks=True) == known.to_dict(blocks=True)
    assert Document.from_dict(extract(SHOP, URL).to_dict()) == known
    assert not diff(extract(SHOP, URL), known).has_changes


def test_the_blocks_too_are_the_same():
    assert extract(SHOP, URL).blocks == whole(SHOP).blocks
    markdown_first = extract(SHOP, URL)
    assert markdown_first.markdown
    assert markdown_first.blocks == whole(SHOP).blocks


def test_what_the_caller_likes_is_kept_to():
    options = {"markdown_links": "none", "extract_links": False, "extract_media": False}
    assert extract(SHOP, URL, options=options).markdown == whole(SHOP, **options).markdown
    document = extract(PAGE, URL, options=Options(enable_markdown=False, extract_links=False))
    assert (document.markdown, document.links) == ("", ())


def test_fields_are_as_frozen_as_ever():
    document = extract(SHOP, URL)
    with pytest.raises(AttributeError):
        document.title = "Pot"  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(AttributeError, match="has no field 'titel'"):
        document.titel  # pyright: ignore[reportAttributeAccessIssue]  # noqa: B018
    assert not hasattr(Document(), "titel")
    assert document.title == "Kettle"


def test_threads_may_read_one_document_together():
    known = whole(PAGE)
    for _ in range(5):
        document = extract(PAGE, URL)
        found: dict[str, object] = {}
        barrier = threading.Barrier(4)

        def read(name: str, document=document, found=found, barrier=barrier) -> None:
            barrier.wait()
            found[name] = getattr(document, name)

        names = ("html", "links", "title", "content_hash")
        threads = [threading.Thread(target=read, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == {name: getattr(known, name) for name in names}
