# `make run` sets everything up and starts the show; `make test` does so for the tests and runs them.
#   make run ARGS="--scene cuts --fullscreen"      make test ARGS="-k cuts"      make run PYTHON=python3.12

PYTHON ?=
ARGS ?=
PY := .venv/bin/python
export PYTHON

.PHONY: help setup setup-test run test lint format bench docs wheel clean

help:
	@echo 'make run      set up what is missing and play the show; ARGS="--scene cuts" passes options on'
	@echo 'make test     set up what the tests need and run them all; ARGS="-k cuts" passes options to pytest'
	@echo 'make lint     check style, format and types'
	@echo 'make format   put the format right'
	@echo 'make bench    run the benchmarks'
	@echo 'make docs     draw the figures of docs/articles that are missing or stale'
	@echo 'make wheel    make the package, dist/landfall-VERSION-py3-none-any.whl, which pip and pipx install'
	@echo 'make clean    remove .venv and what tools have left'

setup:
	@sh setup.sh run

run: setup
	@$(PY) main.py $(ARGS)

setup-test:
	@sh setup.sh test

test: setup-test
	$(PY) -m pytest $(ARGS)

lint: setup-test
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy

format: setup-test
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

bench: setup-test
	$(PY) -m benchmarks $(ARGS)

docs: setup-test
	$(PY) -m docs.make $(ARGS)

wheel: setup-test
	rm -rf dist
	$(PY) -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist .
	@ls dist/*.whl

clean:
	rm -rf .venv dist .pytest_cache .ruff_cache .hypothesis benchmarks/build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
