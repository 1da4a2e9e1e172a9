"""One body over every registered builder of dictionaries."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from tests.conftest import skip_or_fail
from tests.contracts.cases import CASES, cases_of

from nerquake.core.spec import Spec
from nerquake.knowledge.build import build
from nerquake.knowledge.dictionary import Dictionary
from nerquake.registry import BUILDERS

each_builder = pytest.mark.parametrize("name", cases_of(BUILDERS))


def spec_of(name: str, folder: Path) -> Spec:
    for module in BUILDERS.builtins[name].library.split():
        if importlib.util.find_spec(module) is None:
            skip_or_fail(f'{module} is not installed: pip install "nerquake[{BUILDERS.builtins[name].extra}]"')
    return CASES[BUILDERS.kind][name](folder)


@each_builder
def test_a_dictionary_comes_out_that_knows_where_it_is_from(name: str, tmp_path: Path) -> None:
    spec = spec_of(name, tmp_path)
    build([BUILDERS.build(spec)], str(tmp_path / "one.duckdb"))
    with Dictionary.open(str(tmp_path / "one.duckdb")) as made:
        made.verify()
        assert made.meta.sources
        names = made.ask("SELECT count(*) FROM names")
        assert names[0][0] > 0


@each_builder
def test_the_same_twice_has_the_same_digest(name: str, tmp_path: Path) -> None:
    spec = spec_of(name, tmp_path)
    digests = set()
    for number in range(2):
        file = str(tmp_path / f"{number}.duckdb")
        build([BUILDERS.build(spec)], file)
        with Dictionary.open(file) as made:
            digests.add(made.meta.digest)
    assert len(digests) == 1
