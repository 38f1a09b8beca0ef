from __future__ import annotations

import hashlib
import json
from dataclasses import replace

from pageloom.core.snapshot.fingerprint import change_hash, content_hash, snapshot_hash
from pageloom.model import Document, Image, Link, Price, Rating

DOCUMENT = Document(
    title="Rain",
    links=(
        Link(url="https://x.example/a", region="content"),
        Link(url="https://x.example/b", region="footer"),
    ),
    metadata={
        "opengraph": {"og:title": "Rain", "og:site_name": "Cloud"},
        "meta": {"viewport": "w"},
    },
    snapshot_hash="abc",
)


def test_the_snapshot_hash_is_the_documented_serialisation():
    images, prices = [Image(url="https://x.example/1.jpg")], [Price(raw="5 €")]
    found = snapshot_hash(title="Räin", description="d", text="t", images=images, prices=prices)
    line = '["Räin","d","t",["https://x.example/1.jpg"],["5 €"]]'
    assert found == hashlib.sha1(line.encode(), usedforsecurity=False).hexdigest()
    assert json.loads(line)[0] == "Räin"


def test_the_snapshot_hash_tells_fields_apart():
    assert snapshot_hash(title="ab", description="c", text="") != snapshot_hash(
        title="a", description="bc", text=""
    )


def test_the_content_hash_is_of_the_markdown():
    assert content_hash("# Rain\n") == hashlib.sha256(b"# Rain\n").hexdigest()


def test_lone_surrogates_do_not_break_a_hash():
    assert len(content_hash("\ud800")) == 64


def test_the_change_hash_ignores_what_means_nothing():
    base = change_hash(DOCUMENT)
    renamed = replace(DOCUMENT, metadata={"opengraph": {"og:title": "Rain", "og:site_name": "New"}})
    reordered = replace(DOCUMENT, links=DOCUMENT.links[::-1])
    assert change_hash(renamed) == base
    assert change_hash(reordered) == base


def test_the_change_hash_sees_what_means_something():
    base = change_hash(DOCUMENT)
    changed = [
        replace(DOCUMENT, snapshot_hash="abd"),
        replace(DOCUMENT, availability="out_of_stock"),
        replace(DOCUMENT, rating_candidates=(Rating(raw="4/5", value=4.0, scale=5.0),)),
        replace(DOCUMENT, links=DOCUMENT.links[:1]),
        replace(DOCUMENT, links=(replace(DOCUMENT.links[0], region="footer"), DOCUMENT.links[1])),
        replace(DOCUMENT, metadata={"opengraph": {"og:title": "Sun"}}),
    ]
    assert base not in {change_hash(document) for document in changed}


def test_the_change_hash_leaves_out_what_rotates_in_addresses():
    def page(session: str, version: str) -> Document:
        return replace(
            DOCUMENT,
            links=(Link(url=f"https://x.example/menu?sid={session}&page=2", text="Menu"),),
            images=(Image(url=f"https://x.example/1.jpg?v={version}"),),
            metadata={
                "opengraph": {"og:image": f"https://x.example/1.jpg?v={version}"},
                "jsonld": [{"@type": "Product", "image": f"https://x.example/1.jpg?v={version}"}],
            },
        )

    assert change_hash(page("8f3a", "7")) == change_hash(page("77be", "8"))
    other = replace(page("8f3a", "7"), links=(Link(url="https://x.example/menu?page=3"),))
    assert change_hash(other) != change_hash(page("8f3a", "7"))
