"""The grammar of specifications: what is printed is read back to the same value."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import spec_items, specs

from nerquake.core.errors import SpecError
from nerquake.core.spec import POSITIONAL, Chain, Spec, parse_chain, parse_spec, print_chain, safe_name


@given(specs())
def test_print_parse_same_value(spec: Spec) -> None:
    assert parse_spec(str(spec)) == spec
    assert parse_chain(str(spec)).steps == (spec,)


@given(st.lists(specs(), min_size=1, max_size=3))
def test_a_chain_survives_printing(steps: list[Spec]) -> None:
    printed = print_chain(steps)
    again = parse_chain(printed)
    assert again.steps == tuple(steps)
    assert str(again) == printed == again.text


@given(specs())
def test_a_specification_survives_json(spec: Spec) -> None:
    assert Spec.from_json(json.loads(json.dumps(spec.to_json()))) == spec


@given(spec_items())
def test_any_text_can_be_a_value_in_quotes(text: str) -> None:
    quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    assert parse_spec(f"file:{quoted}").get(POSITIONAL) == text
    assert parse_spec(f"swap:pool={quoted},seed=1").params == (("pool", text), ("seed", "1"))


@given(st.text())
def test_any_text_is_read_or_refused_with_the_place(text: str) -> None:
    try:
        chain = parse_chain(text)
    except SpecError as error:
        found = re.search(r"at position (\d+)|is not|twice|two or more|directly", str(error))
        assert found
    else:
        assert parse_chain(str(chain)).steps == chain.steps


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("file:C:\\data\\new.conll", "C:\\data\\new.conll"),
        ('file:"C:\\data\\new, old.conll"', "C:\\data\\new, old.conll"),
        ("file:\\\\server\\share", "\\\\server\\share"),
        ('file:"\\\\\\\\server\\\\share"', "\\\\server\\share"),
        ("file:/data/my data/x.conll", "/data/my data/x.conll"),
        ("file:https://example.org/x?a=b", "https://example.org/x?a=b"),
        ('file:"a=b"', "a=b"),
        ("file:", ""),
        ('file:""', ""),
        ('file:" x "', " x "),
        ('file:"a|b"', "a|b"),
        ('file:"say \\"hi\\""', 'say "hi"'),
        ('file:"a\\nb"', "a\\nb"),
        ("file:होम", "होम"),
    ],
)
def test_awkward_paths(text: str, value: str) -> None:
    assert parse_spec(text) == Spec("file", ((POSITIONAL, value),))


def test_a_positional_list_that_begins_like_an_option_is_printed_in_quotes() -> None:
    spec = Spec("x", ((POSITIONAL, ("a=b", "c=d")),))
    assert str(spec) == 'x:"a=b"|c=d'
    assert parse_spec(str(spec)) == spec


def test_a_registered_name_is_read_first() -> None:
    assert parse_chain("m+r", {"m+r"}).steps == (Spec("m+r"),)
    assert parse_chain("m+r").steps == (Spec("m"), Spec("r"))


def test_a_single_specification_needs_no_quotes_around_a_plus() -> None:
    assert parse_spec("file:a+b.conll").get(POSITIONAL) == "a+b.conll"
    with pytest.raises(SpecError):
        parse_spec('file:a|"b')


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        ("", 1, "expected a name"),
        (" swap", 1, "expected a name"),
        ("swap+", 6, "expected a name"),
        ("swap++faker", 6, "expected a name"),
        ("swap + faker", 5, "expected `,`, `+` or the end"),
        ("swap:types=PER,LOC", 16, "expected key=value"),
        ("swap:types=PER,", 16, "expected key=value"),
        ("swap,PER", 6, "expected key=value"),
        ('file:"open', 11, "a quoted value has no end"),
        ('file:"a"b', 9, "expected `,`, `+` or the end"),
        ('file:a"b"', 7, "expected `,`, `+` or the end"),
        ("swap|x", 5, "expected `,`, `+` or the end"),
    ],
)
def test_a_message_points_at_the_place(text: str, place: int, what: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse_chain(text)
    assert f"specification {text!r}: {what} at position {place} " in str(caught.value)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ((("a", "1"), ("a", "2")), "given twice: a, a"),
        ((("a", "1"), ("", "2")), "directly after the colon"),
        ((("a b", "1"),), "'a b' is not the name of an option"),
        ((("a\n", "1"),), "is not the name of an option"),
        ((("a", ("1",)),), "two or more items"),
        ((("a", ()),), "two or more items"),
    ],
)
def test_a_value_that_could_not_be_typed_is_refused(params: tuple[tuple[str, str], ...], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        Spec("swap", params)


@pytest.mark.parametrize("name", ["", "a b", "a:b", "a+", "+b", 'a"b', "a\n", "a,b", "a|b", "a=b"])
def test_a_name_that_could_not_be_typed_is_refused(name: str) -> None:
    with pytest.raises(SpecError, match="is not a name"):
        Spec(name, (("x", "1"),))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("swap", "swap"),
        ("swap+letters", "swap+letters"),
        ("faker:locales=de_DE|de_AT", "faker_locales=de_DE_de_AT"),
        ("swap:name=RS", "RS"),
        ("swap:name=first+letters:name=last", "last"),
        ('swap:name="my set/1"', "my_set_1"),
        ("gazetteer:../names.txt", "gazetteer_.._names.txt"),
        ("swap:name=हिन्दी", "______"),
        ('swap:name=""', "_"),
        ("swap:name=..", "__"),
        ("swap:name=../x", ".._x"),
    ],
)
def test_the_name_of_a_set(text: str, name: str) -> None:
    assert parse_chain(text).name == name


@given(st.text())
def test_a_safe_name_is_one_part_of_a_path(text: str) -> None:
    made = safe_name(text)
    assert re.fullmatch(r"[A-Za-z0-9._+=-]+", made)
    assert made not in (".", "..")
    assert safe_name(made) == made


def test_a_plain_chain_is_without_names_but_keeps_its_text() -> None:
    chain = parse_chain("swap:name=a,types=PER+letters:name=b")
    assert str(chain.plain) == "swap:types=PER+letters"
    assert chain.plain.text == chain.text


def test_the_text_is_not_compared() -> None:
    typed = parse_chain('swap:types="PER"')
    assert typed.steps == parse_chain("swap,types=PER").steps
    assert typed.steps[0].text == 'swap:types="PER"'
    assert isinstance(typed, Chain)
