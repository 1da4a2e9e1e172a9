"""`nerquake convert IN OUT`."""

from __future__ import annotations

from dataclasses import replace

import click

from nerquake.cli.options import Settings, data_options
from nerquake.cli.show import note
from nerquake.core.errors import OutputError, UnknownName
from nerquake.core.scheme import ALIASES, SCHEMES
from nerquake.io.conversion import losses
from nerquake.io.load import save


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--to", "target_format", default="", metavar="FORMAT", help="Format to write; by default OUT's ending.")
@click.option("--scheme-out", default="", metavar="SCHEME", help="Tag scheme to write; by default the one read.")
@click.option("--strict", is_flag=True, help="Write nothing where OUT cannot hold all that IN holds.")
@data_options
def command(source: str, target: str, target_format: str, scheme_out: str, strict: bool, settings: Settings) -> None:
    """Convert between formats and tag schemes. OUT may be - for standard output.

    What OUT's format cannot hold (spacing, documents, other columns) is listed.
    """
    read = settings.sampled(source)
    dataset = read.dataset
    if scheme_out:
        name = ALIASES.get(scheme_out.lower(), scheme_out.lower())
        if name not in SCHEMES:
            raise UnknownName("tag scheme", scheme_out, tuple(SCHEMES))
        dataset = replace(dataset, scheme=SCHEMES[name])
    for line in read.notes:
        note(line)
    lost = losses(dataset, target_format, target)
    if strict and lost:
        raise OutputError(
            f"{target} is not written (--strict): it would lose of {source}\n" + "\n".join(f"  {w}" for w in lost)
        )
    for line in lost:
        note(f"not in {target}: {line}")
    for line in save(dataset, target, target_format):
        note(line)
