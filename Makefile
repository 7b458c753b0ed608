.PHONY: run demo test test-fast fuzz conformance lint format bench pictures clean

# Opens the sample project; without a display it performs the main job and leaves out/demo/.
run:
	@scripts/setup.sh
	@scripts/run.sh

demo:
	@scripts/setup.sh
	@WAYPOST_XVFB=1 scripts/with_display.sh .venv/bin/waypost demo --out out/demo

# Windows on one display would take the keyboard from each other, so each worker has its own. Files are
# taken in their order: by number of tests the longest, kills and windows, would be left for the end.
test:
	@scripts/setup.sh test
	@.venv/bin/pytest -n auto --dist loadfile --no-loadscope-reorder -m "not gui"
	@.venv/bin/pytest -n auto --dist loadfile --no-loadscope-reorder -m gui

# What needs neither a window nor a killed process.
test-fast:
	@scripts/setup.sh test
	@.venv/bin/pytest -q -m "not gui and not faults and not realdata"

# N inputs, also FAMILY=gltf SEED=1 INPUT=7 SAVE=folder REAL=folder; a failure says how to run it again.
fuzz:
	@scripts/setup.sh test
	@PYTHONPATH=tests .venv/bin/python -m faults.fuzz --inputs $(or $(N),2000) \
		$(if $(FAMILY),--family $(FAMILY)) $(if $(SEED),--seed $(SEED)) \
		$(if $(INPUT),--input $(INPUT)) $(if $(SAVE),--save $(SAVE)) $(if $(REAL),--real $(REAL))

# Every case and drive on ovphysx, too large (1.1 GB) for CI; the result is committed.
conformance:
	@scripts/setup.sh
	@WAYPOST_OVPHYSX_PYTHON="$$(scripts/ovphysx_venv.sh)" .venv/bin/python -m tools.conformance_report ovphysx

lint:
	@scripts/setup.sh lint
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy
	@.venv/bin/lint-imports
	@.venv/bin/python scripts/check_sizes.py

format:
	@scripts/setup.sh lint
	@.venv/bin/ruff check --fix-only --quiet .
	@.venv/bin/ruff format .

bench:
	@scripts/setup.sh bench
	@WAYPOST_XVFB=1 scripts/with_display.sh .venv/bin/python -m benchmarks

pictures:
	@scripts/setup.sh
	@WAYPOST_XVFB=1 scripts/with_display.sh .venv/bin/python -m tools.pictures

clean:
	rm -rf out build dist .venv
