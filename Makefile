# Everything a person needs: `make run` and `make test` set up what they need by themselves.
PYTHON ?= python3
BIN := .venv/bin

# What is locked (docker/constraints.txt; `make lock` renews it), or where an index lacks one of those, whatever fits.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
INSTALL = $(PIP) --constraint docker/constraints.txt --editable $(1) || { \
	echo "Not every locked version can be had here: taking what pyproject.toml allows ..." >&2; $(PIP) --editable $(1); }

.PHONY: pictures help setup run life test check bench bench-clubs bench-load bench-scale soak eval hostile stress clean docker-check lock fuzz audit

help:
	@echo "make run    set up, start the embedded database, add the sample book, open the terminal club (no terminal: the tour)"
	@echo "make life   a whole club's life, played from a script: from setting it up to the vote for the next book"
	@echo "make test   set up, check the code and run the tests"
	@echo "make check  ruff, mypy --strict and the import contracts"
	@echo "make bench  retrieval, ingest and memory on a generated library (BOOKS=500 PASSAGES=400)"
	@echo "make bench-clubs  a week of simulated clubs, everything that is shown checked (CLUBS=5000 MEMBERS=20)"
	@echo "make bench-load  questions of many rooms at once over both loopback platforms, and a slow model (ROOMS=200 ASKED=500 SLOW=100)"
	@echo "make bench-scale  clubs by the thousand in PostgreSQL, and how everything grows (SCALE_CLUBS=10000 SCALE_BOOKS=1000)"
	@echo "make soak   mixed traffic on both loopback platforms while a process is killed every minute (MINUTES=30 SOAK_SEED=1)"
	@echo "make eval   recall, leaks and refusals on the sample book (QUESTIONS=file CORPUS=folder for others)"
	@echo "make docker-check  the Docker files linted, and the image's steps run without Docker"
	@echo "make fuzz   thousands of damaged files through the reader (FILES=5000 MINUTES=90)"
	@echo "make audit  known vulnerabilities of the locked versions, where the network allows"
	@echo "make lock   renew the locked versions (docker/requirements.lock, docker/constraints.txt)"
	@echo "make pictures  the README's pictures of Discord, drawn by headless Chromium"
	@echo "make hostile  a model that has the whole book tries to tell it (EACH=5 questions a book, 0 for all; DOGEAR_SHARED=folder for novels)"
	@echo "make stress the slow versions of the crash and property tests (SIZE=10)"

setup: .venv/.installed

.venv/.installed: pyproject.toml docker/constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
		|| { echo "Dogear needs Python 3.11, 3.12 or 3.13: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing Dogear into .venv ..." >&2
	@$(call INSTALL,.)
	@touch $@

.venv/.installed-dev: .venv/.installed
	@echo "Installing what the tests need ..." >&2
	@$(call INSTALL,'.[dev]')
	@touch $@

run: setup
	@if [ -t 0 ]; then exec $(BIN)/dogear try; else exec $(BIN)/dogear try --tour; fi

life: setup
	@exec $(BIN)/dogear try --life

check: .venv/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q -n0 tests/hosting/test_security.py -k repository

# Two processes, each with a server of its own; ARGS=-n0 for one, ARGS="-k twins" for some.
test: check
	$(BIN)/python -m pytest -q -n 2 --dist loadscope --no-loadscope-reorder $(ARGS)

BOOKS ?= 500
PASSAGES ?= 400
bench: setup
	$(BIN)/dogear bench --books $(BOOKS) --passages $(PASSAGES)

CLUBS ?= 5000
MEMBERS ?= 20
bench-clubs: setup
	$(BIN)/dogear bench clubs --clubs $(CLUBS) --members $(MEMBERS)

ROOMS ?= 200
ASKED ?= 500
SLOW ?= 100
bench-load: .venv/.installed-dev
	LOAD_ROOMS=$(ROOMS) LOAD_QUESTIONS=$(ASKED) LOAD_SLOW=$(SLOW) $(BIN)/python -m pytest -q -s -n0 tests/load

SCALE_CLUBS ?= 10000
SCALE_MEMBERS ?= 20
SCALE_BOOKS ?= 1000
SCALE_PASSAGES ?= 20
bench-scale: setup
	$(BIN)/dogear bench scale --clubs $(SCALE_CLUBS) --members $(SCALE_MEMBERS) --books $(SCALE_BOOKS) \
		--passages $(SCALE_PASSAGES) --plot docs/images/scaling.svg

soak: MINUTES = 30
soak: .venv/.installed-dev
	SOAK_MINUTES=$(MINUTES) $(BIN)/python -m pytest -q -s -n0 -p no:logging tests/soak

QUESTIONS ?= $(wildcard samples/*.questions.jsonl)
CORPUS ?= samples
eval: setup
	$(BIN)/dogear eval $(QUESTIONS) --corpus $(CORPUS)

EACH ?= 0
hostile: .venv/.installed-dev
	DOGEAR_HOSTILE=$(EACH) $(BIN)/python -m pytest -q -s -n0 -p no:logging tests/hostile

SIZE ?= 10
stress: .venv/.installed-dev
	DOGEAR_STRESS=$(SIZE) $(BIN)/python -m pytest -q tests

FILES ?= 5000
MINUTES ?= 90
fuzz: .venv/.installed-dev
	FUZZ_FILES=$(FILES) FUZZ_MINUTES=$(MINUTES) FUZZ_SEED=$${FUZZ_SEED:-$$(date +%j)} \
		$(BIN)/python -m pytest -q -s -n0 tests/ingest/test_fuzz.py

# Known vulnerabilities of what is locked; without a network to ask, that is said, and nothing fails.
audit: .venv/.installed-dev
	@$(PIP) --editable '.[dev,hosting]'
	@$(BIN)/pip-audit --requirement docker/requirements.lock --require-hashes --disable-pip --progress-spinner off \
		>.audit 2>&1; status=$$?; cat .audit; if grep -q "known vulnerabilit" .audit && [ $$status -ne 0 ]; then rm .audit; exit 1; \
	elif [ $$status -ne 0 ] || grep -q "could not be audited" .audit; then \
		echo "The list of known vulnerabilities could not be asked for all of them: not for $$(grep -c 'could not be audited' .audit)."; fi; \
	rm -f .audit

# The Docker files, linted, and the image's steps run without Docker.
docker-check: .venv/.installed-dev
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,hosting]'
	PATH="$(CURDIR)/$(BIN):$$PATH" sh docker/check.sh

lock: .venv/.installed-dev
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,hosting]'
	PATH="$(CURDIR)/$(BIN):$$PATH" sh docker/lock.sh

pictures: .venv/.installed-dev
	$(BIN)/python -m tests.peers.discord_pictures docs/images

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
