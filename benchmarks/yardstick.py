"""Is `bilstm-crf` as good as spaCy's own trainer from a blank pipeline, on the same sentences and seeds?

    python -m benchmarks.yardstick DATA [NAME...] [--seeds N] [--sentences N] [--jobs N] [--folder DIR]

DATA holds the data sets (wnut17, btc, mobie, il_ner; `yardstick_data.py` says how they are used). spaCy: a blank
pipeline of tok2vec and ner with the settings that `spacy init config --pipeline ner` writes. Mean strict F1 of N seeds
on the test part, both chosen by the dev part; target: bilstm-crf no more than one point below. Runs that are finished
in the folder are used again.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import fmean, stdev

from benchmarks.yardstick_data import LANGUAGES, Parts, described, parts_of, written
from nerquake.core.sentence import Sentence
from nerquake.core.spec import parse_spec
from nerquake.train.dev import tagged_scores

OURS, SPACY = "bilstm-crf", "spaCy"
THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.yardstick")
    parser.add_argument("data", type=Path)
    parser.add_argument("names", nargs="*", default=list(LANGUAGES))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--sentences", type=int, default=0, help="of the training part, drawn by seed 0; 0: all")
    parser.add_argument("--jobs", type=int, default=2, help="trainings at a time, one thread each")
    parser.add_argument("--folder", type=Path, default=Path("yardstick"))
    parser.add_argument("--model", default=OURS)
    return parser.parse_args()


def run(command: list[str], log: Path) -> None:
    """Run a training with one thread; what it prints goes to a file."""
    with log.open("w", encoding="utf-8") as stream:
        subprocess.run(command, check=True, stdout=stream, stderr=stream, env={**os.environ, **THREADS})


def spacy_files(parts: Parts, language: str, folder: Path) -> dict[str, str]:
    """Config and training files for spaCy."""
    import spacy
    from spacy.tokens import Doc, DocBin, Span

    config = folder / "spacy.cfg"
    if not config.exists():
        run([sys.executable, "-m", "spacy", "init", "config", str(config), "--lang", language, "--pipeline", "ner"],
            folder / "config.log")  # fmt: skip
    vocab = spacy.blank(language).vocab
    made = {"config": str(config)}
    for part, dataset in zip(("train", "dev"), parts, strict=False):
        docs = []
        for sentence in dataset:
            doc = Doc(vocab, words=[token or " " for token in sentence.tokens])
            doc.ents = [Span(doc, span.start, span.end, span.label) for span in sentence.spans]
            docs.append(doc)
        made[part] = str(folder / f"{part}.spacy")
        DocBin(docs=docs).to_disk(made[part])
    return made


def train_spacy(files: dict[str, str], seed: int, out: Path) -> str:
    if not (out / "model-best").exists():
        out.mkdir(parents=True, exist_ok=True)
        run([sys.executable, "-m", "spacy", "train", files["config"], "--output", str(out), "--paths.train",
             files["train"], "--paths.dev", files["dev"], "--system.seed", str(seed)], out / "log.txt")  # fmt: skip
    return f"spacy:{out / 'model-best'}"


def train_ours(files: dict[str, str], model: str, seed: int, out: Path) -> str:
    if not (out / "train.json").exists():
        out.mkdir(parents=True, exist_ok=True)
        run([sys.executable, "-m", "nerquake", "train", files["train"], "--dev", files["dev"], "-m", model, "--seed",
             str(seed), "-o", str(out)], out.with_suffix(".log"))  # fmt: skip
    return f"native:{out}"


def strict_f1(spec: str, test: Sequence[Sentence]) -> float:
    return (tagged_scores(parse_spec(spec), test).f1 or 0.0) * 100


def measure(name: str, asked: argparse.Namespace) -> dict[str, list[float]]:
    parts = parts_of(name, asked.data, asked.sentences)
    folder = asked.folder / name
    files = written(parts, folder)
    print(described(name, parts), flush=True)
    theirs = spacy_files(parts, LANGUAGES[name], folder)
    jobs = []
    for seed in range(asked.seeds):
        jobs.append((SPACY, train_spacy, (theirs, seed, folder / f"spacy-{seed}")))
        jobs.append((OURS, train_ours, (files, asked.model, seed, folder / f"ours-{seed}")))
    with ThreadPoolExecutor(asked.jobs) as pool:
        specs = list(pool.map(lambda job: (job[0], job[1](*job[2])), jobs))
    found: dict[str, list[float]] = {SPACY: [], OURS: []}
    for who, spec in specs:
        found[who].append(strict_f1(spec, parts.test.sentences))
    return found


def main() -> None:
    asked = arguments()
    table = {}
    for name in asked.names:
        found = measure(name, asked)
        table[name] = found
        for who, values in found.items():
            spread = stdev(values) if len(values) > 1 else 0.0
            print(f"  {who:<12} {fmean(values):6.2f} ± {spread:.2f}  ({', '.join(f'{value:.2f}' for value in values)})")
        print(f"  difference   {fmean(found[OURS]) - fmean(found[SPACY]):+6.2f}", flush=True)
    (asked.folder / "figures.json").write_text(json.dumps(table, indent=1), "utf-8")


if __name__ == "__main__":
    main()
