"""Each extra absent: the message has the exact pip line, and the rest works."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest
from tests.cli.runner import nerquake
from tests.conftest import skip_or_fail

from nerquake.core.errors import MissingExtra
from nerquake.core.spec import Spec
from nerquake.registry import REGISTRIES, Builtin, Registry

ROOT = Path(__file__).resolve().parents[2]
WITH_EXTRA = [(registry, name) for registry in REGISTRIES for name, b in registry.builtins.items() if b.library]


@pytest.fixture
def hidden(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A library that cannot be imported, as if it were not installed."""
    library = str(request.param)
    for name in [name for name in sys.modules if name == library or name.startswith(f"{library}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)  # type: ignore[arg-type]
    return library


CASES = [(registry, name, registry.builtins[name].library) for registry, name in WITH_EXTRA]


@pytest.mark.parametrize(
    ("registry", "name", "hidden"), CASES, indirect=["hidden"], ids=[f"{r.kind}-{n}" for r, n in WITH_EXTRA]
)
def test_a_plug_in_without_its_library_names_the_pip_line(registry: Registry, name: str, hidden: str) -> None:
    builtin = registry.builtins[name]
    assert not builtin.available
    assert name in registry.names(), "it is listed all the same"
    with pytest.raises(MissingExtra) as caught:
        registry.build(Spec(name, (("", "x"),)))
    expected = (
        f'the {registry.kind} {name} needs {hidden}, which is not installed: pip install "nerquake[{builtin.extra}]"'
    )
    assert str(caught.value) == expected
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("registry", "name", "hidden"), CASES, indirect=["hidden"], ids=[f"{r.kind}-{n}" for r, n in WITH_EXTRA]
)
def test_the_list_of_plug_ins_has_the_pip_line(registry: Registry, name: str, hidden: str) -> None:
    rows = nerquake("plugins", "--format", "json").json["plugins"]
    (row,) = [row for row in rows if (row["kind"], row["name"]) == (registry.kind, name)]
    assert not row["available"]
    assert row["install"] == f'pip install "nerquake[{registry.builtins[name].extra}]"'
    assert row["install"] in " ".join(nerquake("plugins").out.split())


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.kind)
def test_the_extra_that_a_message_names_is_one_of_the_package(registry: Registry) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for builtin in registry.builtins.values():
        assert bool(builtin.library) == bool(builtin.extra)
        if builtin.extra:
            wanted = project["optional-dependencies"][builtin.extra]
            assert any(requirement.startswith(builtin.library) for requirement in wanted)


def test_a_builtin_without_a_library_is_always_there() -> None:
    assert Builtin("x:Y", "x").available


def test_a_promised_extra_that_is_missing_is_a_failure_not_a_skip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NERQUAKE_TEST_ALL", "1")
    with pytest.raises(pytest.fail.Exception, match="NERQUAKE_TEST_ALL is set, but spacy is not installed"):
        skip_or_fail("spacy is not installed")
    monkeypatch.delenv("NERQUAKE_TEST_ALL")
    with pytest.raises(pytest.skip.Exception, match="spacy is not installed"):
        skip_or_fail("spacy is not installed")


def test_flair_is_promised_on_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Flair wants an older transformers, so that no one environment has everything."""
    monkeypatch.setenv("NERQUAKE_TEST_ALL", "1")
    monkeypatch.delenv("NERQUAKE_TEST_FLAIR", raising=False)
    with pytest.raises(pytest.skip.Exception, match="flair is not installed"):
        skip_or_fail("flair is not installed", "NERQUAKE_TEST_FLAIR")
    monkeypatch.setenv("NERQUAKE_TEST_FLAIR", "1")
    with pytest.raises(pytest.fail.Exception, match="NERQUAKE_TEST_FLAIR is set, but flair is not installed"):
        skip_or_fail("flair is not installed", "NERQUAKE_TEST_FLAIR")
