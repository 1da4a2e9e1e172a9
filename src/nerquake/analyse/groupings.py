"""Ways of sorting gold mentions into groups: what a mention is, where it stands, and what training data say of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nerquake.analyse.material import Fate
from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import Variant

Of = Literal["all", "replaced"]
MENTION_LENGTHS = ("1 token", "2 tokens", "3 tokens", "4 or more tokens")
SENTENCE_LENGTHS = ("under 10 tokens", "10 to 19 tokens", "20 to 29 tokens", "30 to 39 tokens", "40 or more tokens")
POSITIONS = ("at the start", "in the first third", "in the middle third", "in the last third")
NOT_ORIGINS = frozenset({"was", "from", "item", "surrogate-missed"})
"""What edits say that names single mentions, sentences or items, not kinds of them."""
Surface = tuple[str, ...]


class Grouping(NamedTuple):
    """One way of sorting mentions.

    name    its key in the findings
    groups  names of the groups; `data` says that they, and what follows the colon in `name`, are the user's own text
    codes   for each mention the place of its group, -1 where it is in none
    of      which mentions it is about
    """

    name: str
    groups: tuple[str, ...]
    codes: NDArray[np.int64]
    data: bool = False
    of: Of = "all"

    def taken(self, places: NDArray[np.intp]) -> Grouping:
        """The same for some mentions, by place."""
        return self._replace(codes=self.codes[places])


class Known(NamedTuple):
    """Surfaces of a data set's mentions, each with how often it has each label."""

    exact: Mapping[Surface, Counter[str]]
    folded: Mapping[Surface, Counter[str]]


def known_surfaces(dataset: Iterable[Sentence]) -> Known:
    """What mentions of a data set are called."""
    exact: defaultdict[Surface, Counter[str]] = defaultdict(Counter)
    folded: defaultdict[Surface, Counter[str]] = defaultdict(Counter)
    for sentence in dataset:
        for span in sentence.spans:
            exact[sentence.mention(span)][span.label] += 1
            folded[_fold(sentence.mention(span))][span.label] += 1
    return Known(dict(exact), dict(folded))


