from __future__ import annotations

import pytest
import yaml

from pageloom.core.render.frontmatter import markdown_page, read_frontmatter, write_frontmatter
from pageloom.model import Document, FieldSource, Image, Moment, Provenance

HOSTILE = [
    'a: "b" # c',
    "---",
    "...",
    "- item",
    "*star",
    "&anchor",
    "!tag",
    "%directive",
    "@at",
    "`tick",
    "back\\slash \\n",
    "line\nbreak",
    "tab\there",
    "cr\rlf\r\n",
    "\x85next\u2028line\u2029par",
    "\x00\x07\x1b\x7f",
    "\ufeffbom",
    "😀 emoji 👩\u200d💻",
    "yes",
    "No",
    "null",
    "~",
    "",
    " padded ",
    "1e3",
    "0o17",
    "017",
    "0x1F",
    "1_000",
    "12:30:45",
    "3.14",
    ".inf",
    "2026-03-05",
    "2026-03-05T10:00:00Z",
    "[a, b]",
    "{a: b}",
    "a #b",
    "a: b",
    "a:b",
    "key:",
    "'single'",
    "it's",
    '"double"',
    "<<",
    "=",
    "?",
    "| block",
    "> fold",
    "שלום",
    "重要：はい",
    "x" * 5_000,
    "\ufffe\uffff",
    "a\u00a0b\u00adc",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_any_text_reads_back_as_it_was(text: str) -> None:
    written = write_frontmatter({"title": text, "tags": [text, "b"], text or "empty": "key"})
    fields, body = read_frontmatter(written + "\nBody\n")
    assert fields == {"title": text, "tags": [text, "b"], text or "empty": "key"}
    assert body == "Body\n"
    assert yaml.safe_load(written.removeprefix("---\n").removesuffix("---\n")) == fields


@pytest.mark.parametrize("value", [0, -7, 10**20, True, False, 1.5, 1e300, 1e-7, float("inf"), []])
def test_other_values_read_back(value: object) -> None:
    fields, _ = read_frontmatter(write_frontmatter({"x": value}))  # type: ignore[dict-item]
    assert fields == {"x": value}
    assert type(fields["x"]) is type(value)


def test_plain_text_is_written_plainly() -> None:
    written = write_frontmatter(
        {"source": "https://e.example/a?b=c#d", "author": "Ann O'Neil", "words": 3}
    )
    assert written == "---\nsource: https://e.example/a?b=c#d\nauthor: Ann O'Neil\nwords: 3\n---\n"


def test_none_is_left_out() -> None:
    assert write_frontmatter({"a": None, "b": "c"}) == "---\nb: c\n---\n"


@pytest.mark.parametrize(
    "text",
    [
        "no frontmatter",
        "---\nnever closed",
        "---\n- a list\n---\nbody",
        "---\na: [unclosed\n---\nbody",
        "---\n" + "[" * 50_000 + "\n---\nbody",
        "--- \nx",
        "***\n",
        "",
    ],
)
def test_what_is_no_frontmatter_is_all_body(text: str) -> None:
    assert read_frontmatter(text) == ({}, text)


def test_files_of_others_are_read() -> None:
    text = "\ufeff---\r\ntitle: X\r\n...\r\n\r\nBody"
    assert read_frontmatter(text) == ({"title": "X"}, "Body")
    assert read_frontmatter("---\n---\nBody") == ({}, "Body")


def make_document(**changes: object) -> Document:
    values: dict[str, object] = {
        "url": "http://e.example/short",
        "final_url": "https://www.e.example/story?id=1",
        "title": 'A "story": # one',
        "author": "Ann, Bob",
        "published": Moment(date="2026-03", precision="month"),
        "word_count": 1600,
        "reading_time": 8,
        "hero_image": "https://e.example/h.jpg",
        "images": (Image(url="https://e.example/h.jpg", alt="Harbour [1]"),),
        "tags": ("Sea", "birds"),
        "generated_tags": ("one", "two", "three", "four", "five", "six"),
        "language": "en",
        "description": "About\nit",
        "markdown": "First *words*.\n\n## Later\n",
    }
    return Document(**(values | changes))  # type: ignore[arg-type]


def test_fields_stand_in_their_order() -> None:
    page = markdown_page(make_document(), "2026-03-06T07:00:00Z", user_tags=("mine", "SEA"))
    fields, _ = read_frontmatter(page)
    assert list(fields.items()) == [
        ("source", "https://www.e.example/story?id=1"),
        ("title", 'A "story": # one'),
        ("author", "Ann, Bob"),
        ("published_date", "2026-03"),
        ("domain", "e.example"),
        ("word_count", 1600),
        ("reading_time", "8 min"),
        ("hero_image", "https://e.example/h.jpg"),
        ("tags", ["mine", "SEA", "birds", "one", "two", "three", "four", "five"]),
        ("language", "en"),
        ("description", "About\nit"),
        ("saved_at", "2026-03-06T07:00:00Z"),
    ]


def test_absent_fields_are_left_out_but_five_stay() -> None:
    fields, body = read_frontmatter(markdown_page(Document()))
    assert fields == {"source": "", "title": "", "domain": "", "word_count": 0, "saved_at": ""}
    assert body == ""


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (Moment(date="2026", precision="year"), "2026"),
        (Moment(date="2026-03-05"), "2026-03-05"),
        (Moment(date="2026-03-05", time="09:30", precision="minute"), "2026-03-05T09:30"),
        (Moment(date="2026-03-05", time="09:30:15", zone="+01:00"), "2026-03-05T09:30:15+01:00"),
        (
            Moment(date="2026-03-05", time="09:30", zone="Europe/Rome", utc="2026-03-05T08:30:00Z"),
            "2026-03-05T08:30:00Z",
        ),
    ],
)
def test_dates_are_as_exact_as_the_page(moment: Moment, expected: str) -> None:
    fields, _ = read_frontmatter(markdown_page(make_document(published=moment)))
    assert fields["published_date"] == expected


