"""The folder of an audit's stage files: what is finished is used again, and nothing else is.

```
DIR/dataset.jsonl                      the labelled data under the labels that are scored
DIR/<set>/variants.jsonl               an attacked set
DIR/<set>/unfinished.jsonl             what a slow attack has proposed so far, until it ends
DIR/<set>/naturalness.jsonl            how natural its sentences are to a masked language model
DIR/<set>/<tagger>.predictions.jsonl   a model's answer for it
```
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from nerquake.core.dataset import Dataset, content_fingerprint
from nerquake.core.errors import InputError
from nerquake.core.labels import LabelRules
from nerquake.core.protocols import Depending, Fingerprinted
from nerquake.core.results import Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.spec import Chain, Spec
from nerquake.core.tagging import Named
from nerquake.core.variant import AttackedSet
from nerquake.io.load import save
from nerquake.io.naturalness_file import Measures, read_naturalness, write_naturalness
from nerquake.io.predictions_file import read_predictions, write_predictions
from nerquake.io.proposals_file import ProposalsFile, unfinished
from nerquake.io.stages import StageKey
from nerquake.io.variants_file import read_variants, write_variants
from nerquake.registry import PERTURBATIONS

T = TypeVar("T")


class Asked(NamedTuple):
    """An attack that was asked for: what its set depends on.

    sample   how many sentences were drawn, None for all
    rules    how a surrogate's labels are joined to those of the data set
    """

    dataset: Dataset
    chain: Chain
    seed: int
    sample: int | None = None
    rules: LabelRules = LabelRules()


@dataclass(frozen=True, slots=True)
class WorkFolder:
    """Stage files below one folder."""

    path: Path

    def keep_dataset(self, dataset: Dataset) -> None:
        """Write the labelled data."""
        save(dataset, self.path / "dataset.jsonl", "jsonl")

    def variants(self, asked: Asked) -> AttackedSet | None:
        """The finished set of an attack, if it was made from this data by this attack and may be used again."""
        key = variants_key(asked)
        path = self._variants(asked.chain)
        return None if key is None else _or_none(lambda: read_variants(path, asked.dataset, key))

    def unfinished(self, asked: Asked) -> AbstractContextManager[ProposalsFile | None]:
        """What a run that did not end has proposed, and where this one keeps what it proposes."""
        return unfinished(self._unfinished(asked.chain), variants_key(asked))

    def keep_variants(self, asked: Asked, made: AttackedSet) -> None:
        """Write a finished set; what was kept while it was made goes."""
        key = variants_key(asked) or _unknown_key(asked)
        write_variants(self._variants(asked.chain), made, asked.dataset, key)
        self._unfinished(asked.chain).unlink(missing_ok=True)

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

    def naturalness(self, set_name: str, key: StageKey) -> Measures | None:
        """What was measured of a set, if it was measured as `key` says."""
        return _or_none(lambda: read_naturalness(self._naturalness(set_name), key))

    def keep_naturalness(self, set_name: str, key: StageKey, made: Measures) -> None:
        """Write what was measured of a set."""
        write_naturalness(self._naturalness(set_name), made, key)

    def _naturalness(self, set_name: str) -> Path:
        return self.path / set_name / "naturalness.jsonl"

    def _variants(self, chain: Chain) -> Path:
        return self.path / chain.name / "variants.jsonl"

    def _unfinished(self, chain: Chain) -> Path:
        return self.path / chain.name / "unfinished.jsonl"

    def _predictions(self, named: Named, set_name: str) -> Path:
        return self.path / set_name / f"{named.name}.predictions.jsonl"


def _or_none(read: Callable[[], T | None]) -> T | None:
    """A damaged stage file is a stage that is not finished: it is made again."""
    try:
        return read()
    except InputError:
        return None


def _unknown_key(asked: Asked) -> StageKey:
    """For an attack whose dependencies cannot be known: written, never used again."""
    return StageKey.of(str(asked.chain), asked.seed, asked.dataset, reusable=False)


def variants_key(asked: Asked) -> StageKey | None:
    """What an attacked set depends on; None where that cannot be known, as for a class of the user's own."""
    steps = asked.chain.steps
    if any(step.name not in PERTURBATIONS.builtins for step in steps):
        return None
    models: list[str] = []
    files: dict[str, str] = {}
    for step in steps:
        built = PERTURBATIONS.build(step)
        if not isinstance(built, Depending):
            files |= _files(step)
            continue
        on = built.depends_on(asked.dataset)
        if on is None:
            return None
        models.append(on)
    settings: dict[str, Any] = {
        "name": asked.chain.name,
        "sample": asked.sample,
        "language": asked.dataset.language,
        "files": files,
    }
    if models:
        rules = asked.rules
        settings |= {"models": models, "rules": [rules.only, rules.renames, rules.unmapped]}
    return StageKey.of(str(asked.chain), asked.seed, asked.dataset, **settings)


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
