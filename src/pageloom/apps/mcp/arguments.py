"""The arguments of tools: what each takes, which is also what their schemas say."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from pageloom.model.pages import FilterChoice, Sort

Text = Annotated[str, Field(max_length=4000)]
Name = Annotated[str, Field(max_length=200)]
PageName = Annotated[str, Field(max_length=4000, description="Its number, such as 12, or its URL.")]
Url = Annotated[str, Field(max_length=4000, description="An http or https URL.")]
Names = Annotated[list[Name], Field(max_length=50)]
Patterns = Annotated[list[Annotated[str, Field(max_length=2000)]], Field(max_length=50)]
Version = Annotated[int, Field(ge=1, le=10**9)]
Render = Annotated[
    Literal["auto", "force", "never"],
    Field(description="Whether a browser is used: where it is needed, always, never."),
]
Since = Annotated[str, Field(max_length=40, description="A date, or an age such as 7d.")]
Limit = Annotated[int, Field(ge=1, le=100)]
Cursor = Annotated[str, Field(max_length=4000, description="`next` of the answer before.")]
_FORBID = ConfigDict(extra="forbid", coerce_numbers_to_str=True)


class Nothing(BaseModel):
    """No arguments."""

    model_config = _FORBID


class Part(Nothing):
    """Which part of a long text."""

    max_chars: Annotated[int, Field(ge=500, le=100_000, description="Of the text.")] = 12_000
    cursor: Cursor = ""
    section: Annotated[str, Field(max_length=40, description="As in the outline: 3.2.")] = ""
    find: Annotated[str, Field(max_length=200, description="Read where these words stand.")] = ""


class ReadUrl(Part):
    """A page of the web."""

    url: Url
    render: Render = "auto"


class ReadPage(Part):
    """A page of the library."""

    page: PageName
    version: Version | None = None


class OnePage(Nothing):
    """A page of the library."""

    page: PageName


class OneVersion(OnePage):
    """A version of a page; the last when none is named."""

    version: Version | None = None


class Which(Nothing):
    """Which pages, and a part of the list."""

    tags: Annotated[Names, Field(description="Pages with all of these.")] = []
    site: Annotated[Name, Field(description="A host, with its subdomains.")] = ""
    type: Annotated[Name, Field(description="article, product …")] = ""
    language: Annotated[Name, Field(description="en, de …")] = ""
    since: Annotated[Since, Field(description="Saved from then on: a date, or 7d.")] = ""
    until: Annotated[Since, Field(description="Saved before.")] = ""
    unread: bool | None = None
    limit: Limit = 20
    cursor: Cursor = ""


class Search(Which):
    """Pages with certain words."""

    query: Annotated[
        str,
        Field(
            min_length=1,
            max_length=1000,
            description='Words; "a phrase", -excluded, begin*, one OR other.',
        ),
    ]


class ListPages(Which):
    """Pages, the newest first."""

    pinned: bool | None = None
    archived: FilterChoice = "no"
    sort: Sort = "saved"


class History(OnePage):
    """A part of the list of versions."""

    limit: Limit = 20
    cursor: Cursor = ""


class Compare(OnePage):
    """Two versions; the last two when none are named."""

    from_version: Version | None = None
    to_version: Version | None = None


class Changes(Nothing):
    """Which changes."""

    page: PageName = ""
    since: Since = ""
    min_importance: Annotated[float, Field(ge=0, le=1)] = 0.0
    limit: Limit = 20
    cursor: Cursor = ""


class Similar(OnePage):
    """How many pages like one."""

    limit: Limit = 10


class Save(Nothing):
    """A page to save."""

    url: Url
    html: Annotated[
        str, Field(max_length=1_500_000, description="The page itself: nothing is fetched then.")
    ] = ""
    tags: Names = []
    note: Annotated[str, Field(max_length=100_000)] = ""
    render: Render = "auto"


class Annotate(OnePage):
    """What is added to a page, or taken from it."""

    add_tags: Names = []
    remove_tags: Names = []
    note: Annotated[str, Field(max_length=100_000)] = ""


class Watch(Nothing):
    """A page to watch. Notices go where the settings say."""

    url: Url
    name: Name = ""
    every: Annotated[str, Field(max_length=20, description="6h, 1d …")] = ""
    scope: Annotated[Patterns, Field(description="Selectors of the parts to compare.")] = []
    ignore: Annotated[Patterns, Field(description="Selectors of the parts to ignore.")] = []
    only_if: Annotated[Patterns, Field(description="Patterns that new text has to match.")] = []
    price_below: Annotated[float, Field(gt=0, le=1e12)] | None = None
    min_importance: Annotated[float, Field(ge=0, le=1)] | None = None
    render: Render = "auto"


class OneWatch(Nothing):
    """A watch."""

    watch: Annotated[Text, Field(description="Its number, such as 7, or the URL of its page.")]


class Pause(OneWatch):
    """A watch to pause, or to resume."""

    resume: Annotated[bool, Field(description="Check it again.")] = False
