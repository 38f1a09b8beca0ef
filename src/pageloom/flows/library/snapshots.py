"""Snapshots of pages as a browser shows them: a picture, a print, one HTML file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.core.picture_bytes import picture_size
from pageloom.core.single_file import make_single_file
from pageloom.edges.fetch.request import Rendering
from pageloom.edges.store.files import make_file
from pageloom.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Collection

    from pageloom.model.capture import Capture
    from pageloom.model.files import KeptFile, SnapshotKind

KINDS = ("screenshot", "pdf", "html")


def rendering_for(kinds: Collection[str]) -> Rendering | None:
    """What the browser has to make for these snapshots; None for none.

    Raises:
        SettingsError: there is no such kind.
    """
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        raise SettingsError(
            f"library.snapshots cannot be {unknown[0][:40]}.",
            suggestions=(f"Choose from {', '.join(KINDS)}.",),
        )
    if not kinds:
        return None
    return Rendering(screenshot="screenshot" in kinds, pdf="pdf" in kinds, snapshot="html" in kinds)


def snapshot_files(captured: Capture) -> dict[SnapshotKind, KeptFile]:
    """The snapshots that a capture brought, as files."""
    found: dict[SnapshotKind, KeptFile] = {}
    if shot := captured.screenshot:
        found["screenshot"] = make_file(shot, "image/png", picture_size(shot, "image/png"))
    if captured.pdf:
        found["pdf"] = make_file(captured.pdf, "application/pdf")
    if captured.mhtml and (page := make_single_file(captured.mhtml)):
        found["html"] = make_file(page.encode("utf-8", "replace"), "text/html")
    return found
