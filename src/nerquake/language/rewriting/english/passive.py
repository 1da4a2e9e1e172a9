"""Active to passive: "Engineers closed the bridge ." becomes "The bridge was closed by engineers ."."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nerquake.language.rewriting.english.adjunct import CONJUNCTIONS, adjuncts
from nerquake.language.rewriting.english.clause import Clause, clauses, is_joined, noun_range, texts, whole_mentions
from nerquake.language.rewriting.english.group import group_of, number_of, passive_group
from nerquake.language.rewriting.english.words import NEGATIVE, OBJECT_FORM, REFERRING, SUBJECT_FORM, THIRD, TIMES
from nerquake.language.rewriting.tree import Part, Rewriting, Rule, RuleKind, Tree, Word

Range = tuple[int, int]

NO_PASSIVE = frozenset({
    "have", "resemble", "cost", "weigh", "lack", "fit", "suit", "become", "mean", "equal", "contain", "want", "like",
    "need", "be", "get", "let", "leave", "survive", "last", "remain", "stay", "seem", "say", "tell", "ask", "walk",
    "wish", "number", "total", "spend", "befit", "await", "marry", "begin", "start", "stop", "finish", "try",
    "continue", "do", "turn", "go", "come", "agree", "smell", "taste", "lose", "enjoy", "dare", "miss", "bid", "thank",
    "live", "die", "feel", "sit", "stand", "grow", "fail", "refuse", "fall", "take", "mind", "act", "boast", "comprise",
    "belong", "wonder", "happen", "arrive", "rise", "sleep", "smile", "laugh", "nod", "hope", "appear", "travel",
    "wait", "remember", "forget", "bear", "near", "hop", "average", "beat", "owe", "swear", "bet", "pay", "guess",
    "deserve", "show", "earn", "give", "gain", "flow", "slip", "drop", "crawl", "concern", "mark", "share", "account",
    "sum", "stake", "land", "exit", "depart", "tick", "precede", "regret", "know", "top", "treat", "describe", "regard",
    "call", "concede", "name", "consider", "deem", "hold", "answer", "thought", "own", "cry", "shout", "graft", "set",
    "draw", "eat",
})  - {"draw", "eat", "graft", "own"}  # fmt: skip
"""Stative and intransitive verbs, verbs of measure, and those whose passive is odd or means something else."""
IDIOMS = frozenset({
    ("break", "ranks"), ("set", "foot"), ("take", "place"), ("take", "part"), ("catch", "fire"), ("change", "hands"),
    ("make", "way"), ("make", "sense"), ("find", "way"), ("pick", "fights"), ("bake", "bread"), ("clear", "throat"),
    ("shrug", "shoulders"), ("shake", "head"), ("shake", "heads"), ("raise", "eyebrows"), ("draw", "breath"),
    ("see", "light"), ("hit", "note"), ("cross", "fingers"), ("make", "sure"), ("pull", "punches"),
    ("cast", "doubt"), ("make", "friends"), ("make", "room"), ("make", "use"), ("make", "debut"), ("make", "mistake"),
})  # fmt: skip
BLOCKING = ("dative", "iobj", "xcomp", "ccomp", "oprd", "acomp", "conj", "dep", "parataxis", "expl", "attr", "intj")
"""Relations beside the verb that make a passive another sentence, or a doubtful one."""
QUANTIFIED = frozenset({"each", "every", "all", "both", "many", "most", "few", "half", "half-empty", "several"})
ADRIFT = frozenset({"to", "for", "about", "between", "of", "against", "over", "as", "back", "toward", "towards"})
"""Prepositions of which a parser often cannot tell whether they follow the object or the verb."""
DIRECTIONS = frozenset({
    "home", "away", "back", "up", "down", "in", "out", "off", "on", "abroad", "there", "here", "over",
})  # fmt: skip
LONGEST_SUBJECT = 12
LONGEST_OBJECT = 14
LONGEST_AGENT = 5
"""Tokens of an agent that may stand between the verb and what belongs to it."""
SHORT_PHRASE = 4
"""Tokens of a phrase that may stand between the verb and its agent."""
URGING = frozenset({
    "oblige", "force", "urge", "require", "allow", "permit", "encourage", "order", "invite", "compel", "persuade",
    "advise", "instruct", "ask", "inspire", "enable",
})  # fmt: skip
"""Verbs with an object that is to do something."""
TRANSFERRING = frozenset({
    "open", "sell", "lend", "deliver", "return", "donate", "transfer", "offer", "export", "devote",
})  # fmt: skip
LIGHT = frozenset({
    "take", "make", "give", "have", "do", "lose", "break", "set", "keep", "play", "pay", "hold", "catch", "find",
    "seek", "get", "show", "draw", "raise", "lead", "beat", "leave", "ride", "cross", "want", "feel", "gain", "win",
    "change", "shake", "send", "bring", "need", "require", "spend", "call", "drop", "drink", "speak", "run", "open",
    "clear", "jump", "face", "declare", "wage", "bear", "attract",
})  # fmt: skip
"""Verbs that make one idea with a bare noun: take place, play tennis, set foot."""
COMPARING = frozenset({"measure", "compare", "pit", "weigh", "match", "pair", "confuse", "mix", "combine", "replace"})
REFLEXIVE = frozenset({"myself", "yourself", "himself", "herself", "itself", "ourselves", "yourselves", "themselves"})
INSIDE_LIST = frozenset({"his", "her", "its", "their"})
NO_SUBJECT = frozenset({
    "i", "we", "it", "you", "one", "that", "this", "there", "who", "which", "what", "some", "these", "those", "people",
    "everybody", "somebody", "someone", "everyone",
})  # fmt: skip
NO_OBJECT = frozenset({
    "it", "one", "that", "this", "what", "who", "more", "less", "way", "time", "times", "themselves",
})  # fmt: skip


class Passive(Rule):
    """The object becomes the subject, the subject an agent with `by`."""

    name = "passive"
    kind: RuleKind = "structure"
    turns = True
    voice = True

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One rewriting for each clause of subject, verb and object."""
        for clause in clauses(tree):
            found = self._of(tree, clause)
            if found is not None:
                yield found

    def _of(self, tree: Tree, clause: Clause) -> Rewriting | None:
        verb = tree.words[clause.verb]
        if verb.pos != "VERB" or verb.lemma.lower() in NO_PASSIVE or _blocked(tree, verb):
            return None
        objects = tree.children(verb.index, "dobj")
        if len(objects) != 1 or not _plain(tree, verb, objects[0]):
            return None
        subject, thing = noun_range(tree, clause.subject), noun_range(tree, objects[0].index)
        if subject is None or thing is None or not subject[1] <= verb.index < thing[0]:
            return None
        particle = _particle(tree, verb, thing)
        if particle is None or not _subject_fits(tree, clause, *subject) or not _object_fits(tree, clause, *thing):
            return None
        end = max(thing[1], particle[1])
        return self._made(tree, clause, subject, thing, particle) if _goes_on(tree, clause, end) else None

    def _made(self, tree: Tree, clause: Clause, subject: Range, thing: Range, particle: Range) -> Rewriting | None:
        verb, end = tree.words[clause.verb], max(thing[1], particle[1])
        head = next(one for one in tree.children(verb.index, "dobj"))
        complement = _complement(tree, clause, subject, end)
        if complement is None:
            return None
        number = number_of(tree, head.index)
        comma = tree.words[subject[1]].text == ","
        group = group_of(tree, clause, subject[1] + comma)
        verbs = passive_group(group, verb, number) if group is not None and number is not None else None
        if verbs is None:
            return None
        parts: list[Part] = [_as_subject(tree, thing), *verbs]
        if particle[0] < particle[1]:
            parts.append(particle)
        if complement > end:
            parts.append((end, complement))
        parts += ["by", _as_object(tree, subject)]
        if comma and complement < clause.end:
            parts.append(",")
        return Rewriting(self.name, subject[0], complement, tuple(parts))


