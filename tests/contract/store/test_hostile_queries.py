"""Search, filters and names by somebody who writes SQL into them: text like any other."""

from __future__ import annotations

import random

import pytest
from tests.saving import save_document

from pageloom import open_library
from pageloom.errors import InvalidArgument, InvalidQuery, NotInLibrary, PageloomError
from pageloom.model import Document
from pageloom.model.pages import Filters

BITS = (
    *("'", '"', "\\", "--", ";", "/*", "*/", "%", "_", "(", ")", "*", "^", "+", "-", "||", "?"),
    *("NEAR", "NEAR(a b, 2)", "AND", "OR", "NOT", "a OR", "title:", "page_id:", "{a b}:", "?1"),
    *("x'00'", "\0", "\x1a", "'; DROP TABLE pages; --", "' OR 1=1 --", '") OR 1=1 --', ":a", "$1"),
    *("%s", "%(a)s", "{}", "{0}", "a:b", "a/b", "'a/harbour'", "!", "&", "|", "<->", ":*", "\\'"),
    *("harbour", "pilots", "é", "日本", "😀", "\ud800", "\u202e", "\u0301", "tag:x", "-harbour"),
    *('"harbour pilots"', '"a', '""', "UNION SELECT password FROM users", "pg_sleep(9)", "$$"),
    *("E'\\x'", "ﬀ", "İ", "(((((((", "1e999", "-1", "NULL", "a" * 3_000, "*" * 50),
)
REFUSALS = (InvalidArgument, InvalidQuery, NotInLibrary)


def says(chance: random.Random) -> str:
    count = chance.randint(1, 6)
    return chance.choice(("", " ")).join(chance.choice(BITS) for _ in range(count))


@pytest.fixture
def library(database):
    with open_library(database) as opened:
        for number in range(5):
            page = Document(
                url=f"https://x.example/{number}",
                title=f"Pilots {number}",
                text="Words of the harbour. " * 9,
            )
            save_document(opened.context.store, "local", page)
        secret = Document(
            url="https://secret.example/", title="Secret", text="A harbour, of others."
        )
        save_document(opened.context.store, "somebody", secret)
        yield opened


def test_no_text_is_taken_for_sql(library):
    chance = random.Random(5)  # noqa: S311  no secret
    asks = (
        lambda text: library.search(text).hits,
        lambda text: library.search("harbour", Filters(tags=(text,), domain=text)).hits,
        lambda text: library.search(text, Filters(language=text, page_type=text)).hits,
        lambda text: library.search("harbour", cursor=text).hits,
        lambda text: library.list(Filters(domain=text)).pages,
        lambda text: library.list(Filters(tags=(text, text))).pages,
        lambda text: library.list(Filters(since=text, until=text)).pages,
        lambda text: library.list(Filters(source_id=text, parser_version_not=text)).pages,
        lambda text: library.list(cursor=text).pages,
        lambda text: library.list(sort=text).pages,
        lambda text: library.list(Filters(archived=text)).pages,
        lambda text: [library.find(text)],
        library.get_source,
        lambda text: library.tag(1, text[:50]),
        lambda text: library.note(1, text),
    )
    for _ in range(1_500):
        text = says(chance)
        try:
            found = chance.choice(asks)(text)
        except PageloomError as error:
            found = ()
            assert isinstance(error, REFUSALS), (text, error)  # noqa: PT017  it may refuse or not
        assert "secret.example" not in repr(found)
    assert library.count() == 5
    assert len(library.for_user("somebody").list().pages) == 1


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**400], ids=["64", "-64", "huge"])
def test_a_number_that_no_row_can_have_is_not_there(library, number):
    for ask in (library.get, library.end_session, library.revoke_token, library.get_watch):
        with pytest.raises(NotInLibrary):
            ask(number)
    page = next(iter(library.pages()))
    with pytest.raises(NotInLibrary):
        library.remove_note(page, number)
    assert library.act_on_many("pin", [number, page.id]).pages == (page.id,)
