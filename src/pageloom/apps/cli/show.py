"""A Document on the terminal, for people. Page text is never read as markup of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from pageloom.apps.cli.safe import one_line, safe

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.flows.library.compare import Row
    from pageloom.model import BlockTrace, Document, Moment, Provenance

_MAX_WIDTH = 100
_RECORDED_AS = {"author": "authors"}


def make_console() -> Console:
    """A console that is never wider than is good to read."""
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=False)
    if console.width > _MAX_WIDTH or not console.is_terminal:
        console.width = _MAX_WIDTH
    return console


def show_document(document: Document) -> None:
    """Title, metadata with their sources, figures, and the Markdown as it reads."""
    console = make_console()
    _show_head(console, document)
    console.print(Rule(style="dim"))
    # On a terminal an address stands behind its words; in a file it must be printed.
    body = Markdown(_body(document), hyperlinks=console.is_terminal)
    console.print(Padding(body, (0, 2)))


def show_explanation(document: Document) -> None:
    """Where every field came from, and every block with what decided about it."""
    console = make_console()
    _show_head(console, document)
    console.print()
    console.print(_block_table(document.provenance.blocks))


def _show_head(console: Console, document: Document) -> None:
    console.print(_field_table(document))
    console.print()
    console.print(_figures(document))
    if document.provenance.blocks:
        console.print(_work(document.provenance))
    for warning in document.provenance.warnings:
        console.print(Text(f"warning: {one_line(warning, 200)}", style="yellow"))


def _body(document: Document) -> str:
    """The text to read; a title that has just been shown is not shown again."""
    text = safe(document.markdown or document.text)
    return text.removeprefix(f"# {safe(document.title)}\n")


def _field_table(document: Document) -> Table:
    table = make_table("field", "value", "from")
    for name, value in _fields(document):
        found = document.provenance.fields.get(_RECORDED_AS.get(name, name))
        source = one_line(found.source, 30) if found else ""
        style = "bold" if name == "title" else ""
        table.add_row(
            Text(name, style="cyan"), Text(one_line(value, 220), style), Text(source, style="dim")
        )
    return table


def _fields(document: Document) -> Iterable[tuple[str, str]]:
    shown = {
        "title": document.title or "(no title)",
        "author": document.author,
        "published": _moment(document.published),
        "modified": _moment(document.modified),
        "site_name": document.site_name,
        "language": document.language,
        "description": document.description,
        "canonical_url": document.canonical_url,
        "hero_image": document.hero_image,
        "tags": ", ".join(document.tags),
        "categories": ", ".join(document.categories),
        "page_type": f"{document.page_type} ({document.page_type_confidence:.0%})",
    }
    return ((name, value) for name, value in shown.items() if value)


def _moment(moment: Moment | None) -> str:
    return moment.iso if moment else ""


def _figures(document: Document) -> Text:
    score = document.quality_score
    color = "green" if score >= 60 else "yellow" if score >= 30 else "red"
    return Text(" · ").join(
        [
            Text(_count(document.word_count, "word")),
            Text(f"{document.reading_time} min"),
            Text(f"quality {score}/100", style=color),
            Text(_count(len(document.links), "link")),
            Text(_count(len(document.images), "image")),
        ]
    )


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _work(provenance: Provenance) -> Text:
    kept = sum(block.kept for block in provenance.blocks)
    dropped = len(provenance.blocks) - kept
    how = f" (strategy: {one_line(provenance.strategy, 40)})" if provenance.strategy else ""
    return Text(f"{_count(kept, 'block')} kept, {dropped:,} dropped{how}", style="dim")


def _block_table(blocks: Iterable[BlockTrace]) -> Table:
    table = make_table("", "score", "text", "why")
    for block in blocks:
        style = "" if block.kept else "dim"
        table.add_row(
            Text("kept" if block.kept else "–", style="green" if block.kept else "dim"),
            Text(f"{block.score:.2f}", style=style),
            Text(one_line(block.text, 60), style=style),
            Text(one_line("; ".join(block.reasons) or block.path, 80), style="dim"),
        )
    return table


def make_table(*columns: str) -> Table:
    """A plain table without lines; cells of plain text, not of markup."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_edge=False)
    for column in columns:
        table.add_column(column, header_style="dim", overflow="fold")
    return table


def show_rows(rows: Iterable[Row]) -> None:
    """A comparison: what went in red and struck out, what came in green, all else dim."""
    console = make_console()
    for row in rows:
        if row.kind == "skipped":
            console.print(Text(f"  … {row.skipped} unchanged …", style="dim"))
            continue
        line = Text()
        for piece in row.pieces:
            style = "dim" if row.kind == "same" else _PIECE_STYLES[piece.kind]
            line.append(safe(piece.text), style)
        # Further lines of a wrapped one stand below its first word, not below its sign.
        table = Table.grid(padding=(0, 1, 0, 0))
        table.add_column(width=1)
        table.add_column(overflow="fold")
        table.add_row(Text(_SIGNS[row.kind], _SIGN_STYLES.get(row.kind, "")), line)
        console.print(table)


_PIECE_STYLES = {"same": "", "old": "red strike", "new": "green"}
_SIGNS = {"same": " ", "edited": "~", "added": "+", "removed": "-"}
_SIGN_STYLES = {"added": "green", "removed": "red", "edited": "yellow"}
