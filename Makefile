# The developer's whole interface. Every command sets itself up first.
SHELL := /bin/sh
PY := .venv/bin/python
DEV := .venv/.installed-dev
BENCH := .venv/.installed-bench
WHEEL := build/wheel/.unpacked
AS_INSTALLED := PYTHONPATH=build/wheel
# Tests that need no server and no browser. A new folder of tests belongs to them until it is left out here.
FAST := --ignore=tests/api --ignore=tests/contract --ignore=tests/integration --ignore=tests/web
# Tests of servers and browsers wait a good deal: one more than there are processors.
WORKERS = $$($(PY) -c 'import os; print(os.cpu_count() + 1)')
CODE := src tests tools bench hatch_build.py
SAMPLE := src/pageloom/samples/harbour-swifts.html
SAMPLE_URL := https://tidewatch.example/nature/harbour-swifts
# Some machines forbid it; then every process of the tests compiles all of them again.
export PYTHONDONTWRITEBYTECODE :=
.DEFAULT_GOAL := help
.PHONY: help setup hooks run serve screenshots test unit unit-compiled pythons lowest lint types arch fmt bench bench-agents bench-bulk bench-library bench-web quality soak soak-agents soak-bulk check measure pins wheel clean

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' Makefile

setup: $(DEV) ## Make .venv and install the pinned packages (every other command does this by itself)

$(DEV): requirements/dev.txt requirements/install.sh pyproject.toml
	@requirements/install.sh dev && touch $@

$(BENCH): requirements/bench.txt $(DEV)
	@requirements/install.sh bench && touch $@

run: $(DEV) ## Extract a page that ships with Pageloom and show what came of it
	@.venv/bin/pageloom extract $(SAMPLE) --url $(SAMPLE_URL) --format pretty
	@printf '\nTry next:\n'
	@printf '  %s\n' \
		'.venv/bin/pageloom extract https://example.com/' \
		'.venv/bin/pageloom extract $(SAMPLE) -f json' \
		'.venv/bin/pageloom explain $(SAMPLE)' \
		'.venv/bin/pageloom save https://example.com/ && .venv/bin/pageloom list' \
		'.venv/bin/pageloom watch add https://example.com/ --every 6h --to console' \
		'.venv/bin/pageloom doctor' \
		'make help'
	@printf '\nIn the browser: make serve, then open the link that it prints.\n'

serve: $(DEV) ## Open the library in the browser: the web app and the HTTP API
	@.venv/bin/pageloom serve $(ARGS)

screenshots: $(DEV) ## Make the pictures of the web app in docs/pictures anew
	@$(PY) -m tools.screenshots $(ARGS)

test: $(DEV) ## Run all tests (under ten minutes)
	@requirements/services.sh
	@$(PY) -m pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS)

unit: $(DEV) ## Run the fast tests (under a minute)
	@$(PY) -m pytest -q -n auto --dist worksteal $(FAST) $(ARGS)

unit-compiled: $(WHEEL) ## Run the fast tests of the engine on the compiled wheel (make test does so too)
	@$(AS_INSTALLED) $(PY) -m pytest -q -n auto --dist worksteal -o pythonpath=. \
		tests/unit tests/golden tests/quality tests/changes $(ARGS)

pythons: $(DEV) ## Run the fast tests with every supported Python that can be had
	@FAST="$(FAST)" requirements/pythons.sh $(VERSIONS)

# Left out: what only tools of the developer need newer versions for.
lowest: $(DEV) ## Run the fast tests with the lowest versions that pyproject.toml allows
	@.venv/bin/uv venv --quiet --clear --python $(PY) build/lowest
	@.venv/bin/uv pip install --quiet --python build/lowest/bin/python -r requirements/dev.txt
	@.venv/bin/uv pip install --quiet --python build/lowest/bin/python -r requirements/lowest.txt
	@.venv/bin/uv pip install --quiet --python build/lowest/bin/python --no-deps --no-build-isolation -e .
	@build/lowest/bin/python -m pytest -q -n auto --dist worksteal $(FAST) --ignore=tests/architecture \
		--deselect tests/unit/test_rulebook.py::test_the_schema_for_editors_is_that_of_the_rules

lint: $(DEV) ## Look for mistakes and untidy code
	@$(PY) -m ruff check $(CODE) && $(PY) -m ruff format --check -q $(CODE)

types: $(DEV) ## Check the types
	@.venv/bin/pyright

arch: $(DEV) ## Check that imports go only the way the architecture allows
	@.venv/bin/lint-imports --no-cache

hooks: $(DEV) ## Let git run lint and types before a commit, and the fast tests before a push
	@.venv/bin/pre-commit install --hook-type pre-commit --hook-type pre-push

fmt: $(DEV) ## Format the code
	@$(PY) -m ruff check --fix-only -q $(CODE); $(PY) -m ruff format $(CODE)

