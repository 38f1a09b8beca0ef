"""The flags of ``rules``."""

from __future__ import annotations

from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json, Source, Url

rules = typer.Typer(
    name="rules",
    help="Site rules: look at them, check them, prove them, make new ones.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Directory = Annotated[
    str | None,
    typer.Option("--rules", metavar="DIR", help="Your rules; otherwise rules.directory."),
]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(rules)


@rules.command("list")
def list_(
    *,
    directory: Directory = None,
    host: Annotated[
        str | None, typer.Option("--host", help="Only rules that may apply to this host.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List the rules that apply, in the order they apply: the shipped ones and yours."""
    from pageloom.apps.cli.rules import run_list

    run_list(directory, host=host, as_json=as_json)


@rules.command()
def show(
    rule: Annotated[str, typer.Argument(metavar="ID", help="The id of a rule.")],
    *,
    directory: Directory = None,
    as_json: Json = False,
) -> None:
    """Show one rule as YAML."""
    from pageloom.apps.cli.rules import run_show

    run_show(rule, directory, as_json=as_json)


@rules.command()
def lint(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH...]", help="Files or directories; otherwise your rules."),
    ] = None,
    *,
    directory: Directory = None,
    as_json: Json = False,
) -> None:
    """Check rule files: every mistake with file, line and field. Exit 1 if there is an error."""
    from pageloom.apps.cli.rules import run_lint

    raise typer.Exit(run_lint(paths or [], directory, as_json=as_json))


@rules.command("test")
def prove(
    page: Annotated[
        str | None,
        typer.Argument(metavar="[FILE|URL]", help="One page; otherwise all cases of all rules."),
    ] = None,
    *,
    url: Url = None,
    directory: Directory = None,
    rule: Annotated[str | None, typer.Option("--rule", help="Only the cases of this rule.")] = None,
    as_json: Json = False,
) -> None:
    """Prove rules: each of their pages must be right with the rule and wrong without it.

    With a page, the tests that its rules name for that address are run on it.
    """
    from pageloom.apps.cli.rules_test import run_page, run_test

    if page is None:
        raise typer.Exit(run_test(directory, rule=rule, as_json=as_json))
    raise typer.Exit(run_page(page, url, directory, as_json=as_json))


@rules.command()
def explain(
    source: Source, *, url: Url = None, directory: Directory = None, as_json: Json = False
) -> None:
    """Say which rules match a page, why, and what each of them changed."""
    from pageloom.apps.cli.rules_explain import run_explain

    run_explain(source, url, directory, as_json=as_json)


@rules.command()
def new(
    source: Source,
    *,
    url: Url = None,
    rule: Annotated[str | None, typer.Option("--id", help="The id of the new rule.")] = None,
    directory: Directory = None,
    as_json: Json = False,
) -> None:
    """Draft a rule and its test from a page, in your directory of rules."""
    from pageloom.apps.cli.rules_new import run_new

    run_new(source, url, rule, directory, as_json=as_json)


@rules.command("import")
def import_(
    source: Annotated[
        str, typer.Argument(metavar="SRC", help="A site configuration, or a directory of them.")
    ],
    *,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="DIR", help="Where the rules are written.")
    ],
    as_json: Json = False,
) -> None:
    """Convert site configurations of Full-Text RSS (.txt) or compact rules (.json) to rules.

    What is dropped is told by file, line and directive, and whether it is a loss.
    """
    from pageloom.apps.cli.rules_import import run_import

    run_import(source, output, as_json=as_json)


@rules.command()
def health(
    pages: Annotated[
        str | None,
        typer.Argument(metavar="[DIR]", help="A directory of HTML files; otherwise the library."),
    ] = None,
    *,
    directory: Directory = None,
    url: Annotated[
        str | None, typer.Option("--url", help="The address of pages that do not state theirs.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Run rules over stored pages and list selectors that find nothing any more."""
    from pageloom.apps.cli.rules_health import run_health

    run_health(pages, directory, url, as_json=as_json)
