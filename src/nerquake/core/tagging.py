"""Running a tagger: gold is stripped before it sees a sentence, and its answers are joined by sentence id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, get_args

from nerquake.core.dataset import Dataset
from nerquake.core.errors import PluginError, guarded
from nerquake.core.labels import JoinedLabels
from nerquake.core.options import options_of
from nerquake.core.protocols import Fitting, SetTagger, Tagger, Tagging
from nerquake.core.results import Predictions
from nerquake.core.scheme import Repair
from nerquake.core.sentence import Sentence, check_spans
from nerquake.core.span import Span
from nerquake.core.spec import Spec

BATCH = 256
Progress = Callable[[int], object]


class Named(NamedTuple):
    """A tagger under the name that outputs use, with the specification that made it."""

    name: str
    spec: str
    tagger: Tagger | SetTagger


@dataclass(frozen=True, slots=True)
class Remembering:
    """A tagger that is asked about each token sequence once.

    So a sentence that an attack left alone has the same answer as before it, also from a model whose answers depend
    a little on what else is in the batch, and no flip is counted that no attack has caused.
    """

    tagger: Tagger
    known: dict[tuple[str, ...], Tagging] = field(default_factory=dict)

    def labels(self) -> frozenset[str] | None:
        """The tagger's own."""
        return self.tagger.labels()

    def predict(self, batch: Sequence[tuple[str, ...]]) -> Sequence[Tagging]:
        """What is known, and the tagger's answers for the rest."""
        fresh = list(dict.fromkeys(tokens for tokens in batch if tokens not in self.known))
        if fresh:
            given = self.tagger.predict(fresh)
            answers = list(given) if isinstance(given, Iterable) else []
            if len(answers) != len(fresh):
                raise PluginError(f"it gave {len(answers)} answers for {len(fresh)} sentences")
            self.known.update(zip(fresh, answers, strict=True))
        return [self.known[tokens] for tokens in batch]


def fitted(tagger: Any, spec: Spec, gold: Dataset, repair: Repair = "conlleval", extension: str = "conll") -> Any:
    """A tagger as it is asked about a data set: with the run's repair, and with what it takes from the gold file.

    A repair that the specification sets stays, and so does a third party's option of that name that means something
    else, as its default shows.
    """
    option = options_of(type(tagger)).get("repair")
    if option is not None and spec.get("repair") is None and option.default in get_args(Repair):
        tagger = replace(tagger, repair=repair)
    return tagger.fitted(gold, extension) if isinstance(tagger, Fitting) else tagger


def remembering(named: Named) -> Named:
    """The tagger as an audit asks it; predictions made elsewhere are read for every set."""
    if isinstance(named.tagger, SetTagger):
        return named
    return named._replace(tagger=Remembering(named.tagger))


def announce(named: Named, sets: Mapping[str, Sequence[Sentence]]) -> None:
    """Tell a tagger that reads answers made elsewhere which sets it will be asked about, gold stripped.

    Raises:
        InputError: answers are missing; names every one.
    """
    if isinstance(named.tagger, SetTagger):
        named.tagger.expect({name: [s.stripped() for s in sentences] for name, sentences in sets.items()})


def run_tagger(
    named: Named,
    set_name: str,
    sentences: Sequence[Sentence],
    join: JoinedLabels,
    progress: Progress | None = None,
    batch: int = BATCH,
) -> Predictions:
    """Tag a set's sentences. `join` brings the labels to those of the gold set and counts what it leaves out.

    batch   sentences that the tagger is asked about at a time

    Raises:
        LabelsDiffer: a label cannot be joined; declared labels are checked before anything is tagged.
        PluginError: the tagger gave another number of answers, or mentions that are no valid spans.
    """
    declared = named.tagger.labels()
    if declared is not None:
        join.check(declared)
    left_out_before = Counter(join.left_out)
    bare = [sentence.stripped() for sentence in sentences]
    answers: list[Tagging] = []
    seen: set[str] = set()
    for part in _answers(named, set_name, bare, batch):
        seen.update(span.label for answer in part for span in answer.spans)
        join.check(seen)
        answers += part
        if progress is not None:
            progress(len(part))
    spans = tuple(join.apply(_valid(named, answer, sentence)) for answer, sentence in zip(answers, bare, strict=True))
    return Predictions(
        tagger=named.name,
        ids=tuple(sentence.id for sentence in bare),
        spans=spans,
        unseen=tuple(answer.unseen for answer in answers),
        invalid=sum(answer.invalid for answer in answers),
        left_out=dict(sorted((join.left_out - left_out_before).items())),
        notes={s.id: answer.notes for s, answer in zip(bare, answers, strict=True) if answer.notes},
    )


def _answers(named: Named, set_name: str, bare: Sequence[Sentence], size: int) -> Iterator[list[Tagging]]:
    """The tagger's answers, batch by batch."""
    if isinstance(named.tagger, SetTagger):
        with guarded(f"{named.name}, set {set_name}"):
            given = named.tagger.predict_set(set_name, bare)
        yield _checked(named, f"{len(bare)} sentences of {set_name}", len(bare), given)
        return
    for start in range(0, len(bare), size):
        batch = [sentence.tokens for sentence in bare[start : start + size]]
        with guarded(f"{named.name}, set {set_name}, sentences {start + 1} to {start + len(batch)}"):
            answers = named.tagger.predict(batch)
        yield _checked(named, f"a batch of {len(batch)} sentences", len(batch), answers)


def _checked(named: Named, what: str, expected: int, answers: Iterable[Tagging]) -> list[Tagging]:
    if not isinstance(answers, Iterable):
        raise PluginError(f"{named.name} gave {answers!r} for {what}; a list of answers is expected")
    found = list(answers)
    if len(found) != expected:
        raise PluginError(f"{named.name} gave {len(found)} answers for {what}")
    for answer in found:
        if not isinstance(answer, Tagging):
            raise PluginError(f"{named.name} gave a {type(answer).__name__} for a sentence; a Tagging is expected")
        if not all(isinstance(span, Span) for span in answer.spans):
            raise PluginError(f"{named.name}: a Tagging holds Spans, got {answer.spans!r}")
    return found


def _valid(named: Named, answer: Tagging, sentence: Sentence) -> tuple[Span, ...]:
    size = len(sentence.tokens)
    if answer.invalid < 0 or not all(isinstance(at, int) and 0 <= at < size for at in answer.unseen):
        raise PluginError(
            f"{named.name}, sentence {sentence.id!r}: unseen={answer.unseen!r}, invalid={answer.invalid!r} cannot be"
            f" for {size} tokens"
        )
    spans = tuple(sorted(answer.spans))
    try:
        check_spans(spans, len(sentence.tokens), sentence.id)
    except ValueError as error:
        raise PluginError(f"{named.name}: {error}") from error
    return spans