def _blocked(tree: Tree, verb: Word) -> bool:
    """Whether something beside the verb stands against a passive; `obliges firms to pay` does not."""
    found = [one for one in tree.children(verb.index, *BLOCKING) if not is_joined(tree, one)]
    if verb.lemma.lower() in URGING and all(one.dep == "xcomp" and one.tag == "VB" for one in found):
        return False
    return bool(found)


def _particle(tree: Tree, verb: Word, thing: Range) -> Range | None:
    """The particle of the verb, before or behind the object: an empty range where it has none; None for other words."""
    before = tree.words[verb.index + 1 : thing[0]]
    if any(one.dep != "prt" or one.head != verb.index for one in before):
        return None
    behind = thing[1] if thing[1] < len(tree.words) else 0
    if not before and tree.words[behind].dep == "prt" and tree.words[behind].head == verb.index:
        return (behind, behind + 1)
    return (verb.index + 1, thing[0])


def _complement(tree: Tree, clause: Clause, subject: Range, behind: int) -> int | None:
    """Where the agent goes: behind the object, or behind a short phrase that follows it; None where neither reads well.

    "threw darts at the door": thrown at the door by a boy; "flipped a lorry onto its side" has no good place for it.
    """
    phrase = next(
        (one for one in tree.children(clause.verb, "prep", "npadvmod", "advmod") if _first(tree, one) == behind), None
    )
    long = subject[1] - subject[0] > LONGEST_AGENT or _heavy(tree, subject)
    if behind >= clause.end or tree.words[behind].text == ",":
        return behind
    if phrase is None:
        return None if long else behind
    loose = _is_loose(tree, clause, phrase.index) and not _spoken(tree, clause)
    if loose and not long:
        return behind
    reach = tree.reach(phrase.index)
    if reach is None or reach[0] != behind or not whole_mentions(tree, *reach):
        return None
    words = texts(tree, *reach)
    short = len(words) <= SHORT_PHRASE + 2 * _spoken(tree, clause) and not {*REFERRING, ",", "by"}.intersection(words)
    last = reach[1] >= clause.end or tree.words[reach[1]].tag in ("WRB", "IN")
    return reach[1] if short and last else None


