"""Which sentences a model was trained on, and whether an audit asks about them again: the leak guard.

Everything goes by *sources*: the sentences that stood in a file before anything was made of them. A variant counts as
its source, so that neither a split nor an audit is fooled by other words in the same sentence.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from nerquake.core.sentence import Sentence, token_hash

_SET = re.compile(r"(.+)~[A-Za-z0-9._+=-]*[A-Za-z][A-Za-z0-9._+=-]*", re.DOTALL)
"""A variant's id, `<parent>~<set>`. Set names are those of specifications: one without a letter is no such name."""
_HASH = re.compile(r"[0-9a-f]{12}")
_REPEAT = re.compile(r"([0-9a-f]{12})\.[0-9]+")


@dataclass(frozen=True, slots=True)
class SourceKey:
    """What tells a source: its id, and the hash of its tokens; None where only variants of it are there."""

    id: str
    hash: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """One source that a model was trained on.

    sentences  token hashes of the training sentences that are it, or were made from it, sorted
    """

    key: SourceKey
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sources:
    """What a model was trained on: every source, by id and then by hash.

    name   what it was read from, for messages
    """

    sources: tuple[Source, ...]
    name: str = ""

    @classmethod
    def of(cls, sentences: Iterable[Sentence], name: str = "") -> Sources:
        """The sources of training sentences, originals and augmented ones."""
        members = list(sentences)
        lineage = Lineage(members)
        found: dict[SourceKey, set[str]] = defaultdict(set)
        for sentence in members:
            found[lineage.key(sentence)].add(token_hash(sentence.tokens))
        return cls(_sorted(found), name)

    def joined(self, other: Sources) -> Sources:
        """Both together: a model that went on from another was trained on the sources of both."""
        found: dict[SourceKey, set[str]] = defaultdict(set)
        for source in (*self.sources, *other.sources):
            found[source.key].update(source.sentences)
        return Sources(_sorted(found), ", ".join(dict.fromkeys(filter(None, (self.name, other.name)))))

    def __len__(self) -> int:
        return len(self.sources)


def _sorted(found: dict[SourceKey, set[str]]) -> tuple[Source, ...]:
    order = sorted(found, key=lambda key: (key.id, key.hash or ""))
    return tuple(Source(key, tuple(sorted(found[key]))) for key in order)


def source_id(sentence: Sentence, others: Iterable[Sentence] = ()) -> str:
    """The id of the sentence that this one goes back to; its own where it was made from none.

    others   the sentences of its file, through which it is followed to the first ancestor (`Lineage`)
    """
    return Lineage(others).root(sentence)


class Lineage:
    """Follows sentences to their sources through the sentences of their file.

    A sentence says what it was made from (`Sentence.source`). Attacked files do not always: there the id
    `<parent>~<set>` says it, and is taken at its word where `<parent>` is known, or where `<set>` can be the name of a
    set, which has a letter. So `s1~swap` goes back to `s1` in a file that holds variants only, and `doc~2` stays what
    it is unless there is a `doc`. Of a sentence without an id the hash of its tokens is the id, and a repeat (`.2`)
    has the same source; what variants without ids were made from cannot be known once they are alone in a file.

    known   more ids that sentences may go back to
    """

    def __init__(self, sentences: Iterable[Sentence] = (), known: Collection[str] = ()) -> None:
        self._own: dict[str, Sentence] = {}
        for sentence in sentences:
            held = self._own.get(sentence.id)
            if held is None or (held.source is not None and sentence.source is None):
                self._own[sentence.id] = sentence
        self._known = known

    def root(self, sentence: Sentence) -> str:
        """The id of a sentence's source. Sentences made from each other in a circle share the smallest of their ids."""
        at = self._before(sentence)
        passed: list[str] = []
        while at in self._own and at not in passed:
            passed.append(at)
            at = self._before(self._own[at])
        return min(passed[passed.index(at) :]) if at in passed else at

    def key(self, sentence: Sentence) -> SourceKey:
        """A sentence's source, with the hash of its tokens where the source itself is there."""
        root = self.root(sentence)
        if root == _own_id(sentence) and sentence.source in (None, root, sentence.id):
            return SourceKey(root, token_hash(sentence.tokens))
        held = self._own.get(root)
        if held is not None:
            return SourceKey(root, token_hash(held.tokens))
        made_from_tokens = sentence.hashed and _HASH.fullmatch(root) is not None
        return SourceKey(root, root if made_from_tokens else None)

    def cut(self, identifier: str) -> str:
        """The id in front of `~<set>`; the id as it is where it has no such end."""
        at = identifier.find("~", 1)
        while at > 0:
            if identifier[:at] in self._own or identifier[:at] in self._known:
                return identifier[:at]
            at = identifier.find("~", at + 1)
        while (match := _SET.fullmatch(identifier)) is not None:
            identifier = match[1]
        return identifier

    def _before(self, sentence: Sentence) -> str:
        """One step back: what a sentence was made from, by its own word or by its id."""
        if sentence.source is None or sentence.source == sentence.id:
            own = _own_id(sentence)
            return own if own != sentence.id or sentence.hashed else self.cut(own)
        if sentence.source in self._own:
            return sentence.source
        if sentence.hashed and (match := _REPEAT.fullmatch(sentence.source)) is not None:
            return match[1]
        return self.cut(sentence.source)


