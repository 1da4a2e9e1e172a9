"""Language models behind a chat endpoint that misbehaves in every way it can."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.runner import nerquake
from tests.taggers.chat_server import ANNA, KEY, ChatServer, Reply, capitals, mentions, saying, tagger

from nerquake.core.errors import ServerError, SpecError, UnknownName, UsageError
from nerquake.core.span import Span
from nerquake.core.spec import parse_spec
from nerquake.models.chat_client import MalformedAnswer, endpoint_of
from nerquake.registry import TAGGERS
from nerquake.taggers.llm import LlmTagger
from nerquake.taggers.llm_prompt import read_answer

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
PLACED = (Span(0, 1, "PER"), Span(2, 3, "PER"), Span(4, 5, "LOC"))
RIGHT = mentions(("Anna", "PER"), ("Bo", "PER"), ("Bonn", "LOC"))


def test_a_right_answer(server: ChatServer) -> None:
    server.will(RIGHT)
    (found,) = tagger(server, seed=7).predict([ANNA])
    assert found.spans == PLACED
    assert found.notes == ()
    (body,) = server.bodies
    assert (body["model"], body["temperature"], body["seed"]) == ("m", 0, 7)
    assert "PER, LOC" in body["messages"][0]["content"]
    assert server.sentences() == ["Anna met Bo in Bonn ."]
    assert server.headers[0]["path"] == "/v1/chat/completions"
    assert "Authorization" not in server.headers[0]
    assert "response_format" not in body


def test_json_mode_asks_for_json(server: ChatServer) -> None:
    tagger(server, json_mode=True).predict([ANNA])
    assert server.bodies[0]["response_format"] == {"type": "json_object"}


def test_case_11_the_same_name_twice_is_two_places(server: ChatServer) -> None:
    server.will(mentions(("May", "PER"), ("May", "PER")))
    (found,) = tagger(server).predict([("May", "met", "May", "in", "May", ".")])
    assert found.spans == (Span(0, 1, "PER"), Span(2, 3, "PER"))


def test_what_cannot_be_placed_is_said(server: ChatServer) -> None:
    server.will(mentions(("Anna", "per"), ("Berlin", "LOC"), ("Bonn", "CITY"), ("Anna", "PER"), ("", "PER")))
    (found,) = tagger(server).predict([ANNA])
    assert found.spans == (Span(0, 1, "PER"),)
    assert [note.partition(")")[0] for note in found.notes] == [
        "'Bonn' has the label 'CITY', which was not asked for",
        "'Berlin' (LOC", "'Anna' (PER", "'' (PER",
    ]  # fmt: skip
    assert found.unseen == ()


MALFORMED = {
    "no JSON": saying("I see Anna and Bonn."),
    "cut JSON": saying('{"mentions": [{"text": "Anna", "lab'),
    "other key": saying({"entities": []}),
    "a list of texts": saying(["Anna"]),
    "a mention without label": saying({"mentions": [{"text": "Anna"}]}),
    "a mention that is a number": saying({"mentions": [{"text": 3, "label": "PER"}]}),
    "mentions as object": saying({"mentions": {"Anna": "PER"}}),
    "empty": saying(""),
    "no choices": Reply({"choices": []}),
    "a list": Reply([1, 2]),
    "no JSON at all": Reply("<html>hello</html>"),
    "not UTF-8 by declaration": Reply('"\\ud800"'),
    "content is null": Reply({"choices": [{"message": {"content": None}}]}),
    "deep": Reply("[" * 100_000),
    "deep content": saying('{"mentions":' * 3_000),
}


@pytest.mark.parametrize("bad", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_answer_is_asked_again_and_counted(server: ChatServer, bad: Reply) -> None:
    server.will(bad, RIGHT)
    (found,) = tagger(server).predict([ANNA])
    assert found.spans == PLACED
    assert len(found.notes) == 1
    assert found.notes[0].startswith("1 unreadable before a usable answer: ")
    assert len(server.bodies[1]["messages"]) > len(server.bodies[0]["messages"])


@pytest.mark.parametrize("bad", MALFORMED.values(), ids=MALFORMED)
def test_without_a_usable_answer_the_sentence_is_unseen(server: ChatServer, bad: Reply) -> None:
    server.will(bad, bad)
    (found,) = tagger(server).predict([ANNA])
    assert found.spans == ()
    assert found.unseen == tuple(range(6))
    assert found.notes[0].startswith("no usable answer in 2 tries: ")
    assert len(server.bodies) == 2


@pytest.mark.parametrize(
    "content",
    [
        'Here you are:\n```json\n{"mentions": [{"text": "Anna", "label": "PER"}]}\n```\nDone {really}.',
        '<think>{"mentions": []} or not?</think> {"mentions": [{"text": "Anna", "label": "PER"}]}',
        '[{"text": "Anna", "label": "PER", "start": 0}]',
        '{"a": 1} {"mentions": [{"label": "PER", "text": "Anna"}]}',
        '[] {"mentions": [{"text": "Anna", "label": "PER"}]}',
        '- [ ] names: {"mentions": [{"text": "Anna", "label": "PER"}]}',
        '[{"text": "Bo", "label": "PER"}], no: {"mentions": [{"text": "Anna", "label": "PER"}]}',
        '[ ] [{"text": "Anna", "label": "PER"}] []',
        '[{"mentions": [{"text": "Anna", "label": "PER"}]}]',
        '{"mentions": [{"text": "Anna", "label": "PER"}]} <think> or {"mentions": []}',
        '{"mentions": [{"text": "Anna", "label": "PER"}]',
    ],
)
def test_words_around_the_json_do_no_harm(content: str) -> None:
    assert read_answer(content) == [("Anna", "PER")]


@pytest.mark.parametrize(
    "content", ["[]", "```\n[ ]\n```", '{"mentions": []}', '[{"text": "Bo", "label": "PER"}] {"mentions": []}']
)
def test_no_mentions(content: str) -> None:
    assert read_answer(content) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('<think>{"mentions": [{"text": "Anna", "label": "PER"}]}, or', "its thought has no end"),
        ("<think>a</think> <think>[]", "its thought has no end"),
        ('<think>a</think> So: <think>{"mentions": []}', "no list of mentions in 'So:'"),
        ('- [ ] names: {"mentions": [{"text": "Anna", "la', "no list of mentions"),
    ],
)
def test_a_thought_or_a_box_to_tick_is_no_answer(content: str, message: str) -> None:
    with pytest.raises(MalformedAnswer, match=re.escape(message)):
        read_answer(content)


@given(st.text(max_size=40) | st.text('{}[]":,mentions ', max_size=40))
def test_reading_any_text_gives_mentions_or_a_malformed_answer(text: str) -> None:
    try:
        assert all(name.label for name in read_answer(text))
    except MalformedAnswer as error:
        assert str(error)


def test_too_many_requests_wait_as_long_as_asked(server: ChatServer) -> None:
    server.will(Reply("slow down", 429, {"Retry-After": "0.3"}), RIGHT)
    (found,) = tagger(server, retries=0).predict([ANNA])
    assert found.spans == PLACED
    assert found.notes == ()
    assert server.times[1] - server.times[0] >= 0.3


def test_retry_after_may_be_a_date(server: ChatServer) -> None:
    server.will(Reply("", 503, {"Retry-After": formatdate(time.time() + 1.9, usegmt=True)}), RIGHT)
    assert tagger(server, retries=0).predict([ANNA])[0].spans == PLACED
    assert server.times[1] - server.times[0] >= 0.5


def test_patience_ends(server: ChatServer) -> None:
    server.will(Reply({"error": {"message": "Quota"}}, 429, {"Retry-After": "3600"}))
    began = time.monotonic()
    with pytest.raises(ServerError, match=r"status 429 \(Quota\), too many requests; it asks to wait 3600 s"):
        tagger(server).predict([ANNA])
    assert time.monotonic() - began < 3


def test_a_server_that_always_says_at_once_is_not_asked_for_ever(server: ChatServer) -> None:
    server.rule = lambda body: Reply("", 429, {"Retry-After": "0"})
    with pytest.raises(ServerError, match="allows no more"):
        tagger(server, patience=0.05).predict([ANNA])
    assert len(server.bodies) <= 7


@pytest.mark.parametrize("header", ["soon", "", "-5", "nan"])
def test_a_retry_after_that_means_nothing_counts_as_a_failure(
    server: ChatServer, header: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.will(Reply("", 429, {"Retry-After": header}))
    with pytest.raises(ServerError, match="too many requests"):
        tagger(server, retries=0).predict([ANNA])


FAILING = {
    "no answer in time": Reply("", delay=0.6),
    "a byte now and then": saying("x" * 50, drip=0.05),
    "status 500": Reply("<b>oops</b>", 500),
    "status 502": Reply({"error": "bad gateway"}, 502),
    "a body that ends too early": Reply('{"choices"', cut=True),
}


@pytest.mark.parametrize("reply", FAILING.values(), ids=FAILING)
def test_a_failure_is_tried_again(server: ChatServer, reply: Reply) -> None:
    server.will(reply, RIGHT)
    assert tagger(server, timeout=0.4).predict([ANNA])[0].spans == PLACED
    assert len(server.bodies) == 2


@pytest.mark.parametrize("reply", FAILING.values(), ids=FAILING)
def test_failures_end_the_run_with_the_address(server: ChatServer, reply: Reply) -> None:
    server.rule = lambda body: reply
    with pytest.raises(ServerError, match=r"127\.0\.0\.1.*tries"):
        tagger(server, timeout=0.4, retries=0).predict([ANNA])


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (Reply({"error": {"message": "No such model"}}, 404), r"404 \(No such model\).*model's name may be wrong"),
        (Reply({"error": {"message": "no key"}}, 401), "wants a valid key: OPENAI_API_KEY holds no key"),
        (Reply({"detail": "bad"}, 400), "status 400"),
        (Reply("", 302, {"Location": "http://127.0.0.1:9/v1"}), "not followed"),
        (Reply("", 308, {"Location": "http://127.0.0.1:9/v1"}), "not followed"),
    ],
)
def test_a_refusal_ends_the_run_at_once(server: ChatServer, reply: Reply, message: str) -> None:
    server.rule = lambda body: reply
    with pytest.raises(ServerError, match=message):
        tagger(server).predict([ANNA])
    assert len(server.bodies) == 1


def test_nobody_listens(server: ChatServer) -> None:
    with pytest.raises(ServerError, match="cannot be reached"):
        LlmTagger("http://127.0.0.1:9/v1", "m", ("PER",), retries=0).predict([ANNA])


def test_a_failure_does_not_wait_for_the_others(server: ChatServer) -> None:
    def rule(body: dict[str, Any]) -> Reply:
        if "Anna" in body["messages"][1]["content"]:
            return Reply("", 400, delay=0.3)
        return Reply("", 429, {"Retry-After": "200"})

    server.rule = rule
    began = time.monotonic()
    with pytest.raises(ServerError, match="400"):
        tagger(server).predict([ANNA, ("Bo",), ("Ulm",)])
    assert time.monotonic() - began < 10


def test_concurrency_order_and_equal_sentences(server: ChatServer) -> None:
    server.rule = lambda body: Reply(capitals(body).text, delay=0.1)
    sentences = [("Anna",), ("x", "Bo"), ("Anna",), ("y",), ("z", "z", "Ulm")]
    found = tagger(server, concurrency=2).predict(sentences)
    assert [one.spans for one in found] == [
        (Span(0, 1, "PER"),), (Span(1, 2, "PER"),), (Span(0, 1, "PER"),), (), (Span(2, 3, "PER"),),
    ]  # fmt: skip
    assert len(server.bodies) == 4
    assert server.most_at_once == 2


def test_sentences_without_a_word_are_not_sent(server: ChatServer) -> None:
    found = tagger(server).predict([("", "\u00a0"), ("", "Anna")])
    assert [one.unseen for one in found] == [(0, 1), (0,)]
    assert len(server.bodies) == 1


def test_labels_are_needed(server: ChatServer) -> None:
    with pytest.raises(UsageError, match=r"labels=PER\|LOC"):
        tagger(server, types=()).predict([ANNA])


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("llm:localhost,model=m", "expected the address"),
        ("llm:ftp://x/v1,model=m", "expected the address"),
        ("llm:http://x/v1", "needs model=NAME"),
        ("llm", "needs url"),
        ("llm:http://x/v1,model=m,concurrency=0", "concurrency is at least 1"),
        ("llm:http://x/v1,model=m,timeout=0", "timeout above 0"),
        (f"llm:http://me:{KEY}@x/v1,model=m", "the address holds a user name"),
        (f'llm:"http://x/v1?api_key={KEY}",model=m', "the address holds a user name"),
    ],
)
def test_wrong_specifications_say_so_without_secrets(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message) as caught:
        TAGGERS.build(parse_spec(spec))
    assert KEY not in str(caught.value)


def test_there_is_no_option_for_the_key() -> None:
    with pytest.raises(UnknownName) as caught:
        TAGGERS.build(parse_spec(f"llm:http://x/v1,model=m,api-key={KEY}"))
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "whole"),
    [
        ("http://h:1/v1", "http://h:1/v1/chat/completions"),
        ("http://h/v1/", "http://h/v1/chat/completions"),
        ("https://h/v1/chat/completions", "https://h/v1/chat/completions"),
        ("https://h/d?api-version=2", "https://h/d/chat/completions?api-version=2"),
        ("http://h", "http://h/chat/completions"),
    ],
)
def test_the_address(given: str, whole: str) -> None:
    assert endpoint_of(given) == whole


def test_the_fingerprint_is_of_the_question_not_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    one = LlmTagger("http://h/v1", "m", ("PER",))
    before = one.fingerprint()
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert one.fingerprint() == before
    assert LlmTagger("http://h/v1", "m", ("PER", "LOC")).fingerprint() != before
    assert LlmTagger("http://h/v1", "n", ("PER",)).fingerprint() != before


def test_gold_labels_are_asked_for_where_none_are_named(server: ChatServer, tmp_path: Path) -> None:
    data = tmp_path / "gold.conll"
    data.write_text("Anna B-PER\nmet O\nBonn B-LOC\n", "utf-8")
    server.rule = lambda body: mentions(("Anna", "PER"), ("Bonn", "LOC"), ("Ulm", "LOC"))
    ran = nerquake("predict", data, "-t", f"llm:{server.url},model=m")
    assert ran.out == "[Anna PER] met [Bonn LOC]\n"
    assert "an answer could not be taken as given" in ran.err
    assert "'Ulm' (LOC) does not stand in the sentence" in ran.err
    assert "LOC, PER" in server.bodies[0]["messages"][0]["content"]


def test_answers_are_kept_with_their_notes(server: ChatServer, tmp_path: Path) -> None:
    data = tmp_path / "gold.conll"
    data.write_text("Anna B-PER\nmet O\nBonn B-LOC\n", "utf-8")
    server.rule = lambda body: mentions(("Ulm", "LOC"))
    command = ["audit", data, "-t", f"llm:{server.url},model=m", "-p", "identity", "-o", tmp_path / "out",
               "--resamples", 20]  # fmt: skip
    first = nerquake(*command)
    asked = len(server.bodies)
    second = nerquake(*command)
    assert len(server.bodies) == asked
    assert (first.out, second.out) == (first.out, first.out)
    assert "'Ulm' (LOC) does not stand in the sentence" in second.err
    notes = json.loads((tmp_path / "out" / "result.json").read_text("utf-8"))["findings"]["method"]["notes"]
    assert any("'Ulm'" in note for note in notes)


def test_an_interrupt_does_not_wait_for_the_server(server: ChatServer, tmp_path: Path) -> None:
    data = tmp_path / "gold.conll"
    data.write_text("Anna B-PER\n\nBo B-PER\n\nBonn B-LOC\n", "utf-8")
    server.rule = lambda body: Reply("", delay=30)
    start = (  # where tests run in the background the signal is ignored, by every process that they start
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from nerquake.cli.main import main; main()"
    )
    command = [sys.executable, "-c", start, "predict", data, "-t", f"llm:{server.url},model=m,concurrency=2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        for _ in range(600):
            if len(server.bodies) == 2:
                break
            time.sleep(0.05)
        began = time.monotonic()
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=25)
    assert time.monotonic() - began < 5, "about a second; more only where the machine is busy"
    assert running.returncode == 130
    assert "Interrupted." in said
    assert len(server.bodies) == 2
