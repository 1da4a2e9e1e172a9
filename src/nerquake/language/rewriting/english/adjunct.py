"""Phrases and clauses that say when, where or why, beside a verb: those that may stand before or behind its clause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from nerquake.language.rewriting.english.clause import Clause, balanced, texts, whole_mentions
from nerquake.language.rewriting.english.words import FOCUSING, NEGATIVE, THIRD, TIMES
from nerquake.language.rewriting.tree import Tree, Word

PLACE_LABELS = frozenset({"GPE", "LOC", "FAC", "location", "geo-loc", "facility", "DATE", "TIME", "EVENT"})
TIME_PREPOSITIONS = frozenset({"during", "after", "before", "since", "until", "throughout", "by"})
PLACE_PREPOSITIONS = frozenset({
    "in", "at", "on", "near", "beside", "outside", "inside", "within", "above", "below", "beneath", "under", "along",
    "across", "behind", "between", "among", "around", "beyond", "alongside", "opposite",
})  # fmt: skip
OF_WAY = frozenset({"around", "across", "along", "between", "among"})
CAUSE_PREPOSITIONS = frozenset({"despite", "because", "without", "thanks", "unlike"})
TAKES_PLACE = frozenset({
    "put", "place", "set", "lay", "drop", "throw", "pour", "hang", "arrive", "land", "sit", "stand", "lie", "live",
    "reside", "remain", "stay", "rest", "stick", "lean", "lead", "go", "come", "get", "keep", "be", "end", "begin",
    "start", "answer", "rank", "dress", "wrap", "bury", "lock", "fall", "enrol", "enroll", "invest", "engage",
    "believe", "succeed", "result", "participate", "specialise", "specialize", "work", "look", "call", "depend", "rely",
    "insist", "focus", "base", "hit", "split", "cut", "turn", "bring", "take", "carry", "walk", "run", "march", "hop",
    "jump", "climb", "ride", "drive", "fly", "sail", "drift", "crawl", "queue", "line", "curl", "loom", "lurk",
    "spread", "store", "hide", "load", "plant", "paint", "print", "write", "blame", "spend", "swim", "play", "star",
    "appear", "feature", "circle", "round", "surround", "spill", "hold", "glue", "pack", "roll", "bolt", "count", "bet",
    "concentrate", "measure", "compare", "trade", "deal", "list", "include", "involve", "interest", "join", "return",
    "retreat", "locate", "situate", "pin", "post", "share", "tie", "wear", "dip", "soak", "mix", "cover", "pull",
    "push", "kick", "slip", "squeeze", "pass", "step", "trip", "slide", "tumble", "crash", "bump", "knock", "check",
    "settle", "expect", "feed", "act", "rise", "test", "translate", "speak", "sing", "cast", "shoot", "aim", "fire",
    "stare", "gaze", "smile", "shout", "yell", "tap",
})  # fmt: skip
"""Verbs whose phrase of place or direction belongs to them; it stays, unless it is a name of a place or a time."""
OF_DIRECTION = frozenset({
    "put", "place", "set", "lay", "drop", "throw", "pour", "hang", "arrive", "land", "stick", "get", "lead", "be",
    "end", "believe", "succeed", "result", "invest", "insist", "depend", "rely", "focus", "base", "blame", "reside",
    "locate", "situate", "spend", "interest", "engage", "include", "star", "lie", "live", "stand", "sit", "rank", "go",
    "come", "look", "fall", "turn", "trust", "split", "depart", "disappear", "vanish", "call", "specialise",
    "specialize", "participate", "originate", "enrol", "enroll", "settle", "move", "return", "translate",
    "grumble", "snarl", "lean", "bark", "laugh", "glance", "wave", "nod", "cheer", "jeer", "swear", "rage", "scoff",
    "sneer", "growl", "hint", "point", "aim", "shout", "yell", "stare", "gaze", "smile",
})  # fmt: skip
"""Verbs whose phrase of place stays even where it is a name."""
CONJUNCTIONS = frozenset({
    "after", "before", "because", "when", "while", "although", "though", "since", "until", "if", "once", "unless",
    "whenever", "whereas", "provided", "as",
})  # fmt: skip
ASKING = frozenset({
    "think", "wonder", "ask", "know", "see", "do", "doubt", "care", "mind", "tell", "check", "say", "be",
})  # fmt: skip
"""Verbs whose `if` may be what they ask."""
AIMING = frozenset({"pay", "ask", "wait", "vote", "prepare", "plan", "schedule", "set", "book"})
"""Verbs whose `for` with a time is their aim, and no duration."""
ADVERBS = frozenset({
    "meanwhile", "today", "yesterday", "tomorrow", "tonight", "recently", "eventually", "previously", "formerly",
    "currently", "afterwards", "nowadays", "initially", "originally", "later", "earlier", "sometimes", "occasionally",
    "now", "soon", "suddenly", "allegedly", "apparently", "reportedly", "unfortunately", "fortunately", "finally",
})  # fmt: skip
CLOCK = frozenset({"dawn", "noon", "midnight", "morning", "sunrise", "sunset", "january", "february", "march", "april",
                   "may", "june", "july", "august", "september", "october", "november", "december"})  # fmt: skip
WEATHER = frozenset({
    "rain", "sleet", "snow", "fog", "mist", "darkness", "sunshine", "drizzle", "hail", "silence", "heat", "wind",
    "moonlight", "thunderstorm",
})  # fmt: skip
CLOTHES = frozenset({
    "poncho", "ponchos", "suit", "costume", "uniform", "coat", "mask", "gown", "robe", "boot", "sock", "glove", "shirt",
    "jersey", "helmet", "sandal", "slipper", "raincoat",
})  # fmt: skip
POINTING = frozenset({"order", "way", "respect", "turn", "manner", "fashion"})
"""Nouns of phrases that point at the rest of their sentence: in that order."""
LONGEST = 22
"""Tokens that a phrase or clause may have to be moved."""

Kind = Literal["phrase", "clause", "adverb"]


class Adjunct(NamedTuple):
    """Tokens [start, end) beside a verb that may move; `head` is their preposition, noun, adverb or verb."""

    head: int
    start: int
    end: int
    kind: Kind


def adjuncts(tree: Tree, clause: Clause) -> Iterator[Adjunct]:
    """What may move of a clause, in order; never an argument of its verb, nor what is in doubt."""
    for child in tree.children(clause.verb):
        kind = _kind(tree, clause, child)
        if kind is None:
            continue
        found = _range(tree, clause, child)
        if found is None or not clause.start <= found[0] < found[1] <= clause.end:
            continue
        if _may_move(tree, *found):
            yield Adjunct(child.index, *found, kind)


def _range(tree: Tree, clause: Clause, child: Word) -> tuple[int, int] | None:
    reach = tree.reach(child.index)
    if reach is None:
        return None
    start, end = reach
    while end > start and tree.words[end - 1].pos in ("PUNCT", "SYM", "X"):
        end -= 1
    while start < end and tree.words[start].pos == "PUNCT":
        start += 1
    return (start, end) if start < end else None


def _may_move(tree: Tree, start: int, end: int) -> bool:
    words = texts(tree, start, end)
    if POINTING.intersection(words[1:]) or "than" in words or _tailed(tree, start, end):
        return False
    if end - start > LONGEST or not whole_mentions(tree, start, end) or not balanced(tree, start, end):
        return False
    return words[0] not in NEGATIVE | (FOCUSING - {"every", "each"}) and ";" not in words and ":" not in words


def _tailed(tree: Tree, start: int, end: int) -> bool:
    """Whether a participle hangs on a name in a phrase: `on Fifth Avenue riding a scooter`, which is the subject's."""
    return any(
        one.dep == "acl" and one.tag == "VBG" and tree.mention_at(one.head) is not None for one in tree.words[start:end]
    )


