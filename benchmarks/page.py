"""The report's size, how long it takes to be written, and how soon the explorer of its sentences answers.

    python -m benchmarks.page FILE... [--sentences N] [--runs N] [--folder DIR]

Labelled sentences of the files, five attacks on them, answers of three models; Chromium, headless, from a file. Nothing
is tagged: a model is right in seven of ten mentions, at random, and does otherwise under an attack in a fifth of the
sentences. Needs the extras `oracles` and `browser`, and Chromium. Targets at 20,000 sentences: under 6 MB; interactive
in under 1.0 s, under 2.5 s on a processor four times slower (medians); written in at most ten times one seqeval strict
scoring of the data. Interactive is when the list of sentences stands and answers keys, counted from the start of the
navigation.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.analysis import Data, seqeval
from benchmarks.common import alternate
from benchmarks.score import disturbed
from nerquake.analyse.material import Material
from nerquake.audit.plan import Plan
from nerquake.audit.result import Answered, Extra, result_of
from nerquake.core.dataset import Dataset
from nerquake.core.labels import LabelRules, RelabelledGold
from nerquake.core.protocols import ReadOptions
from nerquake.core.results import AuditResult, Predictions
from nerquake.core.scheme import IOB2
from nerquake.core.sentence import Sentence
from nerquake.core.spec import parse_chain
from nerquake.core.tagging import Named
from nerquake.core.variant import ORIGINAL
from nerquake.io.load import load
from nerquake.perturb.run import attack
from nerquake.report.write import write_report

SENTENCES, RUNS = 20_000, 5
ATTACKS = ("swap", "faker", "mask:ngram", "swap+mask:ngram,name=both", "case:lower")
MODELS = ("first", "second", "third")
SWAYED = 0.2
"""The share of sentences in which a model's answer is another one under an attack."""
RESAMPLES = 100
"""Few: the page is the same with more, but for the figures."""
SLOWER = 4
WORDS = ("the", "of the", "ber")
"""What is searched for: a word, words beside each other, a part."""
WATCH = """
new MutationObserver((_, watching) => {
  if (document.documentElement.dataset.ready !== "1") return;
  watching.disconnect();
  requestAnimationFrame(() => requestAnimationFrame(() => { window.readyAt = performance.now(); }));
}).observe(document, { attributes: true, subtree: true, attributeFilter: ["data-ready"] });
"""
SEARCH = """async (words) => {
  const field = document.getElementById("x-q"), count = document.getElementById("x-count"), start = performance.now();
  const changed = new Promise((done) => new MutationObserver(done).observe(count, { childList: true, subtree: true }));
  field.value = words;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  await changed;
  return performance.now() - start;
}"""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--sentences", type=int, default=SENTENCES)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--folder", type=Path, default=None, help="where the report is to stay")
    return parser.parse_args()


def gathered(files: list[str], number: int) -> Dataset:
    """The first sentences of the files, under ids of their own."""
    read = [load(path, options=ReadOptions(repair="conlleval", lenient=True)) for path in files]
    sentences = [sentence for dataset in read for sentence in dataset][:number]
    return Dataset("gathered", tuple(replace(one, id=f"s{at:05d}") for at, one in enumerate(sentences)))


def answered(
    model: str, name: str, members: Sequence[Sentence], parents: Sequence[str], labels: Sequence[str]
) -> Predictions:
    """A model's answers for a set: those of the original where the attack does not sway it."""
    said = []
    for sentence, parent in zip(members, parents, strict=True):
        swayed = Random(f"{model} {name} {parent} swayed").random() < SWAYED
        random = Random(f"{model} {name if swayed else ORIGINAL} {parent}")
        said.append(disturbed(random, sentence.spans, len(sentence), labels))
    return Predictions(model, tuple(one.id for one in members), tuple(said), ((),) * len(said))


def made(dataset: Dataset) -> Data:
    """The data set under the attacks, and the answers, also as tags."""
    sets = tuple(attack(dataset, parse_chain(spec), 0) for spec in ATTACKS)
    texts = {ORIGINAL: (dataset.sentences, [one.id for one in dataset])}
    texts |= {s.name: (tuple(v.sentence for v in s.kept), [v.parent for v in s.kept]) for s in sets}
    answers, tags = {}, []
    for model in MODELS:
        for name, (members, parents) in texts.items():
            answers[model, name] = answered(model, name, members, parents, dataset.labels)
            gold = [list(IOB2.encode(one.spans, len(one))) for one in members]
            said = answers[model, name].spans
            tags.append((gold, [list(IOB2.encode(s, len(one))) for s, one in zip(said, members, strict=True)]))
    return Data(Material(dataset, sets, answers, (), None), tags)


def audited(data: Data) -> AuditResult:
    """The result of an audit with these answers."""
    material = data.material
    taggers = tuple(Named(name, name, None) for name in MODELS)  # type: ignore[arg-type]
    plan = Plan(
        gold=RelabelledGold(material.original, {}),
        rules=LabelRules(),
        attacks=tuple(map(parse_chain, ATTACKS)),
        taggers=taggers,
        resamples=RESAMPLES,
    )
    sentences = {ORIGINAL: material.original.sentences} | {
        one.name: [variant.sentence for variant in one.kept] for one in material.sets
    }
    found = Answered(material.original.sentences, material.sets, sentences, dict(material.predictions))
    return result_of(plan, found, {one.name: None for one in material.sets}, (), Extra())


def interactive(page_file: Path, runs: int) -> None:
    """Print how soon the page answers, at full speed and slowed down."""
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        sys.exit("there is no Chromium here: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for slower in (1, SLOWER):
            times, searches = zip(*(_opened(browser, page_file, slower) for _ in range(runs)), strict=True)
            said = f"processor {slower} times slower" if slower > 1 else "full speed"
            print(f"interactive after {median(times):.2f} s (worst {max(times):.2f}), a search takes"
                  f" {median(searches):.0f} ms: {said}, {runs} runs", flush=True)  # fmt: skip
        browser.close()


def _opened(browser: Any, page_file: Path, slower: int) -> tuple[float, float]:
    """Seconds until the page answers, and the longest search in milliseconds."""
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 800})
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.add_init_script(WATCH)
    page.goto(page_file.as_uri())
    page.wait_for_selector('html[data-ready="1"]', state="attached", timeout=120_000)
    while (ready := page.evaluate("window.readyAt")) is None:
        page.wait_for_timeout(50)
    longest = max(page.evaluate(SEARCH, words) for words in WORDS)
    context.close()
    return ready / 1000, longest


def main() -> None:
    asked = arguments()
    data = made(gathered(asked.files, asked.sentences))
    result = audited(data)
    with tempfile.TemporaryDirectory() as scratch:
        folder = asked.folder or Path(scratch)
        start = perf_counter()
        medians = alternate({"seqeval strict": seqeval(data), "written": lambda: write_report(result, folder)}, 1)
        ratio = medians["written"] / medians["seqeval strict"]
        size = (folder / "report.html").stat().st_size
        print(f"{len(data.material.original):,} sentences, {len(ATTACKS)} sets, {len(MODELS)} models")
        print(f"report.html has {size / 1e6:.2f} MB; all files are written in {ratio:.2f} times one seqeval scoring"
              f" ({perf_counter() - start:.0f} s in all)", flush=True)  # fmt: skip
        interactive(folder / "report.html", asked.runs)


if __name__ == "__main__":
    main()
