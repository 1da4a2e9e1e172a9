"""Every figure of a report equals one made from the audit's stage files by scripts of the standard library alone.

What resampling makes, intervals and p, is left to the tests of nerquake.stats.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from nerquake.core.results import AuditResult
from nerquake.report.all_tables import all_tables
from nerquake.report.view import View
from tests import planted
from tests.analyse import plain_alarms, plain_drops, plain_groups, plain_report, plain_stages
from tests.cli.runner import nerquake
from tests.report import tex

pytestmark = pytest.mark.usefixtures("uncharted")

SETS = ("swap", "letters", "new-names", "mask", "mixup")
MODELS = ("names_then_contexts", "at_random", "shortens_spans")
ASKED = {"40": Fraction(2, 5), "100": Fraction(1)}
DRAWN = {
    "low", "high", "p", "p_holm", "smallest_p", "fell_low", "fell_high", "rose_low", "rose_high", "sentences_drop",
}  # fmt: skip
"""Keys of what resampling makes."""
CHECKED = {
    "labels", "flips", "sets", "sentences", "method", "drops", "drop_levels", "errors", "confusion", "fine_grained",
    "overlap", "flip_table", "model_ranks", "groups", "seen_context", "probe", "clearest", "curve", "draws",
    "false_alarms",
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An audit with everything that has findings: three models, five sets, draws, a curve, the probe, training data."""
    folder = tmp_path_factory.mktemp("figures")
    planted.write(folder, 40)
    made = planted.sentences(40, planted.NAMES, seed=5)
    (folder / "data.jsonl").write_text(jsonl(made), "utf-8")
    attacks = ("swap", "letters:types=PER|ORG", f"gazetteer:{folder / 'new.tsv'},name=new-names", "mask", "mixup")
    ran = nerquake("audit", folder / "data.jsonl", "--judge", "none",
                   *(part for name in MODELS for part in ("-t", f"callable:tests.planted:{name},name={name}")),
                   *(part for one in attacks for part in ("-p", f"{one},name=letters" if "types" in one else one)),
                   "--train", folder / "train.conll", "--probe", "--draws", 2, "--curve", "40,100",
                   "--resamples", 50, "-o", folder / "out")  # fmt: skip
    assert ran.code == 0, ran.err
    return folder


def jsonl(made: list[tuple[list[str], list[tuple[int, int, str]]]]) -> str:
    """The sentences with a domain each; one without mentions, one of a mention alone."""
    made = [*made, (["nobody", "came", "."], []), (["Burnor"], [(0, 1, "LOC")])]
    rows: list[dict[str, Any]] = [{"format": "nerquake.dataset/1", "language": "en"}]
    for number, (tokens, spans) in enumerate(made):
        meta = {"domain": ("news", "letters")[number % 2]}
        rows.append({"id": f"s{number}", "tokens": tokens, "spans": spans, "meta": meta})
    return "".join(f"{json.dumps(row)}\n" for row in rows)


