"""A small set of words and phrases that mean the same where part of speech and frame fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from nerquake.language.rewriting.english.alternation_table import BOTH, ONE_WAY, VERBS, Entry
from nerquake.language.rewriting.english.nominal import is_person, text_at
from nerquake.language.rewriting.english.verbs import inflected
from nerquake.language.rewriting.tree import Part, Rewriting, Rule, RuleKind, Tree, Word

ABSTRACT = frozenset({"time", "story", "idea", "life", "peace", "argument", "love", "silence", "favour", "freedom"})
WORK = frozenset({
    "work", "job", "task", "project", "building", "bridge", "road", "study", "report", "book", "film", "novel",
    "album", "song", "painting", "construction", "repair", "degree", "course", "training", "journey", "tour",
    "race", "match", "game", "season", "investigation",
})  # fmt: skip
BUILDINGS = frozenset({
    "bridge", "house", "road", "railway", "tower", "church", "school", "station", "plant", "factory", "stadium",
    "temple", "tunnel", "hospital", "castle", "wall", "building", "dam", "canal", "airport", "museum", "fort",
    "palace", "theatre",
})  # fmt: skip
SHUTTING = frozenset({
    "door", "window", "gate", "bridge", "road", "school", "shop", "factory", "plant", "station", "airport", "lid",
    "mine",
})  # fmt: skip
SIZED = frozenset({
    "house", "city", "town", "company", "crowd", "dog", "bridge", "room", "hall", "building", "garden", "ship",
    "boat", "tree", "stone", "box", "island", "lake", "factory", "hotel", "screen", "firm", "bank", "market",
    "audience", "village", "tent", "hole", "fire",
})  # fmt: skip


HEDGES = frozenset({"not", "at", "no", "much", "little"})
"""Words before a hedge that belong to it."""
BEFORE_BECAUSE = frozenset({"is", "was", "are", "were", "be", "been", ",", "part", "largely", "mainly"})
NO_SIZE = frozenset({"fan", "supporter", "deal", "star", "hit", "admirer", "favor", "favour", "believer", "follower"})


def _old(phrase: str) -> tuple[str, ...]:
    return tuple(phrase.split())


def _entries() -> dict[str, list[Entry]]:
    """The phrases by their first word."""
    found: dict[str, list[Entry]] = {}
    both = [entry for one, other, *rest in BOTH for entry in ((one, other, *rest), (other, one, *rest))]
    for old, new, pos, tag, frame in (*both, *ONE_WAY):
        entry = Entry(_old(old.lower()), _old(new), pos, tag, frame)
        found.setdefault(entry.old[0], []).append(entry)
    return found


ENTRIES = _entries()
VERB_PAIRS: dict[str, list[tuple[str, str]]] = {}
for _verb, _other, _frame in VERBS:
    VERB_PAIRS.setdefault(_verb, []).append((_other, _frame))


@dataclass(frozen=True, slots=True)
class Alternation(Rule):
    """Words become others of the same meaning, inflected as they were."""

    name: str = "alternation"
    kind: RuleKind = "lexical"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each entry of the table that fits."""
        for word in tree.words:
            text = word.text.lower()
            if text in ENTRIES and _plain(word):
                yield from self._phrases(tree, word, ENTRIES[text])
            if word.pos == "VERB" and word.lemma in VERB_PAIRS and _plain(word) and tree.mention_at(word.index) is None:
                yield from self._verbs(tree, word)

    def _phrases(self, tree: Tree, word: Word, entries: list[Entry]) -> Iterator[Rewriting]:
        for entry in entries:
            end = word.index + len(entry.old)
            here = tree.words[word.index : end]
            if tuple(one.text.lower() for one in here) != entry.old or not all(one.text.islower() for one in here[1:]):
                continue
            if any(tree.mention_at(one.index) is not None for one in here) or not _class_fits(word, entry):
                continue
            if not entry.frame or FRAMES[entry.frame](tree, word, end):
                yield self._exchange(tree, word.index, end, entry.new)

    def _verbs(self, tree: Tree, word: Word) -> Iterator[Rewriting]:
        for other, frame in VERB_PAIRS[word.lemma]:
            new = inflected(other, word.tag) if tree.child(word.index, "prt", "dative") is None else None
            if new is not None and FRAMES[frame](tree, word, word.index + 1):
                yield self._exchange(tree, word.index, word.index + 1, (new,))

    def _exchange(self, tree: Tree, start: int, end: int, new: tuple[str, ...]) -> Rewriting:
        """New words, and the article before them that their first sound asks for."""
        parts: tuple[Part, ...] = new
        article = text_at(tree, start - 1)
        if article in {"a", "an"} and tree.mention_at(start - 1) is None:
            asked = "an" if new[0][0] in "aeiou" else "a"
            if asked != article:
                start, parts = start - 1, (asked, *new)
        return Rewriting(self.name, start, end, parts, self.kind)


