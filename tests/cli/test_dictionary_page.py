"""Every command of docs/dictionary.md runs as it is written, on small data, and what the page counts is so."""

from __future__ import annotations

import gzip
import importlib.util
import json
import re
import shlex
import sys
from pathlib import Path

import pytest
from tests.cli.runner import nerquake
from tests.conftest import skip_or_fail
from tests.knowledge.sparql_server import cities, sparql_server
from tests.knowledge.synthetic_dump import plain, snak

from nerquake.knowledge.dictionary import starter
from nerquake.knowledge.figures import figures
from nerquake.registry import DATA_PACKAGES

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "dictionary.md").read_text("utf-8")
DATA = """\
# id {0}1
Rosa\tB-PERSON
Lind\tI-PERSON
met\tO
old\tO
friends\tO
in\tO
Leeds\tB-GPE

# id {0}2
She\tO
left\tO
Aberdeen\tB-GPE
for\tO
Berlin\tB-GPE
.\tO
"""
ENDPOINT = "https://query.wikidata.org/sparql"


def commands() -> list[list[str]]:
    """The commands of the page, in its order, continued lines joined."""
    blocks = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    assert all(line.startswith("$ ") for line in lines)
    return [shlex.split(line.removeprefix("$ ")) for line in lines]


def dump_line(number: int, name: str, prop: str, value: int) -> bytes:
    """An item with an English name and one statement."""
    statement = {"mainsnak": json.loads(snak(prop, value)), "type": "statement", "rank": "normal"}
    labels = {"en": {"language": "en", "value": name}}
    record = {"type": "item", "id": f"Q{number}", "labels": labels, "descriptions": {}, "aliases": {},
              "claims": {prop: [statement]}, "sitelinks": {}}  # fmt: skip
    return json.dumps(record).encode()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("train", "dev", "test"):
        (tmp_path / f"{name}.conll").write_text(DATA.format(name), "utf-8")
    (tmp_path / "deny.tsv").write_text("Berlin\tQ99\nQ4115189\n", "utf-8")
    (tmp_path / "list.tsv").write_text("deny\tname\tParis\nallow\tclass\tcity-uk\n", "utf-8")
    names = ("Berlin", "Leeds", "Aberdeen", "Vienna", "Lyon", "Porto", "Turin", "Ghent")
    lines = [dump_line(515, "city", "P279", 486972), dump_line(486972, "human settlement", "P279", 2221906)]
    lines += [dump_line(1000 + at, name, "P31", 515) for at, name in enumerate(names)]
    (tmp_path / "latest-all.json.gz").write_bytes(gzip.compress(plain(lines), mtime=0))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def piped(command: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command behind a pipe; `gzip -dc FILE` in front of it has become its standard input."""
    if "|" not in command:
        return command
    at = command.index("|")
    stream = folder / "stream.json"
    stream.write_bytes(gzip.decompress(Path(command[at - 1]).read_bytes()))
    monkeypatch.setattr(sys, "stdin", stream.open("r", encoding="utf-8"))
    return command[at + 1 :]


@pytest.mark.slow
@pytest.mark.enable_socket
def test_every_command_runs(folder: Path, pipeline: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in (*DATA_PACKAGES, "isal", "msgspec", "orjson", "pyarrow"):
        if importlib.util.find_spec(library) is None:
            skip_or_fail(f'{library} is not installed: pip install "nerquake[packages,wikidata]"')
    called = [piped(command, folder, monkeypatch) for command in commands() if command[0] != "pip"]
    with sparql_server() as server:
        cities(server.data)
        for name, *words in called:
            assert name == "nerquake"
            given = [word.replace("MODEL", f"spacy:{pipeline}").replace(ENDPOINT, server.url) for word in words]
            found = nerquake(*given)
            assert found.code == 0, (shlex.join(given), found.err)
    sys.stdin.close()
    assert len(called) > 20
    replaced = json.loads((folder / "rockner" / "test" / "summary.json").read_text("utf-8"))["sets"][1]["mentions"]
    assert replaced == {"all": 4, "attackable": 3, "replaced": 3}, "cities of the dump, but no names of people"
    assert json.loads((folder / "out" / "result.json").read_text("utf-8"))["findings"]["curve"][0]["set"] == "E"


def test_what_the_page_says_of_the_starter() -> None:
    found = figures(starter())
    classes = int(re.findall(r"needs no download: more than (\d+) classes", PAGE)[0])
    assert classes < found["dictionary"]["ALL"]["classes"]
    listed = re.findall(r"name types \(([A-Z_,\s]+)\)", PAGE)[0].split()
    assert [type_.strip(",") for type_ in listed] == [type_ for type_ in found["dictionary"] if type_ != "ALL"]
