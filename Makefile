# Each target first makes sure that a Python with everything exists (.venv, made when missing).
PYTHON ?= python3
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help serve test check mutants bench clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

serve: ## the site on this machine; with options: make serve ARGS="--port 9000"
	@$(PYTHON) tools/environment.py --page -- practice/judge.py serve $(ARGS)

test: ## the tests of this repository; for some only: make test ARGS="-k wire"
	@$(PYTHON) tools/environment.py --tests -- -m pytest $(ARGS)

check: ## every exercise: its solution passes, its wrong solutions fail as they say
	@$(PYTHON) practice/judge.py check $(ARGS)

mutants: ## do the hidden tests catch small changes of the reference solutions?
	@$(PYTHON) tools/environment.py --tests -- practice/judge.py check --mutants $(ARGS)

bench: ## how long a verdict takes
	@$(PYTHON) tools/environment.py -- benchmarks/verdict.py $(ARGS)

clean: ## remove caches; keeps .venv and what learners wrote in practice/
	@find . \( -path ./.git -o -path ./.venv \) -prune -o -type d -name __pycache__ -exec rm -rf {} +
	@rm -rf .cache .pytest_cache .hypothesis .ruff_cache
