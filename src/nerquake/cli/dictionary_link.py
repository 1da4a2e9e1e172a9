"""`nerquake dictionary link`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from nerquake.cli.dictionary_show import opened
from nerquake.cli.options import Settings, data_options
from nerquake.cli.show import Cell, emit, note, to_csv, to_json, to_table
from nerquake.core.errors import UsageError
from nerquake.report.numbers import percent

if TYPE_CHECKING:
    from nerquake.core.linking import Known
    from nerquake.knowledge.links import Links

FORMAT = "nerquake.dictionary_link/1"
ALL = "ALL"


@click.command("link")
@click.argument("file", metavar="F")
@click.argument("data", metavar="DATA")
@click.option("-o", "--output", required=True, metavar="FILE", help="Link file to write; - is standard output.")
@click.option(
    "--linker",
    default="alias",
    show_default=True,
    metavar="SPEC",
    help="alias, file:FILE, ids, or another's; `nerquake plugins` lists them.",
)
@click.option(
    "--known",
    multiple=True,
    metavar="FILE",
    help="Labelled file whose mentions have item ids in a column (HIPE); alias learns from it. May be given again.",
)
@click.option(
    "--known-links",
    multiple=True,
    metavar="FILE",
    help="Link file about the --known file, where that has no ids; one for each.",
)
@click.option(
    "--deny",
    multiple=True,
    metavar="FILE",
    help="Links that are wrong: mention, tab, item id, or an item id alone. May be given again.",
)
@data_options
def link_command(
    file: str, data: str, output: str, linker: str, known: Sequence[str], known_links: Sequence[str],
    deny: Sequence[str], settings: Settings,
) -> None:  # fmt: skip
    """Link the mentions of a labelled file to the items of a dictionary.

    The link file has a line a mention, to be looked through: put another item's id into "accepted", or null for none.
    """
    from nerquake.knowledge.link_deny import read_deny, without_denied
    from nerquake.knowledge.linking import build_linker, link_dataset

    made = build_linker(linker)
    denied = {pair: line for path in deny for pair, line in read_deny(path).items()}
    learned = _known(known, known_links, settings)
    read = settings.sampled(data)
    with opened(file) as dictionary:
        links = link_dataset(dictionary, read.dataset, made, learned)
        digest = dictionary.meta.digest
    links, removed = without_denied(links, denied)
    for line in (*read.notes, *links.notes):
        note(line)
    if denied:
        idle = len(denied) - len(removed)
        note(f"denied: {removed.total():,} links; {idle:,} of {len(denied):,} denied pairs are of no link")
    _say_unlinked(links)
    emit("".join(links.lines()), output)
    if output != "-":
        document = _document(links, linker, digest, read.left_out)
        document["denied"] = [{"line": denied[pair], "links": count} for pair, count in sorted(removed.items())]
        emit(_shown(document, settings.format), "-")


def _known(files: Sequence[str], links: Sequence[str], settings: Settings) -> list[Known]:
    """Mentions whose items are known, from every --known file."""
    from nerquake.knowledge.linking import known_mentions
    from nerquake.knowledge.links import read_links

    if links and len(links) != len(files):
        raise UsageError(f"{len(links)} --known-links for {len(files)} --known: one for each, or none")
    found: list[Known] = []
    for at, path in enumerate(files):
        mine = known_mentions(settings.gold(path).dataset, read_links(links[at]) if links else None)
        note(f"known: {len(mine):,} mentions of {path}")
        found += mine
    return found


def _say_unlinked(links: Links) -> None:
    unlinked = links.unlinked
    counts = ", ".join(f"{unlinked[label]:,} {label}" for label in sorted(unlinked))
    total = f"{unlinked.total():,} of {len(links):,}"
    note(f"not linked: {total} mentions{f' ({counts})' if counts else ''}")


def _document(links: Links, linker: str, digest: str, left_out: Any) -> dict[str, Any]:
    from nerquake.knowledge.linking import share

    by_label = share(links)
    total = {what: sum(row[what] for row in by_label.values()) for what in ("mentions", "linked", "unlinked")}
    return {
        "format": FORMAT,
        "linker": linker,
        "dictionary": digest,
        "mentions": {**by_label, ALL: total},
        "items": len(links.items),
        "denied": [],
        "left_out": dict(left_out),
        "notes": list(links.notes),
    }


def _shown(document: dict[str, Any], form: str) -> str:
    if form == "json":
        return to_json(document)
    head = ["type", "mentions", "linked", "unlinked"]
    rows: list[list[Cell]] = [
        [label, found["mentions"], found["linked"], found["unlinked"]] for label, found in document["mentions"].items()
    ]
    if form == "csv":
        return to_csv(head, rows)
    shares = [percent(row["linked"] / row["mentions"] if row["mentions"] else None)
              for row in document["mentions"].values()]  # fmt: skip
    shown = [[str(row[0]), *(f"{cell:,}" for cell in row[1:]), one] for row, one in zip(rows, shares, strict=True)]
    return to_table([*head, "linked %"], shown)
