"""The builder from data packages: its options, and packages that are missing."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from nerquake.core.errors import MissingExtra, SpecError, UnknownName, UsageError
from nerquake.core.options import instance
from nerquake.core.spec import parse_spec
from nerquake.knowledge import packages as builder
from nerquake.knowledge.build import build_in_memory
from nerquake.knowledge.packages import PACKAGES, Packages
from nerquake.knowledge.packages_rows import PackageRows, straightened, without_brackets

Give = Callable[[PackageRows], None]


def built(text: str) -> Packages:
    found = instance(Packages, parse_spec(text))
    assert isinstance(found, Packages)
    return found


def test_options() -> None:
    assert built("packages").chosen == tuple(PACKAGES)
    found = built("packages:from=babel|pycountry,languages=fr,currency-type=MONEY")
    assert (found.chosen, found.languages, found.currency_type) == (("babel", "pycountry"), ("fr",), "MONEY")
    with pytest.raises(UnknownName, match=r"no data package is called 'bable'.*babel"):
        built("packages:from=bable")
    with pytest.raises(SpecError, match="codes such as en"):
        built("packages:languages=mul")


def test_all_packages_that_are_missing_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "find_spec", lambda name: None if name in ("babel", "pycountry") else name)
    with pytest.raises(MissingExtra) as caught:
        build_in_memory([built("packages:from=pycountry|babel|airportsdata")])
    assert str(caught.value) == (
        "the dictionary builder packages needs babel, pycountry, which is not installed: "
        'pip install "nerquake[packages]"'
    )


def test_only_the_chosen_packages_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def reading(name: str) -> Callable[[PackageRows, str], None]:
        return lambda rows, type_: read.append(f"{name} {type_}")

    fakes = {name: package._replace(fill=reading(name)) for name, package in PACKAGES.items()}
    monkeypatch.setattr(builder, "PACKAGES", fakes)
    monkeypatch.setattr(builder, "find_spec", lambda name: name)
    monkeypatch.setattr(builder, "version", lambda name: "1.0")
    connection, meta = build_in_memory([built("packages:from=pycountry|babel,currency-type=X")])
    connection.close()
    assert read == ["babel X", "pycountry X"]
    assert [source.version for source in meta.sources] == ["babel 1.0", "pycountry 1.0"]
    assert [source.builder for source in meta.sources] == ["packages"] * 2
    assert meta.attributions == PACKAGES["babel"].attributions + PACKAGES["pycountry"].attributions


def test_a_language_that_babel_does_not_have(monkeypatch: pytest.MonkeyPatch) -> None:
    class UnknownLocaleError(Exception):
        """babel's own."""

    def parse(language: str, sep: str) -> None:
        raise UnknownLocaleError(language)

    fake = SimpleNamespace(Locale=SimpleNamespace(parse=parse), UnknownLocaleError=UnknownLocaleError)
    monkeypatch.setitem(__import__("sys").modules, "babel", fake)
    monkeypatch.setattr(builder, "find_spec", lambda name: name)
    with pytest.raises(UsageError, match="babel has no names in the language 'xx'"):
        build_in_memory([built("packages:from=babel,languages=xx")])


def test_how_names_are_straightened() -> None:
    assert straightened("  Ko\u0308ln \u00a0 am  Rhein") == "Köln am Rhein"
    assert without_brackets("Cocos (Keeling) Islands") == "Cocos Islands"
    assert without_brackets("Wales [Cymru GB-CYM]") == "Wales"
