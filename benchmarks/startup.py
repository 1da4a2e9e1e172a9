"""How long `nerquake --help` takes, against `python -c "import click"`; prints a table."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.common import alternate, print_table


def run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    medians = alternate(
        {
            "import click": lambda: run("-c", "import click"),
            "nerquake --help": lambda: run("-m", "nerquake", "--help"),
        },
        runs=15,
    )
    print_table("start, 15 alternating runs", medians, base="import click")


if __name__ == "__main__":
    main()
