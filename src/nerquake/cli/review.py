"""`nerquake review DIR -o review.html`."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from nerquake.cli.show import note
from nerquake.core.errors import InputError, UsageError
from nerquake.core.results import AuditResult, Case


def _share(context: click.Context, parameter: click.Parameter, value: str) -> float:
    """`20%` or `0.2` as a fraction."""
    text = value.strip()
    try:
        found = float(text.removesuffix("%").strip()) / (100 if text.endswith("%") else 1)
    except ValueError:
        found = -1.0
    if not 0 <= found <= 1:
        raise UsageError(f"--overlap {value}: expected a share such as 20% or 0.2")
    return found


@click.command()
@click.argument("folder", metavar="DIR")
@click.option(
    "--sample",
    "size",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    metavar="N",
    help="Sentences to draw.",
)
@click.option("--per-set", is_flag=True, help="N sentences of every attacked set, instead of N in all.")
@click.option(
    "--overlap",
    default="20%",
    show_default=True,
    metavar="SHARE",
    callback=_share,
    help="Share of the sentences that both of two reviewers get.",
)
@click.option("--reviewers", type=click.IntRange(1, 2), default=1, show_default=True, help="Pages, one a reviewer.")
@click.option("--seed", "drawn_by", type=int, default=0, show_default=True, help="Draws and shuffles the sentences.")
@click.option("-o", "--output", default="review.html", show_default=True, metavar="FILE", help="The page.")
def command(folder: str, size: int, per_set: bool, overlap: float, reviewers: int, drawn_by: int, output: str) -> None:
    """Write a page on which people judge attacked sentences: still good, labels still right?

    DIR is what `nerquake audit ... -o DIR` wrote. Fallen and held sentences are drawn in equal parts and not told
    apart, and what models said is hidden until a reviewer asks. The saved file goes to `nerquake curate`. Two
    reviewers get a page each, FILE with -1 and -2 before its ending.
    """
    from nerquake.analyse.review import Drawing, draw, fingerprint, item_id, reviewable
    from nerquake.report.review import ReviewPage

    result = reviewed_result(Path(folder))
    pages = draw(result.cases, Drawing(size, per_set, overlap, drawn_by, reviewers))
    found, models, labels = fingerprint(result.cases), models_of(result), labels_of(result)
    several = reviewers > 1
    for number, page in enumerate(pages, 1):
        made = ReviewPage(
            items={item_id(case): case for case in page},
            fingerprint=found,
            models=models,
            labels=labels,
            command=_command(folder, several),
            empty=empty_words(result),
            reviewer=str(number) if several else "",
            page=str(number),
        )
        write_page(made, Path(output), f"-{number}" if several else "", page)
    if not reviewable(result.cases):
        note(empty_words(result))


def reviewed_result(folder: Path) -> AuditResult:
    """The audit to review.

    Raises:
        InputError: there is none, it has no sentences, or it does not show them.
    """
    from nerquake.report.write import CASES, read_result

    result = read_result(folder)
    if any("audit" in entry for entry in result.data["sets"]):
        raise InputError(f"{folder} joins several audits; name the folder of one of them")
    if not (folder / CASES).is_file():
        raise InputError(f"{folder} holds no {CASES}, so there is no sentence to show; run the audit again")
    if result.data["header"].get("redacted"):
        raise InputError(f"{folder} is redacted: nobody can judge a text that is not shown; review the audit itself")
    changed = sum(entry["status"].get("changed", 0) for entry in result.data["sets"])
    held = sum(case.status == "changed" for case in result.cases)
    if held < changed:
        note(f"{folder / CASES} holds {held:,} of {changed:,} changed sentences; the others cannot be drawn")
    return result


def write_page(page: object, output: Path, suffix: str, cases: Sequence[Case]) -> None:
    """Write a review page and say what is on it."""
    from nerquake.io.output import write_whole
    from nerquake.report.review import ReviewPage

    assert isinstance(page, ReviewPage)
    path = output.with_name(f"{output.stem}{suffix}{output.suffix}")
    write_whole(path, [page.render()])
    counts = Counter(case.set for case in cases)
    told = ", ".join(f"{name} {number:,}" for name, number in sorted(counts.items()))
    note(f"wrote {path}: {len(cases):,} sentences{f' ({told})' if told else ''}")


def models_of(result: AuditResult) -> tuple[str, ...]:
    """The models' names."""
    return tuple(entry["name"] for entry in result.data["taggers"])


def labels_of(result: AuditResult) -> tuple[str, ...]:
    """The labels of gold mentions, most frequent first; those that only models use cannot be given."""
    from nerquake.report.view import View

    gold = {span.label for case in result.cases for span in (*case.original_spans, *case.attacked_spans)}
    ordered = View(result).labels
    return (*(label for label in ordered if label in gold), *sorted(gold - set(ordered)))


def empty_words(result: AuditResult) -> str:
    """What a page without sentences says."""
    names = [entry["name"] for entry in result.data["sets"] if entry["name"] != "original"]
    if not names:
        return "Nothing to review: the audit has no attacked set."
    return f"Nothing to review: {', '.join(names)} changed no sentence."


def _command(folder: str, several: bool) -> str:
    """What to run with the saved file."""
    target = shlex.quote(f"{folder.rstrip('/') or '.'}-curated")
    other = " --decisions OTHER.jsonl" if several else ""
    return f"nerquake curate {shlex.quote(folder)} --decisions {{file}}{other} -o {target}"
