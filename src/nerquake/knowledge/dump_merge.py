"""The builder of dictionaries from a Wikidata dump: shards are made, then handed over as they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nerquake.core.errors import UsageError
from nerquake.core.options import positional, settled
from nerquake.knowledge.draft import Draft
from nerquake.knowledge.duck import quoted
from nerquake.knowledge.dump import Progress, extract
from nerquake.knowledge.dump_access import STDIN
from nerquake.knowledge.dump_folder import Extraction
from nerquake.knowledge.dump_notes import CODES, Level
from nerquake.knowledge.dump_options import COUNTRY, DENIED, INSTANCE, SUBCLASS, DumpOptions
from nerquake.knowledge.meta import Filter, Source
from nerquake.knowledge.schema import TABLES
from nerquake.knowledge.text import ANY

BUILDER = "wikidata-dump"
NO_DENIAL = "none"
_FAULTS = "faults"
_DEFAULTS = {"type": "''", "called": "''"}
"""Columns of a dictionary's tables that shards do not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WikidataDump:
    """Wikidata's own dump of all entities: JSON, plain or as .gz (far quicker than .bz2), or standard input.

    file             the dump, or `-`
    languages        of labels, aliases and Wikipedia titles; default names (`mul`) are kept too
    descriptions     keep descriptions, which linking can compare with the context
    deny             classes whose items are left out; `none` keeps all
    limit_per_class  how many items of a class are drawn from, those with the smallest hash of seed and id; 0: all
    jobs             processes
    shards           the folder for the parts that are made first; a later run goes on from them. By default the
                     dump's name with `.shards`
    """

    file: str = positional()
    languages: tuple[str, ...] = ("en", "de", "hi")
    descriptions: bool = False
    deny: tuple[str, ...] = tuple(DENIED)
    limit_per_class: int = 1000
    jobs: int = 1
    shards: str = ""
    progress: Progress | None = settled(None)  # noqa: RUF009

    def __post_init__(self) -> None:
        if self.jobs < 1 or self.limit_per_class < 0:
            raise ValueError("jobs is at least 1, limit-per-class at least 0 (all)")

    def fill(self, draft: Draft) -> Sequence[Source]:
        """Read the dump, or go on reading it, and give what was found.

        Raises:
            InputError: the dump cannot be read, or is none.
            UsageError: the shards' folder holds something else, or must be named.
            OutputError: the shards cannot be written.
        """
        if self.file == STDIN and not self.shards:
            raise UsageError("wikidata-dump:- needs a folder for its parts: wikidata-dump:-,shards=FOLDER")
        deny = () if self.deny == (NO_DENIAL,) else self.deny
        options = DumpOptions(self.languages, descriptions=self.descriptions, deny=deny)
        folder = self.shards or f"{self.file}.shards"
        found = extract(self.file, folder, options, jobs=self.jobs, progress=self.progress)
        give(found, draft)
        return [self.source(found)]

    def source(self, found: Extraction) -> Source:
        """What a dictionary says about a dump that it was made from."""
        dump = found.manifest["source"]
        return Source(
            BUILDER,
            version=f"{dump['bytes']} bytes, sha256 {dump['head'][:16]} ... {dump['tail'][:16]}",
            languages=tuple(code for code in self.languages if code != ANY),
            properties=(INSTANCE, SUBCLASS, COUNTRY),
            attributions=("Wikidata (www.wikidata.org), CC0 1.0",),
            filters=tuple(_filters(found)),
            limit_per_class=self.limit_per_class,
        )


def give(found: Extraction, draft: Draft) -> None:
    """Hand the shards and faults of a dump to a draft. Of an item's countries only the best are kept."""
    for table in found.tables:
        names = ", ".join(_DEFAULTS.get(name, name) + f" AS {name}" for name in TABLES[table].column_names)
        files = ", ".join(quoted(str(file)) for file in found.shards(table))
        best = " WHERE best" if table == "country" else ""
        draft.shards.setdefault(table, []).append(f"SELECT {names} FROM read_parquet([{files}]){best}")
    for note in found.faults:
        draft.fault(BUILDER, note.line, note.code, f"{note.message} (byte {note.offset:,})")


def _filters(found: Extraction) -> Iterator[Filter]:
    """What was left out, as counts."""
    if found.denied:
        yield Filter("deny", {DENIED.get(name, name): count for name, count in sorted(found.denied.items())})
    skipped = {code: count for code, count in found.notes.items() if CODES[code][0] is Level.SKIPPED}
    faults = {code: count for code, count in found.notes.items() if CODES[code][0] is Level.FAULT}
    for name, removed in (
        ("no item", skipped),
        (_FAULTS, faults),
        ("no name in these languages", {"items": found.counts["nameless"]}),
        ("deprecated statements", {"statements": found.notes.get("deprecated", 0)}),
    ):
        if any(removed.values()):
            yield Filter(name, dict(sorted(removed.items())))
