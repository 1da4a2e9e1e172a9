"""Words and phrases that mean the same in a frame. Written by hand for this project; only where no frame is in doubt.

An entry says: these words, of this part of speech, in this frame, may become those. Pairs that hold both ways are
written once, in `BOTH`. Frames are functions in `alternation.py`.
"""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """Words that may become others.

    old, new   lower case, in the form that they are found in
    pos, tag   universal part of speech, and start of the fine tag, of the first word; empty for any
    frame      the name of a condition on the surroundings; empty for none
    """

    old: tuple[str, ...]
    new: tuple[str, ...]
    pos: str = ""
    tag: str = ""
    frame: str = ""


VERB_FORMS: dict[str, tuple[str, str, str, str, str]] = {
    "begin": ("begin", "begins", "began", "begun", "beginning"),
    "start": ("start", "starts", "started", "started", "starting"),
    "state": ("state", "states", "stated", "stated", "stating"),
    "say": ("say", "says", "said", "said", "saying"),
    "buy": ("buy", "buys", "bought", "bought", "buying"),
    "purchase": ("purchase", "purchases", "purchased", "purchased", "purchasing"),
    "try": ("try", "tries", "tried", "tried", "trying"),
    "attempt": ("attempt", "attempts", "attempted", "attempted", "attempting"),
    "finish": ("finish", "finishes", "finished", "finished", "finishing"),
    "complete": ("complete", "completes", "completed", "completed", "completing"),
    "build": ("build", "builds", "built", "built", "building"),
    "construct": ("construct", "constructs", "constructed", "constructed", "constructing"),
    "allow": ("allow", "allows", "allowed", "allowed", "allowing"),
    "permit": ("permit", "permits", "permitted", "permitted", "permitting"),
    "happen": ("happen", "happens", "happened", "happened", "happening"),
    "occur": ("occur", "occurs", "occurred", "occurred", "occurring"),
    "live": ("live", "lives", "lived", "lived", "living"),
    "reside": ("reside", "resides", "resided", "resided", "residing"),
    "think": ("think", "thinks", "thought", "thought", "thinking"),
    "believe": ("believe", "believes", "believed", "believed", "believing"),
    "speak": ("speak", "speaks", "spoke", "spoken", "speaking"),
    "talk": ("talk", "talks", "talked", "talked", "talking"),
    "close": ("close", "closes", "closed", "closed", "closing"),
    "shut": ("shut", "shuts", "shut", "shut", "shutting"),
    "rise": ("rise", "rises", "rose", "risen", "rising"),
    "increase": ("increase", "increases", "increased", "increased", "increasing"),
    "fall": ("fall", "falls", "fell", "fallen", "falling"),
    "decline": ("decline", "declines", "declined", "declined", "declining"),
    "drop": ("drop", "drops", "dropped", "dropped", "dropping"),
    "vanish": ("vanish", "vanishes", "vanished", "vanished", "vanishing"),
    "disappear": ("disappear", "disappears", "disappeared", "disappeared", "disappearing"),
    "repair": ("repair", "repairs", "repaired", "repaired", "repairing"),
    "fix": ("fix", "fixes", "fixed", "fixed", "fixing"),
    "injure": ("injure", "injures", "injured", "injured", "injuring"),
    "hurt": ("hurt", "hurts", "hurt", "hurt", "hurting"),
}
"""Base, third person, past, past participle, -ing form."""

VERBS: tuple[tuple[str, str, str], ...] = (
    ("begin", "start", "to-verb"),
    ("start", "begin", "to-verb"),
    ("say", "state", "that-clause"),
    ("state", "say", "that-clause"),
    ("think", "believe", "that-clause"),
    ("believe", "think", "that-clause"),
    ("buy", "purchase", "concrete-object"),
    ("purchase", "buy", "object"),
    ("try", "attempt", "to-verb"),
    ("attempt", "try", "to-verb"),
    ("finish", "complete", "work-object"),
    ("complete", "finish", "work-object"),
    ("build", "construct", "building-object"),
    ("construct", "build", "building-object"),
    ("allow", "permit", "object-to-verb"),
    ("permit", "allow", "object-to-verb"),
    ("happen", "occur", "told-alone"),
    ("occur", "happen", "alone"),
    ("vanish", "disappear", "alone"),
    ("disappear", "vanish", "alone"),
    ("live", "reside", "person-in-place"),
    ("reside", "live", "person-in-place"),
    ("speak", "talk", "to-person"),
    ("close", "shut", "shutting-object"),
    ("shut", "close", "shutting-object"),
    ("rise", "increase", "by-amount"),
    ("increase", "rise", "by-amount"),
    ("fall", "drop", "by-amount"),
    ("drop", "fall", "by-amount"),
    ("decline", "fall", "by-amount"),
    ("repair", "fix", "object"),
    ("injure", "hurt", "passive"),
)
"""Verb, other verb, frame."""

