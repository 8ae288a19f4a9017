# Everything one does here. `make help` lists it; README.md has the same steps without make.

PORT ?= 8000
PYTHON := .venv/bin/python

# The theme's announcement of its successor is not our readers' business; no program may load
# anything from a model hub.
export NO_MKDOCS_2_WARNING := 1
export HF_HUB_OFFLINE := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help serve test site offline outputs followed typeset links lighthouse mutants lint clean
.DEFAULT_GOAL := help

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

serve: .venv/.installed ## show the site on this machine and rebuild it when a file is saved (PORT=8001)
	@$(PYTHON) -c "import socket; socket.create_server(('127.0.0.1', int('$(PORT)'))).close()" 2>/dev/null || { \
	  echo "Port $(PORT) is taken or is no port. Choose another: make serve PORT=8001"; exit 1; }
	@echo "Building the site. Then it is at http://127.0.0.1:$(PORT)/ until you press Ctrl+C."
	@$(PYTHON) -m mkdocs serve --livereload --dev-addr 127.0.0.1:$(PORT)
# --livereload is spelled out: with click 8.3 and later MkDocs 1.6 takes it for off by default.

test: lint ## run every program and compare its output, check every number, build the site, try it
	@$(PYTHON) -m pytest -n 2 --dist worksteal

site: .venv/.installed ## build the site into site/; any warning is an error
	@$(PYTHON) -m mkdocs build --strict --clean

offline: .venv/.installed ## pack the site into positional-encoding.zip: unpack it, open index.html, no server
	@rm -rf .cache/offline positional-encoding.zip
	@OFFLINE=1 SITE_URL= $(PYTHON) -m mkdocs build --quiet --site-dir .cache/offline/positional-encoding
	@cd .cache/offline && "$(CURDIR)/$(PYTHON)" -m zipfile -c ../positional-encoding.zip positional-encoding/
	@mv .cache/positional-encoding.zip . && rm -r .cache/offline && ls -sh positional-encoding.zip

outputs: .venv/.installed ## rerun the programs, rewrite the outputs that changed, show the difference (ONLY=theory, ONLY=labs)
	@$(PYTHON) -m pytest -p no:randomly -q --no-header --update-outputs \
	  $(if $(filter labs,$(ONLY)),tests/test_labs.py -k prints_stays,snippets/$(ONLY))

followed: .venv/.installed ## after a look: say that the Chinese pages follow the English ones as they are now (PAGE=theory)
	@$(PYTHON) tests/followed.py $(PAGE)

typeset: .venv/.installed ## set the Chinese pages as Chinese is set: blanks, full-width marks (PAGE=theory)
	@$(PYTHON) tests/typography.py $(PAGE)

links: .venv/.installed ## list the links that leave the site and ask each whether it answers, given a network
	@$(PYTHON) tests/links.py

lighthouse: .venv/.installed ## Lighthouse on every page, the speed beside that of a stock page (PAGE="theory zh/theory"); needs node
	@$(PYTHON) tests/lighthouse.py $(PAGE)

mutants: .venv/.installed ## change programs, outputs and prose, one thing at a time: do the tests notice? (ONLY=theory)
	@$(PYTHON) tests/mutants.py $(if $(ONLY),--only $(ONLY))

lint: .venv/.installed ## check the style of hooks, tests and labs, and of the programs on the pages
	@$(PYTHON) -m ruff check
	@$(PYTHON) -m ruff format --check
	@$(PYTHON) -m pytest -p no:randomly -q --no-header tests/test_style.py

clean: ## delete what was built or cached; .venv stays
	rm -rf site .cache .pytest_cache .ruff_cache
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +

# The stamp is written last. Without it an environment counts as unfinished and is made anew, so an
# interrupted installation is never taken for a whole one.
.venv/.installed: requirements.txt
	@for python in python3.11 python3 none; do \
	  "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; \
	done; \
	if [ "$$python" = none ]; then \
	  echo "Python 3.11 or newer is needed, as python3.11 or python3. Found: $$(python3 --version 2>&1)"; exit 1; \
	fi; \
	set -e; \
	if [ -f $@ ]; then \
	  echo "requirements.txt has changed: bringing .venv up to date."; rm $@; \
	else \
	  echo "Creating .venv with $$("$$python" --version)."; "$$python" -m venv --clear .venv; \
	fi; \
	touch .venv/.installing; \
	echo "Installing requirements.txt into .venv. The first time this takes minutes: torch is large."; \
	{ $(PYTHON) -m pip install -r requirements.txt && mv .venv/.installing $@; } | sed -n \
	  -e 's/^ *Downloading \(.*[MG]B)\)/  downloading \1/p' -e 's/^Installing collected.*/  unpacking/p'; \
	[ -f $@ ] || { echo "The installation failed; pip says why above. The next make starts again."; exit 1; }; \
	echo "Done: .venv is ready."
