"""Passive to active: "It was repaired by astronauts ." becomes "Astronauts repaired it ."."""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.language.rewriting.english.clause import Clause, clauses, is_joined, noun_range, texts
from nerquake.language.rewriting.english.group import active_group, group_of, number_of
from nerquake.language.rewriting.english.words import NEGATIVE, OBJECT_FORM, REFERRING, SUBJECT_FORM
from nerquake.language.rewriting.tree import Part, Rewriting, Rule, RuleKind, Tree

LONGEST_AGENT = 12
BLOCKING = ("conj", "xcomp", "ccomp", "oprd", "dobj", "dep", "parataxis", "prt")


class Active(Rule):
    """The agent becomes the subject, the subject an object."""

    name = "active"
    kind: RuleKind = "structure"
    turns = True
    voice = True

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One rewriting for each passive clause with an agent."""
        for clause in clauses(tree):
            found = self._of(tree, clause)
            if found is not None:
                yield found

    def _of(self, tree: Tree, clause: Clause) -> Rewriting | None:
        verb = tree.words[clause.verb]
        agents = tree.children(verb.index, "agent")
        if verb.tag != "VBN" or len(agents) != 1 or tree.words[clause.subject].dep != "nsubjpass":
            return None
        noun = tree.child(agents[0].index, "pobj")
        if (
            noun is None
            or noun.tag == "VBG"
            or tree.children(verb.index, "oprd", "xcomp", "ccomp", "dobj", "parataxis")
        ):
            return None
        subject, agent = noun_range(tree, clause.subject), noun_range(tree, noun.index)
        if subject is None or agent is None or agent[0] != agents[0].index + 1 or not _fit(tree, subject, agent):
            return None
        number, group = number_of(tree, noun.index), group_of(tree, clause, subject[1])
        verbs = active_group(group, verb, number) if group is not None and number is not None else None
        if verbs is None or not _goes_on(tree, verb.index, agents[0].index, agent[1]):
            return None
        parts: list[Part] = [_form(tree, agent, SUBJECT_FORM), *verbs]
        between = tree.words[verb.index + 1 : agents[0].index]
        if between and all(one.dep == "prt" for one in between):
            parts.append((verb.index + 1, agents[0].index))
            between = ()
        parts.append(_form(tree, subject, OBJECT_FORM))
        if between:
            parts.append((verb.index + 1, agents[0].index))
        return Rewriting(self.name, subject[0], agent[1], tuple(parts))


def _fit(tree: Tree, subject: tuple[int, int], agent: tuple[int, int]) -> bool:
    agents, things = texts(tree, *agent), texts(tree, *subject)
    if (
        len(agents) > LONGEST_AGENT
        or any(word in REFERRING for word in agents)
        or things[0] in NEGATIVE | {"all", "each", "every"}
    ):
        return False
    return not any(one.dep == "relcl" for one in tree.words[agent[0] : agent[1]]) or len(things) < len(agents)


def _goes_on(tree: Tree, verb: int, by: int, end: int) -> bool:
    """Whether what stands between verb and agent, and behind it, hangs on the verb itself and no clause joins."""
    return not any(
        one.dep in BLOCKING and not is_joined(tree, one) and not (verb < one.index < by and one.dep == "prt")
        for one in tree.children(verb)
    )


def _form(tree: Tree, part: tuple[int, int], forms: dict[str, str]) -> Part:
    word = tree.words[part[0]]
    return forms.get(word.text.lower(), word.text) if part[1] - part[0] == 1 and word.tag == "PRP" else part
