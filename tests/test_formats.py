"""Every file that is written is as docs/formats.md says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

import nerquake as nerquake_package
from nerquake.core.edits import Edit, Rewrite
from nerquake.core.protocols import Proposal
from nerquake.core.span import Span
from nerquake.io.proposals_file import unfinished
from nerquake.io.stages import StageKey
from tests.analyse.fillers import SPEC
from tests.cli.runner import nerquake

pytestmark = pytest.mark.usefixtures("uncharted")

SAMPLE = str(Path(nerquake_package.__file__).parent / "samples" / "de.conll")
PAGE = Path(__file__).resolve().parent.parent / "docs" / "formats.md"


def schemas() -> dict[str, list[dict[str, Any]]]:
    """The schemas of the page by section: header and line, or document."""
    sections = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)[1:]
    shared = json.loads(re.findall(r"```json definitions\n(.*?)```", sections.pop(), re.DOTALL)[0])
    found = {}
    for section in sections:
        blocks = re.findall(r"```json schema\n(.*?)```", section, re.DOTALL)
        found[section.split("\n")[0]] = [{"$defs": shared, **json.loads(block)} for block in blocks]
    return found


SCHEMAS = schemas()


def check(value: Any, schema: dict[str, Any]) -> None:
    Draft202012Validator(schema).validate(value)


def strict_json(text: str) -> Any:
    def refuse(name: str) -> None:
        raise AssertionError(f"{name} stands in JSON")

    return json.loads(text, parse_constant=refuse)


def check_lines(file: Path, section: str) -> None:
    header, *lines = [strict_json(line) for line in file.read_text("utf-8").splitlines()]
    check(header, SCHEMAS[section][0])
    assert lines
    for line in lines:
        check(line, SCHEMAS[section][1])


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's attacks with two recognisers that need no extra."""
    folder = tmp_path_factory.mktemp("audited")
    (folder / "rules.tsv").write_text("GPE\tLondon\nPERSON\tRosa\nGPE\t/[A-Z][a-z]+land/\n", "utf-8")
    attacks = ["-p", "swap", "-p", "faker", "-p", "letters", "-p", "swap+letters", "-p", "mixup"]
    ran = nerquake(
        "audit", "sample:en", *attacks, "-t", f"rules:{folder / 'rules.tsv'},name=one",
        "-t", f"rules:{folder / 'rules.tsv'},name=two,ignore_case=yes", "--resamples", "100", "-o", folder / "out",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    return folder / "out"


def test_schemas_are_schemas() -> None:
    assert len(SCHEMAS) >= 10
    for blocks in SCHEMAS.values():
        assert blocks
        for block in blocks:
            Draft202012Validator.check_schema(block)


def test_what_an_audit_writes(audited: Path) -> None:
    check(strict_json((audited / "result.json").read_text("utf-8")), SCHEMAS["result.json"][0])
    check_lines(audited / "cases.jsonl", "cases.jsonl")
    check_lines(audited / "work" / "dataset.jsonl", "dataset.jsonl")
    for name in ("swap", "faker", "letters", "swap+letters", "mixup"):
        check_lines(audited / "work" / name / "variants.jsonl", "variants.jsonl")
        check_lines(audited / "work" / name / "one.predictions.jsonl", "predictions.jsonl")
    known = {"report.html", "report.md", "tables.csv", "tables.tex", "result.json", "cases.jsonl", "work"}
    assert {file.name for file in audited.iterdir()} == known


def test_what_a_gate_writes(tmp_path: Path) -> None:
    (tmp_path / "rules.tsv").write_text("GPE\tLondon\n", "utf-8")
    (tmp_path / "gate.toml").write_text('[[rule]]\nmax_drop = 0.5\nlabels = ["*", "NONE"]\n', "utf-8")
    ran = nerquake("audit", "sample:en", "-p", "letters", "-t", f"rules:{tmp_path / 'rules.tsv'},name=one",
                   "--gate", tmp_path / "gate.toml", "--resamples", "20", "-o", tmp_path / "out")  # fmt: skip
    assert ran.code in (1, 3), ran.err
    check(strict_json((tmp_path / "out" / "gate.json").read_text("utf-8")), SCHEMAS["gate.json"][0])
    result = strict_json((tmp_path / "out" / "result.json").read_text("utf-8"))
    assert result["findings"]["gate"]["checks"]
    check(result, SCHEMAS["result.json"][0])


def test_the_example_of_decisions() -> None:
    page = (PAGE.parent / "review.md").read_text("utf-8")
    (example,) = re.findall(r"^```\n(\{\"format.*?)```", page, re.DOTALL | re.MULTILINE)
    header, *lines = [strict_json(line) for line in example.splitlines()]
    check(header, SCHEMAS["decisions.jsonl"][0])
    assert len(lines) == 2
    for line in lines:
        check(line, SCHEMAS["decisions.jsonl"][1])


def test_what_perturb_writes(tmp_path: Path) -> None:
    ran = nerquake("perturb", "sample:de", "-p", "swap", "-p", "mixup", "-o", tmp_path / "sets", "--format", "json")
    assert ran.code == 0, ran.err
    check(ran.json, SCHEMAS["summary.json"][0])
    assert ran.json == json.loads((tmp_path / "sets" / "summary.json").read_text("utf-8"))
    check_lines(tmp_path / "sets" / "mixup" / "variants.jsonl", "variants.jsonl")


def test_what_attacks_on_words_write(tmp_path: Path) -> None:
    mask = f"mask:filler={SPEC},name="
    common = ("sample:de", "--sample", 40, "-p", f"{mask}mask", "-p", f"swap+{mask}both", "-p", "swap")
    ran = nerquake("perturb", *common, "-o", tmp_path / "sets", "--format", "json")
    assert ran.code == 0, ran.err
    check(ran.json, SCHEMAS["summary.json"][0])
    (tmp_path / "rules.tsv").write_text("GPE\tBerlin\n", "utf-8")
    ran = nerquake("audit", *common, "-t", f"rules:{tmp_path / 'rules.tsv'},name=r", "--resamples", 50,
                   "--unmapped", "drop", "-o", tmp_path / "out")  # fmt: skip
    assert ran.code == 0, ran.err
    data = strict_json((tmp_path / "out" / "result.json").read_text("utf-8"))
    check(data, SCHEMAS["result.json"][0])
    for name in ("mask", "both"):
        assert data["findings"]["sets"][name]["naturalness"]["perplexity_ratio"] is not None
        for folder in (tmp_path / "sets" / name, tmp_path / "out" / "work" / name):
            check_lines(folder / "naturalness.jsonl", "naturalness.jsonl")
            check_lines(folder / "variants.jsonl", "variants.jsonl")
    assert data["findings"]["sets"]["swap"]["naturalness"] is None


def test_what_an_audit_with_a_curve_writes(tmp_path: Path) -> None:
    (tmp_path / "rules.tsv").write_text("LOC\tBerlin\n", "utf-8")
    ran = nerquake("audit", "sample:de", "--sample", 40, "-p", "rockner-e", "-p", "letters:coverage-draw=nested",
                   "--curve", "40,100", "-t", f"rules:{tmp_path / 'rules.tsv'},name=r", "--resamples", 20,
                   "-o", tmp_path / "out")  # fmt: skip
    assert ran.code == 0, ran.err
    data = strict_json((tmp_path / "out" / "result.json").read_text("utf-8"))
    check(data, SCHEMAS["result.json"][0])
    assert [curve["draw"] for curve in data["findings"]["curve"]] == ["independent", "nested"]
    check_lines(tmp_path / "out" / "work" / "rockner-e.coverage=40" / "variants.jsonl", "variants.jsonl")


def test_what_a_second_audit_writes_redacted(tmp_path: Path) -> None:
    for name, rules in (("then", "GPE\tLondon\nGPE\t/[A-Z][a-z]+land/\n"), ("now", "GPE\t/[A-Z][a-z]+on/\n")):
        (tmp_path / f"{name}.tsv").write_text(rules, "utf-8")
        more = () if name == "then" else ("--baseline", tmp_path / "then", "--redact")
        model = ("-t", f"rules:{tmp_path / name}.tsv,name=m")
        attacks = ("--sample", 80, "-p", "letters", "-p", "mixup", "--resamples", 20)
        ran = nerquake("audit", "sample:en", *model, *attacks, "-o", tmp_path / name, *more)
        assert ran.code == 0, ran.err
    data = strict_json((tmp_path / "now" / "result.json").read_text("utf-8"))
    check(data, SCHEMAS["result.json"][0])
    assert data["header"]["redacted"] is True
    assert data["findings"]["since"]["records"] and data["findings"]["since"]["examples"]
    assert data["findings"]["false_alarms"]
    check_lines(tmp_path / "now" / "cases.jsonl", "cases.jsonl")


def test_what_perturb_writes_of_several_files(tmp_path: Path) -> None:
    ran = nerquake("perturb", "sample:de", "sample:hi", "-p", "swap", "-o", tmp_path, "--format", "json")
    assert ran.code == 0, ran.err
    check(ran.json, SCHEMAS["perturb --format json"][0])
    for name, summary in ran.json["files"].items():
        assert summary == strict_json((tmp_path / name / "summary.json").read_text("utf-8"))
        check(summary, SCHEMAS["summary.json"][0])
    with pytest.raises(ValidationError):
        check({**ran.json, "files": {"de": ran.json["files"]["de"]}}, SCHEMAS["perturb --format json"][0])


def test_what_stats_says_of_attacks_and_dictionaries(tmp_path: Path) -> None:
    assert nerquake("perturb", "sample:de", "sample:hi", "-p", "rockner-e", "-o", tmp_path).code == 0
    sets = [part for name in ("de", "hi") for part in ("--attacked", tmp_path / name / "rockner-e")]
    both = nerquake("stats", "sample:de", "sample:hi", *sets, "--format", "json").json
    check(both, SCHEMAS["stats --format json"][0])
    assert list(both["attacks"]) == ["sample:de", "sample:hi"]
    one = nerquake("stats", "sample:de", *sets[:2], "--dictionary", "starter", "--format", "json").json
    check(one, SCHEMAS["stats --format json"][0])
    assert {label for label, row in one["dictionary"].items() if row["classes"] is None} == {"PER"}
    for wrong in ({"dictionary": {"PER": {"original": 1}}}, {"attack": {"mentions": 1}}):
        with pytest.raises(ValidationError):
            check({**one, **wrong}, SCHEMAS["stats --format json"][0])


def test_what_dictionary_commands_write(tmp_path: Path) -> None:
    links = tmp_path / "links.jsonl"
    (tmp_path / "deny.tsv").write_text("Berlin\tQ64\n", "utf-8")
    ran = nerquake("dictionary", "link", "starter", "sample:de", "--deny", tmp_path / "deny.tsv", "-o", links,
                   "--format", "json")  # fmt: skip
    assert ran.code == 0, ran.err
    check(ran.json, SCHEMAS["dictionary link --format json"][0])
    lines = [strict_json(line) for line in links.read_text("utf-8").splitlines()]
    assert len(lines) == ran.json["mentions"]["ALL"]["mentions"]
    for line in lines:
        check(line, SCHEMAS["Link lines"][0])
    with pytest.raises(ValidationError):
        check({key: value for key, value in lines[0].items() if key != "accepted"}, SCHEMAS["Link lines"][0])
    assert nerquake("dictionary", "export", "starter", "--to", "classes", "-o", tmp_path / "classes").code == 0
    for line in (tmp_path / "classes" / "LAW.jsonl").read_text("utf-8").splitlines():
        check(strict_json(line), SCHEMAS["Class files"][0])


def test_what_a_killed_run_leaves(tmp_path: Path) -> None:
    edits = (Edit(0, 1, ("a", "b"), "context", (("was", "c"),)),)
    rewrite = Rewrite(("a",), (Span(0, 1, "X"),), (0, None), (("from", "s"),))
    made = {
        "s1": Proposal(edits, attackable=2, rejected=(("empty", 3),)),
        "s2": Proposal(rewrite=rewrite, relabelled=1),
        "s3": Proposal(reason="lost", discard=True),
        "s4": Proposal(reason="no", applicable=False),
    }
    file = tmp_path / "unfinished.jsonl"
    with unfinished(file, StageKey("mask", 0, "input", "content")) as kept:
        assert kept is not None
        kept.add(1, made)
    check_lines(file, "unfinished.jsonl")


@pytest.mark.parametrize(
    ("section", "command"),
    [
        ("score --format json", ("score", SAMPLE, SAMPLE)),
        ("validate --format json", ("validate", "sample:hi")),
        ("stats --format json", ("stats", "sample:de", "sample:hi", "--train", "sample:de")),
        ("plugins --format json", ("plugins",)),
        ("dictionary stats --format json", ("dictionary", "stats", "starter", "--classes", "--faults")),
        ("dictionary sample --format json", ("dictionary", "sample", "starter", "--class", "city-uk")),
    ],
)
def test_documents_on_standard_output(section: str, command: tuple[str, ...]) -> None:
    ran = nerquake(*command, "--format", "json")
    assert ran.code == 0, ran.err
    check(ran.json, SCHEMAS[section][0])
