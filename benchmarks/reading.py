"""How long reading, validating and writing take, against splitting the file's lines into cells.

    python -m benchmarks.reading [FILE]

15,000 sentences of a CoNLL file, by default MultiCoNER English from the data sets kept beside the project, else
made-up ones of the same kind. Medians of five alternating runs; target: all three together, as one command does them
in one process, at most 10 times the splitting.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

from benchmarks.common import alternate, print_table
from nerquake.io.load import inspect, load, save

SENTENCES = 15_000
MULTICONER = Path(__file__).resolve().parents[2] / "shared" / "data" / "multiconer1" / "EN-English" / "en_train.conll"


def sample(file: Path) -> str:
    """The file's first sentences."""
    text = file.read_text("utf-8")
    return "\n\n".join(text.split("\n\n")[:SENTENCES]) + "\n"


def made_up() -> str:
    """Sentences with an id line, 8 to 22 tokens in four columns, one mention each."""
    rng = random.Random(1)
    words = [f"word{n}" for n in range(20_000)]
    pieces = []
    for number in range(SENTENCES):
        tokens = [words[int(20_000 * rng.random() ** 2)] for _ in range(rng.randrange(8, 23))]
        start = rng.randrange(len(tokens) - 1)
        tags = {start: "B-PER", start + 1: "I-PER"}
        rows = "\n".join(f"{token} _ _ {tags.get(at, 'O')}" for at, token in enumerate(tokens))
        pieces.append(f"# id {number:08x}-0000\tdomain=made\n{rows}\n")
    return "\n\n".join(pieces)


def split(file: Path) -> list[list[str]]:
    """What the measure is: the file's lines split into cells."""
    with file.open(encoding="utf-8") as stream:
        return [line.split() for line in stream]


def main() -> None:
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else MULTICONER
    text = sample(source) if source.is_file() else made_up()
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder) / "data.conll", Path(folder) / "out.conll"
        file.write_text(text, "utf-8")
        data = load(str(file))
        save(data, out)
        same = "byte for byte" if out.read_bytes() == file.read_bytes() else "NOT AS IT WAS"

        def everything() -> None:
            found = inspect(str(file))
            assert found.dataset is not None
            assert not found.problems
            save(found.dataset, out)

        medians = alternate(
            {
                "str.split": lambda: split(file),
                "read and validate": lambda: inspect(str(file)),
                "write": lambda: save(data, out),
                "all": everything,
            }
        )
        name = source.name if source.is_file() else "made-up"
        print_table(f"{name}: {len(data):,} sentences, {data.tokens:,} tokens, written {same}", medians, "str.split")


if __name__ == "__main__":
    main()