def mention_groupings(original: Dataset, training: Known | None) -> tuple[Grouping, ...]:
    """How all mentions of the audited sentences, in order, can be sorted before any attack.

    training   what the training data call their mentions, None where they are not known
    """
    mentions = [(sentence, span) for sentence in original for span in sentence.spans]
    found = [] if training is None else [*_seen_groupings(mentions, training)]
    found.append(_grouping("mention-length", [MENTION_LENGTHS[min(span.width, 4) - 1] for _, span in mentions]))
    found.append(_grouping("sentence-length", [SENTENCE_LENGTHS[min(len(s) // 10, 4)] for s, _ in mentions]))
    found.append(_grouping("position", [_position(sentence, span) for sentence, span in mentions]))
    found.append(_grouping("capitals", [capitals(sentence.mention(span)) for sentence, span in mentions]))
    if training is not None:
        found.append(_grouping("consistency-training", [_consistency(m, training, 0) for m in mentions]))
    else:
        own = known_surfaces(original)
        found.append(_grouping("consistency-audited", [_consistency(m, own, 1) for m in mentions]))
    return (*found, *_data_groupings(mentions))


def replacement_groupings(
    fates: Sequence[Fate], variants: Mapping[str, Variant], training: Known | None
) -> tuple[Grouping, ...]:
    """How the mentions that an attack replaced can be sorted: by the new text, and by where it comes from.

    fates      the mentions that were followed, replaced or not, as any model meets them
    variants   by their own id
    """
    found = []
    if training is not None:
        new = (_fold(variants[fate.variant].sentence.mention(fate.gold[1])) for fate in fates)
        seen = [
            _seen(text in training.folded) if fate.replaced else None for text, fate in zip(new, fates, strict=True)
        ]
        found.append(_grouping("replacement-seen", seen, of="replaced"))
    sources = [_origin(variants[fate.variant], fate.gold[0]) if fate.replaced else {} for fate in fates]
    for key in sorted({key for source in sources for key in source}):
        values = [source.get(key) for source in sources]
        found.append(_grouping(f"source:{key}", values, data=True, of="replaced"))
    return tuple(found)


def _grouping(name: str, values: Sequence[str | None], *, data: bool = False, of: Of = "all") -> Grouping:
    names = tuple(sorted({value for value in values if value is not None}))
    place: dict[str | None, int] = {value: index for index, value in enumerate(names)}
    codes = np.fromiter((place.get(value, -1) for value in values), dtype=np.int64, count=len(values))
    return Grouping(name, names, codes, data, of)


def _seen_groupings(mentions: Sequence[tuple[Sentence, Span]], training: Known) -> Iterator[Grouping]:
    """Seen and unseen: exactly or whatever the case, under the same label or any."""
    none: Counter[str] = Counter()
    exact = [training.exact.get(sentence.mention(span), none) for sentence, span in mentions]
    folded = [training.folded.get(_fold(sentence.mention(span)), none) for sentence, span in mentions]
    for name, known in (("seen", exact), ("seen-folded", folded)):
        same = [span.label in labels for labels, (_, span) in zip(known, mentions, strict=True)]
        yield _grouping(f"{name}-same-label", [_seen(value) for value in same])
        yield _grouping(f"{name}-any-label", [_seen(bool(labels)) for labels in known])


def _seen(value: bool) -> str:
    return "seen" if value else "unseen"


def _fold(surface: Surface) -> Surface:
    return tuple(map(str.casefold, surface))


def _position(sentence: Sentence, span: Span) -> str:
    """By its first token."""
    return POSITIONS[0] if not span.start else POSITIONS[1 + 3 * span.start // len(sentence)]


def capitals(surface: Surface) -> str:
    """The pattern of capitals of a mention's words; what has no case, such as digits or Hindi, is left out of it."""
    cased = [letters for letters in ("".join(filter(_has_case, word)) for word in surface) if letters]
    if not cased:
        return "no letter with case"
    if all(word.islower() for word in cased):
        return "no capitals"
    if all(word.isupper() for word in cased) and any(len(word) > 1 for word in cased):
        return "all capitals"
    # A word is capitalised by its first letter, so that `McDonald` is and `iPhone` is not.
    return "mixed" if any(word[0].islower() for word in cased) else "every word capitalised"


def _has_case(letter: str) -> bool:
    return letter.isupper() or letter.islower() or letter.istitle()


def _consistency(mention: tuple[Sentence, Span], known: Known, itself: int) -> str:
    """How often mentions with its text have its label; `itself` of them are the mention in question."""
    sentence, span = mention
    labels = known.exact.get(sentence.mention(span))
    others = 0 if labels is None else labels.total() - itself
    if labels is None or not others:
        return "no other mention with this text"
    same = labels[span.label] - itself
    if same in (0, others):
        return "always the same label" if same else "never the same label"
    return "mostly the same label" if 2 * same >= others else "seldom the same label"


def _data_groupings(mentions: Sequence[tuple[Sentence, Span]]) -> Iterator[Grouping]:
    """By document, and by whatever else the file says: of a sentence as a whole, and beside a mention's first token."""
    sentences = {id(sentence): sentence for sentence, _ in mentions}
    meta = {key: dict(sentence.meta) for key, sentence in sentences.items()}
    columns = max((len(sentence.columns[0]) for sentence in sentences.values() if sentence.columns), default=0)

    if any(sentence.doc_id is not None for sentence in sentences.values()):
        yield _grouping("document", [sentence.doc_id for sentence, _ in mentions], data=True)
    for name in sorted({name for found in meta.values() for name in found}):
        yield _grouping(f"meta:{name}", [meta[id(sentence)].get(name) for sentence, _ in mentions], data=True)
    for place in range(columns):
        values = [
            sentence.columns[span.start][place] if sentence.columns and place < len(sentence.columns[0]) else None
            for sentence, span in mentions
        ]
        yield _grouping(f"column:{place + 1}", values, data=True)


def _origin(variant: Variant, old: Span) -> dict[str, str]:
    """What the edits of a mention say of where its new text came from; the title of a class stands for its number."""
    edits = [edit for edit in variant.edits if _within(edit, old)]
    found: dict[str, str] = {}
    for edit in edits:
        for key, value in edit.source:
            if key not in NOT_ORIGINS:
                found.setdefault(key, value)
    if "class-title" in found:
        found["class"] = found.pop("class-title")
    return found


def _within(edit: Edit, span: Span) -> bool:
    return edit.kind == "mention" and span.start <= edit.start and edit.end <= span.end