def _kind(tree: Tree, clause: Clause, child: Word) -> Kind | None:
    if child.dep == "advcl":
        return "clause" if _is_adverbial_clause(tree, child) else None
    if child.dep == "prep":
        return "phrase" if _is_adverbial_phrase(tree, clause, child) else None
    if child.dep == "npadvmod":
        return "phrase" if _is_date(tree, child) else None
    if child.dep == "advmod" and child.text.lower() in ("later", "earlier", "ago"):
        return "phrase" if tree.child(child.index, "npadvmod") is not None else None
    if child.dep == "advmod" and child.text.lower() in ADVERBS and len(tree.subtree(child.index)) == 1:
        return "adverb"
    return None


def _is_date(tree: Tree, word: Word) -> bool:
    """today, last week, a year ago; not how long or how often (two days, eleven times)."""
    if word.text.lower() in ("today", "yesterday", "tomorrow", "tonight"):
        return True
    first = tree.words[min(tree.subtree(word.index))].text.lower()
    if any(one.text.lower() in ("after", "before") for one in tree.children(word.index, "prep")):
        return word.lemma.lower() in TIMES
    behind = tree.words[word.index + 1].pos if word.index + 1 < len(tree.words) else ""
    if word.lemma.lower() not in TIMES or behind in ("NOUN", "PROPN"):  # "every night train"
        return False
    return first in ("this", "that", "last", "next", "every", "each")


