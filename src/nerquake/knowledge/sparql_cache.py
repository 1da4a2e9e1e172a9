"""Whole answers of an endpoint, kept in a folder: a query that stands there is never asked again."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from nerquake.core.errors import OutputError
from nerquake.knowledge.sparql_client import Endpoint, Row, rows_of

FORMAT = "nerquake.sparql/1"


@dataclass(slots=True)
class Answers:
    """Asks, unless the answer is kept. `asked` and `found` count; `digest` is over all answers."""

    endpoint: Endpoint
    folder: Path
    asked: int = 0
    found: int = 0
    digest: Any = field(default_factory=sha256)

    def rows(self, query: str) -> Sequence[Row]:
        """The rows of a query's answer.

        Raises:
            InputError, ServerError: as `Endpoint.ask`.
            OutputError: the answer cannot be kept.
        """
        asked = f"{self.endpoint.url}\0{query}".encode()
        file = self.folder / f"{sha256(asked).hexdigest()[:40]}.json"
        body = self._kept(file, query)
        if body is None:
            self.asked += 1
            body = self.endpoint.ask(query)
            self._keep(file, query, body)
        else:
            self.found += 1
        rows = rows_of(body, self.endpoint.url)
        self.digest.update(json.dumps(rows, sort_keys=True).encode())
        return rows

    def _kept(self, file: Path, query: str) -> bytes | None:
        """The answer that a file holds; None where there is none, or not the whole of it."""
        try:
            head, _, body = file.read_bytes().partition(b"\n")
            known = json.loads(head)
        except (OSError, ValueError):
            return None
        expected = _head(self.endpoint.url, query, body)
        return body if known == expected else None

    def _keep(self, file: Path, query: str, body: bytes) -> None:
        temporary = file.with_name(f".{file.stem}-{os.getpid()}-{secrets.token_hex(4)}.tmp")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with temporary.open("wb") as stream:
                stream.write(json.dumps(_head(self.endpoint.url, query, body)).encode() + b"\n" + body)
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(file)
        except OSError as error:
            raise OutputError(
                f"{self.folder}: answers cannot be kept there ({error.strerror or error}): "
                "name another folder, cache=FOLDER"
            ) from None
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def _head(url: str, query: str, body: bytes) -> dict[str, object]:
    return {"format": FORMAT, "endpoint": url, "query": query, "bytes": len(body), "sha256": sha256(body).hexdigest()}
