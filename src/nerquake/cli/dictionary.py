"""`nerquake dictionary`: making, reading and exporting entity dictionaries."""

from __future__ import annotations

import click

from nerquake.cli.dictionary_build import build_command, import_command
from nerquake.cli.dictionary_filter import filter_command
from nerquake.cli.dictionary_link import link_command
from nerquake.cli.dictionary_show import export_command, sample_command, stats_command


@click.group()
def command() -> None:
    """Build, inspect and export entity dictionaries: real entities by fine-grained class.

    F is a dictionary's file, or `starter` for the one that nerquake ships.
    """


for _command in (
    build_command, import_command, filter_command, link_command, stats_command, sample_command, export_command
):  # fmt: skip
    command.add_command(_command)
