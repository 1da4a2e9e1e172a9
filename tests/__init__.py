"""The tests. `tests/` mirrors `src/`; `strategies.py` and `fakes.py` are shared."""