BOTH: tuple[tuple[str, str, str, str, str], ...] = (
    # numbers
    ("about", "around", "ADV", "", "before-number"),
    ("roughly", "approximately", "ADV", "", "before-number"),
    ("nearly", "almost", "ADV", "", "before-number"),
    ("more than", "over", "", "", "before-number"),
    # pronouns
    ("everyone", "everybody", "PRON", "", ""),
    ("someone", "somebody", "PRON", "", ""),
    ("anyone", "anybody", "PRON", "", ""),
    ("each other", "one another", "", "", "object-place"),
    # adverbs, conjunctions, prepositions
    ("often", "frequently", "ADV", "", "before-verb"),
    ("perhaps", "maybe", "ADV", "", ""),
    ("although", "though", "SCONJ", "", "opens-clause"),
    ("for example", "for instance", "ADP", "", ""),
    ("because of", "due to", "SCONJ ADP ADJ", "", "because"),
    ("despite", "in spite of", "SCONJ ADP", "", ""),
    # nouns
    ("film", "movie", "NOUN", "NN", "plain-noun"),
    ("films", "movies", "NOUN", "NNS", "plain-noun"),
    ("photo", "photograph", "NOUN", "NN", "plain-noun"),
    ("photos", "photographs", "NOUN", "NNS", "plain-noun"),
    ("firm", "company", "NOUN", "NN", "plain-noun"),
    ("firms", "companies", "NOUN", "NNS", "plain-noun"),
    ("bicycle", "bike", "NOUN", "NN", "plain-noun"),
    ("bicycles", "bikes", "NOUN", "NNS", "plain-noun"),
    ("sofa", "couch", "NOUN", "NN", "plain-noun"),
    ("lorry", "truck", "NOUN", "NN", "plain-noun"),
    ("lorries", "trucks", "NOUN", "NNS", "plain-noun"),
    ("shop", "store", "NOUN", "NN", "plain-noun"),
    ("shops", "stores", "NOUN", "NNS", "plain-noun"),
    ("television", "TV", "NOUN", "NN", "plain-noun"),
    ("plane", "aircraft", "NOUN", "NN", "plain-noun"),
    # adjectives
    ("entire", "whole", "ADJ", "JJ", "after-the"),
    ("huge", "enormous", "ADJ", "JJ", "large"),
    ("big", "large", "ADJ", "JJ", "sized"),
    ("glad", "happy", "ADJ", "JJ", "before-to"),
)
"""Word or phrase, the other, parts of speech of the first word of either, tag, frame."""

ONE_WAY: tuple[tuple[str, str, str, str, str], ...] = (
    ("nobody", "no one", "PRON", "", ""),
    ("lots of", "a lot of", "", "NNS", ""),
    ("in order to", "to", "ADP", "", ""),
    ("prior to", "before", "ADJ ADV", "", ""),
    ("such as", "like", "ADJ", "", "example"),
    ("regarding", "about", "VERB ADP", "VBG", "preposition"),
    ("amongst", "among", "ADP", "", ""),
    ("whilst", "while", "SCONJ", "", ""),
    ("numerous", "many", "ADJ", "JJ", "attribute"),
    ("annual", "yearly", "ADJ", "JJ", "attribute"),
    ("wealthy", "rich", "ADJ", "JJ", "attribute"),
    ("planes", "aircraft", "NOUN", "NNS", "plain-noun"),
    ("kids", "children", "NOUN", "NNS", "plain-noun"),
    ("outcome", "result", "NOUN", "NN", "plain-noun"),
    ("beside", "next to", "ADP SCONJ", "IN", ""),
)
"""The same for what holds in one direction only."""