@pytest.fixture(scope="module")
def data(folder: Path) -> Any:
    return json.loads((folder / "out" / "result.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def stages(folder: Path, data: Any) -> Any:
    return plain_stages.Stages(folder / "out" / "work", every_set(data), MODELS)


@pytest.fixture(scope="module")
def training(folder: Path) -> list[dict[str, Any]]:
    """The mentions of the training file, read from its lines."""
    records: list[dict[str, Any]] = []
    for part in (folder / "train.conll").read_text("utf-8").strip().split("\n\n"):
        rows = [line.split("\t") for line in part.splitlines()[1:]]
        spans = [[at, at + 1, tag[2:]] for at, (_, tag) in enumerate(rows) if tag.startswith("B-")]
        for span in spans:
            while span[1] < len(rows) and rows[span[1]][1] == f"I-{span[2]}":
                span[1] += 1
        records.append({"tokens": [token for token, _ in rows], "gold": [tuple(span) for span in spans]})
    return records


def every_set(data: Any) -> list[str]:
    """The scored sets, further draws, points of curves."""
    curve = [point["set"] for one in data["findings"]["curve"] for point in one["points"][1:]]
    draws = [name for one in data["findings"]["draws"] for name in one["draws"]]
    return list(dict.fromkeys((*SETS, *draws, *curve)))


def plain(value: Any, *more: str) -> Any:
    """Without what resampling makes, and without these keys."""
    if isinstance(value, dict):
        return {key: plain(one, *more) for key, one in value.items() if key not in DRAWN and key not in more}
    return [plain(one, *more) for one in value] if isinstance(value, (list, tuple)) else value


def check(found: Any, expected: Any, where: str = "") -> None:
    """Equal in shape, order and value; fractions may be rounded."""
    if isinstance(expected, dict):
        assert isinstance(found, dict), where
        assert set(found) == set(expected), f"{where}: {set(found) ^ set(expected)}"
        for key, one in expected.items():
            check(found[key], one, f"{where}.{key}")
    elif isinstance(expected, (list, tuple)):
        assert len(found) == len(expected), f"{where}: {len(found)} for {len(expected)}"
        for at, one in enumerate(expected):
            check(found[at], one, f"{where}[{at}]")
    elif isinstance(expected, (Fraction, float)):
        assert found == pytest.approx(float(expected), abs=1e-9), where
    else:
        assert found == expected, f"{where}: {found!r} for {expected!r}"


@pytest.mark.parametrize("module", [plain_stages, plain_report, plain_groups, plain_drops, plain_alarms])
def test_the_scripts_import_nothing_but_the_standard_library(module: Any) -> None:
    tree = ast.parse(Path(module.__file__).read_text("utf-8"))
    named = {a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names}
    named |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    others = {name for name in named if name.split(".")[0] not in sys.stdlib_module_names}
    assert all(name == "tests.analyse" or name.startswith("tests.analyse.plain_") for name in others), others


def test_every_section_of_the_findings_is_checked_here(data: Any) -> None:
    assert set(data["findings"]) == CHECKED
    for section in CHECKED:
        assert data["findings"][section], f"{section} is empty and so proves nothing"


REPORTED: tuple[Callable[..., Any], ...] = (
    plain_report.flips,
    plain_report.labels,
    plain_report.sentences,
    plain_report.drops,
    plain_report.drop_levels,
    plain_report.errors,
    plain_report.confusion,
    plain_report.fine_grained,
    plain_report.overlap,
    plain_report.flip_table,
    plain_groups.model_ranks,
    plain_alarms.false_alarms,
)


@pytest.mark.parametrize("section", REPORTED, ids=lambda made: str(made.__name__))
def test_a_section_of_findings(section: Callable[..., Any], data: Any, stages: Any) -> None:
    check(plain(data["findings"][section.__name__]), plain(section(stages, SETS)))


def test_groups(data: Any, stages: Any, training: Any) -> None:
    found = sorted_groups(plain(data["findings"]["groups"]))
    check(found, sorted_groups(plain_groups.groups(stages, SETS, training)))
    assert {row["grouping"] for row in found} >= {"meta:domain", "replacement-seen", "consistency-training"}


def sorted_groups(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: (row["tagger"], row["set"], row["grouping"]))


def test_seen_context(data: Any, stages: Any, training: Any) -> None:
    check(plain(data["findings"]["seen_context"]), plain_groups.seen_context(stages, SETS, training))


def test_probe(data: Any, stages: Any) -> None:
    check(plain(data["findings"]["probe"], "sentences"), plain(plain_groups.probe(stages), "sentences"))
    sizes = [one["sentences"] for one in data["findings"]["probe"]["sets"]]
    assert sizes == [one["sentences"] for one in plain_groups.probe(stages)["sets"]]


def test_curve(data: Any, stages: Any) -> None:
    points: dict[str, list[tuple[str, Fraction]]] = {}
    for one in data["findings"]["curve"]:
        points[one["set"]] = [(point["set"], ASKED[point["set"].split("=")[-1]]) for point in one["points"][1:]]
    assert set(points) == {"swap", "letters", "new-names"}
    check(plain(data["findings"]["curve"]), plain_groups.curve(stages, points))


def test_draws(data: Any, stages: Any) -> None:
    by_attack = {name: [name, f"{name}.draw2"] for name in SETS}
    check(plain(data["findings"]["draws"], "sentences"), plain_groups.draws(stages, by_attack))


def test_sets(data: Any, stages: Any) -> None:
    labels = plain_groups.replaced_by_set(stages, SETS)
    for name in SETS:
        found = data["findings"]["sets"][name]
        assert list(found["changed_labels"].items()) == list(labels[name].items())
        changed = {one["id"]: one for one in stages.variants[name] if one["status"] == "changed"}
        assert len(found["examples"]) == min(5, len(changed)) > 0
        for one in found["examples"]:
            shown = {key: value for key, value in one.items() if key != "source"}
            check(shown, plain_groups.example_of(stages, name, changed[one["id"]]))


def test_method(data: Any, stages: Any) -> None:
    predicted = data["findings"]["method"]["predicted"]
    assert set(predicted) == set(MODELS)
    for model in MODELS:
        for name, found in predicted[model].items():
            header = stages.headers[name][model]
            unseen = sum(map(len, header["unseen"].values()))
            assert (found["invalid_transitions"], found["unseen_tokens"]) == (header["invalid_transitions"], unseen)
            assert found["unseen_mentions"] == 0


def test_clearest(data: Any, stages: Any) -> None:
    falls: dict[str, dict[tuple[str, str], list[Any]]] = {}
    for name in SETS:
        for model in MODELS:
            for (parent, at), label, was, now, _ in plain_report.turned(stages, name, model):
                if was and not now and stages.by_id[parent]["sets"][name]["status"] == "changed":
                    falls.setdefault(parent, {}).setdefault((name, model), []).append((at, label))
    size = {key: (len({model for _, model in fell}), len(fell)) for key, fell in falls.items()}
    shown = data["findings"]["clearest"]
    for record in shown:
        parent = stages.by_id[record["parent"]]
        fell = falls[record["parent"]]
        assert (record["fell"]["models"], record["fell"]["pairs"]) == size[record["parent"]]
        assert record["fell"]["sets"] == [name for name in SETS if any(name == one for one, _ in fell)]
        check(record["said"], {model: parent["said"][model] for model in MODELS})
        for attack in record["attacks"]:
            other = parent["sets"][attack["set"]]
            check([attack["tokens"], attack["spans"]], [other["tokens"], other["gold"]])
            check(attack["said"], {model: other["said"][model] for model in MODELS})
            told = {model: [one[0] for one in rows] for model, rows in attack["fell"].items()}
            assert told == {m: [at for at, _ in rows] for (name, m), rows in fell.items() if name == attack["set"]}
    sizes = [size[record["parent"]] for record in shown]
    assert sizes == sorted(sizes, reverse=True)
    rest = [one for key, one in size.items() if key not in {record["parent"] for record in shown}]
    assert max(rest) <= sizes[-1]


def test_scores_and_comparisons(data: Any, stages: Any) -> None:
    rows = {(row["tagger"], row["set"]): row for row in plain_report.fine_grained(stages, SETS) if row["label"] is None}
    for one in data["results"]:
        original = one["set"] == "original"
        found = rows[one["tagger"], "letters" if original else one["set"]]["original" if original else "attacked"]
        for scheme in plain_report.SCHEMES:
            check(plain(one["overall"][scheme]), found[scheme], f"{one['tagger']}.{one['set']}.{scheme}")
        if not original:
            before = rows[one["tagger"], one["set"]]["original"]["strict"]["f1"]
            check([one["paired"]["original"], one["paired"]["attacked"]], [before, found["strict"]["f1"]])
            flips = plain_report.flips_of(stages, one["set"], one["tagger"])[0]
            assert (one["paired"]["right_to_wrong"], one["paired"]["wrong_to_right"]) == (flips["fell"], flips["rose"])
    for one in data["comparisons"]:
        name = one["set"]
        texts = [record["sets"].get(name) for record in stages.records] if name != "original" else stages.records
        here = [text for text in texts if text is not None]
        check(one["difference"], plain_drops.f1(here, one["a"]) - plain_drops.f1(here, one["b"]))


@pytest.fixture(scope="module")
def tables(folder: Path) -> dict[str, list[tex.TexTable]]:
    """The tables of tables.tex by title."""
    text = (folder / "out" / "tables.tex").read_text("utf-8")
    tex.compile_where_installed(text, folder)
    titles = [line[2:] for line in text.splitlines()[1:] if line.startswith("% ")]
    found: dict[str, list[tex.TexTable]] = {}
    for title, table in zip(titles, tex.tables_of(text), strict=True):
        found.setdefault(tex.plain(title), []).append(table)
    return found


def percent(value: float | None, plus: bool = False) -> str:
    """As the report writes rates; with `plus` as a change in points."""
    if value is None:
        return "n/e"
    size = f"{abs(100 * value):.1f}"
    return size if not float(size) else f"{'−' if value < 0 else '+' if plus else ''}{size}"


def less(after: float | None, before: float | None) -> str:
    return "n/e" if after is None or before is None else percent(after - before, plus=True)


@pytest.mark.parametrize("measure", ["F1", "Precision", "Recall"])
@pytest.mark.parametrize("scheme", plain_report.SCHEMES)
def test_the_scores_of_the_latex_tables(tables: Any, data: Any, scheme: str, measure: str) -> None:
    found = [one for title, many in tables.items() if title.startswith(f"{measure}, {scheme}:") for one in many]
    ((table,), blocks) = found, {(b["tagger"], b["set"]): b for b in data["results"]}
    shown = {row[0]: row[1:] for row in table.rows if row[0]}
    for model in MODELS:
        scores = [blocks[model, name]["overall"][scheme][measure.lower()] for name in ("original", *SETS)]
        assert shown[model] == [percent(score) for score in scores]


def test_the_losses_of_the_latex_tables(tables: Any, data: Any) -> None:
    (losses,) = tables["Precision, recall and F1, before and after (percent)"]
    for row, one in zip([row for row in losses.rows if row[0]], data["findings"]["drops"], strict=True):
        rates = [one[key] for key in ("precision", "recall", "f1")]
        both = [f"{percent(rate['original'])} → {percent(rate['attacked'])}" for rate in rates]
        assert row == [one["set"], one["level"], str(one["pairs"]), *both]


def test_the_errors_of_the_latex_tables(tables: Any, data: Any) -> None:
    for model in MODELS:
        (table,) = tables[f"{model}: Right or wrong type by the number of tokens that differ (percent)"]
        records = [one for one in data["findings"]["errors"] if one["tagger"] == model]
        lines = [row[1:] for row in table.rows if row[0] and row[0] != "Mentions"]
        told = [row["shares"] for one in records for row in one["rows"]]
        for line, shares in zip(lines, told, strict=True):
            expected = []
            for was, now in ((shares["before"], shares["after"]), (shares["left"], shares["replaced"])):
                expected += [percent(was), percent(now), less(now, was)]
            assert line == expected


def test_the_flips_of_the_latex_tables(tables: Any, data: Any) -> None:
    for model in MODELS:
        (table,) = tables[f"{model}: Right to wrong and wrong to right, by label"]
        found = [one["all"] for one in data["findings"]["flip_table"] if one["tagger"] == model]
        for row, one in zip([row for row in table.rows if row[0] == "all labels"], found, strict=True):
            numbers = [one["mentions"], one["right"], one["fell"], *one["fell_to"].values(), one["wrong"], one["rose"]]
            assert [*row[1:4], *row[5:10]] == [f"{number:,}" for number in numbers]
            assert [row[4], row[10]] == [percent(one["fell_share"]), percent(one["rose_share"])]


def test_every_latex_cell_is_one_of_the_reports_tables(tables: Any, data: Any) -> None:
    made: dict[str, list[Any]] = {}
    for table in all_tables(View(AuditResult(data))):
        made.setdefault(table.title, []).append(table)
    assert {title: len(many) for title, many in made.items()} == {title: len(many) for title, many in tables.items()}
    for title, many in made.items():
        for ours, theirs in zip(many, tables[title], strict=True):
            lines = [line for row in ours.rows for line in lines_of(row)]
            assert theirs.rows == lines, title


def test_no_two_tables_beside_the_report_are_called_the_same(data: Any) -> None:
    called = [(table.title, table.rows[0].group) for table in all_tables(View(AuditResult(data)))]
    assert sorted(set(called)) == sorted(called)


def lines_of(row: Any) -> list[list[str]]:
    """A row as LaTeX has it: small texts in a line below."""
    below = [cell.sub for cell in row.cells]
    return [[cell.text for cell in row.cells], *([below] if any(below) else [])]