def _own_id(sentence: Sentence) -> str:
    """A sentence's id; where it was made from the tokens, their hash, whichever repeat it is."""
    if not sentence.hashed and _REPEAT.fullmatch(sentence.id) is None:
        return sentence.id
    made = token_hash(sentence.tokens)
    return made if sentence.hashed or sentence.id.startswith(f"{made}.") else sentence.id


class Overlap(NamedTuple):
    """Ids of audited sentences, in their order, each in one list at most.

    both       sentences that the model was trained on, by source id and tokens: an audit is refused
    id_only    their source id is a trained one's, which has other tokens
    hash_only  their tokens, or those of their source, are trained ones, under another id
    """

    both: tuple[str, ...]
    id_only: tuple[str, ...]
    hash_only: tuple[str, ...]


def overlap(trained: Sources, audited: Iterable[Sentence], others: Iterable[Sentence] = ()) -> Overlap:
    """Which audited sentences a model has seen in training, they themselves or what they were made from.

    An audited sentence counts as `both` where its source id is that of a trained source and

    - the source's tokens are known on both sides and equal, or
    - the sentence itself has the tokens of a training sentence of that source, or
    - the source's tokens are not known on one side, since that file holds variants only. Then nothing speaks against
      the id, and a variant must not pass because its source was left out.

    Take ten sources with five variants each (60 sentences), split by source. A model trained on the 60 % and audited
    on the 40 % shares no source, and nothing is found. One trained on a file that holds the sources of the 40 % is
    found out, whichever of the six sentences of a source stood in that file and whichever are audited: original and
    original, or one variant and another, have the source id in common, and where both files hold the original they
    have its tokens in common too.

    Where both tokens are known and differ, the same id is a coincidence (files that number their sentences from 1) or
    an edited file: `id_only`. Equal tokens under other ids are `hash_only`. Sentences without ids of their own are
    called by their hash, so there the two are always equal together.

    audited  the sentences that the audit asks about
    others   the rest of their file, in which their sources may stand
    """
    asked = list(audited)
    everything = [*asked, *others]
    index = _Index(trained, {sentence.id for sentence in everything})
    lineage = Lineage(everything, index.ids)
    found: dict[str, list[str]] = {"both": [], "id_only": [], "hash_only": []}
    for sentence in asked:
        kind = index.kind(lineage.key(sentence), token_hash(sentence.tokens))
        if kind:
            found[kind].append(sentence.id)
    return Overlap(**{kind: tuple(ids) for kind, ids in found.items()})


class _Index:
    """Trained sources by id and by hash. `audited` are ids that trained variants may go back to."""

    def __init__(self, trained: Sources, audited: Collection[str]) -> None:
        self.ids: dict[str, list[Source]] = defaultdict(list)
        self._hashes: set[str] = set()
        lineage = Lineage(known=audited)
        for source in trained.sources:
            self._hashes.update(_hashes(source))
            root = lineage.cut(source.key.id)
            known = root == source.key.id  # else what training took for a source is a variant of what is audited
            self.ids[root].append(source if known else Source(SourceKey(root), tuple(_hashes(source))))

    def kind(self, key: SourceKey, own: str) -> str:
        """How a sentence with this source and these tokens overlaps; "" where it does not."""
        for source in self.ids.get(key.id, ()):
            unknown = key.hash is None or source.key.hash is None
            if unknown or key.hash == source.key.hash or own in source.sentences:
                return "both"
        if own in self._hashes or key.hash in self._hashes:
            return "hash_only"
        return "id_only" if key.id in self.ids else ""


def _hashes(source: Source) -> Iterator[str]:
    yield from source.sentences
    if source.key.hash is not None:
        yield source.key.hash
