"""How close the meanings of sentences are, with a real encoder and with folders that are none."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from nerquake.core.errors import InputError
from nerquake.language.sentence_encoder import SentenceEncoder


def test_meanings(minilm: str) -> None:
    encoder = SentenceEncoder(minilm)
    encoder.check()
    same = encoder.likeness("Anna met Bo in Bonn on Monday .", "On Monday Anna met Bo in Bonn .")
    other = encoder.likeness("Anna met Bo in Bonn on Monday .", "The price of fish fell again last week .")
    assert encoder.likeness("Bonn", "Bonn") == pytest.approx(1)
    assert other < 0.4 < 0.9 < same <= 1
    assert encoder.likeness("Bonn \udc80 🙂", "") <= 1, "halves of surrogate pairs and empty texts do no harm"
    assert encoder.likeness("word " * 3000, "word " * 3000) == pytest.approx(1)
    assert encoder.about() == encoder.about() and minilm in encoder.about()[0]
    assert len(encoder.fingerprint()) > 60


def test_a_paraphrase_that_says_something_else_is_not_taken(minilm: str) -> None:
    from tests.perturb.helpers import by_parent, data, run, sentence
    from tests.perturb.stub_paraphrasers import HERE, Given

    from nerquake.perturb.paraphrase import TOO_FAR

    corpus = data([sentence("anna", "Anna met Bo in Bonn on Monday .", "B-PER O B-PER O B-LOC O O O")])
    Given.say(
        anna=["Bo says that Bonn never cared for the fish that Anna used to sell.", "On Monday Anna met Bo in Bonn."]
    )
    spec = f'paraphrase:"{HERE}:Given",encoder="{minilm}",name=it'
    made = by_parent(run(corpus, spec))["anna"]
    assert made.sentence.tokens[:2] == ("On", "Monday")
    assert made.rewrite is not None and float(dict(made.rewrite.source)["meaning"]) > 0.9
    assert dict(run(corpus, spec).rejected) == {TOO_FAR: 1}
    assert by_parent(run(corpus, f"{spec},min-meaning=-1"))["anna"].sentence.tokens[0] == "Bo"


def with_file(minilm: str, folder: Path, name: str, content: object) -> SentenceEncoder:
    shutil.copytree(minilm, folder / "it", copy_function=lambda a, b: Path(b).symlink_to(a))
    file = folder / "it" / name
    file.parent.mkdir(exist_ok=True)
    file.unlink(missing_ok=True)
    file.write_text(json.dumps(content), "utf-8")
    return SentenceEncoder(str(folder / "it"))


def test_pooling_as_the_folder_says(minilm: str, tmp_path: Path) -> None:
    first = with_file(minilm, tmp_path, "1_Pooling/config.json", {"pooling_mode_cls_token": True})
    pair = "Anna met Bo .", "Bo was met by Anna ."
    assert first.likeness(*pair) != pytest.approx(SentenceEncoder(minilm).likeness(*pair))


@pytest.mark.parametrize(("name", "content", "message"), [
    ("1_Pooling/config.json", {"pooling_mode_max_tokens": True}, "its pooling is not known here"),
    ("1_Pooling/config.json", {"pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": True}, "pooling"),
    ("modules.json", [{"type": "sentence_transformers.models.Dense"}], "asks for Dense"),
])  # fmt: skip
def test_what_is_not_known_is_refused(minilm: str, tmp_path: Path, name: str, content: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        with_file(minilm, tmp_path, name, content).check()


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no config\.json"):
        SentenceEncoder(str(tmp_path)).check()
