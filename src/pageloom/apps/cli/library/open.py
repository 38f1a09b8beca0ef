"""``pageloom open``: a page's own URL in the browser."""

from __future__ import annotations

from typing import Annotated

import typer

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.flags import Json, User
from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.page_flags import PageName
from pageloom.apps.cli.pages import open_library, require_page
from pageloom.apps.cli.safe import safe


def open_(
    page: PageName,
    *,
    show: Annotated[
        bool, typer.Option("--print", help="Print the URL instead of opening it.")
    ] = False,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Open the URL of a page in the browser."""
    with open_library(user) as library:
        found = library.mark_opened(require_page(library, page))
    url = found.final_url or found.url
    if not url.startswith(("https://", "http://")):
        raise UsageTrouble(f"Page {found.id} has no http or https URL to open.", suggestions=())
    opened = False
    if not show:
        import webbrowser

        opened = webbrowser.open(url)
    if as_json:
        print_json({"success": True, "id": found.id, "url": url, "opened": opened})
    elif not opened:
        print_lines([safe(url)])
