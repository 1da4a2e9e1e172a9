"""One body over every registered builder of dictionaries."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conftest import skip_or_fail
from tests.contracts.cases import CASES, cases_of
from tests.knowledge.sparql_server import cities, sparql_server

from nerquake.core.spec import Spec
from nerquake.knowledge.build import build
from nerquake.knowledge.dictionary import Dictionary
from nerquake.registry import BUILDERS

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
each_builder = pytest.mark.parametrize("name", cases_of(BUILDERS))


@pytest.fixture(autouse=True)
def _endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An endpoint for `sparql`; its address stands in the test's folder."""
    monkeypatch.setenv("no_proxy", "*")
    with sparql_server() as running:
        cities(running.data)
        (tmp_path / "url").write_text(running.url, "utf-8")
        yield


def spec_of(name: str, folder: Path) -> Spec:
    for module in ("babel",) if name == "packages" else BUILDERS.builtins[name].library.split():
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