def test_a_discarded_page_says_why() -> None:
    document = make_document(
        discarded=True, discard_reason="paywall", provenance=Provenance(rules=("news/example",))
    )
    fields, body = read_frontmatter(markdown_page(document, "2026-03-06"))
    assert list(fields.items()) == [
        ("source", "https://www.e.example/story?id=1"),
        ("domain", "e.example"),
        ("discarded", True),
        ("discard_reason", "paywall"),
        ("rule_id", "news/example"),
        ("saved_at", "2026-03-06"),
    ]
    assert body.strip() == "[Content discarded by parsing rule]"


def body_of(**changes: object) -> str:
    return read_frontmatter(markdown_page(make_document(**changes)))[1]


HERO = "[![Harbour \\[1\\]](https://e.example/h.jpg)](https://e.example/h.jpg)"
TITLE = '# A "story": # one'


def test_the_body_starts_with_picture_and_title() -> None:
    assert body_of() == f"{HERO}\n\n{TITLE}\n\nFirst *words*.\n\n## Later\n"


def test_a_picture_that_is_already_first_is_not_repeated_nor_parted_from_its_caption() -> None:
    start = "[![x](https://e.example/h.jpg)](https://e.example/h.jpg)\n\n*Caption*"
    assert body_of(markdown=f"{start}\n\nText\n") == f"{start}\n\n{TITLE}\n\nText\n"


def test_a_title_that_the_content_starts_with_is_not_repeated() -> None:
    content = '## A "Story": # *one*\n\nText\n'
    assert body_of(markdown=content, hero_image="") == content
    assert body_of(markdown=content) == f"{HERO}\n\n{content}"


def test_a_title_of_a_rule_takes_the_place_of_the_headline() -> None:
    ruled = Provenance(fields={"title": FieldSource(source="rule:tides")})
    content = "# Another headline\n\nText\n"
    assert body_of(markdown=content, hero_image="", provenance=ruled) == f"{TITLE}\n\nText\n"
    assert body_of(markdown=content, hero_image="") == f"{TITLE}\n\n{content}"


def test_a_title_that_looks_like_markup_stays_text() -> None:
    assert body_of(title="*a* <b> #", hero_image="", markdown="x\n") == "# \\*a\\* \\<b> \\#\n\nx\n"


def test_pictures_can_be_plain_or_left_out() -> None:
    plain = markdown_page(make_document(), images="plain")
    assert "\n![Harbour \\[1\\]](https://e.example/h.jpg)\n" in plain
    assert "![" not in markdown_page(make_document(), images="none")


def test_a_leading_picture_is_moved_to_the_top_not_shown_twice() -> None:
    hero = "https://e.example/h.jpg"
    picture = f"[![h]({hero})]({hero})"
    content = f"# Headline\n\nA dek.\n\n{picture}\n\n*The caption.*\n\nText.\n"
    body = body_of(title="Headline", hero_image=hero, markdown=content)
    assert body == f"{picture}\n\n*The caption.*\n\n# Headline\n\nA dek.\n\nText.\n"


def test_a_picture_among_words_stays_where_it_is() -> None:
    hero = "https://e.example/h.jpg"
    content = f"Text.\n\n![h]({hero}) beside words.\n"
    body = body_of(title="T", hero_image=hero, markdown=content)
    assert body.endswith(content)
    assert body.startswith(f"{HERO}\n\n# T\n\n")
