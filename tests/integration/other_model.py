"""A recogniser that knows nothing of nerquake: reads a two-column file, writes one. Run as a program."""

from __future__ import annotations

import sys
from pathlib import Path

KNOWN = {"Washington", "Paris", "Rosa", "Berlin", "Boston", "London"}


def main(source: str, target: str) -> None:
    lines = []
    for line in Path(source).read_text("utf-8").split("\n"):
        token, tab, _ = line.partition("\t")
        lines.append(f"{token}\t{'B-GPE' if token in KNOWN else 'O'}" if tab and not line.startswith("# id") else line)
    Path(target).write_text("\n".join(lines), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
