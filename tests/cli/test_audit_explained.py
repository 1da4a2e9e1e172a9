"""An audit that explains itself: analyses, draws, the probe, training data, and the papers' tables."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.runner import nerquake

DATA = Path(__file__).resolve().parents[1] / "data" / "published"
NAMES = {"PER": ["Anna Lind", "Bo Berg", "Rosa", "Ida <b>"], "LOC": ["Bonn", "New York", "Oslo", "Rome"]}


def corpus(path: Path, size: int, start: int = 0) -> str:
    lines: list[str] = []
    for at in range(start, start + size):
        person, place = NAMES["PER"][at % 4].split(), NAMES["LOC"][at * 7 % 4].split()
        rows = [(word, ("B-" if not n else "I-") + "PER") for n, word in enumerate(person)]
        rows += [(f"visited{at}", "O"), ("old", "O")]
        rows += [(word, ("B-" if not n else "I-") + "LOC") for n, word in enumerate(place)]
        lines += [f"# id s{at}", *(f"{word} {tag}" for word, tag in rows), ". O", ""]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return str(path)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("explained")
    corpus(folder / "test.conll", 40)
    corpus(folder / "train.conll", 3, 100)
    (folder / "half.tsv").write_text("PER\tAnna Lind\nPER\tRosa\nLOC\tBonn\nLOC\tRome\n", "utf-8")
    (folder / "all.tsv").write_text("".join(f"{k}\t{n}\n" for k, v in NAMES.items() for n in v), "utf-8")
    made = nerquake(
        "audit", folder / "test.conll", "-t", f"rules:{folder / 'half.tsv'},name=half", "-t",
        f"rules:{folder / 'all.tsv'},name=all", "-p", "swap", "-p", "letters", "--draws", "3", "--probe", "--train",
        folder / "train.conll", "-o", folder / "out",
    )  # fmt: skip
    assert made.code == 0, made.err
    return folder


@pytest.fixture(scope="module")
def found(place: Path) -> dict[str, Any]:
    result: dict[str, Any] = json.loads((place / "out" / "result.json").read_text("utf-8"))["findings"]
    return result


def test_every_analysis_has_its_place(found: dict[str, Any]) -> None:
    assert {
        "drops", "drop_levels", "errors", "confusion", "fine_grained", "overlap", "flip_table", "model_ranks", "groups",
        "seen_context", "clearest", "draws", "probe",
    } <= found.keys()  # fmt: skip


def test_a_model_of_names_alone_is_found_out(found: dict[str, Any]) -> None:
    (row,) = [one for one in found["probe"]["shares"]
              if (one["tagger"], one["context"], one["label"]) == ("all", "neutral", None)]  # fmt: skip
    assert row["recall"]["whole"]["value"] == 1.0
    assert row["recall"]["name"]["value"] == 1.0
    assert row["recall"]["context"]["value"] == 0.0
    assert row["given"]["name_only"]["value"] == 1.0


def test_draws_are_draws_of_their_own(found: dict[str, Any]) -> None:
    assert found["draws"]
    for record in found["draws"]:
        assert record["draws"] == [record["set"], f"{record['set']}.draw2", f"{record['set']}.draw3"]
        assert record["f1"]["worst"]["f1"] <= record["f1"]["mean"] <= record["f1"]["best"]["f1"]


def test_each_draw_is_another_and_the_first_is_the_set_itself(place: Path) -> None:
    drawn = []
    for name in ("letters", "letters.draw2", "letters.draw3"):
        _, *lines = (place / "out" / "work" / name / "variants.jsonl").read_text("utf-8").splitlines()
        drawn.append([json.loads(line)["edits"][0]["new"] for line in lines])
    assert all(len(one) == 40 for one in drawn)
    assert drawn[0] != drawn[1] != drawn[2] != drawn[0]


def test_draws_stand_in_no_table_of_scores(place: Path) -> None:
    result = json.loads((place / "out" / "result.json").read_text("utf-8"))
    assert [entry["name"] for entry in result["sets"]] == ["original", "swap", "letters"]
    assert {block["set"] for block in result["results"]} == {"original", "swap", "letters"}


def test_seen_and_unseen_follow_the_training_file(found: dict[str, Any]) -> None:
    (row,) = [one for one in found["groups"]
              if (one["tagger"], one["set"], one["grouping"]) == ("half", "letters", "seen-same-label")]  # fmt: skip
    recall = {group["group"]: (group["mentions"], group["before"]["value"]) for group in row["groups"]}
    assert recall == {"seen": (60, pytest.approx(2 / 3)), "unseen": (20, 0.0)}


def test_every_form_says_the_same(place: Path, found: dict[str, Any]) -> None:
    page, text = ((place / "out" / name).read_text("utf-8") for name in ("report.html", "report.md"))
    rows = list(csv.reader((place / "out" / "tables.csv").read_text("utf-8").splitlines()))
    for title in ("Errors", "Flips and overlap", "Groups", "Memory and context", "Clearest failures"):
        assert f">{title}</h2>" in page
        assert f"## {title}\n" in text
    assert ["half: Confusion of labels, change (points)"] in [row[:1] for row in rows]
    assert "Ida &lt;b&gt;" in page
    assert "\\begin{tabular}" in (place / "out" / "tables.tex").read_text("utf-8")


def test_the_page_of_formats_describes_every_finding(found: dict[str, Any]) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "formats.md").read_text("utf-8")
    known = {"labels", "flips", "sets", "sentences", "method"}
    assert [key for key in found.keys() - known if f"**`{key}`**" not in page] == []


def test_joined_audits_keep_what_was_found(place: Path, found: dict[str, Any]) -> None:
    half = f"rules:{place / 'half.tsv'},name=half"
    again = nerquake("audit", place / "test.conll", "-t", half, "-p", "letters", "-o", place / "second")
    assert again.code == 0, again.err
    made = nerquake("report", place / "out", place / "second", "-o", place / "both")
    assert made.code == 0, made.err
    joined = json.loads((place / "both" / "result.json").read_text("utf-8"))["findings"]
    assert joined.keys() >= found.keys()
    assert {row["tagger"] for row in joined["errors"]} == {"out: half", "out: all", "second: half"}
    assert {row["tagger"] for row in joined["probe"]["shares"]} == {"out: half", "out: all"}
    assert "second: half" in (place / "both" / "report.html").read_text("utf-8")
    assert (place / "both" / "tables" / "tables.tex").is_file()


def test_one_draw_is_refused(place: Path, tmp_path: Path) -> None:
    rules = f"rules:{place / 'all.tsv'}"
    made = nerquake("audit", place / "test.conll", "-t", rules, "-p", "swap", "--draws", "1", "-o", tmp_path)
    assert made.code == 2


@pytest.mark.parametrize("file", sorted(DATA.glob("*.tsv")), ids=lambda path: path.stem)
def test_published_figures_are_printed(file: Path, tmp_path: Path) -> None:
    made = nerquake("report", "--values", file, "-o", tmp_path)
    assert made.code == 0, made.err
    assert {path.name for path in tmp_path.iterdir()} == {"tables.html", "tables.md", "tables.tex", "tables.csv"}


def test_either_folders_or_values(tmp_path: Path) -> None:
    assert nerquake("report").code == 2
    assert nerquake("report", tmp_path, "--values", tmp_path / "x.tsv").code == 2