def _first(tree: Tree, word: Word) -> int:
    return min(tree.subtree(word.index))


def _heavy(tree: Tree, part: Range) -> bool:
    """Whether a clause or an addition belongs to a phrase."""
    return any(one.dep in ("relcl", "acl", "appos") for one in tree.words[part[0] : part[1]])


def _is_loose(tree: Tree, clause: Clause, head: int) -> bool:
    """Whether a phrase only tells when or where, so that an agent may stand before it."""
    return any(one.head == head for one in adjuncts(tree, clause)) or tree.words[head].dep == "npadvmod"


def _goes_on(tree: Tree, clause: Clause, behind: int) -> bool:
    """Whether what follows the object can follow the agent as well."""
    for one in tree.children(clause.verb, "advcl", "prep", "advmod", "npadvmod"):
        words = texts(tree, min(tree.subtree(one.index)), max(tree.subtree(one.index)) + 1)
        if one.dep == "advcl" and (one.lemma in ("do", "have") or _hangs(tree, one)):
            return False  # "as did a guild", "Signed in 1987 ,": they ask for the old subject
        if "than" in words or words[0] in ("like", "unlike"):
            return False
        if words[0] == "in" and _named(tree, one.index + 1) in ("language", "norp") and not _spoken(tree, clause):
            return False  # "carries greetings in Cantonese": are they in it, or is it done in it?
        if words[0] == "with" and one.index > clause.verb and tree.words[one.index - 1].text != ",":
            return False  # "opened a lounge with a library": behind the agent it would be the agent's
    if behind >= clause.end:
        return True
    after = tree.words[behind]
    if after.text == ",":
        return tree.words[behind + 1].text.lower() in CONJUNCTIONS | {"and", "but", "so"}
    adrift = after.text.lower() in ADRIFT and not _belongs(tree, clause, after)
    return not adrift and not (after.text.lower() in DIRECTIONS and tree.child(after.index, "pobj") is None)


def _belongs(tree: Tree, clause: Clause, preposition: Word) -> bool:
    """Whether a preposition that could be the object's is surely the verb's: a time, or `to` of giving."""
    noun = tree.child(preposition.index, "pobj")
    if noun is None or preposition.head != clause.verb:
        return False
    if preposition.text.lower() == "to":
        return tree.words[clause.verb].lemma.lower() in TRANSFERRING
    return noun.lemma.lower() in TIMES


def _spoken(tree: Tree, clause: Clause) -> bool:
    """Whether the verb is one that is done in a language."""
    return tree.words[clause.verb].lemma.lower() in (
        "teach",
        "write",
        "publish",
        "broadcast",
        "print",
        "record",
        "sing",
    )


def _hangs(tree: Tree, verb: Word) -> bool:
    """Whether a clause without a subject of its own, and no infinitive, hangs on the subject of another."""
    if tree.child(verb.index, "nsubj", "nsubjpass", "expl") is not None:
        return False
    return all(one.tag != "TO" for one in tree.children(verb.index, "aux"))


def _plain(tree: Tree, verb: Word, thing: Word) -> bool:
    """Whether an object is a thing of its own: no measure, no idiom, no bare noun that belongs to the verb."""
    if (
        thing.tag not in ("NN", "NNS", "NNP", "NNPS", "PRP") and not _counted(thing)
    ) or thing.text.lower() in NO_OBJECT | REFLEXIVE:
        return False
    if (verb.lemma.lower(), thing.text.lower()) in IDIOMS:
        return False
    before = [one for one in tree.children(thing.index) if one.index < thing.index]
    light = thing.tag == "NN" and not before and tree.mention_at(thing.index) is None
    return not light or verb.lemma.lower() not in LIGHT


