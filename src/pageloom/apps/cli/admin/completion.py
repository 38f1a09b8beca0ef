"""``pageloom completion``: scripts that complete commands, flags and their values.

The script holds all words itself, so that completing starts no Python.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.main import get_command

from pageloom.apps.cli.commands import COMMANDS, FAMILIES, GROUPS
from pageloom.apps.cli.main import assemble
from pageloom.apps.cli.output import print_lines

if TYPE_CHECKING:
    from collections.abc import Iterator


class Shell(StrEnum):
    """Shells that a script can be printed for."""

    bash = "bash"
    zsh = "zsh"
    fish = "fish"


def completion(
    shell: Annotated[Shell, typer.Argument(help="The shell to print a script for.")],
) -> None:
    """Print a completion script for your shell.

    bash: pageloom completion bash > ~/.local/share/bash-completion/completions/pageloom.
    zsh: add eval "$(pageloom completion zsh)" to ~/.zshrc.
    fish: pageloom completion fish > ~/.config/fish/completions/pageloom.fish.
    """
    if shell is Shell.fish:
        print_lines(_fish())
        return
    if shell is Shell.zsh:
        print_lines(["autoload -U +X compinit && compinit", "autoload -U +X bashcompinit"])
        print_lines(["bashcompinit"])
    print_lines(_bash())


Words = dict[str, tuple[str, ...]]
"""The flags of a command, and the values that each may take."""


def _flags() -> Iterator[tuple[str, Words]]:
    """Every command with its flags; arguments of fixed words are under the empty name."""
    root: Any = get_command(assemble(COMMANDS))
    for name in COMMANDS:
        family, _, own = name.rpartition(" ")
        command = (root.commands[family] if family else root).commands[own]
        found: Words = {"--help": ()}
        for each in command.params:
            choices = tuple(map(str, getattr(each.type, "choices", ())))
            if each.param_type_name == "argument":
                found[""] = choices or found.get("", ())
            else:
                names = [*each.opts, *each.secondary_opts]
                found |= {flag: choices for flag in names if flag.startswith("--")}
        yield name, found


def _bash() -> Iterator[str]:
    firsts = " ".join(dict.fromkeys(name.partition(" ")[0] for name in COMMANDS))
    yield "_pageloom() {"
    yield '    local words="" previous="${COMP_WORDS[COMP_CWORD-1]}"'
    yield '    local current="${COMP_WORDS[COMP_CWORD]}" command="${COMP_WORDS[1]}"'
    families = "|".join(FAMILIES)
    yield f'    case "$command" in {families}) [ "$COMP_CWORD" -gt 2 ] &&'
    yield '        command="$command ${COMP_WORDS[2]}";; esac'
    yield f'    if [ "$COMP_CWORD" -eq 1 ]; then words="{firsts}"'
    yield '    else case "$command" in'
    for family in FAMILIES:
        own = [name.partition(" ")[2] for name in COMMANDS if name.startswith(f"{family} ")]
        yield f'        "{family}") words="{" ".join(own)}";;'
    for name, flags in _flags():
        values = [
            f'{flag}) words="{" ".join(chosen)}";;'
            for flag, chosen in flags.items()
            if flag and chosen
        ]
        rest = " ".join([*flags.get("", ()), *filter(None, flags)])
        yield f'        "{name}") case "$previous" in {" ".join(values)} *) words="{rest}";; esac;;'
    yield "    esac; fi"
    yield '    COMPREPLY=($(compgen -W "$words" -- "$current"))'
    yield "}"
    yield "complete -o default -F _pageloom pageloom"


def _fish() -> Iterator[str]:
    summaries = {name: line for group in GROUPS.values() for name, (_, line) in group.items()}
    for name in dict.fromkeys(name.partition(" ")[0] for name in COMMANDS):
        text = FAMILIES.get(name) or summaries[name]
        yield f"complete -c pageloom -n __fish_use_subcommand -xa {name} -d {_quoted(text)}"
    for name, flags in _flags():
        first, _, second = name.partition(" ")
        seen = f"__fish_seen_subcommand_from {first}"
        if second:
            yield f"complete -c pageloom -n '{seen}' -xa {second} -d {_quoted(summaries[name])}"
            seen += f"; and __fish_seen_subcommand_from {second}"
        for flag, values in flags.items():
            takes = f" -xa '{' '.join(values)}'" if values else ""
            if flag:
                yield f"complete -c pageloom -n '{seen}' -l {flag[2:]}{takes}"
            elif values:
                yield f"complete -c pageloom -n '{seen}'{takes}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "\\'") + "'"
