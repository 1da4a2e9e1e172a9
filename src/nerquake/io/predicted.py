"""Files of predictions: their tags are read under the gold file's scheme where it fits, repaired and counted."""

from __future__ import annotations

from typing import Literal, NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.errors import FormatError, Problem
from nerquake.core.protocols import ReadOptions
from nerquake.core.scheme import SCHEMES, Scheme, detect, detect_predicted
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.io.load import load_tags
from nerquake.io.tags import TagFile, ill_formed, scheme_named

Repair = Literal["conlleval", "discard", "none"]


class Predicted(NamedTuple):
    """Predictions as a data set; `invalid` holds for each sentence the transitions that its scheme does not allow."""

    dataset: Dataset
    invalid: tuple[int, ...]


def load_predicted(
    path: str, input_spec: str = "", *, scheme: str = "auto", gold: str = "", repair: Repair = "conlleval"
) -> Predicted:
    """Read a model's output.

    scheme   a scheme's name, or "auto": that of the gold file where it fits or nearly fits, else the file's own
    gold     name of the gold file's scheme, empty where it has none
    repair   "conlleval" reads ill-formed mentions, "discard" leaves them out, "none" refuses the file

    Raises:
        FormatError: the file cannot be read, or has ill-formed tags and `repair` is "none".
    """
    tags = load_tags(path, input_spec, ReadOptions(scheme=scheme, predicted=True))
    if tags.spans is not None:
        return _mentions(tags, tags.spans)
    chosen = _scheme(tags, scheme, gold)
    broken = [chosen.violations(sequence) for sequence in tags.tags]
    if repair == "none" and any(broken):
        raise FormatError(path, _problems(tags, chosen, broken), "--repair conlleval|discard reads such tags.")
    rows = zip(tags.ids, tags.hashed, tags.tokens, tags.tags, strict=True)
    sentences = [
        Sentence(key, tokens, chosen.decode(sequence, repair), hashed=hashed) for key, hashed, tokens, sequence in rows
    ]
    dataset = Dataset(tags.name, tuple(sentences), scheme=chosen, reader=tags.reader, notes=tags.notes)
    return Predicted(dataset, tuple(map(len, broken)))


def _mentions(tags: TagFile, spans: tuple[tuple[Span, ...], ...]) -> Predicted:
    """A file that holds mentions: there is nothing to repair, and scores are kept."""
    rows = zip(tags.ids, tags.hashed, tags.tokens, spans, strict=True)
    sentences = [Sentence(key, tokens, found, hashed=hashed) for key, hashed, tokens, found in rows]
    dataset = Dataset(tags.name, tuple(sentences), reader=tags.reader, notes=tags.notes)
    return Predicted(dataset, (0,) * len(sentences))


def _scheme(tags: TagFile, declared: str, gold: str) -> Scheme:
    found = scheme_named(declared)
    if found is not None:
        return found
    return detect_predicted(tags.tags, SCHEMES[gold]) if gold else detect(tags.tags).scheme


def _problems(tags: TagFile, scheme: Scheme, broken: list[list[int]]) -> list[Problem]:
    problems = []
    for index, positions in enumerate(broken):
        tokens, sequence = tags.tokens[index], tags.tags[index]
        lines = [tags.lines[index] + offset for offset in range(len(tokens))]
        problems += [ill_formed(scheme, tokens, sequence, lines, at, "--repair conlleval|discard") for at in positions]
    return problems