# Speed is measured on the compiled wheel. Sources stay free of compiled modules, because an old one
# would hide what is edited.
$(WHEEL): $(DEV) pyproject.toml hatch_build.py $(shell find src -type f ! -name '*.pyc')
	@echo "Building the wheel; compiling takes about a minute ..."
	@rm -rf build/wheel
	@HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 $(PY) -m build --wheel --no-isolation --outdir build/wheel
	@$(PY) -m zipfile -e build/wheel/*.whl build/wheel
	@$(PY) -m compileall -q build/wheel && touch $@

bench: $(BENCH) $(WHEEL) ## Measure speed and memory, side by side with other extractors
	@$(AS_INSTALLED) $(PY) bench/run.py $(ARGS)

quality: ## Measure extraction against known answers: make quality CORPUS=directory
	@if [ -z "$(CORPUS)" ]; then requirements/corpus-help.sh; exit 2; fi
	@$(MAKE) --no-print-directory $(BENCH)
	@$(PY) -m tools.quality "$(CORPUS)" $(ARGS)
	@$(PY) tools/metadata_quality.py "$(CORPUS)" --peers
	@$(PY) -m tests.quality.layouts
	@[ ! -d "$(CORPUS)/markdown" ] || $(PY) tools/markdown_cases.py "$(CORPUS)/markdown"
	@[ ! -d "$(CORPUS)/readability" ] || $(PY) tools/markdown_roundtrip.py "$(CORPUS)/readability"
	@[ ! -d "$(CORPUS)/readability" ] || $(PY) bench/markdown.py "$(CORPUS)/readability"

bench-library: $(DEV) ## Measure a library of 100,000 pages: every way to search and list, in both databases
	@$(PY) bench/library.py $(ARGS)

bench-web: $(DEV) ## Measure the web app: beside writers, 100,000 pages on both databases, weight, memory
	@requirements/services.sh
	@$(PY) bench/web.py $(ARGS)

soak-agents: $(DEV) ## Kill workers, broker and database at random while 3,000 messages flow; then count
	@requirements/services.sh
	@$(PY) bench/agents_chaos.py $(ARGS)

bench-agents: $(DEV) ## Measure the workers: pages a second, memory after 10,000 messages
	@requirements/services.sh
	@$(PY) bench/agents.py $(ARGS)

soak: $(DEV) $(WHEEL) ## The long runs: memory over many pages, broken pages by the thousand, a scheduler that is killed
	@$(AS_INSTALLED) $(PY) bench/soak.py
	@$(AS_INSTALLED) $(PY) bench/fuzz.py
	@$(AS_INSTALLED) $(PY) bench/growth.py
	@$(PY) bench/watch_soak.py
	@$(PY) bench/watch_soak.py --postgres
	@$(PY) bench/watch_burst.py

bench-bulk: $(BENCH) $(WHEEL) ## Measure bulk runs, side by side with other pipelines
	@$(AS_INSTALLED) $(PY) bench/bulk.py $(ARGS)

soak-bulk: $(DEV) $(WHEEL) ## Bulk runs under stress: 100,000 pages, 200 kills, a Ray cluster that loses nodes
	@$(AS_INSTALLED) $(PY) bench/bulk_soak.py $(ARGS)

check: lint types arch test ## Everything that must hold before a change goes in

measure: $(DEV) ## Show the lengths of functions and files
	@$(PY) tools/measure.py src/pageloom

pins: $(DEV) ## Resolve requirements/*.txt again
	@for list in dev bench; do \
		extra="--extra browser --extra postgres --extra agents --extra notify --extra pdf --extra pictures --extra traces --extra warc --extra web --extra mcp --extra scrapy --extra langchain --extra ray"; \
		[ $$list = bench ] && extra="--extra bench --extra train -c requirements/dev.txt"; \
		$(PY) -m uv pip compile --quiet --universal --upgrade --python-version 3.11 \
			--no-emit-index-url --no-emit-find-links --no-header --no-annotate \
			pyproject.toml requirements/$$list.in $$extra -o requirements/$$list.txt; \
	done
	@$(PY) -m uv pip compile --quiet --universal --resolution lowest-direct --python-version 3.11 \
		--no-emit-index-url --no-emit-find-links --no-header --no-annotate \
		pyproject.toml --extra all --extra scrapy --extra langchain --extra ray -o requirements/lowest.txt

wheel: $(DEV) ## Build the wheel, the busiest modules compiled, into dist/
	@HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 $(PY) -m build --wheel --no-isolation --outdir dist

clean: ## Remove what the commands above have made, .venv included
	@rm -rf .venv build dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache

# A library under stress: many writers at once, writers that are killed.
soak: soak-library
.PHONY: soak-library
soak-library: $(DEV)
	@$(PY) bench/library_soak.py --postgres

# The web app: the description of its API at length, every page in every look.
soak: soak-web
.PHONY: soak-web
soak-web: $(DEV)
	@EXAMPLES=200 $(PY) -m pytest -q tests/web/test_description.py
	@LOOKS=all $(PY) -m pytest -q tests/web/test_browser.py

# Pages kept for good: 200 with pictures whose site is gone, and a library of 10,000.
soak: soak-keep
.PHONY: soak-keep
soak-keep: $(DEV)
	@$(PY) bench/keep.py
