"""Without the extra for dumps there is nothing to compare the samples' two ways of reading with."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore = [] if find_spec("msgspec") and find_spec("orjson") else ["test_dump_samples.py"]
