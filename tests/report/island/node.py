"""decode.js outside a browser, as far as Node.js is here."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

DECODE = "templates/explorer/decode.js"
EVERYTHING = """
function everything(data) {
  const rows = [], sets = [...data.sets.keys()], models = [...data.models.keys()];
  for (let i = 0; i < data.n; i++) {
    rows.push({
      id: data.id(i), tokens: data.tokens(i), gold: data.gold(i),
      groups: data.groups.map((_, g) => data.group(i, g)),
      predicted: models.map((m) => data.predicted(i, m)),
      spurious: models.map((m) => data.spuriousBefore(i, m)),
      sets: sets.map((s) => ({
        status: data.status(i, s), code: data.changed(s)[i], reason: data.reason(i, s), id: data.variantId(i, s),
        variant: data.variant(i, s), predicted: models.map((m) => data.predictedAfter(i, s, m)),
        flags: models.map((m) => data.flags(s, m)[i]), outcomes: models.map((m) => data.outcomes(i, s, m)),
        spurious: models.map((m) => data.spurious(i, s, m)), codes: models.map((m) => data.codes(i, s, m)),
        mentions: data.mentions(i, s), mentionLabels: data.mentionLabels(i, s),
      })),
    });
  }
  return rows;
}
"""
"""All that an island tells the page."""
PROGRAM = f"""
const fs = require('fs'), vm = require('vm');
vm.runInThisContext(fs.readFileSync(process.argv[2], 'utf8'));
const request = JSON.parse(fs.readFileSync(0, 'utf8'));
{EVERYTHING}decodeIsland(request.text).then((data) => {{
  const found = request.queries
    ? request.queries.map(([query, s]) => [...data.search(query, s).keys()].filter((i) => data.search(query, s)[i]))
    : everything(data);
  process.stdout.write(JSON.stringify({{ header: data.header, found }}));
}}, (error) => process.stdout.write(JSON.stringify({{ error: `${{error.name}}: ${{error.message}}` }})));
"""


def executable() -> str | None:
    """Node.js: the machine's own, else the one that Playwright brings with it."""
    own = shutil.which("node")
    if own is not None:
        return own
    spec = importlib.util.find_spec("playwright")
    places = spec.submodule_search_locations or () if spec is not None else ()
    return next((str(file) for place in places if (file := Path(place) / "driver" / "node").is_file()), None)


def available() -> bool:
    """Whether Node.js of a version with DecompressionStream is here."""
    node = executable()
    if node is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    return int(said.lstrip("v").split(".")[0]) >= 18


def ask(folder: Path, text: str, queries: Sequence[tuple[str, int]] | None = None) -> Any:
    """What decode.js makes of an island: all that it tells, the sentences that it finds, or its error."""
    program = folder / "program.js"
    program.write_text(PROGRAM, "utf-8")
    source = files("nerquake.report").joinpath(DECODE)
    ran = subprocess.run(
        [str(executable()), str(program), str(source)], input=json.dumps({"text": text, "queries": queries}),
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)
