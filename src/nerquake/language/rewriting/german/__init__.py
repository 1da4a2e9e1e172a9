"""German rules over Universal Dependencies, one small file a rule.

Every rule keeps the finite verb in second place, and participles, infinitives and separable prefixes at the end.
"""

from __future__ import annotations

from nerquake.language.rewriting.german.careful import Careful
from nerquake.language.rewriting.german.coordination import Coordination
from nerquake.language.rewriting.german.fronting import FrontedObject, FrontedPhrase, FrontedSubject
from nerquake.language.rewriting.german.genitive import Genitive, VonPhrase
from nerquake.language.rewriting.german.lexical import Contraction, Expansion, NumberWords
from nerquake.language.rewriting.german.reporting import Reporting
from nerquake.language.rewriting.german.subclauses import FrontedClause, PostposedClause
from nerquake.language.rewriting.tree import Rule

_ALL: tuple[Rule, ...] = (
    FrontedPhrase(),
    FrontedObject(),
    FrontedSubject(),
    FrontedClause(),
    PostposedClause(),
    Reporting(),
    VonPhrase(),
    Genitive(),
    Coordination(),
    NumberWords(),
    Contraction(),
    Expansion(),
)

RULES: tuple[Rule, ...] = tuple(map(Careful, _ALL))
"""Every rule: those on the order of a clause, then those inside a phrase, then words."""
