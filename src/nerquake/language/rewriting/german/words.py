"""Lists of German words that several rules ask."""

from __future__ import annotations

MOVABLE = frozenset({
    "gestern", "heute", "morgen", "vorgestern", "übermorgen", "damals", "bislang", "bisher", "mittlerweile",
    "inzwischen", "zuletzt", "kürzlich", "neulich", "zuvor", "danach", "später", "anschließend", "schließlich", "bald",
    "oft", "häufig", "manchmal", "meistens", "abends", "morgens", "mittags", "nachts", "montags", "sonntags",
    "hier", "dort", "draußen", "drinnen", "oben", "unten", "überall", "vielerorts", "jetzt", "nun", "seitdem",
    "seither", "derzeit", "zurzeit", "gegenwärtig", "momentan", "früher", "einst", "erstmals", "zunächst", "zugleich",
    "gleichzeitig", "deshalb", "deswegen", "daher", "trotzdem", "dennoch", "außerdem", "zudem", "vermutlich",
    "wahrscheinlich", "offenbar", "angeblich", "möglicherweise", "normalerweise", "glücklicherweise", "vergangenen",
})  # fmt: skip
"""Adverbs that stand before the verb or behind it with the same meaning."""
BEARING = frozenset({
    "nicht", "nur", "auch", "sogar", "erst", "schon", "noch", "bereits", "etwa", "kaum", "fast", "gerade", "mindestens",
    "allein", "besonders", "selbst", "zumindest", "wenigstens", "ausgerechnet", "lediglich", "nie", "niemals", "so",
    "ebenso", "sehr", "zu", "eben", "kein", "keine", "keinen", "keinem", "keiner", "keines", "je", "desto", "sowohl",
    "weder", "entweder", "nichts", "niemand", "niemanden", "niemandem", "bloß", "genau", "rund", "ungefähr", "knapp",
})  # fmt: skip
"""Words that bear upon what stands beside them, or deny."""
ASKING = frozenset({
    "wer", "was", "wem", "wen", "wessen", "wie", "wo", "wann", "warum", "wieso", "weshalb", "woher", "wohin", "welche",
    "welcher", "welches", "welchen", "welchem", "womit", "wofür", "worüber", "wozu", "worauf",
})  # fmt: skip
LOOKING_BACK = (
    "sein", "seine", "seinen", "seinem", "seiner", "seines", "ihr", "ihre", "ihren", "ihrem", "ihrer", "ihres", "deren",
    "dessen", "einander", "sich", "selber", "eigene", "eigenen", "eigenem", "eigener", "eigenes",
)  # fmt: skip
"""Words that may look back at the subject; a phrase with one does not go before it."""
MARKS = frozenset({
    "weil", "wenn", "obwohl", "nachdem", "bevor", "als", "da", "während", "bis", "sobald", "seit", "seitdem", "damit",
    "falls", "sofern", "indem", "obgleich", "obschon", "ehe", "solange", "wenngleich",
})  # fmt: skip
"""What opens a clause that stands before its main clause or behind it."""
SAYING = frozenset({
    "sagen", "erklären", "berichten", "mitteilen", "betonen", "behaupten", "ankündigen", "melden", "meinen",
    "schreiben", "versichern", "bestätigen", "warnen", "fordern", "kritisieren", "erzählen", "hinzufügen", "ergänzen",
    "erläutern", "unterstreichen", "vermuten", "glauben", "einräumen", "beteuern", "bekräftigen", "verkünden",
    "antworten", "rufen",
})  # fmt: skip
"""Verbs that report a statement, by lemma."""
POINTING = frozenset({"es", "das", "dies", "davon", "darüber", "darauf", "daran", "dazu", "dafür", "damit", "so"})
"""Words that announce a clause which then stays where it is."""
TIMES = frozenset({
    "jahr", "monat", "woche", "tag", "stunde", "minute", "sekunde", "abend", "morgen", "nacht", "mittag", "nachmittag",
    "vormittag", "wochenende", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonnabend",
    "sonntag", "januar", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober",
    "november", "dezember", "sommer", "winter", "herbst", "frühjahr", "frühling", "mal", "jahrzehnt", "jahrhundert",
    "ende", "anfang", "mitte", "zeit", "jänner",
})  # fmt: skip
"""Nouns that tell when, by lemma in small letters."""
RELATIONAL = frozenset({
    "hauptstadt", "landeshauptstadt", "präsident", "präsidentin", "kanzler", "kanzlerin", "regierung", "könig",
    "königin", "kaiser", "bürgermeister", "bürgermeisterin", "oberbürgermeister", "norden", "süden", "osten", "westen",
    "nordosten", "nordwesten", "südosten", "südwesten", "bevölkerung", "bewohner", "einwohner", "zentrum", "geschichte",
    "armee", "wirtschaft", "flagge", "gründer", "gründerin", "sohn", "tochter", "vater", "mutter", "bruder",
    "schwester", "ehefrau", "ehemann", "nachfolger", "vorgänger", "außenminister", "außenministerin", "botschafter",
    "küste", "innenstadt", "altstadt", "umgebung", "wahrzeichen", "ministerpräsident", "ministerpräsidentin",
})  # fmt: skip
"""Nouns by lemma behind which `von` before a name is a genitive, whatever else stands around."""
