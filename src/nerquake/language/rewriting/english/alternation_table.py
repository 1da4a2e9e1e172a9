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
