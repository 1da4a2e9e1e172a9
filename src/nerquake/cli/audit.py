"""`nerquake audit FILE -t SPEC... [-p SPEC...] -o DIR`: the main job."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nerquake.cli.options import (
    Settings,
    attacks_of,
    attacks_option,
    data_options,
    extension_of,
    folder_option,
    judge_option,
    taggers_option,
)
from nerquake.cli.page import cases_option, note_size, showing
from nerquake.cli.progress import counting
from nerquake.cli.redaction import redacted_for, work_folder
from nerquake.cli.show import emit, note, note_of, to_csv, to_json, to_table
from nerquake.report.numbers import AGAINST, MARK, UNDEFINED, change, p_number, percent

if TYPE_CHECKING:
    from nerquake.core.results import AuditResult

UNDECIDED = 3
"""Exit code of a gate that lacks a figure it needs."""


@click.command()
@click.argument("file")
@taggers_option
@attacks_option
@folder_option
@judge_option
@click.option(
    "--curve",
    default="",
    metavar="20,40,..,100",
    help="Attack curve: percentages of mentions to replace, for every attack with a coverage.",
)
@click.option(
    "--draws",
    type=click.IntRange(min=2),
    default=None,
    metavar="N",
    help="Draw every attack N times, with seeds SEED to SEED + N - 1: which mentions survive all draws.",
)
@click.option("--train", default="", metavar="FILE", help="What models were trained on: names seen and unseen there.")
@click.option("--probe", is_flag=True, help="Try every name without its sentence, and every sentence without its name.")
@click.option("--gate", default="", metavar="FILE", help="What must hold (TOML): exit 1 where it does not.")
@click.option("--baseline", default="", metavar="DIR", help="Folder of an earlier audit of the same data, to compare.")
@click.option(
    "--redact",
    is_flag=True,
    help="Write shapes of words instead of text (Xxxx, 0000); stage files, which hold text, go to DIR-work.",
)
@cases_option
@click.option("--work", default="", metavar="DIR", help="Folder of the stage files; by default work inside DIR.")
@click.option(
    "--allow-overlap",
    is_flag=True,
    help="Audit a model on sentences that it was trained on; the report says so. Without it, this is refused.",
)
@data_options
def command(
    file: str,
    taggers: Sequence[str],
    attacks: Sequence[str],
    output: str,
    judge: str,
    curve: str,
    draws: int | None,
    train: str,
    probe: bool,
    gate: str,
    baseline: str,
    redact: bool,
    cases: str | int | None,
    work: str,
    allow_overlap: bool,
    settings: Settings,
) -> int:
    """Attack a labelled file, run models on both versions, compare, report.

    Writes report.html, report.md, result.json and cases.jsonl into DIR. Finished stages are kept there and used again.
    With --gate also gate.json, junit.xml and summary.md: exit 0 where it passed, 1 failed, 3 undecided.
    """
    from nerquake.analyse.curves import curve_points, parse_shares
    from nerquake.analyse.gate import check_names, read_policy
    from nerquake.analyse.naturalness import check_judge
    from nerquake.audit import Plan, audit
    from nerquake.io.work import WorkFolder
    from nerquake.report.write import read_result, write_report
    from nerquake.taggers.build import build_taggers

    check_judge(judge)
    folder = Path(output)
    stages = work_folder(folder, work, redact)
    policy = read_policy(gate) if gate else None
    earlier = read_result(Path(baseline)) if baseline else None
    gold = settings.gold(file)
    chains, notes = attacks_of(attacks, gold.dataset, settings.rules)
    for line in (*gold.notes, *notes):
        note(line)
    models = tuple(build_taggers(taggers, gold.dataset, settings.repair, extension_of(gold.dataset)))
    if policy is not None:
        check_names(policy, [named.name for named in models], [chain.name for chain in chains], bool(baseline))
    plan = Plan(
        gold=gold,
        rules=settings.rules,
        attacks=tuple(chains),
        taggers=models,
        seed=settings.seed,
        resamples=settings.resamples,
        level=settings.level,
        sample=settings.sample,
        jobs=settings.jobs,
        entity_free=settings.entity_free,
        repair=settings.repair,
        judge=judge,
        curve=tuple(curve_points(chains, parse_shares(curve))) if curve else (),
        method={"command": _command_line(), "notes": notes},
        allow_overlap=allow_overlap,
        training=settings.gold(train).dataset if train else None,
        draws=draws or 0,
        probe=probe,
        gate=policy,
        baseline=earlier,
        baseline_from=baseline,
    )
    result = audit(plan, WorkFolder(stages), counting)
    if redact:
        result = redacted_for(folder, result, bool(gate))
        note(f"the stage files in {stages} hold the text of the data; keep them to yourself")
    for name in write_report(showing(result, cases), folder):
        note(f"wrote {folder / name}")
    note_size(folder)
    for entry in result.data["sets"]:
        for line in entry["notes"]:
            note_of(entry["name"], line)
    for line in result.data["findings"]["method"]["notes"]:
        if line not in (*gold.notes, *notes):
            note(line)
    emit(_shown(result.data, settings.format), "-")
    return _gated(result, folder) if policy is not None else 0


def _gated(result: AuditResult, folder: Path) -> int:
    """Write what the gate says; its exit code."""
    from nerquake.report.gate.files import write_gate

    for line in write_gate(result, folder):
        note(line)
    codes = {"passed": 0, "failed": 1, "undecided": UNDECIDED}
    return codes[result.data["findings"]["gate"]["status"]]


def _command_line() -> str:
    """The command as typed, to be pasted again."""
    return shlex.join(["nerquake", *sys.argv[1:]])


LEGEND = (
    "Strict F1 in percent; change in points against the original of the same sentences; changed: the same over\n"
    "changed sentences only; sentences: changed/unchanged/not applicable/discarded."
)
HEAD = ["set", "F1", "change", "95 % interval", "p (Holm)", "changed", "sentences"]


def _shown(data: Mapping[str, Any], form: str) -> str:
    from nerquake.report.naturalness import said_of

    if form == "json":
        return to_json(data)
    sets = {entry["name"]: entry for entry in data["sets"]}
    if form == "csv":
        return to_csv(
            ["tagger", "set", "f1", "low", "high", "drop", "drop_low", "drop_high", "p", "p_holm", "drop_changed"],
            [_csv_row(block) for block in data["results"]],
        )
    head = [HEAD[0], HEAD[1], HEAD[2], f"{data['header']['level']:.0%} interval".replace("%", " %"), *HEAD[4:]]
    tables = []
    for tagger in data["taggers"]:
        blocks = [block for block in data["results"] if block["tagger"] == tagger["name"]]
        tables.append(to_table(head, [_row(b, sets[b["set"]]) for b in blocks], title=tagger["name"]))
    marks = [f"{MARK} {AGAINST}"] if any(entry.get("chosen_against") for entry in data["sets"]) else []
    said = [f"{name}: {line}" for name, entry in data["findings"]["sets"].items() for line in said_of(entry)]
    return "".join(tables) + "".join(f"{line}\n" for line in (LEGEND, *marks, *said, data["header"]["signature"]))


def _csv_row(block: Mapping[str, Any]) -> list[Any]:
    strict, paired = block["overall"]["strict"], block.get("paired") or {}
    return [block["tagger"], block["set"], strict["f1"], strict["low"], strict["high"],
            *(paired.get(key) for key in ("drop", "low", "high", "p", "p_holm")),
            (block.get("paired_changed") or {}).get("drop")]  # fmt: skip


def _row(block: Mapping[str, Any], entry: Mapping[str, Any]) -> list[str]:
    against = block["tagger"] in entry.get("chosen_against", ())
    row = [f"{block['set']} {MARK}" if against else block["set"], percent(block["overall"]["strict"]["f1"])]
    if "paired" not in block:
        return [*row, "", "", "", "", ""]
    paired, changed = block["paired"], block["paired_changed"]
    counts = "/".join(f"{entry['status'][key]:,}" for key in ("changed", "unchanged", "not-applicable", "discarded"))
    return [
        *row,
        change(paired["drop"]),
        _interval(paired, change),
        p_number(paired["p_holm"]),
        change(changed["drop"]),
        counts,
    ]


def _interval(block: Mapping[str, Any], form: Callable[[float | None], str]) -> str:
    if block["low"] is None:
        return UNDEFINED
    ends = sorted((block["low"], block["high"]), reverse=form is change)
    return f"[{form(ends[0])}, {form(ends[1])}]"
