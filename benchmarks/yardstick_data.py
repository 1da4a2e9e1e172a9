"""The data sets of the yardsticks, as they are used: where a set has no test part its dev part is the test.

wnut17   train and test as they are; a tenth of train, drawn by seed 0, is the dev part
btc      `btc.dev` is the test; a tenth of train is the dev part
mobie    three parts; ill-formed tags repaired by conlleval's rule; location-* = LOC, organization-* and organization =
         ORG, person = PER, other labels dropped
il_ner   Hindi, three parts; lines that are no token and tag skipped, ill-formed tags repaired; NEP = PER, NEL = LOC,
         NEO = ORG, other labels dropped; test and dev sentences whose tokens stand in train removed
"""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.labels import LabelRules, relabel
from nerquake.core.protocols import ReadOptions
from nerquake.core.splits import seeded_part
from nerquake.io.load import load, save

MAPS = {
    "wnut17": "",
    "btc": "",
    "mobie": "location=LOC,location-city=LOC,location-route=LOC,location-stop=LOC,location-street=LOC,"
    "organization=ORG,organization-company=ORG,person=PER",
    "il_ner": "NEP=PER,NEL=LOC,NEO=ORG",
}
LANGUAGES = {"wnut17": "en", "btc": "en", "mobie": "de", "il_ner": "hi"}
KEPT = "LOC,ORG,PER"
TENTH = 0.1
LENIENT = ReadOptions(repair="conlleval", lenient=True)


class Parts(NamedTuple):
    """What is trained on, what training looks at, what is scored."""

    train: Dataset
    dev: Dataset
    test: Dataset


def parts_of(name: str, data: Path, sentences: int = 0) -> Parts:
    """The parts of a set below the folder of data sets.

    sentences  of train that are taken, drawn by seed 0; 0: all
    """
    train, dev, test = (None if file is None else _joined(name, file) for file in _files(name, data))
    assert train is not None
    assert test is not None
    if dev is None:
        cut = seeded_part(train.sentences, TENTH, 0)
        train, dev = train.with_sentences(cut.rest), train.with_sentences(cut.part)
    if name == "il_ner":
        seen = {sentence.tokens for sentence in train}
        dev, test = (part.with_sentences([s for s in part if s.tokens not in seen]) for part in (dev, test))
    if 0 < sentences < len(train):
        train = train.with_sentences(seeded_part(train.sentences, sentences / len(train), 1).part)
    return Parts(train, dev, test)


def _files(name: str, data: Path) -> Iterable[Path | None]:
    if name == "wnut17":
        return data / "wnut17/wnut17train.conll", None, data / "wnut17/emerging.test.annotated"
    if name == "btc":
        return data / "btc/btc.train", None, data / "btc/btc.dev"
    if name == "il_ner":
        return tuple(data / f"il_ner/Hindi/Hindi-{part}.txt" for part in ("train", "dev", "test"))
    folder = Path(tempfile.gettempdir()) / "nerquake-mobie"
    with zipfile.ZipFile(data / "mobie/ner_conll03_formatted.zip") as archive:
        archive.extractall(folder)
    return tuple(folder / f"{part}.conll2003" for part in ("train", "dev", "test"))


def _joined(name: str, file: Path) -> Dataset:
    found = load(str(file), "", LENIENT)
    if not MAPS[name]:
        return found
    return relabel(found, LabelRules.parse(KEPT, MAPS[name], "drop")).dataset


def written(parts: Parts, folder: Path) -> dict[str, str]:
    """The parts as CoNLL files, for programs that read them."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {}
    for part, dataset in zip(Parts._fields, parts, strict=True):
        made[part] = str(folder / f"{part}.conll")
        save(dataset, made[part], "conll")
    return made


def described(name: str, parts: Parts) -> str:
    """One line on the sizes."""
    sizes = ", ".join(f"{part} {len(data):,} sentences, {sum(data.mentions.values()):,} mentions"
                      for part, data in zip(Parts._fields, parts, strict=True))  # fmt: skip
    return f"{name}: {sizes}"
