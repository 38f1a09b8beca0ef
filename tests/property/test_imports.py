"""Whatever type a field has, an import goes on: each row is a page, or named as none."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pageloom.edges.store.base import Store, open_store
from pageloom.flows.library.save import SaveContext
from pageloom.flows.transfer.import_formats import read_library
from pageloom.flows.transfer.import_pages import import_pages
from pageloom.flows.transfer.portable_page import Portable, Unread

few = settings(deadline=None, max_examples=60)
GOOD = "https://good.example/page"
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=10**9, max_value=10**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12)
    | st.sampled_from(["²", "1e400", "\x00", "-1", "https://a.example/", "2020-99-99", "[", "['"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=4,
)


def entries(*names: str) -> st.SearchStrategy:
    """Entries of which each field may be anything, or the entry no entry at all."""
    return VALUES | st.fixed_dictionaries({}, optional=dict.fromkeys(names, VALUES))


WALLABAG = entries(
    *("url", "title", "content", "annotations", "tags", "published_by", "published_at"),
    *("created_at", "updated_at", "archived_at", "is_archived", "is_starred", "language"),
)
OMNIVORE = entries(
    *("url", "slug", "title", "author", "description", "publishedAt", "thumbnail", "savedAt"),
    *("updatedAt", "readingProgress", "state", "labels"),
)
WEBSITES = entries(
    *("id", "user_id", "url", "url_full", "title", "content", "source", "saved_at"),
    *("published_at", "metadata", "created_at", "updated_at", "last_opened_at", "deleted_at"),
)
OURS = entries(
    *("url", "title", "content", "content_is_html", "saved_at", "uuid", "tags", "notes"),
    *("word_count", "metadata", "versions", "pinned", "deleted_at"),
)
FRONT = entries(
    *("source", "title", "author", "published_date", "word_count", "reading_time", "tags"),
    *("own_tags", "notes", "saved_at", "pinned", "page_type", "read_at"),
)
CELLS = st.lists(st.text(max_size=20), min_size=0, max_size=8)


@pytest.fixture(scope="module", name="store")
def _store(tmp_path_factory):
    with open_store(tmp_path_factory.mktemp("imports") / "library.db") as store:
        yield store


def bring(store: Store, form: str, name: str, content: str | dict[str, str]) -> None:
    """Read and import a file in which one row is good; that one always comes in."""
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        if isinstance(content, dict):
            with zipfile.ZipFile(path, "w") as archive:
                for member, text in content.items():
                    archive.writestr(member, text)
        else:
            path.write_bytes(content.encode("utf-8", "replace"))
        found = list(read_library(path, form))
        assert all(isinstance(one, Portable | Unread) for one in found)
        bare = [one for one in found if isinstance(one, Unread) or not one.content.strip()]
        results = list(import_pages(SaveContext(store=store), bare))
        assert len(results) == len(bare)
        assert GOOD in {one.url for one in results if one.outcome in {"imported", "merged"}}


@few
@given(WALLABAG, WALLABAG)
def test_wallabag(store, first, second):
    bring(store, "wallabag", "w.json", json.dumps([first, {"url": GOOD}, second]))


@few
@given(OMNIVORE, OMNIVORE)
def test_omnivore(store, first, second):
    entries = json.dumps([first, {"url": GOOD}, second])
    bring(store, "omnivore", "o.zip", {"metadata_0.json": entries})


@few
@given(WEBSITES, WEBSITES)
def test_websites(store, first, second):
    rows = [first, {"url_full": GOOD}, second]
    bring(store, "websites", "w.json", json.dumps(rows))
    bring(store, "websites", "w.jsonl", "\n".join(map(json.dumps, [rows[1], first, second])))


@few
@given(OURS, OURS)
def test_our_own_lines(store, first, second):
    rows = [first, {"url": GOOD}, second]
    bring(store, "jsonl", "x.jsonl", "\n".join(map(json.dumps, rows)))


@few
@given(FRONT)
def test_markdown(store, fields):
    files = {"a.md": f"---\n{yaml.safe_dump(fields)}\n---\n", "b.md": f"---\nurl: {GOOD}\n---\n"}
    bring(store, "markdown", "vault.zip", files)


@few
@given(CELLS, st.sampled_from(["pocket", "instapaper", "readwise"]))
def test_tables(store, cells, form):
    columns = {
        "pocket": "url,title,time_added,tags,status",
        "instapaper": "URL,Title,Selection,Folder,Timestamp,Tags",
        "readwise": "URL,Title,Document tags,Saved date,Reading progress,Location",
    }
    bring(store, form, "t.csv", f"{columns[form]}\n{GOOD},x\n{','.join(cells)}\n")


@few
@given(st.text(alphabet=st.sampled_from("<>!-[]ahrefdt1=\"' \n&;x/"), max_size=60))
def test_bookmarks(store, text):
    bring(store, "bookmarks", "b.html", f'<a href="{GOOD}">x</a>{text}')
    bring(store, "pocket", "b.html", f'<h1>Unread</h1><a href="{GOOD}">x</a>{text}')


@few
@given(st.text(max_size=60))
def test_lists_of_addresses(store, text):
    bring(store, "urls", "u.txt", f"{GOOD}\n{text}")
