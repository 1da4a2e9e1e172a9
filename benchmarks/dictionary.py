"""What a dictionary costs after its dump was read: the merge beside the reading, linking beside a bare key join.

    python -m benchmarks.dictionary [ITEMS] [MENTIONS] [--cpu]

A synthetic dump in the real layout, by default 100,000 items, and 100,000 mentions drawn from its names. Medians of
three alternating runs in one process, DuckDB with one thread. Targets: the merge at most 10 % of the reading; the
ranking of all candidates at most 14 times the bare key join.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.knowledge import synthetic_dump as synthetic

from benchmarks.common import alternate, print_table
from nerquake.core.linking import Mentioned
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.knowledge import candidates as asking
from nerquake.knowledge.build import Choices, build
from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.digest import content_digest
from nerquake.knowledge.duck import Limits
from nerquake.knowledge.dump_merge import WikidataDump
from nerquake.knowledge.link_alias import AliasLinker
from nerquake.knowledge.members import draw_up
from nerquake.knowledge.roots import read_roots

RUNS, BATCH, LIMIT = 3, 5_000, 1_000
LIMITS = Limits(threads=1)
KEY_JOIN = "SELECT count(*), sum(id) FROM names JOIN asked USING (key)"


def reading_and_merge(folder: Path, count: int, clock: Callable[[], float]) -> Path:
    """Prints what reading and merging take; returns the dictionary."""
    file = synthetic.write(folder / "dump.gz", synthetic.items(count), BATCH)
    shards, made, other = folder / "shards", folder / "made.duckdb", folder / "other.duckdb"
    builder = WikidataDump(file=str(file), shards=str(shards), descriptions=True)
    choices = Choices(roots=read_roots())

    def whole() -> None:
        shutil.rmtree(shards, ignore_errors=True)
        build([builder], made, choices, LIMITS)

    def merged() -> None:
        build([builder], made, choices, LIMITS)

    def extras() -> None:
        shutil.copy(made, other)
        with Dictionary.open(str(made)) as dictionary:
            languages = dictionary.meta.languages
        from duckdb import connect

        with connect(str(other), config={"threads": 1}) as connection:
            connection.execute("DELETE FROM members; DELETE FROM class_index")
            draw_up(connection, languages, LIMIT, 0)
            content_digest(connection)

    found = alternate({"reading and merge": whole, "merge": merged, "of it: what is drawn from, digest": extras},
                      RUNS, clock)  # fmt: skip
    print_table(f"{count:,} items", found)
    print(f"  the merge takes {found['merge'] / (found['reading and merge'] - found['merge']):.0%} of the reading")
    return made


def linking(path: Path, count: int, clock: Callable[[], float]) -> None:
    """Prints what a key join, the ranking and the linker take."""
    with Dictionary.open(str(path), LIMITS) as dictionary:
        names = [name for (name,) in dictionary.ask("SELECT DISTINCT name FROM names ORDER BY name")]
        rng = random.Random(1)
        mentions = [_mentioned(rng.choice(names), place) for place in range(count)]
        asked = list(dict.fromkeys(asking.Asked(mention.text, "ORG") for mention in mentions))
        columns = asking._columns(asked)
        linker = AliasLinker(context=False).looking_in(dictionary)
        inner = asking._QUERY.replace("SELECT n, ", "SELECT rank, n, ")
        every = f"SELECT count(*), sum(form), max(rank) FROM ({inner})"
        found = alternate(
            {
                "key join": lambda: dictionary.ask(KEY_JOIN, columns),
                "ranking": lambda: dictionary.ask(every, columns, language="en", limit=10),
                "candidates as objects": lambda: asking.candidates(dictionary, asked, "en"),
                "the linker, keys and forms too": lambda: linker.link(mentions),
            },
            RUNS,
            clock,
        )
        print_table(f"{count:,} mentions, {len(asked):,} different, {len(names):,} names", found, "key join")


def _mentioned(name: str, place: int) -> Mentioned:
    tokens = tuple(name.split())
    sentence = Sentence(str(place), (*tokens, "grew"), (Span(0, len(tokens), "ORG"),))
    return Mentioned(sentence, 0, name, "ORG", "en")


def main() -> None:
    numbers = [int(one) for one in sys.argv[1:] if one != "--cpu"]
    items, mentions = (*numbers, *(100_000, 100_000)[len(numbers) :])
    clock = time.process_time if "--cpu" in sys.argv else time.perf_counter
    with tempfile.TemporaryDirectory() as folder:
        linking(reading_and_merge(Path(folder), items, clock), mentions, clock)


if __name__ == "__main__":
    main()
