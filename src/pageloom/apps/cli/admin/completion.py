"""``pageloom completion``: scripts that complete commands, flags and their values.

The script holds all words itself, so that completing starts no Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import typer
from typer.main import get_command

from pageloom.apps.cli.commands import COMMANDS, FAMILIES, GROUPS
from pageloom.apps.cli.main import assemble
from pageloom.apps.cli.output import print_lines

if TYPE_CHECKING:
    from collections.abc import Iterator


Shell = Literal["bash", "zsh", "fish"]


def completion(
    shell: Annotated[Shell, typer.Argument(help="The shell to print a script for.")],
) -> None:
    """Print a completion script for your shell.

    bash: pageloom completion bash > ~/.local/share/bash-completion/completions/pageloom.
    zsh: add eval "$(pageloom completion zsh)" to ~/.zshrc.
    fish: pageloom completion fish > ~/.config/fish/completions/pageloom.fish.
    """
    if shell == "fish":
        print_lines(_fish())
        return
    if shell == "zsh":
        print_lines(["autoload -U +X compinit && compinit", "autoload -U +X bashcompinit"])
        print_lines(["bashcompinit"])
    print_lines(_bash())


class Word(NamedTuple):
    """A flag with all its names, or an argument, which has none; and the values it may take."""

    names: tuple[str, ...]
    values: tuple[str, ...]
    takes_value: bool


_FIRSTS = tuple(dict.fromkeys(name.partition(" ")[0] for name in COMMANDS))


def _words() -> Iterator[tuple[str, list[Word]]]:
    """Every command with its flags, and its first argument if that is one of fixed words."""
    from pageloom.apps.agents.topology import AGENTS

    free = {
        "worker": (*AGENTS, "all", "schema"),
        "help": _FIRSTS,
        "backup": ("create", "restore"),
    }
    root: Any = get_command(assemble(COMMANDS))
    for name in COMMANDS:
        family, _, own = name.rpartition(" ")
        command = (root.commands[family] if family else root).commands[own]
        found = [Word(("--help",), (), takes_value=False)]
        for each in command.params:
            values = tuple(map(str, getattr(each.type, "choices", ())))
            if each.param_type_name != "argument":
                names = (*each.opts, *each.secondary_opts)
                found.append(Word(names, values, takes_value=not each.is_flag))
            elif values or name in free:
                found.append(Word((), values or free[name], takes_value=True))
        yield name, found


def _bash() -> Iterator[str]:
    yield "_pageloom() {"
    yield '    local words="" previous="${COMP_WORDS[COMP_CWORD-1]}"'
    yield '    local current="${COMP_WORDS[COMP_CWORD]}" command="${COMP_WORDS[1]}"'
    yield '    if [ "$current" = "=" ]; then current=""'
    yield '    elif [ "$previous" = "=" ]; then previous="${COMP_WORDS[COMP_CWORD-2]}"; fi'
    families = "|".join(FAMILIES)
    yield f'    case "$command" in {families}) [ "$COMP_CWORD" -gt 2 ] &&'
    yield '        command="$command ${COMP_WORDS[2]}";; esac'
    yield f'    if [ "$COMP_CWORD" -eq 1 ]; then words="{" ".join(_FIRSTS)} --help --version"'
    yield '    else case "$command" in'
    for family in FAMILIES:
        own = [name.partition(" ")[2] for name in COMMANDS if name.startswith(f"{family} ")]
        yield f'        "{family}") words="{" ".join(own)}";;'
    for name, words in _words():
        values = [
            f'{"|".join(word.names)}) words="{" ".join(word.values)}";;'
            for word in words
            if word.names and word.takes_value
        ]
        rest = " ".join(
            each for word in words for each in (_long(word) if word.names else word.values)
        )
        yield f'        "{name}") case "$previous" in {" ".join(values)} *) words="{rest}";; esac;;'
    yield "    esac; fi"
    yield '    COMPREPLY=($(compgen -W "$words" -- "$current"))'
    yield "}"
    yield "complete -o default -F _pageloom pageloom"


_FISH = """\
function __pageloom_in
    set -l given (commandline -opc)
    set -l last (math (count $argv) + 1)
    test (count $given) -ge $last; and test "$given[2..$last]" = "$argv"
end
function __pageloom_at
    set -l given (commandline -opc)
    __pageloom_in $argv; and test (count $given) -eq (math (count $argv) + 1)
end"""
"""Whether the line begins with a command, and whether there is nothing behind it yet."""


def _fish() -> Iterator[str]:
    yield from _FISH.splitlines()
    summaries = {name: line for group in GROUPS.values() for name, (_, line) in group.items()}
    for name in _FIRSTS:
        text = FAMILIES.get(name) or summaries[name]
        yield f"complete -c pageloom -n __fish_use_subcommand -xa {name} -d {_quoted(text)}"
    for flag in ("help", "version"):
        yield f"complete -c pageloom -n __fish_use_subcommand -l {flag}"
    for name, words in _words():
        family, _, own = name.rpartition(" ")
        if family:
            text = _quoted(summaries[name])
            yield f"complete -c pageloom -n '__pageloom_at {family}' -xa {own} -d {text}"
        for word in words:
            takes = f" -xa '{' '.join(word.values)}'" if word.values else " -r"
            if word.names:
                names = " ".join(f"-l {each[2:]}" for each in _long(word))
                short = "".join(f" -s {each[1:]}" for each in word.names if each[1:2] != "-")
                value = takes if word.takes_value else ""
                yield f"complete -c pageloom -n '__pageloom_in {name}' {names}{short}{value}"
            else:
                yield f"complete -c pageloom -n '__pageloom_at {name}'{takes}"


def _long(word: Word) -> list[str]:
    return [each for each in word.names if each.startswith("--")]


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "\\'") + "'"