def _is_adverbial_clause(tree: Tree, verb: Word) -> bool:
    """Whether a clause opens with a conjunction that can open a sentence, and has a subject and tense."""
    first = min(tree.subtree(verb.index))
    opener = tree.words[first]
    if opener.text.lower() not in CONJUNCTIONS or opener.head != verb.index:
        return False
    subject = next((one for one in tree.children(verb.index, "nsubj", "nsubjpass", "expl")), None)
    if subject is None or subject.index > verb.index or subject.index < first:
        return False
    if opener.text.lower() == "as":  # it compares, or tells when or why
        return False
    if opener.text.lower() == "if" and tree.words[verb.head].lemma.lower() in ASKING:
        return False
    before = tree.words[first - 1].text.lower() if first else ""
    return before not in ("so", "as", "than", "not", "just", "even", "only", "but", "and", "or", "especially", "ever")


def _is_adverbial_phrase(tree: Tree, clause: Clause, preposition: Word) -> bool:
    word = preposition.text.lower()
    noun = tree.child(preposition.index, "pobj", "pcomp")
    if noun is None or noun.index < preposition.index:
        return False
    if word in ("because", "thanks"):
        return len(tree.subtree(preposition.index)) > 2
    if noun.dep == "pcomp":
        return False
    return _fits(tree, clause, word, noun)


def _fits(tree: Tree, clause: Clause, word: str, noun: Word) -> bool:
    """Whether a preposition with its noun tells when, where or in spite of what."""
    verb = tree.words[clause.verb].lemma.lower()
    in_time = _is_time(tree, noun)
    if in_time and (_set_phrase(tree, word, noun) or _two_in_one(tree, noun)):
        return False
    if word == "for":
        counted = tree.child(noun.index, "nummod", "det", "quantmod") is not None and noun.tag in ("NN", "NNS")
        return in_time and counted and verb not in AIMING
    if word == "from":
        return noun.lemma.lower() in CLOCK or noun.text.isdigit()
    if word in ("by", "over"):
        return in_time and (word != "over" or tree.child(noun.index, "det", "nummod") is not None)
    if word == "in" and noun.lemma.lower() in WEATHER | CLOTHES:
        return True
    if word in TIME_PREPOSITIONS:
        return verb not in ("come", "look", "go", "name", "run", "be")
    if word in CAUSE_PREPOSITIONS:
        return True
    if word not in PLACE_PREPOSITIONS:
        return False
    if in_time and word in ("in", "at", "on", "around"):
        return verb != "be" or tree.child(clause.verb, "attr", "acomp") is not None
    return _is_place(tree, clause, word, noun, verb)


