"""Write the page of commands from the code: `python tools/command_pages.py docs/commands.md`."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

import click

from nerquake.cli.main import COMMANDS, cli
from nerquake.cli.options import SHARED

HEAD = """# Commands and flags

Made from the code by `make docs`. `nerquake COMMAND --help` says the same.

Results go to standard output (`--format table|json|csv`), notes and progress to standard error. FILE is a path, `-`
for standard input, or a bundled sample (`sample:en`, `sample:de`, `sample:hi`). Outputs are written whole or not at
all. `--debug` anywhere (or the environment variable `NERQUAKE_DEBUG`) shows the traceback behind an error.

| exit code | meaning |
|---|---|
| 0 | fine, whatever the figures are |
| 1 | a finding: problems in a file, damaged labels in a pair, a gate that failed |
| 2 | a mistake in the command line, the input or the output; a missing library |
| 3 | a gate cannot be decided, because a figure that it needs is undefined |
| 130 | interrupted; finished stages are kept |
"""


def main() -> None:
    """Write the page into the file named on the command line, or print it."""
    text = page()
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(text, "utf-8")
    else:
        print(text, end="")


def page() -> str:
    """The whole page."""
    context = click.Context(cli)
    commands = {name: cli.get_command(context, name) for name in sorted(COMMANDS)}
    some = commands["score"]
    assert some is not None
    shared = [option for option in some.params if option.name in SHARED]
    parts = [HEAD, "## Flags that all commands reading data share\n", _table(shared)]
    for name, command in commands.items():
        assert command is not None
        if isinstance(command, click.Group):
            parts += _group(name, command)
            continue
        parts += _command(name, command)
    return "\n".join(parts)


def _group(name: str, group: click.Group) -> list[str]:
    """What a command with commands of its own does, and each of these."""
    parts = [f"## `nerquake {name}`\n", inspect.cleandoc(group.help or "") + "\n"]
    for inner, command in sorted(group.commands.items()):
        parts += _command(f"{name} {inner}", command, "###")
    return parts


def _command(name: str, command: click.Command, level: str = "##") -> list[str]:
    """How a command is called, what it does, its own flags."""
    own = [option for option in command.params if option.name not in SHARED]
    reads = any(option.name in SHARED for option in command.params)
    usage = " ".join(command.collect_usage_pieces(click.Context(command, info_name=name)))
    parts = [
        f"{level} `nerquake {name} {usage.replace('[OPTIONS] ', '')}`\n",
        inspect.cleandoc(command.help or "") + "\n",
    ]
    options = [option for option in own if isinstance(option, click.Option)]
    if options:
        parts.append(_table(options))
    if reads:
        parts.append("And the shared flags.\n")
    return parts


def _table(options: list[click.Parameter] | list[click.Option]) -> str:
    rows = [_row(option) for option in options if isinstance(option, click.Option)]
    return "| flag | default | |\n|---|---|---|\n" + "\n".join(rows) + "\n"


def _row(option: click.Option) -> str:
    names = ", ".join(f"`{name}`" for name in option.opts)
    if isinstance(option.type, click.Choice):
        values = " " + ", ".join(f"`{choice}`" for choice in option.type.choices)
    else:
        values = f" `{option.metavar}`" if option.metavar else ""
    default = option.default if option.show_default and option.default is not None else ""
    return f"| {names}{values} | {f'`{default}`' if default != '' else ''} | {option.help or ''} |"


if __name__ == "__main__":
    main()
