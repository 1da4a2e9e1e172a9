"""An audit's stage files as plain records; nothing but the standard library.

A record is what tests/analyse/plain_figures.py takes, with `id`, `meta`, and in each set `id` and `edits`.
"""

import json
from pathlib import Path


def lines(path):
    """The header and the other lines of a file of JSON lines."""
    header, *rest = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]
    return header, rest


def plain(spans):
    return [tuple(span[:3]) for span in spans]


def dataset(path):
    return [{**line, "gold": plain(line["spans"]), "said": {}, "sets": {}} for line in lines(path)[1]]


def answers(folder, name, models):
    """{model: {sentence id: mentions}}, and {model: header with what was unseen}."""
    said, headers = {}, {}
    for model in models:
        header, rest = lines(folder / name / f"{model}.predictions.jsonl")
        said[model] = {line["id"]: plain(line["spans"]) for line in rest}
        headers[model] = {**header, "unseen": {line["id"]: line["unseen"] for line in rest}}
    return said, headers


class Stages:
    """`records` with all `sets`, those of curves and draws among them; `variants` and `about` by set."""

    def __init__(self, folder, sets, models):
        self.sets, self.models, self.folder = sets, models, Path(folder)
        self.records = dataset(self.folder / "dataset.jsonl")
        self.variants, self.about, self.headers = {}, {}, {}
        self.by_id = {record["id"]: record for record in self.records}
        said, self.headers["original"] = answers(self.folder, "original", models)
        for record in self.records:
            record["said"] = {model: said[model][record["id"]] for model in models}
        for name in sets:
            self.about[name], self.variants[name] = lines(self.folder / name / "variants.jsonl")
            said, self.headers[name] = answers(self.folder, name, models)
            for variant in self.variants[name]:
                if variant["status"] != "discarded":
                    self.by_id[variant["parent"]]["sets"][name] = kept(variant, said, self.by_id[variant["parent"]])

    def level(self, name):
        return self.about[name]["level"]

    def probe(self, kind, model):
        """{sentence id: mentions} of a probe set."""
        return answers(self.folder, f"probe.{kind}", [model])[0][model]


def kept(variant, said, parent):
    found = dict(variant["mentions"])
    whole = range(len(parent["gold"]))
    return {
        "id": variant["id"],
        "status": variant["status"],
        "tokens": variant["tokens"],
        "gold": plain(variant["spans"]),
        "edits": variant["edits"],
        "map": [found.get(old) for old in whole] if variant["status"] == "changed" else [*whole],
        "said": {model: answer[variant["id"]] for model, answer in said.items()},
    }