def _set_phrase(tree: Tree, word: str, noun: Word) -> bool:
    """on time, by the hour, twice in a week: they say how, how often or how much."""
    before = [one.text.lower() for one in tree.children(noun.index)]
    if noun.text.lower() in ("time", "times", "moment") and not before:
        return True
    if word == "by" and before == ["the"] and noun.text.lower() in ("hour", "day", "week", "month", "year", "minute"):
        return True
    return word == "in" and before in (["a"], ["an"])


def _two_in_one(tree: Tree, noun: Word) -> bool:
    """Whether a phrase of place hangs on a time, which is the verb's: `for a year across the ocean`."""
    found = tree.children(noun.index, "prep") if not _label_at(tree, noun.index) else ()
    return any(one.text.lower() in PLACE_PREPOSITIONS - {"in", "at"} | {"from", "to", "with"} for one in found)


def _is_time(tree: Tree, noun: Word) -> bool:
    if noun.lemma.lower() in TIMES or noun.text.lower() in TIMES:
        return noun.lemma.lower() not in ("game", "match", "end")
    if noun.text.isdigit() and len(noun.text) == 4:
        return True
    return _label_at(tree, noun.index) in ("DATE", "TIME", "EVENT")


def _is_place(tree: Tree, clause: Clause, word: str, noun: Word, verb: str) -> bool:
    """Where something happens: a name of a place, or a noun beside a verb with an object of its own."""
    if _label_at(tree, noun.index) in ("LAW", "law"):
        return word in ("under", "within")
    named = any(_label_at(tree, at) in PLACE_LABELS for at in _own_names(tree, noun))
    if verb in OF_DIRECTION:
        return False
    if tree.child(clause.verb, "attr", "acomp", "oprd") is not None and not named:
        return False
    if named:
        return word not in OF_WAY
    if verb in TAKES_PLACE or noun.pos == "PRON" or noun.tag == "VBG" or _label_at(tree, noun.index):
        return False
    if tree.child(noun.index, "det", "poss") is None or tree.child(clause.verb, "dobj", "prt", "auxpass") is None:
        return False
    return word not in (*OF_WAY, "within", "under", "beyond", "on")


def _own_names(tree: Tree, noun: Word) -> list[int]:
    """A noun and the names that tell which it is: the island of Rodrigues, a laboratory in Doha."""
    inner = [
        tree.child(one.index, "pobj") for one in tree.children(noun.index, "prep") if one.text.lower() in ("of", "in")
    ]
    return [noun.index, *(one.index for one in inner if one is not None)]


def _label_at(tree: Tree, index: int) -> str:
    for (start, end), label in zip(tree.mentions, tree.labels, strict=False):
        if start <= index < end:
            return label
    return ""


def keeps_reference(tree: Tree, clause: Clause, adjunct: Adjunct) -> bool:
    """Whether nobody is named behind his pronoun when the two change places.

    "He sang before Tom left" may mean another he than "Before Tom left, he sang".
    """
    subject = tree.words[clause.subject]
    own = tree.child(adjunct.head, "nsubj", "nsubjpass")
    if own is not None and own.text.lower() == "it" and _label_at(tree, subject.index) in ("PERSON", "PER", "person"):
        return False  # "Ana likes the car because it is fast": it would look for the car in vain
    if subject.text.lower() not in THIRD:
        return True
    named = any(tree.words[at].pos in ("PROPN", "NOUN") for at in range(adjunct.start, adjunct.end))
    if adjunct.kind == "clause":
        return own is not None and own.pos == "PRON"
    people = any(label in ("PERSON", "PER", "person", "NORP") and start < adjunct.end and adjunct.start < end
                 for (start, end), label in zip(tree.mentions, tree.labels, strict=False))  # fmt: skip
    return not people and (named or adjunct.kind == "adverb")
