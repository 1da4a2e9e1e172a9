"""The command `nerquake`. Commands load when they run, so that help is quick."""

from __future__ import annotations

import importlib
import io
import os
import sys
import traceback
from collections.abc import Sequence

import click

EXIT_INTERRUPTED = 130
DEBUG = "NERQUAKE_DEBUG"

COMMANDS: dict[str, str] = {
    "audit": "Attack a labelled file, run models on both versions, compare, report: the main job.",
    "augment": "Write a training file: the original sentences and augmented ones.",
    "check-pair": "Audit an adversarial set that someone else made against its original.",
    "convert": "Convert between formats and tag schemes.",
    "curate": "Keep what reviewers accepted, and compare before and after.",
    "dictionary": "Build, inspect and export dictionaries of real entities.",
    "experiment": "The papers' experiments: what hardens a model, and which augmentation helps.",
    "perturb": "Write attacked versions of a labelled file.",
    "plugins": "What is there, what is missing and how to get it.",
    "predict": "Tag a file with a model.",
    "report": "Render finished audits again, or several together.",
    "review": "Write a page on which people judge attacked sentences.",
    "score": "Score predictions against gold, with intervals and comparisons.",
    "stats": "Sizes, entity words, share seen in training.",
    "train": "Train a recogniser, or fine-tune one.",
    "validate": "Check a labelled file: scheme, labels, problems by line.",
}


class Commands(click.Group):
    """A group that knows its commands' names and first lines without loading them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"nerquake.cli.{cmd_name.replace('-', '_')}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with near matches for a mistyped name."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS)
            meant = f" Did you mean {' or '.join(near)}?" if near else ""
            raise click.UsageError(f"no command is called {args[0]!r}.{meant}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands in the help text."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="nerquake", prog_name="nerquake")
@click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback behind an error (anywhere).")
def cli() -> None:
    """Shake a named entity recogniser and see what falls."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 fine, 1 a finding, 2 a user's mistake, 3 undecidable, 130 interrupted."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code. A user's mistake is one message, without a traceback."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in given or bool(os.environ.get(DEBUG))
    given = [argument for argument in given if argument != "--debug"]
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = cli.main(given, prog_name="nerquake", standalone_mode=False)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        kept = (
            " Finished stages are kept; the same command goes on from there."
            if given[:1] in (["audit"], ["perturb"], ["train"], ["experiment"])
            else ""
        )
        click.echo(f"\nInterrupted.{kept}", err=True)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except SystemExit as stop:
        click.echo(f"nerquake: a plug-in ended the program (exit {stop.code}); nothing more was done", err=True)
        return 2
    except Exception as error:
        if debug:
            traceback.print_exc()
            return 2
        return _explain(error)
    return code if isinstance(code, int) else 0


def _explain(error: Exception) -> int:
    from nerquake.core.errors import NerquakeError

    if isinstance(error, NerquakeError):
        click.echo(f"nerquake: {error}", err=True)
        return error.exit_code
    if isinstance(error, OSError):
        where = f" {error.filename}" if error.filename else ""
        click.echo(f"nerquake: {error.strerror or error}{where}", err=True)
        return 2
    click.echo(
        f"nerquake: a fault in nerquake or a plug-in: {type(error).__name__}: {error}\n"
        "Run the same command with --debug and report what it shows.",
        err=True,
    )
    return 2
