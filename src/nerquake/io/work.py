"""The folder of an audit's stage files: what is finished is used again, and nothing else is.

```
DIR/dataset.jsonl                      the labelled data under the labels that are scored
DIR/<set>/variants.jsonl               an attacked set
DIR/<set>/<tagger>.predictions.jsonl   a model's answer for it
```
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from nerquake.core.dataset import Dataset, content_fingerprint
from nerquake.core.errors import InputError
from nerquake.core.labels import LabelRules
from nerquake.core.protocols import Fingerprinted
from nerquake.core.results import Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.spec import Chain, Spec
from nerquake.core.tagging import Named
from nerquake.core.variant import AttackedSet
from nerquake.io.load import save
from nerquake.io.predictions_file import read_predictions, write_predictions
from nerquake.io.stages import StageKey
from nerquake.io.variants_file import read_variants, write_variants
from nerquake.registry import PERTURBATIONS

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WorkFolder:
    """Stage files below one folder."""

    path: Path

    def keep_dataset(self, dataset: Dataset) -> None:
        """Write the labelled data."""
        save(dataset, self.path / "dataset.jsonl", "jsonl")

    def variants(self, dataset: Dataset, chain: Chain, seed: int, sample: int | None) -> AttackedSet | None:
        """The finished set of an attack, if it was made from this data by this attack and may be used again."""
        key = variants_key(dataset, chain, seed, sample)
        return None if key is None else _or_none(lambda: read_variants(self._variants(chain), dataset, key))

    def keep_variants(self, dataset: Dataset, chain: Chain, seed: int, sample: int | None, made: AttackedSet) -> None:
        """Write a finished set."""
        key = variants_key(dataset, chain, seed, sample) or _unknown_key(dataset, chain, seed)
        write_variants(self._variants(chain), made, dataset, key)

    def predictions(
        self, named: Named, set_name: str, sentences: Sequence[Sentence], labels: Sequence[str], rules: LabelRules
    ) -> Predictions | None:
        """A model's finished answer, if it is about these sentences and may be used again."""
        if not isinstance(named.tagger, Fingerprinted):
            return None
        key = _predictions_key(named, sentences, labels, rules)
        return _or_none(lambda: read_predictions(self._predictions(named, set_name), sentences, key, set_name))

    def keep_predictions(
        self,
        named: Named,
        set_name: str,
        sentences: Sequence[Sentence],
        labels: Sequence[str],
        rules: LabelRules,
        made: Predictions,
    ) -> None:
        """Write a finished answer."""
        key = _predictions_key(named, sentences, labels, rules)
        write_predictions(self._predictions(named, set_name), made, key, set_name)

    def _variants(self, chain: Chain) -> Path:
        return self.path / chain.name / "variants.jsonl"

    def _predictions(self, named: Named, set_name: str) -> Path:
        return self.path / set_name / f"{named.name}.predictions.jsonl"


def _or_none(read: Callable[[], T | None]) -> T | None:
    """A damaged stage file is a stage that is not finished: it is made again."""
    try:
        return read()
    except InputError:
        return None


def _unknown_key(dataset: Dataset, chain: Chain, seed: int) -> StageKey:
    """For an attack whose dependencies cannot be known: written, never used again."""
    return StageKey.of(str(chain), seed, dataset, reusable=False)


def variants_key(dataset: Dataset, chain: Chain, seed: int, sample: int | None) -> StageKey | None:
    """What an attacked set depends on; None where that cannot be known, as for a class of the user's own."""
    if any(step.name not in PERTURBATIONS.builtins for step in chain.steps):
        return None
    files = {path: digest for step in chain.steps for path, digest in _files(step).items()}
    return StageKey.of(
        str(chain), seed, dataset, name=chain.name, sample=sample, language=dataset.language, files=files
    )


def _files(step: Spec) -> dict[str, str]:
    """SHA-256 of every file or folder that a specification names."""
    found: dict[str, str] = {}
    for _, value in step.params:
        for item in value if isinstance(value, tuple) else (value,):
            # A specification inside a specification, such as a surrogate, names its file behind its own colon.
            name = item if item and Path(item).exists() else item.partition(":")[2]
            path = Path(name)
            if name and path.exists():
                files = sorted(path.rglob("*")) if path.is_dir() else [path]
                digest = sha256()
                for file in files:
                    if file.is_file():
                        digest.update(str(file).encode() + file.read_bytes())
                found[name] = digest.hexdigest()
    return found


def _predictions_key(named: Named, sentences: Sequence[Sentence], labels: Sequence[str], rules: LabelRules) -> StageKey:
    """What a model's answer depends on."""
    content = content_fingerprint([sentence.stripped() for sentence in sentences])
    settings = {
        "fingerprint": named.tagger.fingerprint() if isinstance(named.tagger, Fingerprinted) else "",
        "name": named.name,
        "gold_labels": sorted(labels),
        "only": list(rules.only),
        "renames": [list(pair) for pair in rules.renames],
        "unmapped": rules.unmapped,
    }
    return StageKey(named.spec, 0, content, content, settings)