def _counted(thing: Word) -> bool:
    """`two of the tripods`, `much of the town`."""
    text = thing.text.lower()
    return (thing.tag == "CD" and text.isalpha() and text not in ("one", "zero")) or text == "much"


def _subject_fits(tree: Tree, clause: Clause, start: int, end: int) -> bool:
    words = texts(tree, start, end)
    if words[0] in NEGATIVE | QUANTIFIED | {"whose", "which", "what"} or (end - start == 1 and words[0] in NO_SUBJECT):
        return False
    listed = bool(tree.children(clause.subject, "conj"))  # "Venus and her sister": her is Venus's
    if end - start > LONGEST_SUBJECT or any(
        word in REFERRING | NEGATIVE for word in words[1:] if not (listed and word in INSIDE_LIST)
    ):
        return False
    head = tree.words[clause.subject]
    if (
        head.tag == "NN"
        and head.pos == "NOUN"
        and tree.child(head.index, "det", "poss", "amod", "nummod") is None
        and (tree.mention_at(start) is not None and tree.mention_at(head.index) is None)
    ):
        return False  # "Amazon flood crest reaches Manaus": a headline
    heavy = any(one.dep in ("relcl", "acl", "appos") for one in tree.words[start:end])
    closed = tree.words[end].text == ","
    last = max((max(tree.subtree(one.index)) for one in tree.children(clause.verb, "dobj")), default=0)
    return closed == (heavy and "," in words) and (not heavy or closed or end - start < 6 or last + 1 == clause.end)


def _object_fits(tree: Tree, clause: Clause, start: int, end: int) -> bool:
    words = texts(tree, start, end)
    if tree.words[clause.verb].lemma.lower() in COMPARING and {"against", "with", "to"} & set(words):
        return False  # "measure every storm against the last one": it is the verb's
    inside = tree.words[start:end]
    named = any(one.dep == "relcl" and tree.child(one.index, "nsubj") in _names(inside) for one in inside)
    if ("than" in words and words[1] != "than") or words.count("as") > 1:
        return (
            False  # "more mice than the dog", "stones as big as buses in Peru": with what do they compare, and where?
        )
    if any(one.text.lower() == "for" and one.dep == "prep" and _is_vague(tree, one) for one in inside):
        return False  # "filmed the lessons for a series": it may be the purpose
    if THIRD.intersection(words) and not named:
        return False
    if words[-1] == "to" or end - start > LONGEST_OBJECT or (any(word in REFERRING for word in words) and not named):
        return False  # but "the desk where Ferrari signed his letters"
    if any(one.text.lower() == "by" and tree.words[one.head].pos == "NOUN" for one in inside):
        return False  # "followed the talks by telephone": it is how, and a second `by` would follow
    if words[0] in NEGATIVE | QUANTIFIED - {"every", "all"} | {"such", "little"}:
        return False
    if ("," in words and not any(one.dep == "conj" for one in inside)) or any(one.dep == "appos" for one in inside):
        return False
    if any(one.text.lower() == "in" and _named(tree, one.index + 1) in ("language", "norp") for one in inside):
        return False  # "scolds the pitch in Urdu"
    return not any(one.dep in ("relcl", "ccomp") and end - start > 12 for one in inside)


def _is_vague(tree: Tree, preposition: Word) -> bool:
    noun = tree.child(preposition.index, "pobj")
    return noun is not None and tree.words[_first(tree, noun)].text.lower() in ("a", "an", "two", "three")


def _names(words: Sequence[Word]) -> list[Word]:
    return [one for one in words if one.pos == "PROPN"]


def _named(tree: Tree, index: int) -> str:
    return next(
        (label.lower() for (start, _), label in zip(tree.mentions, tree.labels, strict=False) if start == index), ""
    )


def _as_subject(tree: Tree, thing: tuple[int, int]) -> Part:
    word = tree.words[thing[0]]
    pronoun = thing[1] - thing[0] == 1 and word.tag == "PRP"
    return SUBJECT_FORM.get(word.text.lower(), word.text) if pronoun else thing


def _as_object(tree: Tree, subject: tuple[int, int]) -> Part:
    word = tree.words[subject[0]]
    pronoun = subject[1] - subject[0] == 1 and word.tag == "PRP"
    return OBJECT_FORM.get(word.text.lower(), word.text) if pronoun else subject
