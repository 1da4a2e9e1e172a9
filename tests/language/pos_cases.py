"""One case for every source of parts of speech: a specification, made where it needs files of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from tests.conftest import PIPELINE
from tests.language.tiny_pos import stanza_pos_folder

from nerquake.core.spec import Spec

POS_CASES: Mapping[str, Callable[[Path], Spec]] = {
    "stopwords": lambda folder: Spec("stopwords", (("", "en"),)),
    "spacy": lambda folder: Spec("spacy", (("", PIPELINE),)),
    "stanza": lambda folder: Spec("stanza", (("", str(stanza_pos_folder(folder / "stanza"))),)),
}
