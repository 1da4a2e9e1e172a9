"""What the rules on noun phrases ask of a sentence that spaCy's English pipeline parsed."""

from __future__ import annotations

from collections.abc import Collection

from nerquake.language.rewriting.tree import Part, Tree, Word

NOUNS = ("NOUN", "PROPN")
INSIDE = frozenset({"det", "amod", "compound", "nummod", "poss", "nmod"})
"""Relations of what stands in front of a noun."""
PEOPLE_LABELS = frozenset({"per", "person", "people"})
THING_LABELS = frozenset({
    "org", "organization", "organisation", "corporation", "group", "company", "loc", "location", "gpe", "fac",
    "facility", "product", "creative-work", "work_of_art", "law", "event",
})  # fmt: skip
NUMBER_LABELS = frozenset({"date", "time", "money", "percent", "quantity", "cardinal", "ordinal"})
PEOPLE = frozenset({
    "actor", "actress", "adviser", "analyst", "architect", "artist", "astronaut", "astronomer", "aunt", "author",
    "boy", "brother", "businessman", "businesswoman", "captain", "chairman", "chief", "child", "citizen", "coach",
    "colleague", "composer", "cousin", "customer", "daughter", "dentist", "director", "doctor", "driver",
    "economist", "editor", "employee", "engineer", "expert", "farmer", "father", "fisherman", "friend", "girl",
    "goalkeeper", "governor", "grandfather", "grandmother", "guest", "guide", "historian", "husband", "inspector",
    "journalist", "judge", "king", "lawyer", "leader", "man", "manager", "mayor", "minister", "mother", "musician",
    "neighbour", "neighbor", "novelist", "nurse", "officer", "official", "painter", "parent", "passenger",
    "patient", "people", "person", "philosopher", "photographer", "physicist", "pilot", "player", "poet",
    "policeman", "politician", "president", "priest", "prince", "princess", "professor", "pupil", "queen",
    "refugee", "reporter", "researcher", "resident", "sailor", "scientist", "secretary", "senator", "shareholder",
    "singer", "sister", "soldier", "son", "spokesman", "spokeswoman", "student", "teacher", "teenager", "tourist",
    "traveller", "trainee", "uncle", "victim", "visitor", "voter", "wife", "woman", "worker", "writer", "pianist",
    "umpire", "referee", "owner", "duke", "meteorologist", "jumper", "trader", "lender", "scholar",
    "surveyor", "runner", "supporter", "diver", "niece", "nephew", "grandma", "grandpa", "dad", "mum", "mom",
    "guitarist", "climber", "striker", "midfielder", "winger",
})  # fmt: skip
"""Nouns for people, by lemma."""


def whole(tree: Tree, start: int, end: int) -> bool:
    """Whether no mention lies partly inside [start, end)."""
    return all(end <= left or right <= start or (start <= left and right <= end) for left, right in tree.mentions)


def keeps(tree: Tree, start: int, end: int, parts: tuple[Part, ...]) -> bool:
    """Whether every mention that [start, end) touches lies whole in one of the ranges among the parts."""
    ranges = [part for part in parts if not isinstance(part, str)]
    touched = [(left, right) for left, right in tree.mentions if left < end and start < right]
    return all(any(one <= left and right <= other for one, other in ranges) for left, right in touched)


def reach(tree: Tree, index: int) -> tuple[int, int] | None:
    """The range of a word's subtree where it is in one piece and cuts no mention."""
    found = tree.reach(index)
    return found if found is not None and whole(tree, *found) else None


def text_at(tree: Tree, index: int) -> str:
    """The token there in lower case; empty outside the sentence."""
    return tree.words[index].text.lower() if 0 <= index < len(tree.words) else ""


def tag_at(tree: Tree, index: int) -> str:
    """The fine tag there; empty outside the sentence."""
    return tree.words[index].tag if 0 <= index < len(tree.words) else ""


def plain_phrase(tree: Tree, head: int, allowed: Collection[str] = INSIDE) -> tuple[int, int] | None:
    """The range of a noun with nothing but words in front of it; None where anything else hangs on it."""
    if any(child.dep not in allowed for child in tree.children(head)):
        return None
    found = reach(tree, head)
    if found is None or any(tree.words[at].pos in ("PUNCT", "VERB") for at in range(*found) if not hyphen(tree, at)):
        return None
    return found


def hyphen(tree: Tree, index: int) -> bool:
    """Whether a token is a hyphen, or a word that a mention owns, which says nothing about the phrase."""
    return tree.words[index].text == "-" or tree.mention_at(index) is not None


def label_at(tree: Tree, index: int) -> str:
    """The label of the mention that a token belongs to, in lower case; empty outside mentions."""
    for (start, end), label in zip(tree.mentions, tree.labels, strict=False):
        if start <= index < end:
            return label.lower()
    return ""


def is_person(tree: Tree, index: int) -> bool:
    """Whether a noun surely stands for people, by label or by word."""
    label = label_at(tree, index)
    return label in PEOPLE_LABELS if label else tree.words[index].lemma.lower() in PEOPLE


def is_plural(word: Word) -> bool:
    """Whether a noun asks for a plural verb, by its tag."""
    return word.tag in ("NNS", "NNPS")


def determiner(tree: Tree, head: int) -> str:
    """The article or possessive of a noun in lower case; `'s` for a possessive phrase, empty for none."""
    word = tree.child(head, "det", "poss")
    if word is None:
        return ""
    return word.text.lower() if word.dep == "det" or word.pos == "PRON" else "'s"


def closes(tree: Tree, index: int) -> bool:
    """Whether the sentence, or a part of it that punctuation sets off, ends before this token."""
    return index >= len(tree.words) or text_at(tree, index) in {".", "!", ";", ",", ":", "--", "-", "''", '"', ")"}


def ends(tree: Tree, index: int) -> bool:
    """Whether the sentence ends before this token: nothing follows but full stops and closing quotes."""
    return all(text_at(tree, at) in {".", "!", "''", '"', ")"} for at in range(index, len(tree.words)))


def depends(tree: Tree, index: int, *ancestors: str) -> bool:
    """Whether a word or anything above it has one of these relations."""
    seen: set[int] = set()
    while index not in seen:
        if tree.words[index].dep in ancestors:
            return True
        seen.add(index)
        index = tree.words[index].head
    return False


def quoted(tree: Tree, start: int, end: int) -> bool:
    """Whether quotation marks or brackets stand in the range."""
    return any(tree.words[at].text in {"``", "''", '"', "“", "”", "‘", "(", ")"} for at in range(start, end))
