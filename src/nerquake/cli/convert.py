"""`nerquake convert IN OUT`."""

from __future__ import annotations

from dataclasses import replace

import click

from nerquake.cli.options import Settings, data_options
from nerquake.cli.show import note
from nerquake.core.errors import UnknownName
from nerquake.core.scheme import ALIASES, SCHEMES
from nerquake.io.load import save


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--to", "target_format", default="", metavar="FORMAT", help="Format to write; by default OUT's ending.")
@click.option("--scheme-out", default="", metavar="SCHEME", help="Tag scheme to write; by default the one read.")
@data_options
def command(source: str, target: str, target_format: str, scheme_out: str, settings: Settings) -> None:
    """Convert between formats and tag schemes. OUT may be - for standard output."""
    read = settings.sampled(source)
    dataset = read.dataset
    if scheme_out:
        name = ALIASES.get(scheme_out.lower(), scheme_out.lower())
        if name not in SCHEMES:
            raise UnknownName("tag scheme", scheme_out, tuple(SCHEMES))
        dataset = replace(dataset, scheme=SCHEMES[name])
    for line in read.notes:
        note(line)
    for line in save(dataset, target, target_format):
        note(line)
