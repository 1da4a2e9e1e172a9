"""`nerquake audit --gate`: exit codes, and the files that continuous integration reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.runner import nerquake

ROOT = Path(__file__).parents[2]
AUDIT = ("audit", "sample:en", "-t", f"rules:{ROOT / 'docs/examples/half-names.tsv'},name=half", "--labels",
         "ontonotes-names", "-p", "letters", "--sample", "60", "--resamples", "50")  # fmt: skip


@pytest.mark.parametrize(("rule", "code", "status"), [
    ("max_drop = 1.0", 0, "passed"),
    ("max_drop = 0.05", 1, "failed"),
    ('max_drop = 0.5\nlabels = ["NOT-A-LABEL"]', 3, "undecided"),
    ('max_drop = 0.05\nlabels = ["*", "NOT-A-LABEL"]\ncompare = "point"', 1, "failed"),
])  # fmt: skip
def test_exit_codes_and_files(tmp_path: Path, rule: str, code: int, status: str) -> None:
    policy = tmp_path / "gate.toml"
    policy.write_text(f"[[rule]]\n{rule}\n", "utf-8")
    ran = nerquake(*AUDIT, "-o", str(tmp_path / "out"), "--gate", str(policy))
    assert ran.code == code
    gate = json.loads((tmp_path / "out" / "gate.json").read_text("utf-8"))
    result = json.loads((tmp_path / "out" / "result.json").read_text("utf-8"))
    assert gate["status"] == status
    assert {key: gate[key] for key in ("policy", "status", "counts", "checks")} == result["findings"]["gate"]
    for name in ("junit.xml", "summary.md", "report.html"):
        assert (tmp_path / "out" / name).is_file()
    assert f"NER robustness gate {status}" in ran.err


def test_a_policy_that_cannot_be_is_refused_before_anything_runs(tmp_path: Path) -> None:
    policy = tmp_path / "gate.toml"
    for text, words in (
        ("[[rule]]\nmax_drop = 10\n", "for 10 points write 0.1"),
        ('[[rule]]\nmin = 0.1\nsets = ["swap"]\n', "sets swap not in this audit; there: letters"),
        ('[[rule]]\nmin = 0.1\nmodels = ["x"]\n', "models x not in this audit; there: half"),
    ):
        policy.write_text(text, "utf-8")
        ran = nerquake(*AUDIT, "-o", str(tmp_path / "out"), "--gate", str(policy))
        assert ran.code == 2
        assert words in ran.err
        assert not (tmp_path / "out").exists()
    ran = nerquake(*AUDIT, "-o", str(tmp_path / "out"), "--gate", str(tmp_path / "none.toml"))
    assert ran.code == 2
    assert "there is no such file" in ran.err
