# Etüt: `make run` starts it, `make test` tests it; CONTRIBUTING.md tells the rest.
# Everything is installed into .venv, from the locked and hashed requirements.

PYTHON =
ARGS =
IN_VENV = .venv/bin/python

.PHONY: run test check lint types format messages schema pictures lock clean

run: .venv/.run-installed
	@$(IN_VENV) -m bot start $(ARGS)

test: .venv/.dev-installed
	$(IN_VENV) -m pytest $(ARGS)

check: lint types test

lint: .venv/.dev-installed
	$(IN_VENV) -m ruff check .
	$(IN_VENV) -m ruff format --check .
	$(IN_VENV) .venv/bin/lint-imports

types: .venv/.dev-installed
	$(IN_VENV) -m pyright

format: .venv/.dev-installed
	$(IN_VENV) -m ruff check --fix-only .
	$(IN_VENV) -m ruff format .

messages: .venv/.dev-installed
	$(IN_VENV) -m tools.messages

schema: .venv/.dev-installed
	$(IN_VENV) -m bot.content.schema > quizzes/quiz.schema.json

pictures: .venv/.dev-installed
	$(IN_VENV) -m tools.pictures

LOCK = $(IN_VENV) -m uv pip compile pyproject.toml --quiet --universal --python-version 3.11 \
	--generate-hashes --no-header --no-annotate

lock: .venv/.dev-installed
	$(LOCK) --output-file requirements.txt $(ARGS)
	$(LOCK) --extra dev --output-file requirements-dev.txt $(ARGS)

clean:
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find bot cogs sandbox tools tests -name __pycache__ -type d -prune -exec rm -rf {} +

ifeq ($(wildcard .venv/bin/python),)
.PHONY: .venv/.made # nothing is there yet, or the Python it was made with is gone
endif

# An environment that works is kept, also one made by hand; any other is made anew.
.venv/.made:
	@if .venv/bin/python -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
		touch $@; exit 0; \
	fi; \
	for python in $(PYTHON) python3.13 python3.12 python3.11 python3 python; do \
		if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			echo "Making .venv with $$("$$python" --version) ..."; \
			"$$python" -m venv --clear .venv && touch $@; exit $$?; \
		fi; \
	done; \
	echo "Etüt needs Python 3.11 or newer, and found $$(python3 --version 2>/dev/null || echo none)." >&2; \
	echo "Install one from your system or python.org, or say where it is: make run PYTHON=/path/to/python3" >&2; \
	exit 1

.venv/.run-installed: requirements.txt .venv/.made
	@echo "Installing what Etüt needs into .venv (once, about a minute) ..."
	@$(IN_VENV) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	@touch $@

.venv/.dev-installed: requirements-dev.txt .venv/.made
	@echo "Installing what Etüt and its tests need into .venv (once, a few minutes) ..."
	@$(IN_VENV) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	@touch $@
