"""English rules over spaCy's parse, one small file a rule."""

from __future__ import annotations

from nerquake.language.rewriting.english import rules_b
from nerquake.language.rewriting.english.active import Active
from nerquake.language.rewriting.english.acts import ActsSwapped
from nerquake.language.rewriting.english.attribute import AttributeFronted, AttributeInserted
from nerquake.language.rewriting.english.exchange import PhrasesExchanged
from nerquake.language.rewriting.english.focus import ObjectCleft, PhraseCleft
from nerquake.language.rewriting.english.fronting import FrontedClause, FrontedPhrase
from nerquake.language.rewriting.english.identified import Identified
from nerquake.language.rewriting.english.inversion import Inversion
from nerquake.language.rewriting.english.joined import ClausesSwapped
from nerquake.language.rewriting.english.pairs import PhrasesTurned
from nerquake.language.rewriting.english.parenthesis import ParenthesisFronted
from nerquake.language.rewriting.english.passive import Passive
from nerquake.language.rewriting.english.postposing import PostposedClause, PostposedPhrase
from nerquake.language.rewriting.english.predicates import PredicatesSwapped
from nerquake.language.rewriting.english.quotes import QuoteMoved
from nerquake.language.rewriting.english.reported import ReportMoved
from nerquake.language.rewriting.english.reporting import Reporting
from nerquake.language.rewriting.english.uncleft import CleftTurned
from nerquake.language.rewriting.english.what import WhatCleft
from nerquake.language.rewriting.tree import Rule

RULES: tuple[Rule, ...] = (
    FrontedPhrase(),
    FrontedClause(),
    PostposedPhrase(),
    PostposedClause(),
    Passive(),
    Active(),
    Reporting(),
    QuoteMoved(),
    ReportMoved(),
    ParenthesisFronted(),
    Inversion(),
    PhrasesExchanged(),
    PhrasesTurned(),
    ClausesSwapped(),
    ActsSwapped(),
    AttributeFronted(),
    AttributeInserted(),
    PredicatesSwapped(),
    Identified(),
    CleftTurned(),
    WhatCleft(),
    ObjectCleft(),
    PhraseCleft(),
    *rules_b.RULES,
)
"""Every rule: those on clauses and voice, then those inside a clause (`rules_b`)."""