def _plain(word: Word) -> bool:
    """Whether a word is written small, or opens the sentence: no part of a title."""
    return word.text.islower() or (word.index == 0 and word.text.istitle())


def _class_fits(word: Word, entry: Entry) -> bool:
    if entry.pos and word.pos not in entry.pos.split() and len(entry.old) == 1:
        return False
    return word.tag == entry.tag or not entry.tag or (len(entry.old) > 1 and word.tag.startswith("NN"))


def _object(tree: Tree, word: Word) -> Word | None:
    """The object of a verb that has nothing else; its subject in the passive."""
    if tree.child(word.index, "ccomp", "xcomp", "oprd", "dative", "prt") is not None:
        return None
    passive = tree.child(word.index, "auxpass")
    return tree.child(word.index, "nsubjpass") if passive is not None else tree.child(word.index, "dobj")


def _object_among(lemmas: frozenset[str]) -> Callable[[Tree, Word, int], bool]:
    def fits(tree: Tree, word: Word, end: int) -> bool:
        thing = _object(tree, word)
        return thing is not None and thing.pos == "NOUN" and thing.lemma.lower() in lemmas

    return fits


def _to_verb(tree: Tree, word: Word, end: int) -> bool:
    return text_at(tree, end) == "to" and tree.words[end].dep == "aux" and tree.child(word.index, "xcomp") is not None


def _that_clause(tree: Tree, word: Word, end: int) -> bool:
    clause = tree.child(word.index, "ccomp")
    active = tree.child(word.index, "nsubj") is not None and tree.child(word.index, "auxpass", "dobj") is None
    return clause is not None and active and text_at(tree, end) == "that" and tree.words[end].dep == "mark"


def _concrete(tree: Tree, word: Word, end: int) -> bool:
    thing = _object(tree, word)
    return thing is not None and thing.pos in ("NOUN", "PROPN") and thing.lemma.lower() not in ABSTRACT


def _object_to_verb(tree: Tree, word: Word, end: int) -> bool:
    below = tree.child(word.index, "ccomp", "xcomp")
    if below is None or tree.child(word.index, "auxpass") is not None or text_at(tree, end) in {"for", "to"}:
        return False
    return any(child.text == "to" for child in tree.children(below.index, "aux"))


def _alone(tree: Tree, word: Word, end: int) -> bool:
    others = ("dobj", "xcomp", "ccomp", "attr", "acomp", "prt", "dative", "auxpass")
    if tree.child(word.index, *others) is not None or word.dep in ("csubj", "amod"):
        return False
    return tree.child(word.index, "nsubj") is not None and text_at(tree, end) not in {"to", "upon", "on", "if"}


def _told_alone(tree: Tree, word: Word, end: int) -> bool:
    """In the simple tenses, with a noun for a subject: `what is occurring` is nothing that people say."""
    subject = tree.child(word.index, "nsubj")
    return word.tag in ("VBD", "VBZ") and subject is not None and subject.pos == "NOUN" and _alone(tree, word, end)


def _in_place(tree: Tree, word: Word, end: int) -> bool:
    subject = tree.child(word.index, "nsubj")
    if subject is None or text_at(tree, end) not in {"in", "at"} or tree.child(word.index, "dobj") is not None:
        return False
    place = tree.child(tree.words[end].index, "pobj")
    person = is_person(tree, subject.index) or subject.text.lower() in {"he", "she", "they", "i", "we", "who"}
    return person and place is not None and tree.mention_at(place.index) is not None


def _to_person(tree: Tree, word: Word, end: int) -> bool:
    if text_at(tree, end) not in {"to", "with"} or tree.child(word.index, "dobj", "auxpass", "prt") is not None:
        return False
    return tree.words[end].dep == "prep"


def _amount(tree: Tree, word: Word, end: int) -> bool:
    if tree.child(word.index, "dobj", "auxpass") is not None or text_at(tree, end) != "by":
        return False
    amount = tree.child(end, "pobj")
    if amount is None or tree.child(word.index, "nsubj") is None:
        return False
    return amount.pos == "NUM" or amount.text == "%" or any(child.pos == "NUM" for child in tree.children(amount.index))


def _passive(tree: Tree, word: Word, end: int) -> bool:
    return word.tag == "VBN" and tree.child(word.index, "auxpass") is not None and word.index > 0


def _before_number(tree: Tree, word: Word, end: int) -> bool:
    if end >= len(tree.words) or tree.words[end].pos != "NUM" or tree.words[end].dep in ("pobj", "dobj", "appos"):
        return False
    noun, last = tree.words[tree.words[end].head], tree.words[end - 1]
    if last.dep == "prep" or last.head not in (end, noun.index) or text_at(tree, word.index - 1) in HEDGES:
        return False
    return noun.index > end and noun.pos in ("NOUN", "NUM", "SYM")


