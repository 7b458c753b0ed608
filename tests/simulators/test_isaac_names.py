"""The fakes of Isaac Sim's modules have the names and parameters of the published wheels.

What the wheels declare was read by ``scripts/isaac_names.py``; its result is in the project.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "isaac_names.py"
SPEC = importlib.util.spec_from_file_location("isaac_names", SCRIPT)
NAMES = importlib.util.module_from_spec(SPEC)
sys.modules[SPEC.name] = NAMES
SPEC.loader.exec_module(NAMES)
TABLE = json.loads(SCRIPT.with_suffix(".json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("version", list(TABLE))
def test_every_name_of_the_fakes_was_found_in_the_wheels(version):
    checked = {
        (row["module"], row["name"]): row["fake"] for row in TABLE[version]["names"] if row["fits"]
    }
    now = {
        (fake, function.name): list(function.parameters)
        for fake in (*NAMES.DECLARED, *NAMES.CALLED)
        for function in NAMES.fake_functions(fake)
    }
    assert now == checked, "run scripts/isaac_names.py again"


def test_no_fake_was_left_out():
    files = {
        path.relative_to(NAMES.FAKES).as_posix()
        for path in NAMES.FAKES.rglob("*.py")
        if path.read_text(encoding="utf-8").strip()
    }
    assert files == {*NAMES.DECLARED, *NAMES.CALLED, "kit_world.py"}


def test_more_than_one_version_was_read():
    assert {version.split(".")[0] for version in TABLE} == {"6"}
    assert len(TABLE) >= 2
