"""Rules on noun phrases, objects and words; those on clauses and voice stand beside them."""

from __future__ import annotations

from nerquake.language.rewriting.english.adjectives import AdjectivesTurned
from nerquake.language.rewriting.english.adverb import AdverbMoved
from nerquake.language.rewriting.english.alternation import Alternation
from nerquake.language.rewriting.english.apposition import Apposition
from nerquake.language.rewriting.english.cleft import SubjectCleft, TimeCleft
from nerquake.language.rewriting.english.contraction import Contraction, Expansion
from nerquake.language.rewriting.english.coordination import Coordination
from nerquake.language.rewriting.english.copula import CopulaTurned
from nerquake.language.rewriting.english.dative import DativeToPhrase, PhraseToDative, WithToPhrase
from nerquake.language.rewriting.english.numbers import NumberWords
from nerquake.language.rewriting.english.object_pronoun import ObjectPronoun
from nerquake.language.rewriting.english.particle import ParticleShift
from nerquake.language.rewriting.english.phrase_order import PhraseOrder
from nerquake.language.rewriting.english.possessive import OfToPossessive, PossessiveToOf
from nerquake.language.rewriting.english.quantifier import QuantifierOf
from nerquake.language.rewriting.english.relative import RelativeExpanded, RelativeReduced
from nerquake.language.rewriting.english.symmetric import Symmetric
from nerquake.language.rewriting.english.there import ThereInserted
from nerquake.language.rewriting.tree import Rule

RULES: tuple[Rule, ...] = (
    Apposition(),
    RelativeReduced(),
    RelativeExpanded(),
    ObjectPronoun(),
    PossessiveToOf(),
    OfToPossessive(),
    Coordination(),
    AdjectivesTurned(),
    DativeToPhrase(),
    PhraseToDative(),
    WithToPhrase(),
    PhraseOrder(),
    Symmetric(),
    SubjectCleft(),
    TimeCleft(),
    CopulaTurned(),
    ThereInserted(),
    AdverbMoved(),
    ParticleShift(),
    QuantifierOf(),
    Expansion(),
    Contraction(),
    NumberWords(),
    Alternation(),
)
