"""report.html: the report as one page with plots, without scripts and without other files."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5d6b7c; --bar: #3b7a78;
  --bad: #b4562f; --line: #d8dee6; --paper: #fff }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8edf3; --soft: #9fb0c3; --bar: #6cb5b0; --bad: #e08a5f; --line: #37424f;
    --paper: #161b22 } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem;
  color: var(--ink); background: var(--paper) }
h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1.05rem; margin: 2rem 0 .5rem }
.soft { color: var(--soft) } .cards { display: flex; flex-wrap: wrap; gap: 1rem; margin: 1.2rem 0 }
.card { border: 1px solid var(--line); border-radius: .5rem; padding: .7rem 1rem }
.card b { display: block; font-size: 1.4rem }
.grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 0 2.5rem }
table { border-collapse: collapse; width: 100% }
td { padding: .15rem .5rem .15rem 0; text-align: left; vertical-align: top }
td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
td.plot { width: 45% } td.long { overflow-wrap: anywhere }
svg { display: block; width: 100%; height: .9rem } rect { fill: var(--bar) }
.bad rect { fill: var(--bad) }
"""


def report_page(report: Mapping[str, Any]) -> str:
    """The page of a report, given as plain data."""
    state = "done" if report["complete"] else "not finished"
    shards = f"Shards done: {report['shards_done']:,} of {report['shards']:,}"
    parts = [
        _plot("Rejected, by reason", report["rejected"], report["read"], "bad"),
        _plot("Filtered, by filter", report["filtered"], report["read"], "bad"),
        _plot("Languages", report["languages"], report["kept"]),
        _plot("Types of pages", report["page_types"], report["kept"]),
        _plot("Words (from)", report["words"], report["kept"]),
        _plot("Quality score (from)", report["quality"], report["kept"]),
        _plot("Sites", dict(list(report["sites"].items())[:20]), report["kept"]),
        _plot("Deaths of workers, by signal", report["deaths"], 0, "bad"),
    ]
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>Bulk run</title>"
        "<meta name=viewport content='width=device-width'>"
        f"<style>{_STYLE}</style><h1>Bulk run: {escape(state)}</h1>"
        f"<p class=soft>{escape(shards)} · {escape(report['out'])}</p>"
        f"{_cards(report)}<div class=grid>{''.join(parts)}</div>"
        f"{_failed(report)}{_slowest(report)}</html>\n"
    )


def _cards(report: Mapping[str, Any]) -> str:
    rejected = sum(report["rejected"].values())
    cards = {
        "pages read": f"{report['read']:,}",
        "kept": f"{report['kept']:,}",
        "rejected": f"{rejected:,}",
        "damaged stretches": f"{report['damaged']:,}",
        "duplicates": f"{report['duplicates']:,}",
        "pages a CPU second": f"{report['pages_per_cpu_second']:,}",
        "MB in": f"{report['bytes_in'] / 1e6:,.1f}",
        "MB out": f"{report['bytes_out'] / 1e6:,.1f}",
        "retries": f"{report['retries']:,}",
    }
    shown = (f"<div class=card><b>{n}</b>{escape(what)}</div>" for what, n in cards.items())
    return f"<div class=cards>{''.join(shown)}</div>"


def _plot(title: str, counts: Mapping[str, int], whole: int, style: str = "") -> str:
    """A bar for each count, and its share."""
    if not counts:
        return ""
    largest = max(counts.values())
    rows = "".join(
        f"<tr><td class=long>{escape(key) or '(none)'}<td class=n>{number:,}"
        f"<td class=n>{_share(number, whole)}<td class=plot><svg viewBox='0 0 100 10' "
        f"preserveAspectRatio=none role=img aria-label='{number}'>"
        f"<rect width='{100 * number / largest:.1f}' height=10 rx=1></rect></svg>"
        for key, number in counts.items()
    )
    return f"<section class='{style}'><h2>{escape(title)}</h2><table>{rows}</table></section>"


def _share(number: int, whole: int) -> str:
    return f"{100 * number / whole:.1f}%" if whole else ""


def _slowest(report: Mapping[str, Any]) -> str:
    rows = "".join(
        f"<tr><td class=n>{page['seconds']:.2f} s<td class=long>{escape(page['url'])}"
        f"<td class=long>{escape(page['source_file'])} #{page['source_record']}"
        for page in report["slowest"]
    )
    return f"<h2>Slowest pages</h2><table>{rows}</table>" if rows else ""


def _failed(report: Mapping[str, Any]) -> str:
    rows = "".join(
        f"<tr><td class=n>{escape(shard)}<td class=long>{escape(why)}"
        for shard, why in report["failed_shards"].items()
    )
    return f"<h2>Shards that failed</h2><table>{rows}</table>" if rows else ""
