"""The key of a language model's server: where it may travel, and that it is written nowhere."""

from __future__ import annotations

import html
import json
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.cli.runner import nerquake
from tests.taggers.chat_server import ANNA, KEY, ChatServer, Reply, chat_server, mentions, saying, tagger

from nerquake.core.errors import ServerError, UsageError
from nerquake.core.spec import parse_spec
from nerquake.models.chat_client import ChatEndpoint
from nerquake.registry import TAGGERS
from nerquake.taggers.llm import LlmTagger

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.mark.parametrize(
    ("key", "url", "message"),
    [
        (KEY, "http://example.org/v1", "would travel unencrypted to example.org"),
        (KEY, "http://127.0.0.1.example.org/v1", "would travel unencrypted to 127"),
        ("short77", "https://example.org/v1", "less than 8 characters.*key-env= to send none"),
        (f"{KEY}\nX-Evil: 1", "https://example.org/v1", "holds blanks, line ends"),
        (f"{KEY}\u00fc", "https://example.org/v1", "holds blanks, line ends"),
    ],
)
def test_a_key_that_must_not_be_sent(monkeypatch: pytest.MonkeyPatch, key: str, url: str, message: str) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(UsageError, match=message) as caught:
        LlmTagger(url, "m", ("PER",)).predict([ANNA])
    assert KEY not in str(caught.value)
    assert key not in str(caught.value)


def test_key_env_empty_sends_none(server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    TAGGERS.build(parse_spec(f"llm:{server.url},model=m,labels=PER|LOC,key-env=")).predict([ANNA])
    assert "Authorization" not in server.headers[0]


def files_with(folder: Path, text: str) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file() and text.encode() in file.read_bytes()]


def test_the_key_is_written_nowhere(server: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server repeats the key in answers and in errors; no file, no output, no error shows it."""
    monkeypatch.setenv("MY_KEY", KEY)
    data = tmp_path / "gold.conll"
    data.write_text("Anna B-PER\nmet O\nBonn B-LOC\n\nBo B-PER\nleft O\n", "utf-8")
    server.rule = lambda body: mentions(("Anna", "PER"), (KEY, "PER"), ("Bonn", f"LOC {KEY}"))
    command = ["audit", data, "-t", f"llm:{server.url},model=m,key-env=MY_KEY,retries=0,name=chat", "-p", "letters"]
    ran = nerquake(*command, "-o", tmp_path / "out", "--resamples", 20, "--debug")
    assert ran.code == 0, ran.err
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert "could not be taken as given" in ran.err
    assert files_with(tmp_path, "was not asked for")
    server.rule = lambda body: Reply({"error": {"message": f"Incorrect API key provided: {KEY}"}}, 401)
    failed = nerquake(*command, "-o", tmp_path / "failed")
    assert failed.code == 2
    debugged = nerquake(*command, "-o", tmp_path / "failed", "--debug")
    assert "Traceback" in debugged.err
    assert KEY not in debugged.out + debugged.err
    assert "the key in MY_KEY" in failed.err
    assert KEY not in ran.out + ran.err + failed.out + failed.err
    assert files_with(tmp_path, KEY) == []


ODD = "sk/odd+key=<&>\\\\'\"47"
WRITTEN = {
    "as it is": lambda text: text,
    "slashes escaped": lambda text: text.replace("/", "\\/"),
    "a plus escaped": lambda text: text.replace("+", "\\u002B"),
    "all escaped": lambda text: "".join(f"\\u{ord(char):04x}" for char in text),
    "as JSON": lambda text: json.dumps(text)[1:-1],
    "as JSON in JSON": lambda text: json.dumps(json.dumps(text)[1:-1])[1:-1],
    "as JSON in JSON in JSON": lambda text: json.dumps(json.dumps(json.dumps(text)[1:-1])[1:-1])[1:-1],
    "as repr": lambda text: repr(text)[1:-1],
    "in an address": lambda text: quote(text, safe=""),
    "in a page": html.escape,
    "in a page, by numbers": lambda text: "".join(f"&#{ord(char)};" for char in text),
}


@pytest.mark.parametrize("key", [KEY, ODD, ODD * 20, "abc"], ids=["plain", "odd", "long", "short"])
@pytest.mark.parametrize("form", WRITTEN)
def test_the_key_is_scrubbed_however_it_is_written(key: str, form: str) -> None:
    hidden = ChatEndpoint("https://h/v1", key)._scrubbed(f"a {WRITTEN[form](key)} z")
    assert hidden == "a *** z"


PLAIN_ODD = "sk/odd+key=<b>47"


@pytest.mark.parametrize("key", [KEY, PLAIN_ODD, PLAIN_ODD * 20], ids=["plain", "odd", "long"])
@pytest.mark.parametrize("form", ["as it is", "slashes escaped", "a plus escaped", "all escaped"])
def test_a_key_escaped_by_the_server_is_in_no_note_and_no_error(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch, key: str, form: str
) -> None:
    """Escaped in the server's JSON and in the model's own; cut short, it leaves no beginning of it."""
    monkeypatch.setenv("OPENAI_API_KEY", key)
    said = "x" * 40 + WRITTEN[form](key)
    server.will(saying('{"mentions": [{"text": "KEY", "label": "PER"}, {"text": "Bo", "label": "KEY"}]}'
                       .replace("KEY", said)))  # fmt: skip
    (found,) = tagger(server, retries=0).predict([ANNA])
    server.will(saying(f"I was given {said}"))
    (unread,) = tagger(server, retries=0).predict([ANNA])
    server.will(Reply('{"error": {"message": "KEY"}}'.replace("KEY", "y " * 120 + said), 401))
    server.will(Reply("<p>" + "y " * 120 + said, 401))
    errors = []
    for _ in range(2):
        with pytest.raises(ServerError, match="status 401") as caught:
            tagger(server).predict([ANNA])
        errors.append(str(caught.value))
    assert server.headers[0]["Authorization"] == f"Bearer {key}"
    assert len(found.notes) == 2
    for text in (*found.notes, *unread.notes, *errors):
        assert "***" in text
        assert key[:5] not in text.replace("\\", "")
        assert "u0073" not in text


def test_this_machine_is_asked_without_a_proxy(server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy would read the key and the sentences."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with chat_server() as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url.removesuffix("/v1"))
        tagger(server).predict([ANNA])
        assert (len(server.bodies), len(proxy.bodies)) == (1, 0)
