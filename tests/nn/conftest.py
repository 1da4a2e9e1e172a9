"""Without torch there are no networks to test; where it was promised, its absence is a failure."""

from __future__ import annotations

import os
from importlib.util import find_spec

there = find_spec("torch") is not None or bool(os.environ.get("NERQUAKE_TEST_ALL"))
collect_ignore = [] if there else ["test_bilstm.py", "test_crf_layer.py", "test_store.py"]
