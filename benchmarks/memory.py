"""Peak memory of `nerquake perturb` a token: the whole command, above what an almost empty file costs.

    python -m benchmarks.memory [SENTENCES]

Made-up sentences as in benchmarks/swap.py; target under 1,500 bytes a token.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.swap import corpus
from nerquake.io.load import save

RUN = """
import resource, sys
from nerquake.cli.main import run
code = run(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
sys.exit(code)
"""


def peak(file: Path, attacks: list[str], out: Path) -> int:
    """Bytes that the command held at most."""
    arguments = [part for attack in attacks for part in ("-p", attack)]
    command = [sys.executable, "-c", RUN, "perturb", str(file), *arguments, "-o", str(out), "--language", "en"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(done.stdout.rstrip().rpartition("\n")[2])


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    with tempfile.TemporaryDirectory() as folder:
        big, small = Path(folder) / "big.conll", Path(folder) / "small.conll"
        data = corpus(size)
        save(data, big)
        save(corpus(2), small)
        for attacks in (["swap"], ["swap", "faker", "letters", "swap+letters"]):
            base = peak(small, attacks, Path(folder) / "out-small")
            found = peak(big, attacks, Path(folder) / "out-big")
            print(f"{' '.join(attacks):32} {data.tokens:,} tokens: {found / 2**20:.0f} MiB, "
                  f"{(found - base) / data.tokens:,.0f} bytes a token above {base / 2**20:.0f} MiB")  # fmt: skip


if __name__ == "__main__":
    main()
