"""From what the user typed to attacks: aliases and suites spelled out, names checked, perturbations built."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.errors import MissingExtra, NerquakeError, SpecError, UnknownName, UsageError
from nerquake.core.labels import LabelRules
from nerquake.core.language import normalise
from nerquake.core.protocols import Checking, Perturbation
from nerquake.core.spec import Chain, Spec, parse_chain
from nerquake.core.variant import ORIGINAL
from nerquake.knowledge.starter_tables import LANGUAGES as STARTER_LANGUAGES
from nerquake.perturb.faker import LOCALES
from nerquake.perturb.paraphrase import Paraphrase
from nerquake.registry import PERTURBATIONS, SUITES

_RESERVED = frozenset({ORIGINAL, "summary.json", ".", ".."})
_LONGEST = 150
"""Characters of a set's name: file systems hold 255 bytes, and endings are added."""


class Chosen(NamedTuple):
    """Attacks, and what was left out of suites, in words."""

    chains: list[Chain]
    notes: tuple[str, ...]


def chains_from(texts: Sequence[str], language: str) -> Chosen:
    """The attacks that `-p` texts stand for, each with a name of its own.

    An alias becomes what it stands for, with the options typed on it added. A suite becomes its members; those that
    are not installed or not for the language (a two-letter code; empty where it is not known) are left out and said.

    Raises:
        SpecError: a text does not follow the grammar.
        UnknownName: no perturbation, alias or suite has this name.
        UsageError: two attacks have the same name, or one is called `original`.
    """
    chains: list[Chain] = []
    notes: list[str] = []
    known = (*PERTURBATIONS.names(), *SUITES)
    for text in texts:
        chain = parse_chain(text, known)
        suite = next((step.name for step in chain.steps if step.name in SUITES), "")
        if not suite:
            chains.append(_spelled_out(chain))
        elif text != suite:
            raise SpecError(f"{suite} stands for several attacks; it takes no options and joins no others: -p {suite}")
        else:
            members, note = _members(suite, normalise(language))
            chains += members
            notes += [note] if note else []
    _check_names(chains)
    return Chosen(chains, tuple(notes))


def build(chain: Chain) -> list[Perturbation]:
    """The chain's perturbations, with their options checked.

    Raises:
        UnknownName, MissingExtra, SpecError, PluginError: what does not fit.
    """
    return [_built(step) for step in chain.steps]


def check(chains: Sequence[Chain], corpus: Dataset, rules: LabelRules) -> None:
    """See that the models of all attacks can run and fit the data set, before the first attack begins.

    Raises:
        UsageError: what is wrong, attack by attack.
    """
    faults: list[str] = []
    for chain in chains:
        for step in build(chain):
            if isinstance(step, Checking):
                try:
                    step.check(corpus, rules)
                except NerquakeError as error:
                    faults.append(f"-p {chain.text}: {error}")
    if faults:
        raise UsageError("\n".join(faults))


def _built(step: Spec) -> Perturbation:
    if step.name in SUITES:
        raise SpecError(f"{step.name} stands for several attacks; it cannot be a step of one")
    made: Perturbation = PERTURBATIONS.build(step)
    return made


def _spelled_out(chain: Chain) -> Chain:
    """The chain with aliases replaced and options written one way; its text, and so its name, stays as typed."""
    steps = []
    for step in (each for typed in chain.steps for each in PERTURBATIONS.expand_all(typed)):
        steps.append(Spec(step.name, tuple((key.replace("_", "-"), value) for key, value in step.params), step.text))
    return Chain(tuple(steps), chain.text)


def _members(suite: str, language: str) -> tuple[list[Chain], str]:
    chains: list[Chain] = []
    left_out: list[str] = []
    for text in SUITES[suite]:
        try:
            chain = _spelled_out(parse_chain(text, PERTURBATIONS.names()))
            build(chain)
        except UnknownName:
            left_out.append(f"{text} (not in this version)")
        except MissingExtra as error:
            left_out.append(f'{text} (needs {error.library}: pip install "nerquake[{error.extra}]")')
        else:
            lack = _lacking(chain, language)
            if lack:
                left_out.append(f"{text} ({lack})")
            else:
                chains.append(chain)
    return chains, f"{suite}: left out {', '.join(left_out)}" if left_out else ""


def _lacking(chain: Chain, language: str) -> str:
    """What a suite's attack lacks for a language, empty where it lacks nothing."""
    names = {step.name for step in chain.steps}
    if language and "faker" in names and language not in LOCALES:
        return f"no locales for the language {language}; name them: faker:locales=.."
    if language and "wikidata" in names and language not in STARTER_LANGUAGES:
        return f"the dictionary that is shipped has no names for the language {language}; name another: wikidata:FILE"
    return next(filter(None, (made.lacks(language) for made in build(chain) if isinstance(made, Paraphrase))), "")


def _check_names(chains: Sequence[Chain]) -> None:
    seen: dict[str, str] = {}
    for chain in chains:
        name = chain.name
        if not name or name.casefold() in _RESERVED:
            raise UsageError(f"-p {chain.text}: a set cannot be called {name!r}; give it another name with name=")
        if len(name) > _LONGEST:
            raise UsageError(f"-p {chain.text}: too long for a file name; give the set a shorter one with name=")
        if name.casefold() in seen:
            raise UsageError(
                f"two attacks are called {name}: -p {seen[name.casefold()]} and -p {chain.text}; give one a name=, "
                f"for example name={name[:40]}-2"
            )
        seen[name.casefold()] = chain.text
