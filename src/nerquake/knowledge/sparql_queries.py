"""The queries: small ones, a page of items or of names at a time. All prefixes are Wikidata's."""

from __future__ import annotations

from collections.abc import Sequence

_PREFIXES = """PREFIX wd: <http://www.wikidata.org/entity/>
PREFIX wdt: <http://www.wikidata.org/prop/direct/>
PREFIX wikibase: <http://wikiba.se/ontology#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX schema: <http://schema.org/>
"""


def items_of(class_id: str, limit: int, offset: int) -> str:
    """A page of the items that are direct instances of a class: ?item."""
    return (
        f"{_PREFIXES}SELECT DISTINCT ?item WHERE {{ ?item wdt:P31 wd:{class_id} . }}\n"
        f"ORDER BY ?item LIMIT {limit} OFFSET {offset}"
    )


def names_of(items: Sequence[str], languages: Sequence[str]) -> str:
    """Labels and aliases in these languages: ?item ?what ?value."""
    return _about(
        items,
        ("label", "?item rdfs:label ?value ."),
        ("alias", "?item skos:altLabel ?value ."),
        end=f"FILTER(LANG(?value) IN ({_texts(languages)}))",
    )


def facts_of(items: Sequence[str], languages: Sequence[str]) -> str:
    """Classes, countries, the number of sitelinks, Wikipedia titles in these languages: ?item ?what ?value."""
    wikis = ", ".join(f"<https://{language}.wikipedia.org/>" for language in languages)
    article = f"?article schema:about ?item ; schema:isPartOf ?wiki ; schema:name ?value . FILTER(?wiki IN ({wikis}))"
    return _about(
        items,
        ("P31", "?item wdt:P31 ?value ."),
        ("P17", "?item wdt:P17 ?value ."),
        ("sitelinks", "?item wikibase:sitelinks ?value ."),
        ("title", article),
    )


def classes_of(classes: Sequence[str], languages: Sequence[str]) -> str:
    """Classes' direct parents and their labels in these languages: ?item ?what ?value."""
    label = f"?item rdfs:label ?value . FILTER(LANG(?value) IN ({_texts(languages)}))"
    return _about(classes, ("P279", "?item wdt:P279 ?value ."), ("label", label))


def _about(items: Sequence[str], *parts: tuple[str, str], end: str = "") -> str:
    values = " ".join(f"wd:{item}" for item in items)
    union = "\n  UNION ".join(f'{{ {pattern} BIND("{what}" AS ?what) }}' for what, pattern in parts)
    return f"{_PREFIXES}SELECT ?item ?what ?value WHERE {{\n  VALUES ?item {{ {values} }}\n  {union}\n  {end}\n}}"


def _texts(languages: Sequence[str]) -> str:
    return ", ".join(f'"{language}"' for language in languages)
