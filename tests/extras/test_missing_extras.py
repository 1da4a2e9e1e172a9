"""Each extra absent: the message has the exact pip line, and the rest works."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from tests.cli.runner import nerquake
from tests.conftest import skip_or_fail

from nerquake.core.errors import MissingExtra
from nerquake.core.spec import Spec
from nerquake.registry import REGISTRIES, TAGGERS, Builtin, Registry

ROOT = Path(__file__).resolve().parents[2]
WITH_EXTRA = [(registry, name) for registry in REGISTRIES for name, b in registry.builtins.items() if b.library]


@pytest.fixture
def hidden(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A library that cannot be found, as if it were not installed.

    Its modules stay in `sys.modules`: other libraries that were imported before hold on to them.
    """
    library = str(request.param)
    without(monkeypatch, library)
    return library


CASES = [
    (registry, name, library) for registry, name in WITH_EXTRA for library in registry.builtins[name].library.split()
]
IDS = [f"{registry.kind}-{name}-{library}" for registry, name, library in CASES]


@pytest.mark.parametrize(("registry", "name", "hidden"), CASES, indirect=["hidden"], ids=IDS)
def test_a_plug_in_without_its_library_names_the_pip_line(registry: Registry, name: str, hidden: str) -> None:
    builtin = registry.builtins[name]
    assert not builtin.available
    assert name in registry.names(), "it is listed all the same"
    with pytest.raises(MissingExtra) as caught:
        registry.build(Spec(name, (("", "x"),)))
    first, *rest = builtin.missing
    assert hidden in (first, *rest)
    needed = first + (f" (and {', '.join(rest)})" if rest else "")
    assert str(caught.value) == (
        f'the {registry.kind} {name} needs {needed}, which is not installed: pip install "nerquake[{builtin.extra}]"'
    )
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(("registry", "name", "hidden"), CASES, indirect=["hidden"], ids=IDS)
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
        for variant in builtin.variants:
            wanted = project["optional-dependencies"][variant.extra]
            assert all(any(need.startswith(module) for need in wanted) for module in variant.library.split())
        if builtin.extra:
            wanted = project["optional-dependencies"][builtin.extra]
            assert any(requirement.startswith(builtin.library.split()[0]) for requirement in wanted)


def without(monkeypatch: pytest.MonkeyPatch, *absent: str) -> None:
    """All modules are there but these."""
    monkeypatch.setattr("nerquake.registry.lookup.find_spec", lambda name: None if name in absent else name)


@pytest.mark.parametrize("name", ["huggingface", "flair", "stanza"])
def test_a_plug_in_that_needs_torch_is_not_there_without_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "torch")
    rows = {row["name"]: row for row in nerquake("plugins", "--format", "json").json["plugins"]}
    assert not rows[name]["available"]
    assert rows[name]["install"] == f'pip install "nerquake[{name}]"'
    with pytest.raises(MissingExtra, match=f"the tagger {name} needs torch, which is not installed"):
        TAGGERS.build(Spec(name, (("", "x"),)))


@pytest.mark.parametrize("absent", [("transformers", "torch"), ("onnxruntime", "torch"), ("transformers",)])
def test_an_option_may_need_another_extra(absent: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, *absent)
    ran = nerquake("predict", "sample:en", "-t", "huggingface:x,runtime=onnx", "-o", "-")
    assert ran.code == 2
    assert f"huggingface with runtime=onnx needs {absent[0]}, which is not installed" in ran.err
    assert 'pip install "nerquake[onnx]"' in ran.err
    rows = {row["name"]: row for row in nerquake("plugins", "--format", "json").json["plugins"]}
    assert rows["huggingface,runtime=onnx"]["install"] == 'pip install "nerquake[onnx]"'


def test_onnx_runs_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "torch")
    assert TAGGERS.build(Spec("huggingface", (("", "x"), ("runtime", "onnx")))).runtime == "onnx"
    assert TAGGERS.load("huggingface").__name__ == "HuggingFaceTagger"
    rows = {row["name"]: row for row in nerquake("plugins", "--format", "json").json["plugins"]}
    assert rows["huggingface,runtime=onnx"]["available"]
    assert rows["huggingface,runtime=onnx"]["install"] == ""


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
