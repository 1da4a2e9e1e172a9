"""Lists of English words that several rules ask."""

from __future__ import annotations

SUBJECT_FORM = {"me": "I", "us": "we", "him": "he", "her": "she", "them": "they", "you": "you", "it": "it"}
"""Pronouns as objects, and as subjects."""
OBJECT_FORM = {"i": "me", "we": "us", "he": "him", "she": "her", "they": "them", "you": "you", "it": "it"}
"""Pronouns as subjects, and as objects."""
THIRD = frozenset({"he", "she", "it", "they"})
REFERRING = frozenset({
    "his", "her", "hers", "its", "their", "theirs", "own", "himself", "herself", "itself", "themselves", "myself",
    "yourself", "ourselves", "one", "other", "another", "oneself", "whose",
})  # fmt: skip
"""Words that may look back at a subject; they cannot stand before it as well."""
NEGATIVE = frozenset({
    "no", "nobody", "none", "nothing", "neither", "nor", "never", "few", "little", "hardly", "scarcely", "barely",
    "seldom", "rarely", "noone", "nowhere", "not", "n't", "any", "anybody", "anyone", "anything", "either",
})  # fmt: skip
"""Words whose reach changes with their place."""
FOCUSING = frozenset({
    "only", "even", "just", "also", "all", "both", "each", "every", "almost", "nearly", "mostly", "mainly", "merely",
    "simply", "too", "so", "as", "everybody", "everyone", "everything", "rather", "half", "most",
})  # fmt: skip
"""Words that bear upon what stands beside them."""
SAYING = frozenset({
    "say", "report", "announce", "claim", "add", "explain", "note", "warn", "suggest", "admit", "insist", "argue",
    "write", "confirm", "state", "declare", "reply", "observe", "remark", "predict", "joke", "think", "believe",
    "reckon", "estimate", "complain", "tell", "remind", "acknowledge", "concede", "recall", "stress", "conclude",
    "maintain", "advise", "confess", "hope", "swear", "assure", "inform", "promise", "tweet", "shout", "whisper",
    "allege",
})  # fmt: skip
"""Verbs that report a statement."""
TIMES = frozenset({
    "second", "minute", "hour", "day", "night", "morning", "afternoon", "evening", "noon", "midnight", "dawn", "dusk",
    "sunset", "sunrise", "week", "weekend", "month", "quarter", "season", "year", "decade", "century", "spring",
    "summer", "autumn", "winter", "fall", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december", "today", "yesterday", "tomorrow", "tonight", "breakfast", "lunch", "dinner", "dessert", "christmas",
    "easter", "moment", "age", "war", "time", "beginning", "end", "birthday", "anniversary", "holiday", "wartime",
    "childhood", "youth", "eve", "period", "era", "mid-sentence", "supper", "eighties", "nineties", "match", "game",
    "meeting", "ceremony", "trial", "election", "vote", "conference", "interview", "visit", "crisis", "storm",
})  # fmt: skip
"""Nouns that tell when."""
