"""The reports that browsers open: a real audit of English, German and Hindi sentences, and one with hostile names."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

from tests.cli.runner import nerquake
from tests.report.test_html import HOSTILE

from nerquake.report.write import CASES, RESULT, read_result, write_report

SENTENCES = 15
"""Sentences of each language."""
DOMAIN = "</code><script>window.pwned=3</script>&amp;"
RENAMED = {
    **dict(zip(("all-names", "half-names"), HOSTILE.models, strict=True)),
    **dict(zip(("swap", "letters"), (HOSTILE.sets[0], HOSTILE.sets[2]), strict=True)),
    **dict(zip(("PER", "LOC", "ORG"), (HOSTILE.labels[0], HOSTILE.labels[1], HOSTILE.labels[3]), strict=True)),
    **{"news": DOMAIN, "the": HOSTILE.token, ".": '"><img src=x onerror=window.pwned=4>'},
}
"""Harmless names of the audit, and what stands for them in the hostile report."""
LABELS = {"PERSON": "PER", "PER": "PER", "GPE": "LOC", "LOC": "LOC", "ORG": "ORG"}


def mixed(path: Path, per_language: int = SENTENCES, without_mentions: bool = False) -> dict[str, list[str]]:
    """Write sentences of the three samples, those that hold a mention alone; returns the names of each label.

    per_language       how many sentences of each
    without_mentions   take those without one too
    """
    names: dict[str, list[str]] = {}
    lines: list[str] = []
    for language in ("en", "de", "hi"):
        text = files("nerquake.samples").joinpath(f"{language}.conll").read_text("utf-8")
        blocks = [_relabelled(block) for block in re.findall(r"^# id [^\n]*\n(?:[^\n]+\n)+", text, re.M)]
        for block in [block for block in blocks if without_mentions or "B-" in block][:per_language]:
            lines += [block]
            for label, name in _mentions(block):
                names.setdefault(label, []).append(name)
    path.write_text("\n".join(lines), "utf-8")
    return names


def _relabelled(block: str) -> str:
    """One tag set for all three languages; labels that only English has become O."""

    def tag(found: re.Match[str]) -> str:
        label = LABELS.get(found[2])
        return f"\t{found[1]}-{label}" if label else "\tO"

    return re.sub(r"\t([BI])-(\w+)", tag, block)


def _mentions(block: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for word, tag in (line.split("\t") for line in block.splitlines() if not line.startswith("# id")):
        if tag.startswith("B-"):
            found.append((tag[2:], word))
        elif tag != "O":
            found[-1] = (found[-1][0], f"{found[-1][1]} {word}")
    return found


def audited(folder: Path) -> Path:
    """Audit the mixed sentences with two recognisers of names, with probe, draws, curve and training data.

    Returns the folder of the report. One recogniser knows every name, the other every second one.
    """
    names = mixed(folder / "mixed.conll")
    for model, step in (("all", 1), ("half", 2)):
        rows = (f"{label}\t{name}" for label, found in names.items() for name in sorted(set(found))[::step])
        (folder / f"{model}.tsv").write_text("\n".join(rows) + "\n", "utf-8")
    (folder / "train.conll").write_text("Anna B-PER\nlives O\nin O\nBonn B-LOC\n. O\n", "utf-8")
    taggers = [part for model in ("all", "half") for part in ("-t", f"rules:{folder / model}.tsv,name={model}-names")]
    ran = nerquake(
        "audit", folder / "mixed.conll", *taggers, "-p", "swap", "-p", "letters", "--resamples", 100,
        "--draws", 2, "--probe", "--curve", "50,100", "--train", folder / "train.conll", "-o", folder / "report",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    return folder / "report"


def hostile(report: Path, folder: Path) -> Path:
    """The same report, but models, sets, labels, domain and a token of it try to leave their place in the page."""
    for name in (RESULT, CASES):
        lines = (
            (report / name).read_text("utf-8").splitlines() if name == CASES else [(report / name).read_text("utf-8")]
        )
        renamed = [json.dumps(_renamed(json.loads(line)), ensure_ascii=False) for line in lines]
        (folder / name).write_text("\n".join(renamed) + "\n", "utf-8")
    write_report(read_result(folder), folder)
    return folder


def _renamed(value: Any) -> Any:
    """JSON with the names in it exchanged, also where they are keys."""
    if isinstance(value, str):
        return RENAMED.get(value, value)
    if isinstance(value, list):
        return [_renamed(one) for one in value]
    if isinstance(value, dict):
        return {_renamed(key): _renamed(one) for key, one in value.items()}
    return value
