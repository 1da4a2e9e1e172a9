"""Sentences that several tests ask about, parsed by hand in Universal Dependencies."""

from __future__ import annotations

ANNA_CAME = (
    "Anna/Anna/PROPN/nfs/2/nsubj/PER kam/kommen/VERB/3s/0/root gestern/gestern/ADV/-/2/advmod "
    "nach/nach/ADP/-/5/case Bonn/Bonn/PROPN/dns/2/obl/LOC ././PUNCT/-/2/punct"
)
YESTERDAY = (
    "Gestern/gestern/ADV/-/2/advmod kam/kommen/VERB/3s/0/root Anna/Anna/PROPN/nfs/2/nsubj/PER "
    "nach/nach/ADP/-/5/case Bonn/Bonn/PROPN/dns/2/obl/LOC ././PUNCT/-/2/punct"
)
TO_BONN = (
    "Nach/nach/ADP/-/2/case Bonn/Bonn/PROPN/dns/3/obl/LOC fuhr/fahren/VERB/3s/0/root Anna/Anna/PROPN/nfs/3/nsubj/PER "
    "gestern/gestern/ADV/-/3/advmod ab/ab/ADP/-/3/compound:prt ././PUNCT/-/3/punct"
)
SIGNED = (
    "Der/der/DET/nms/2/det Vertrag/Vertrag/NOUN/nms/8/nsubj:pass wurde/werden/AUX/3s/8/aux:pass am/an/ADP/-/5/case "
    "Montag/Montag/NOUN/dms/8/obl von/von/ADP/-/7/case Siemens/Siemens/PROPN/dxs/8/obl/ORG "
    "unterzeichnet/unterzeichnen/VERB/VerbForm=Part/0/root ././PUNCT/-/8/punct"
)
BECAUSE_LAST = (
    "Der/der/DET/nms/2/det Minister/Minister/NOUN/nms/3/nsubj blieb/bleiben/VERB/3s/0/root in/in/ADP/-/5/case "
    "Bonn/Bonn/PROPN/dns/3/obl/LOC ,/,/PUNCT/-/9/punct weil/weil/SCONJ/-/9/mark es/es/PRON/nns/9/nsubj "
    "regnete/regnen/VERB/3s/3/advcl ././PUNCT/-/3/punct"
)
BECAUSE_FIRST = (
    "Weil/weil/SCONJ/-/3/mark es/es/PRON/nns/3/nsubj regnete/regnen/VERB/3s/5/advcl ,/,/PUNCT/-/3/punct "
    "blieb/bleiben/VERB/3s/0/root Anna/Anna/PROPN/nfs/5/nsubj/PER in/in/ADP/-/8/case Bonn/Bonn/PROPN/dns/5/obl/LOC "
    "././PUNCT/-/5/punct"
)
THAT_LAST = (
    "Anna/Anna/PROPN/nfs/2/nsubj/PER sagte/sagen/VERB/3s/0/root am/an/ADP/-/4/case Montag/Montag/NOUN/dms/2/obl "
    ",/,/PUNCT/-/11/punct dass/dass/SCONJ/-/11/mark die/der/DET/nfs/8/det Brücke/Brücke/NOUN/nfs/11/nsubj:pass "
    "in/in/ADP/-/10/case Bonn/Bonn/PROPN/dns/11/obl/LOC gesperrt/sperren/VERB/VerbForm=Part/2/ccomp "
    "wurde/werden/AUX/3s/11/aux:pass ././PUNCT/-/2/punct"
)
THAT_FIRST = (
    "Dass/dass/SCONJ/-/3/mark Peter/Peter/PROPN/nms/3/nsubj/PER schlief/schlafen/VERB/3s/5/ccomp ,/,/PUNCT/-/3/punct "
    "sagte/sagen/VERB/3s/0/root Anna/Anna/PROPN/nfs/5/nsubj/PER gestern/gestern/ADV/-/5/advmod ././PUNCT/-/5/punct"
)
SPEECH_FIRST = (
    "Die/der/DET/nfs/2/det Brücke/Brücke/NOUN/nfs/4/nsubj:pass sei/sein/AUX/3s/4/aux "
    "gesperrt/sperren/VERB/VerbForm=Part/0/root ,/,/PUNCT/-/6/punct sagte/sagen/VERB/3s/4/parataxis "
    "Anna/Anna/PROPN/nfs/6/nsubj/PER am/an/ADP/-/9/case Montag/Montag/NOUN/dms/6/obl ././PUNCT/-/4/punct"
)
SPEECH_LAST = (
    "Der/der/DET/nms/2/det Minister/Minister/NOUN/nms/3/nsubj sagte/sagen/VERB/3s/0/root ,/,/PUNCT/-/8/punct "
    "die/der/DET/nfs/6/det Brücke/Brücke/NOUN/nfs/8/nsubj:pass sei/sein/AUX/3s/8/aux "
    "gesperrt/sperren/VERB/VerbForm=Part/3/ccomp ././PUNCT/-/3/punct"
)
QUOTED_LAST = (
    "Anna/Anna/PROPN/nfs/2/nsubj/PER sagte/sagen/VERB/3s/0/root :/:/PUNCT/-/6/punct „/„/PUNCT/-/6/punct "
    "Peter/Peter/PROPN/nms/6/nsubj/PER schläft/schlafen/VERB/3s/2/ccomp ././PUNCT/-/6/punct “/“/PUNCT/-/6/punct"
)
QUOTED_FIRST = (
    "„/„/PUNCT/-/3/punct Peter/Peter/PROPN/nms/3/nsubj/PER schläft/schlafen/VERB/3s/0/root “/“/PUNCT/-/3/punct "
    ",/,/PUNCT/-/6/punct sagte/sagen/VERB/3s/3/parataxis Anna/Anna/PROPN/nfs/6/nsubj/PER ././PUNCT/-/3/punct"
)
PAIR = (
    "Anna/Anna/PROPN/nfs/4/nsubj/PER und/und/CCONJ/-/3/cc Peter/Peter/PROPN/nms/1/conj/PER kamen/kommen/VERB/3p/0/root "
    "gestern/gestern/ADV/-/4/advmod ././PUNCT/-/4/punct"
)
ALL = (
    ANNA_CAME, YESTERDAY, TO_BONN, SIGNED, BECAUSE_LAST, BECAUSE_FIRST, THAT_LAST, THAT_FIRST, SPEECH_FIRST,
    SPEECH_LAST, QUOTED_LAST, QUOTED_FIRST, PAIR,
)  # fmt: skip
