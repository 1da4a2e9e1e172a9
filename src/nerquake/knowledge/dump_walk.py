"""Lines that the fast way cannot read: taken apart step by step, keeping what can be kept.

The result has the same form as that of the fast way, so that both give the same rows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nerquake.knowledge.dump_notes import Notes
from nerquake.knowledge.dump_options import COUNTRY, INSTANCE, SUBCLASS
from nerquake.knowledge.dump_shape import Entity, Shape
from nerquake.knowledge.text import storable

_KINDS = {"Q": "item", "P": "property", "L": "lexeme", "M": "mediainfo"}
_ID = re.compile(r"[QPLM][0-9]+", re.ASCII)
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_REPLACED = "\N{REPLACEMENT CHARACTER}"


@dataclass(slots=True)
class Walker:
    """Reads any line that holds an entity, and notes what it had to leave out.

    replaced  whether the line that is being read was not UTF-8, so that its texts may hold replacement characters
    """

    shape: Shape
    notes: Notes
    replaced: bool = False

    def read(self, line: bytes) -> list[Entity]:
        """The entities of a line: none, one, or those of an answer of Wikidata's API."""
        text = self._bare(line)
        found = self._load(text) if text else None
        if found is None:
            return []
        if not isinstance(found, dict):
            self.notes.add("broken", _begin(text))
            return []
        return [self._entity(one) for one in self._unwrapped(found)]

    def _bare(self, line: bytes) -> bytes:
        """A line without the brackets and commas of the list that it is part of."""
        text = line.removeprefix(b"\xef\xbb\xbf").strip()
        bare = text.lstrip(b"[, \t")
        if (tail := bare.rstrip(b"], \t")).endswith(b"}"):
            bare = tail
        if text.strip(b", \t") != bare.strip(b", \t"):
            self.notes.add("bracket")
        return bare

    def _load(self, text: bytes) -> Any:
        """The value of a line; None, with a note, where there is none."""
        import orjson

        self.replaced = False
        try:
            return orjson.loads(text) if text != b"null" else ()
        except orjson.JSONDecodeError:
            read = text.decode("utf-8", "replace")
        try:
            text.decode("utf-8")
        except UnicodeDecodeError:
            self.notes.add("utf8")
            self.replaced = True
        try:
            found = json.loads(read)
        except RecursionError:
            self.notes.add("nested", _begin(text))
            return None
        except ValueError:
            self.notes.add("cut-line" if _is_cut(text) else "broken", _begin(text))
            return None
        if not self.replaced:
            self.notes.add("surrogate" if _HALF.search(read) else "odd-json")
        return found

    def _unwrapped(self, found: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The entities in an object."""
        if isinstance(found.get("redirect"), str):
            self.notes.add("redirect", f"{found.get('entity')} -> {found['redirect']}")
            return
        inner = found.get("entities", found)
        if "id" in found or not isinstance(inner, dict):
            yield found
            return
        entities = [one for key, one in inner.items() if isinstance(one, dict) and _ID.fullmatch(key)]
        if not entities:
            self.notes.add("missing" if inner is not found or "error" in found else "bad-id", str(found)[:80])
            return
        self.notes.add("wrapped")
        yield from entities

    def _entity(self, found: dict[str, Any]) -> Entity:
        key, kind = found.get("id"), found.get("type")
        key = key if isinstance(key, str) else ""
        if "missing" in found:
            kind = "missing"
        elif not isinstance(kind, str) or not kind:
            self.notes.add("no-type")
            kind = _KINDS.get(key[:1], "item")
        if kind != "item":
            return self.shape.entity(type=kind, id=key)
        parts = {
            "labels": self._texts(found, "labels"),
            "aliases": self._aliases(found),
            "claims": self._claims(found),
            "sitelinks": self._links(found),
        }
        if self.shape.descriptions:
            parts["descriptions"] = self._texts(found, "descriptions")
        return self.shape.entity(type=kind, id=key, **parts)

    def _part(self, found: dict[str, Any], name: str) -> Any:
        """A part of an entity: an object, a list as it is, or () where there is none."""
        part = found.get(name, ())
        if part != () and not isinstance(part, dict | list):
            self.notes.add("field", f"{name} is no object")
            return ()
        return part

    def _texts(self, found: dict[str, Any], name: str) -> Any:
        part = self._part(found, name)
        if not isinstance(part, dict):
            return part
        wanted = [(place, code) for place, code in enumerate(self.shape.codes) if part.get(code) is not None]
        return self.shape.labels(**{f"text{place}": self._text(part[code], f"{name} {code}") for place, code in wanted})

    def _aliases(self, found: dict[str, Any]) -> Any:
        part = self._part(found, "aliases")
        if not isinstance(part, dict):
            return part
        kept: dict[str, list[Any]] = {}
        for place, code in enumerate(self.shape.codes):
            texts = part.get(code, [])
            if not isinstance(texts, list):
                self.notes.add("field", f"aliases {code} are no list")
                continue
            made = [self._text(one, f"aliases {code}") for one in texts]
            kept[f"text{place}"] = [one for one in made if one is not None]
        return self.shape.aliases(**kept)

    def _text(self, found: Any, where: str) -> Any:
        value = found.get("value") if isinstance(found, dict) else None
        if not isinstance(value, str):
            self.notes.add("field", f"{where} has no text")
            return None
        if not self._storable(value):
            self.notes.add("text", f"{where}: {value!a}")
            return None
        return self.shape.text(value=value)

    def _claims(self, found: dict[str, Any]) -> Any:
        part = self._part(found, "claims")
        if not isinstance(part, dict):
            return part
        kept: dict[str, list[Any]] = {}
        for name in (INSTANCE, SUBCLASS, COUNTRY):
            statements = part.get(name, [])
            if not isinstance(statements, list):
                self.notes.add("field", f"{name} is no list")
                continue
            made = [self._statement(one) for one in statements]
            kept[name] = [one for one in made if one is not None]
            for _ in range(len(made) - len(kept[name])):
                self.notes.add("field", f"a statement of {name}")
        return self.shape.claims(**kept)

    def _statement(self, found: Any) -> Any:
        """A statement, or None where its parts are not what they should be."""
        shape = self.shape
        snak = found.get("mainsnak") if isinstance(found, dict) else None
        if not isinstance(snak, dict):
            return None
        rank, kind, data = found.get("rank", "normal"), snak.get("snaktype", "value"), snak.get("datavalue")
        if not isinstance(rank, str) or not isinstance(kind, str):
            return None
        if data is None:
            return shape.statement(mainsnak=shape.snak(snaktype=kind), rank=rank)
        value = data.get("value") if isinstance(data, dict) else None
        if not isinstance(value, dict):
            return None
        key, number, of = value.get("id", ""), value.get("numeric-id", 0), value.get("entity-type", "item")
        if not isinstance(key, str) or not isinstance(number, int) or not isinstance(of, str):
            return None
        made = shape.data(value=shape.value(id=key, number=number, kind=of))
        return shape.statement(mainsnak=shape.snak(snaktype=kind, datavalue=made), rank=rank)

    def _storable(self, text: str) -> bool:
        return storable(text) and not (self.replaced and _REPLACED in text)

    def _links(self, found: dict[str, Any]) -> Any:
        part = self._part(found, "sitelinks")
        if not isinstance(part, dict):
            return part
        kept = {}
        for site, link in part.items():
            title = link.get("title", "") if isinstance(link, dict) else None
            if not isinstance(title, str) or not self._storable(site + title):
                self.notes.add("field", f"the sitelink to {site!a}")
            else:
                kept[site] = self.shape.site(title=title)
        return kept


def _is_cut(text: bytes) -> bool:
    """Whether a line begins as an entity and does not end as one."""
    return text.startswith(b'{"') and not text.endswith(b"}")


def _begin(text: bytes) -> str:
    return text[:60].decode("utf-8", "replace")
