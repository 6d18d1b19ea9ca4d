# Every target is a thin call of scripts/bootstrap.py, which needs a bare Python >= 3.11 only.

# The first Python on the path that is new enough; `make PYTHON=/path/to/python play` chooses another.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	if $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then echo $$p; break; fi; done)
BOOTSTRAP = $(or $(PYTHON),python3) scripts/bootstrap.py

PORT ?= $(or $(COHABIT_PORT),8000)
HOST ?= $(or $(COHABIT_HOST),127.0.0.1)
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help play dev test unit test-long check setup client houses doctor format lock screenshots clean

help:  ## list the targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

play:  ## install, build and start Cohabit (PORT=8001, HOST=…)
	@$(BOOTSTRAP) play --host $(HOST) --port $(PORT) -- $(ARGS)

dev:  ## like play, but the server reloads and the client rebuilds when a file changes
	@$(BOOTSTRAP) dev --host $(HOST) --port $(PORT) -- $(ARGS)

unit:  ## the tests that start no browser and no server, in parallel (ARGS="-k lobby")
	@$(BOOTSTRAP) unit -- $(ARGS)

test:  ## the gate: linters, types, unit, contract and browser tests (ARGS="-k lobby")
	@$(BOOTSTRAP) test -- $(ARGS)

test-long:  ## soak, load and whole data sets
	@$(BOOTSTRAP) test-long -- $(ARGS)

check:  ## linters and types only
	@$(BOOTSTRAP) check

setup:  ## install everything development needs, start nothing
	@$(BOOTSTRAP) setup

client:  ## build the browser client
	@$(BOOTSTRAP) client

houses:  ## make all houses and the first tasks in the data directory
	@$(BOOTSTRAP) houses

doctor:  ## check the installation and say what to do
	@$(BOOTSTRAP) doctor

format:  ## format the Python code and apply safe fixes
	@$(BOOTSTRAP) format

lock:  ## compile the lock files in requirements/
	@$(BOOTSTRAP) lock

screenshots:  ## take the pictures in docs/images from a running game
	@$(BOOTSTRAP) screenshots

clean:  ## remove the environment and everything built (keeps the data directory)
	@$(BOOTSTRAP) clean