def _object_place(tree: Tree, word: Word, end: int) -> bool:
    last = tree.words[end - 1]
    return last.dep in ("dobj", "pobj") and text_at(tree, end) not in {"'s", "’s"} and text_at(tree, end - 3) != "one"


def _before_verb(tree: Tree, word: Word, end: int) -> bool:
    verb = tree.words[word.head]
    return verb.pos == "VERB" and verb.index == end and not tree.children(word.index)


def _opens_clause(tree: Tree, word: Word, end: int) -> bool:
    if word.dep != "mark" or text_at(tree, word.index - 1) in {"even", "as"}:
        return False
    subject = tree.child(word.head, "nsubj", "nsubjpass", "expl")
    return subject is not None and end <= subject.index < word.head


def _because(tree: Tree, word: Word, end: int) -> bool:
    """Beside a verb: `effects due to the spin` are not because of it."""
    verb = tree.words[word.head]
    noun = tree.child(end - 1, "pobj") or tree.child(word.index, "pobj")
    return noun is not None and verb.pos == "VERB" and text_at(tree, word.index - 1) not in BEFORE_BECAUSE


def _example(tree: Tree, word: Word, end: int) -> bool:
    thing = tree.child(end - 1, "pobj")
    before = tree.words[word.index - 1] if word.index else None
    if thing is None or before is None or (before.pos not in ("NOUN", "PROPN") and before.text != ","):
        return False
    return end < len(tree.words) and tree.words[end].pos in ("NOUN", "PROPN", "DET", "ADJ")


def _large(tree: Tree, word: Word, end: int) -> bool:
    """Beside a thing: a huge fan is not enormous."""
    noun = tree.words[word.head]
    return _attribute(tree, word, end) and not is_person(tree, noun.index) and noun.lemma not in NO_SIZE


def _plain_noun(tree: Tree, word: Word, end: int) -> bool:
    """A noun that is part of no compound, settled phrase or coordination of words for the same."""
    if word.dep in ("compound", "nmod", "npadvmod") or tree.child(word.index, "compound", "amod") is not None:
        return False
    if tree.child(word.index, "prep") is not None and text_at(tree, end) == "of":
        return False
    before = tree.words[word.index - 1] if word.index else word
    if before.pos == "PROPN" or (end < len(tree.words) and _binds(tree.words[end])):
        return False
    return text_at(tree, word.index - 1) not in {"-", "on", "by", "in", "and", "or", "limited"}


def _binds(after: Word) -> bool:
    return after.pos in ("NOUN", "PROPN", "NUM") or after.text == "-"


def _after_the(tree: Tree, word: Word, end: int) -> bool:
    noun = tree.words[word.head]
    return (
        word.dep == "amod"
        and noun.index == end
        and text_at(tree, word.index - 1) in {"the", "his", "her", "its", "their"}
    )


def _attribute(tree: Tree, word: Word, end: int) -> bool:
    noun = tree.words[word.head]
    return word.dep == "amod" and noun.index == end and noun.pos == "NOUN" and tree.mention_at(end) is None


def _sized(tree: Tree, word: Word, end: int) -> bool:
    return _attribute(tree, word, end) and tree.words[word.head].lemma.lower() in SIZED


def _before_to(tree: Tree, word: Word, end: int) -> bool:
    return word.dep == "acomp" and text_at(tree, end) == "to" and tree.child(word.index, "xcomp") is not None


def _preposition(tree: Tree, word: Word, end: int) -> bool:
    return word.dep == "prep" and tree.child(word.index, "pobj") is not None


FRAMES: dict[str, Callable[[Tree, Word, int], bool]] = {
    "to-verb": _to_verb,
    "that-clause": _that_clause,
    "object": _concrete,
    "concrete-object": _concrete,
    "work-object": _object_among(WORK),
    "building-object": _object_among(BUILDINGS),
    "shutting-object": _object_among(SHUTTING),
    "object-to-verb": _object_to_verb,
    "alone": _alone,
    "told-alone": _told_alone,
    "example": _example,
    "large": _large,
    "person-in-place": _in_place,
    "to-person": _to_person,
    "by-amount": _amount,
    "passive": _passive,
    "before-number": _before_number,
    "object-place": _object_place,
    "before-verb": _before_verb,
    "opens-clause": _opens_clause,
    "because": _because,
    "plain-noun": _plain_noun,
    "after-the": _after_the,
    "attribute": _attribute,
    "sized": _sized,
    "before-to": _before_to,
    "preposition": _preposition,
}
"""Conditions on the surroundings: the tree, the first word, and where what follows begins."""
