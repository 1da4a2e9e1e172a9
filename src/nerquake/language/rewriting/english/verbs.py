"""Forms of English verbs: past, past participle, third person, gerund; irregular ones by a table, others by rule."""

from __future__ import annotations

IRREGULAR = {
    lemma: (past, participle)
    for lemma, past, participle in (
        row.split() if len(row.split()) == 3 else [*row.split(), row.split()[1]]
        for row in """
        arise arose arisen|awake awoke awoken|bear bore borne|beat beat beaten|become became become|begin began begun
        bend bent|bet bet|bid bid|bind bound|bite bit bitten|bleed bled|blow blew blown|break broke broken|breed bred
        bring brought|broadcast broadcast|build built|burn burned|burst burst|buy bought|cast cast|catch caught
        choose chose chosen|cling clung|come came come|cost cost|creep crept|cut cut|deal dealt|dig dug|do did done
        draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt
        fight fought|find found|flee fled|fling flung|fly flew flown|forbid forbade forbidden|forecast forecast
        foresee foresaw foreseen|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got got
        give gave given|grind ground|grow grew grown|hang hung|have had|hear heard|hide hid hidden|hit hit
        hold held|hurt hurt|keep kept|kneel knelt|know knew known|lay laid|lead led|leap leapt|learn learned|leave left
        lend lent|let let|light lit|lose lost|make made|mean meant|meet met|mislead misled|mistake mistook mistaken
        outgrow outgrew outgrown|outdo outdid outdone|overcome overcame overcome|overhear overheard
        oversee oversaw overseen
        overtake overtook overtaken|overthrow overthrew overthrown|pay paid|prove proved proved|put put|quit quit
        read read|rebuild rebuilt|redo redid redone|repay repaid|reset reset|rewrite rewrote rewritten|ride rode ridden
        ring rang rung|rise rose risen|run ran run|say said|see saw seen|seek sought|sell sold|send sent|set set
        sew sewed sewn|shake shook shaken|shed shed|shine shone|shoot shot|show showed shown|shrink shrank shrunk
        shut shut|sing sang sung|sink sank sunk|sit sat|slay slew slain|sleep slept|slide slid|sling slung|slit slit
        sow sowed sown|speak spoke spoken|spell spelled|spend spent|spill spilled|spin spun|split split|spread spread
        spring sprang sprung|stand stood|steal stole stolen|stick stuck|sting stung|strike struck struck
        string strung|strive strove striven|swear swore sworn|sweep swept|swell swelled swollen|swim swam swum
        swing swung|take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown
        thrust thrust|undergo underwent undergone|understand understood|undertake undertook undertaken
        undo undid undone|uphold upheld|upset upset|wake woke woken|wear wore worn|weave wove woven|weep wept|win won
        wind wound|withdraw withdrew withdrawn|withhold withheld|withstand withstood|wring wrung|write wrote written
        """.replace("\n", "|").split("|")
        if row.strip()
    )
}
"""Past and past participle of verbs that do not take -ed."""
LEMMAS_TOO = frozenset({"found", "saw", "ground", "wound", "lay", "fell", "felt", "bound", "bore"})
PASTS = frozenset(past for lemma, (past, _) in IRREGULAR.items() if past != lemma) - LEMMAS_TOO
"""Past forms; as a lemma one of them is a mistake of the parser's."""
DOUBLING = frozenset({
    "admit", "commit", "submit", "permit", "omit", "transmit", "refer", "prefer", "occur", "incur", "transfer",
    "regret", "compel", "control", "expel", "patrol", "propel", "rebel", "repel", "equip", "acquit", "deter", "confer",
    "infer", "defer", "concur", "abhor", "kidnap", "worship", "handicap", "recap", "unwrap", "outfit", "input",
    "begin", "forbid", "forget", "quit", "reset", "upset",
})  # fmt: skip
"""Verbs that double their last letter, besides those of one vowel before one consonant, and those in -l."""
VOWELS = "aeiou"


def past(lemma: str) -> str:
    """The past tense: stop, stopped; write, wrote."""
    return IRREGULAR[lemma][0] if lemma in IRREGULAR else _regular(lemma)


def participle(lemma: str, text: str, tag: str) -> str | None:
    """The past participle of a verb that stands as `text`; None where the table does not know it.

    A form in -ed is its own participle, so that spellings (travelled, traveled) stay as they are.
    """
    if tag == "VBN":
        return text.lower()
    if lemma in PASTS:
        return None
    if (tag in ("VBP", "VB") and text.lower() != lemma) or (tag == "VBZ" and text.lower() != third(lemma)):
        return None  # a wrong tag or a wrong lemma
    if lemma in IRREGULAR:
        return IRREGULAR[lemma][1]
    if tag == "VBD":
        return text.lower() if text.lower().endswith("ed") else None
    return f"{lemma}{lemma[-1]}ed" if tag == "VBG" and text.lower() == f"{lemma}{lemma[-1]}ing" else _regular(lemma)


def third(lemma: str) -> str:
    """The third person singular of the present: tries, passes, does."""
    if lemma in ("have", "be"):
        return {"have": "has", "be": "is"}[lemma]
    if lemma.endswith("y") and lemma[-2:-1] not in VOWELS:
        return f"{lemma[:-1]}ies"
    return f"{lemma}es" if lemma.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{lemma}s"


def gerund(lemma: str) -> str:
    """The form in -ing: trying, stopping, closing."""
    if lemma.endswith("ie"):
        return f"{lemma[:-2]}ying"
    if lemma.endswith("e") and lemma[-2:-1] not in ("e", "o", "y") and lemma != "be":
        return f"{lemma[:-1]}ing"
    if lemma.endswith("c") and lemma[-2:-1] in VOWELS:
        return f"{lemma}king"
    return f"{lemma}{lemma[-1]}ing" if _doubles(lemma) else f"{lemma}ing"


def inflected(lemma: str, tag: str) -> str | None:
    """The form that a verb has under a fine tag (VB, VBP, VBZ, VBD, VBN, VBG); None under another one."""
    if tag in ("VB", "VBP"):
        return lemma
    if tag == "VBN":
        return IRREGULAR[lemma][1] if lemma in IRREGULAR else _regular(lemma)
    form = {"VBZ": third, "VBD": past, "VBG": gerund}.get(tag)
    return form(lemma) if form is not None else None


def _regular(lemma: str) -> str:
    if lemma.endswith("e"):
        return f"{lemma}d"
    if lemma.endswith("y") and lemma[-2:-1] not in VOWELS:
        return f"{lemma[:-1]}ied"
    if lemma.endswith("c") and lemma[-2:-1] in VOWELS:
        return f"{lemma}ked"
    return f"{lemma}{lemma[-1]}ed" if _doubles(lemma) else f"{lemma}ed"


def _doubles(lemma: str) -> bool:
    """Whether the last letter is doubled: one vowel before one consonant, in a word of one syllable or in the list."""
    if lemma in DOUBLING:
        return True
    if len(lemma) < 3 or lemma[-1] in "aeiouwxy" or lemma[-2] not in VOWELS or lemma[-3] in VOWELS:
        return False
    groups = sum(now in VOWELS and before not in VOWELS for before, now in zip(" " + lemma, lemma, strict=False))
    return groups == 1 or (lemma.endswith(("el", "al", "il")) and lemma not in ("reveal", "appeal", "unveil"))
