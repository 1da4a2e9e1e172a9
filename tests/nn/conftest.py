"""Without torch there are no networks to test."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore = [] if find_spec("torch") else ["test_bilstm.py", "test_crf_layer.py", "test_store.py"]
