"""The builder from a SPARQL endpoint: what it takes, and how it bears with endpoints that misbehave."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from tests.knowledge.sparql_server import ENTITY, TRACE, Reply, SparqlServer, cities, sparql_server

from nerquake.core.errors import InputError, OutputError, ServerError, SpecError, UsageError
from nerquake.core.options import instance
from nerquake.core.spec import parse_spec
from nerquake.knowledge import sparql_client
from nerquake.knowledge.build import Choices, build_in_memory
from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.roots import read_roots
from nerquake.knowledge.sparql import Sparql
from nerquake.knowledge.sparql_client import Endpoint

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
AGENT = "tests@example.org"
QUERY = "SELECT ?item WHERE { ?item wdt:P31 wd:Q515 . } LIMIT 5 OFFSET 0"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[SparqlServer]:
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(sparql_client, "SHORTEST_WAIT", 0.01)
    with sparql_server() as running:
        cities(running.data)
        yield running


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def endpoint(server: SparqlServer, waits: list[float]) -> Endpoint:
    return Endpoint(server.url, f"nerquake ({AGENT})", timeout=5.0, retries=3, patience=60.0, sleep=waits.append)


@pytest.fixture
def sparql(server: SparqlServer, tmp_path: Path) -> Sparql:
    cache = str(tmp_path / "answers")
    return Sparql(endpoint=server.url, agent=AGENT, classes=("Q515",), cache=cache, page=2, retries=0, timeout=5.0)


def made(sparql: Sparql) -> Dictionary:
    connection, meta = build_in_memory([sparql], Choices(roots=read_roots()))
    return Dictionary("test", connection, meta)


def files(sparql: Sparql) -> list[Path]:
    return sorted(Path(sparql.cache).iterdir()) if Path(sparql.cache).exists() else []


def test_what_a_dictionary_holds(sparql: Sparql, server: SparqlServer) -> None:
    dictionary = made(sparql)
    assert dictionary.ask("SELECT id, lang, kind, name FROM names ORDER BY ALL") == [
        (64, "en", 0, "Berlin"), (64, "en", 1, "Berlin, Germany"), (64, "hi", 0, "बर्लिन"), (90, "en", 0, "Paris"),
        (90, "hi", 0, "पेरिस"), (1085, "en", 0, "Prague"), (1085, "mul", 0, "Praha"),
    ]  # fmt: skip
    assert dictionary.ask("SELECT id, class FROM item_class ORDER BY ALL") == [
        (64, 515), (64, 1549591), (90, 515), (1085, 515)
    ]  # fmt: skip
    assert dictionary.ask("SELECT * FROM country") == [(64, 183)]
    assert dictionary.ask("SELECT * FROM titles") == [("de", "Berlin", 64)]
    assert dictionary.ask("SELECT class, parent FROM subclass ORDER BY ALL") == [
        (515, 486972), (486972, 486972), (1549591, 515)
    ]  # fmt: skip
    assert dictionary.ask("SELECT id, sitelinks FROM items WHERE sitelinks > 0 ORDER BY id") == [
        (64, 60), (90, 50), (1085, 60)
    ]  # fmt: skip
    assert dictionary.types_of(["Q515", "Q1549591"]) == {"Q515": ("GPE",), "Q1549591": ("GPE",)}
    assert dictionary.class_titles(["Q515"], "en") == {"Q515": "city"}
    (source,) = dictionary.meta.sources
    assert (source.languages, source.properties) == (("en", "de", "hi"), ("P31", "P279", "P17"))
    assert [(found.name, dict(found.removed)) for found in source.filters] == [("no item", {"value": 1})]
    assert AGENT not in json.dumps(dictionary.meta.to_json())


def test_queries_are_small_and_say_who_asks(sparql: Sparql, server: SparqlServer) -> None:
    made(sparql)
    pages = [query for query in server.queries if "OFFSET" in query]
    assert [query.rpartition("LIMIT ")[2] for query in pages] == ["2 OFFSET 0", "2 OFFSET 2", "2 OFFSET 3"]
    assert all(query.count("wd:Q") <= 2 for query in server.queries)
    assert all('LANG(?value) IN ("de", "en", "hi", "mul")' in q for q in server.queries if "rdfs:label ?value" in q)
    for headers in server.headers:
        assert headers["User-Agent"].startswith("nerquake/")
        assert AGENT in headers["User-Agent"]
        assert headers["Accept"] == "application/sparql-results+json"


def test_a_limit(sparql: Sparql, server: SparqlServer) -> None:
    dictionary = made(replace(sparql, limit=1))
    assert dictionary.ask("SELECT DISTINCT id FROM item_class") == [(1085,)], "the first in the order of texts"
    (source,) = dictionary.meta.sources
    assert source.filters[0].name == "limit=1, classes that may have more"
    assert dict(source.filters[0].removed) == {"Q515": 1}
    assert sum("OFFSET" in query for query in server.queries) == 1


def test_no_limit(sparql: Sparql) -> None:
    assert made(replace(sparql, limit=0)).ask("SELECT count(DISTINCT id) FROM item_class") == [(3,)]


def test_an_endpoint_that_cuts_pages_short_is_asked_to_the_end(sparql: Sparql, server: SparqlServer) -> None:
    server.cap = 1
    assert made(replace(sparql, page=3)).ask("SELECT count(DISTINCT id) FROM item_class") == [(3,)]


def test_an_endpoint_that_does_not_page(sparql: Sparql, server: SparqlServer) -> None:
    same = json.dumps({"results": {"bindings": [{"item": {"type": "uri", "value": f"{ENTITY}Q64"}}]}})
    server.will(Reply(same), Reply(same))
    with pytest.raises(InputError, match="does not page"):
        made(sparql)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (Reply(half=True), "cut off: it is no whole JSON"),
        (Reply(half=True, after=TRACE), "cut off by a time-out"),
        (Reply(after=TRACE), "cut off by a time-out"),
        (Reply(TRACE), "cut off by a time-out"),
        (Reply(""), "cut off: it is no whole JSON"),
        (Reply(cut=True), "fewer bytes than announced"),
        (Reply(chunked=True, cut=True), "fewer bytes than announced"),
        (Reply(TRACE, status=500), "status 500: the query ran past the server's time"),
        (Reply("busy", status=502), "status 502"),
        (Reply(status=206), "status 206: the answer is a part only"),
        (Reply(headers={"X-SQL-State": "S1TAT"}), "the answer is a part only"),
        (Reply("", status=503), "status 503, not available"),
        (Reply("", status=429), "status 429, too many requests"),
    ],
    ids=lambda value: None if isinstance(value, Reply) else value,
)
def test_answers_that_are_not_whole(
    endpoint: Endpoint, server: SparqlServer, waits: list[float], bad: Reply, said: str
) -> None:
    server.will(bad, bad)
    rows = sparql_client.rows_of(endpoint.ask(QUERY), server.url)
    assert len(rows) == 3, "a later try has the whole answer"
    assert waits == [1.0, 2.0]
    server.will(*[bad] * 4)
    with pytest.raises(ServerError, match=rf"{said}.* \(4 tries\)"):
        endpoint.ask(QUERY)
    assert len(server.queries) == 7


def test_answers_in_chunks(endpoint: Endpoint, server: SparqlServer) -> None:
    server.will(Reply(chunked=True))
    assert len(sparql_client.rows_of(endpoint.ask(QUERY), server.url)) == 3
    assert len(server.queries) == 1


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_heeded(endpoint: Endpoint, server: SparqlServer, waits: list[float], status: int) -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    server.will(*(Reply("", status, {"Retry-After": value}) for value in ("7", soon, "rubbish")))
    endpoint.ask(QUERY)
    assert waits[0] == 7.0
    assert 20 < waits[1] <= 30
    assert waits[2] == 4.0, "its own backoff where the header says nothing"


def test_patience_has_an_end(endpoint: Endpoint, server: SparqlServer, waits: list[float]) -> None:
    server.will(Reply("", 429, {"Retry-After": "40"}), Reply("", 429, {"Retry-After": "30"}))
    with pytest.raises(ServerError, match=r"too many requests; it would take 30 s more, 70 s in all .* patience=60"):
        endpoint.ask(QUERY)
    assert waits == [40.0]


def test_an_endpoint_that_always_says_wait_no_time(
    endpoint: Endpoint, server: SparqlServer, waits: list[float]
) -> None:
    server.will(*[Reply("", 429, {"Retry-After": "0"})] * 50)
    with pytest.raises(ServerError, match="4 tries"):
        endpoint.ask(QUERY)
    assert waits == [0.01] * 3


def test_an_answer_that_drips(endpoint: Endpoint, server: SparqlServer) -> None:
    server.will(Reply(drip=0.05))
    started = time.monotonic()
    with pytest.raises(ServerError, match=r"no whole answer within 0\.2 s"):
        replace(endpoint, timeout=0.2, retries=0).ask(QUERY)
    assert time.monotonic() - started < 2


def test_an_answer_without_end(endpoint: Endpoint, server: SparqlServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sparql_client, "LONGEST", 10)
    with pytest.raises(InputError, match="take a smaller page="):
        endpoint.ask(QUERY)


def test_nobody_there(endpoint: Endpoint) -> None:
    with pytest.raises(ServerError, match=r"it cannot be reached .*\(4 tries\)"):
        replace(endpoint, url="http://127.0.0.1:9/sparql").ask(QUERY)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (Reply("Malformed query", status=400), r"status 400 \(Malformed query\)"),
        (Reply("", status=403), "may have blocked this agent"),
        (Reply("", status=301, headers={"Location": "https://elsewhere.example"}), "elsewhere.example: name that one"),
    ],
)
def test_refusals_are_not_tried_again(endpoint: Endpoint, server: SparqlServer, bad: Reply, said: str) -> None:
    server.will(bad)
    with pytest.raises(ServerError, match=said):
        endpoint.ask(QUERY)
    assert len(server.queries) == 1


@pytest.mark.parametrize(
    "text", ["<html><body>Welcome</body></html>", '{"error": "no"}', "[]", '{"results": {"bindings": [{"item": 5}]}}',
             '{"results": {"bindings": [5]}}', '{"results": {"bindings": null}}', "[" * 100_000],
    ids=range(7),
)  # fmt: skip
def test_answers_that_are_none_of_sparql(endpoint: Endpoint, server: SparqlServer, text: str) -> None:
    server.will(Reply(text))
    with pytest.raises(InputError, match=r"none of SPARQL.*an endpoint's address"):
        endpoint.ask(QUERY)
    assert len(server.queries) == 1


def test_whole_answers_are_kept_and_never_asked_for_again(sparql: Sparql, server: SparqlServer) -> None:
    digest = made(sparql).meta.digest
    asked = len(server.queries)
    assert len(files(sparql)) == len(set(server.queries)) == asked
    assert made(sparql).meta.digest == digest
    assert made(replace(sparql, agent="https://example.org/other")).meta.digest == digest
    assert len(server.queries) == asked


@pytest.mark.parametrize("bad", [Reply(half=True, after=TRACE), Reply(cut=True), Reply("", status=500)])
def test_a_run_that_stopped_goes_on(sparql: Sparql, server: SparqlServer, bad: Reply, tmp_path: Path) -> None:
    whole = made(replace(sparql, cache=str(tmp_path / "other"))).meta
    total = len(server.queries)
    for at in range(total):
        server.queries.clear()
        server.will(*[Reply()] * (at > 0), bad)
        with pytest.raises(ServerError, match=r"are kept in .*answers: the same command goes on"):
            made(sparql)
        assert len(server.queries) == 1 + (at > 0), "what was answered before is not asked again"
        assert len(files(sparql)) == at, "what is not whole is not kept"
    server.queries.clear()
    found = made(sparql).meta
    assert len(server.queries) == 1
    assert (found.digest, found.sources) == (whole.digest, whole.sources)


def test_kept_answers_that_are_damaged_are_asked_for_again(sparql: Sparql, server: SparqlServer) -> None:
    digest = made(sparql).meta.digest
    first, second, third, *_ = files(sparql)
    first.write_bytes(first.read_bytes()[:-10])
    second.write_bytes(b"")
    third.write_bytes(third.read_bytes().replace(b"Q", b"R"))
    server.queries.clear()
    assert made(sparql).meta.digest == digest
    assert len(server.queries) == 3


def test_the_order_of_classes_and_languages_makes_no_difference(sparql: Sparql, server: SparqlServer) -> None:
    one = made(replace(sparql, classes=("Q515", "Q1549591"))).meta
    asked = len(server.queries)
    other = made(replace(sparql, classes=("Q1549591", "Q515", "Q515"))).meta
    assert one.digest == other.digest
    assert len(server.queries) == asked


def test_a_folder_that_cannot_be_written(sparql: Sparql, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cache=FOLDER"):
        made(replace(sparql, cache=str(tmp_path / "file")))


def test_texts_that_no_database_can_hold(sparql: Sparql, server: SparqlServer) -> None:
    server.data.add("Q64", "alias", "Ber\ud800lin", "en")
    server.data.add("Q90", "label", "", "de")
    dictionary = made(sparql)
    assert dictionary.ask("SELECT count(*) FROM faults WHERE code = 'text'") == [(2,)]
    assert dictionary.ask("SELECT count(*) FROM names") == [(7,)]


def built(text: str) -> Sparql:
    found = instance(Sparql, parse_spec(text))
    assert isinstance(found, Sparql)
    return found


def test_options() -> None:
    found = built("sparql:https://query.wikidata.org/sparql,agent=me@example.org,classes=Q515|Q6256,languages=en|mul")
    assert (found.endpoint, found.classes) == ("https://query.wikidata.org/sparql", ("Q515", "Q6256"))
    assert (found.spoken, found.codes) == (("en",), ("en", "mul"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("classes=Q515", "needs agent=CONTACT, an e-mail address or a web page"),
        ("agent=me,classes=Q515", "'me' is no contact"),
        ('agent="me@example.org\nX: y",classes=Q515', "no contact"),
        ("agent=me@example.org", "needs classes"),
        ("agent=me@example.org,classes=city", "'city' is no class of Wikidata"),
        ("agent=me@example.org,classes=Q515,page=0", "page is at least 1"),
    ],
)
def test_options_that_are_none(options: str, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        built(f"sparql:https://example.org/sparql,{options}")


def test_languages_that_are_none() -> None:
    with pytest.raises(UsageError, match="languages are codes"):
        built("sparql:https://example.org/sparql,agent=me@example.org,classes=Q515,languages=E_N")


@pytest.mark.parametrize("url", ["ftp://example.org", "query.wikidata.org/sparql", "https://me:secret@example.org"])
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(SpecError, match="expected the address of an endpoint") as caught:
        built(f'sparql:"{url}",agent=me@example.org,classes=Q515')
    assert "secret" not in str(caught.value)
