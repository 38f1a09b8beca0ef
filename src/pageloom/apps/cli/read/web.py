"""Pages of the web for commands: flags become a request, and whoever waits sees progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.files import require_free, write_file
from pageloom.apps.cli.progress import waiting
from pageloom.apps.cli.safe import one_line

if TYPE_CHECKING:
    from pageloom.apps.cli.flags import WebFlags
    from pageloom.model.capture import Capture, RenderMode
    from pageloom.settings import Settings


def capture_page(
    url: str, settings: Settings, flags: WebFlags, *, etag: str | None = None
) -> Capture:
    """Fetch and extract a page as the flags say, and write its screenshot or PDF.

    Raises:
        NotModified: the server has nothing newer than ``etag``.
        PageloomError: the page could not be fetched or extracted, or flags contradict each other.
    """
    from pageloom.apps.cli.pages import warn_of_rules
    from pageloom.context import site_rules
    from pageloom.flows.capture.fetch_page import PageRequest, fetch_page

    if flags.render == "never" and (flags.screenshot or flags.pdf or flags.wait_for):
        raise UsageTrouble(
            "--screenshot, --pdf and --wait-for need a browser.",
            suggestions=("Leave out --render never.",),
        )
    require_free((flags.screenshot, flags.pdf), force=flags.force)
    request = PageRequest(
        url=url,
        headers=_pairs(flags.headers, ":", "--header takes Name: value"),
        cookies=_pairs(flags.cookies, "=", "--cookie takes name=value"),
        user_agent=flags.user_agent or "",
        respect_robots=flags.robots,
        etag=etag or "",
        render=_mode(flags),
        wait_for=flags.wait_for or "",
        screenshot=flags.screenshot is not None,
        pdf=flags.pdf is not None,
    )
    rules = site_rules(settings, warn_of_rules).sealed
    with waiting(f"Fetching {one_line(url, 60)}") as show:
        captured = fetch_page(
            request,
            fetch=settings.fetch,
            extraction=settings.extraction,
            rules=rules,
            on_decision=show,
        )
    _save(captured, flags)
    return captured


def _mode(flags: WebFlags) -> RenderMode:
    """Whoever waits for something on the page wants it rendered."""
    if flags.render:
        return flags.render
    return "force" if flags.wait_for else "auto"


def _pairs(texts: list[str] | None, mark: str, advice: str) -> dict[str, str]:
    return dict(_pair(text, mark, advice) for text in texts or ())


def _pair(text: str, mark: str, advice: str) -> tuple[str, str]:
    name, found, value = text.partition(mark)
    name, value = name.strip(), value.strip()
    if not found or not name or not name.isascii() or any(ord(c) < 33 for c in name):
        raise UsageTrouble(f"{advice}, not {one_line(text, 40)!r}.", suggestions=())
    if any(ord(c) < 32 or ord(c) == 127 for c in value):
        raise UsageTrouble(f"{advice}, without control characters.", suggestions=())
    return name, value


def _save(captured: Capture, flags: WebFlags) -> None:
    for place, data in ((flags.screenshot, captured.screenshot), (flags.pdf, captured.pdf)):
        if place is None:
            continue
        if not data:
            raise UsageTrouble(
                f"Nothing to write to {place}: no browser rendered the page.",
                suggestions=captured.decisions[-1:],
            )
        write_file(place, data)
