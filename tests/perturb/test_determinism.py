"""Case 3 and its kind: neither order, nor workers, nor the hash seed, nor a sentence in front changes anything."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.perturb.helpers import by_parent, data, run, sentence

from nerquake.core.sentence import Sentence
from nerquake.core.span import Span

SCRIPT = """
import json, sys
from nerquake.core.dataset import Dataset
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.perturb.choose import chains_from
from nerquake.perturb.run import attack

texts, jobs, keys = json.loads(sys.argv[1]), int(sys.argv[2]), sys.argv[3].split()
if __name__ == "__main__":
    rows = {key: Sentence(key, (f"Rosa{key}", "Lind", "saw", f"Town{key}"), (Span(0, 2, "PER"), Span(3, 4, "LOC")))
            for key in keys}
    data = Dataset("d", tuple(rows.values()), language="en")
    out = {}
    for text in texts:
        (chain,) = chains_from([text], "en").chains
        out[text] = {v.parent: repr(v) for v in attack(data, chain, 7, jobs=jobs).variants}
    print(json.dumps(out))
"""
FIXED = ["faker:locales=en_US", "faker:locales=de_DE", "faker:locales=hi_IN", "letters"]


def in_a_process(hash_seed: str, jobs: int, keys: str, texts: list[str]) -> dict[str, dict[str, str]]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(texts), str(jobs), keys],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    found: dict[str, dict[str, str]] = json.loads(done.stdout)
    return found


def test_one_sentence_added_in_front() -> None:
    first = in_a_process("1", 1, "s1 s2 s3", FIXED)
    second = in_a_process("2", 2, "s0 s1 s2 s3", FIXED)
    for text in FIXED:
        assert {key: second[text][key] for key in first[text]} == first[text]
        assert "changed" in first[text]["s1"]


def test_hash_seed_and_workers_do_not_matter_for_attacks_on_the_whole_set() -> None:
    texts = ["swap", "swap:replace=yes", "swap:consistent=corpus", "swap:variant=released", "mixup", "swap+letters"]
    keys = " ".join(f"s{n}" for n in range(12))
    assert in_a_process("1", 1, keys, texts) == in_a_process("2", 2, keys, texts)


ROWS = tuple(
    Sentence(f"s{n}", (f"Rosa{n % 5}", "Lind", "saw", f"Town{n % 4}"), (Span(0, 2, "PER"), Span(3, 4, "LOC")))
    for n in range(9)
)
TEXTS = ["swap", "swap:match-length=yes", "swap:replace=yes", "swap:consistent=corpus", "faker", "letters", "mixup",
         "identity", "swap+letters", "swap:coverage=50", "mixup+faker+letters"]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_order_and_workers(text: str) -> None:
    expected = by_parent(run(data(ROWS), text, 3))
    assert by_parent(run(data(ROWS), text, 3, jobs=3)) == expected

    @settings(max_examples=10)
    @given(st.permutations(ROWS))
    def body(order: list[Sentence]) -> None:
        assert by_parent(run(data(order), text, 3)) == expected

    body()


def test_a_pool_from_a_file_is_fixed(tmp_path: Path) -> None:
    file = tmp_path / "names.tsv"
    file.write_text("".join(f"PER\tName {n}\n" for n in range(30)), "utf-8")
    front = sentence("front", "Rosa1 Lind", "B-PER I-PER")
    for text in (f"gazetteer:{file}", f"swap:pool={file}"):
        before, after = by_parent(run(data(ROWS), text)), by_parent(run(data([front, *ROWS]), text, jobs=2))
        assert {key: after[key] for key in before} == before
