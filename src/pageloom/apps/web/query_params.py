"""What is asked of the library in a URL: the same words for the API and the pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal
from urllib.parse import parse_qs

from fastapi import Query
from pydantic import BaseModel, Field, ValidationError

from pageloom.apps.web.errors import InvalidRequest
from pageloom.apps.web.problems import places_of
from pageloom.library import Library
from pageloom.model.pages import FilterChoice, Filters, Hit, Page, Sort

Limit = Annotated[int, Query(ge=1, le=200, description="The length of the part.")]
Since = Annotated[str, Query(max_length=40, description="A date, or `7d`.")]
Cursor = Annotated[str, Query(max_length=4000, description="`next` of the part before.")]
_LISTS = ("tag",)


@dataclass(frozen=True, slots=True)
class Listed:
    """A part of a list of pages, found or not."""

    pages: tuple[Page, ...]
    hits: tuple[Hit, ...]
    """With their snippets, if there was a search."""
    next_cursor: str | None
    total: int
    exact: bool


class Wanted(BaseModel):
    """Which pages, in which order: the parameters of a URL."""

    q: str = Field("", max_length=1000, description="Words to search for.")
    url: str = Field("", max_length=4000, description="The one page with this URL.")
    tag: list[str] = Field([], max_length=20, description="Pages with all of these tags.")
    site: str = Field("", max_length=200, description="A host, with its subdomains.")
    language: str = Field("", max_length=20)
    type: str = Field("", max_length=40, description="`article`, `product` …")
    source: str = Field("", max_length=200)
    since: str = Field("", max_length=40, description="Saved from then on: a date, or `7d`.")
    until: str = Field("", max_length=40, description="Saved before.")
    unread: bool | None = None
    pinned: bool | None = None
    archived: FilterChoice = "no"
    deleted: FilterChoice = "no"
    min_quality: int = Field(0, ge=0, le=100)
    sort: Sort | Literal[""] = ""
    limit: int = Field(50, ge=1, le=200, description="The length of the part.")
    cursor: str = Field("", max_length=4000, description="`next` of the part before.")

    @property
    def filters(self) -> Filters:
        """The filters as the library takes them."""
        return Filters(
            domain=self.site,
            tags=tuple(each for each in self.tag if each.strip()),
            language=self.language,
            page_type=self.type,
            source_id=self.source,
            since=self.since,
            until=self.until,
            unread=self.unread,
            pinned=self.pinned,
            archived=self.archived,
            deleted=self.deleted,
            min_quality=self.min_quality,
        )

    def find(self, library: Library) -> Listed:
        """Those pages, a part of them."""
        if self.url:
            page = library.find(self.url)
            return Listed((page,) if page else (), (), None, int(page is not None), exact=True)
        part: dict[str, Any] = {"limit": self.limit, "cursor": self.cursor}
        if self.q.strip():
            found = library.search(self.q, self.filters, sort=self.sort or None, **part)
            pages = tuple(hit.page for hit in found.hits)
            return Listed(pages, found.hits, found.next_cursor, found.total, found.is_exact)
        listed = library.list(self.filters, sort=self.sort or "saved", **part)
        return Listed(listed.pages, (), listed.next_cursor, listed.total, listed.is_exact)

    def numbers(self, library: Library, most: int) -> list[int]:
        """The numbers of all pages that match, at most so many."""
        if not (self.q.strip() or self.url):
            pages = library.pages(self.filters)
            return [page.id for page, _ in zip(pages, range(most), strict=False)]
        found: list[int] = []
        part = self.model_copy(update={"limit": 200, "cursor": ""})
        while len(found) < most:
            listed = part.find(library)
            found += [page.id for page in listed.pages]
            if listed.next_cursor is None:
                break
            part = part.model_copy(update={"cursor": listed.next_cursor})
        return found[:most]


def wanted_by(text: str) -> Wanted:
    """The pages that a query string of the list names.

    Raises:
        InvalidRequest: it has something that the list does not take.
    """
    try:
        given = parse_qs(text.removeprefix("?"), max_num_fields=50)
        known = {name: each if name in _LISTS else each[-1] for name, each in given.items()}
        return Wanted.model_validate(known)
    except ValidationError as error:
        raise InvalidRequest("The query cannot be used as it is.", places_of(error)) from None
    except ValueError:
        raise InvalidRequest("The query cannot be used as it is.") from None
