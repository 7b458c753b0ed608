"""The fakes of habitat-sim's modules have the names and parameters of its published source.

What the source declares was read by ``scripts/habitat_names.py``; its result is in the project.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "habitat_names.py"
SPEC = importlib.util.spec_from_file_location("habitat_names", SCRIPT)
NAMES = importlib.util.module_from_spec(SPEC)
sys.modules[SPEC.name] = NAMES
SPEC.loader.exec_module(NAMES)
TABLE = json.loads(SCRIPT.with_suffix(".json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("release", NAMES.RELEASES)
def test_every_name_of_the_fakes_was_found_in_the_source(release):
    checked = {(row["module"], row["name"]): row["fake"] for row in TABLE[release] if row["fits"]}
    now = {
        (fake, name): list(parameters)
        for fake in NAMES.SOURCES
        for name, parameters in NAMES.fake_members(fake).items()
    }
    assert now == checked, "run scripts/habitat_names.py again"


def test_no_fake_was_left_out():
    files = {path.relative_to(NAMES.FAKES).as_posix() for path in NAMES.FAKES.rglob("*.py")}
    assert files == {*NAMES.SOURCES, "drawing.py"}


def test_bindings_are_read_with_their_parameters_and_what_is_inherited():
    text = """
  py::class_<SensorSpec, SensorSpec::ptr>(m, "SensorSpec", py::dynamic_attr())
      .def(py::init(&SensorSpec::create<>))
      .def_readwrite("uuid", &SensorSpec::uuid);

  py::class_<CameraSensorSpec, CameraSensorSpec::ptr, VisualSensorSpec>(
      m, "CameraSensorSpec")
      .def("zoom", &CameraSensor::zoom, R"(Modify it.)", "factor"_a, "more"_a = 1);

"""
    found = NAMES.real_members("Sensor.cpp", text)
    assert found["CameraSensorSpec.zoom"] == ("factor", "more")
    assert found["CameraSensorSpec.uuid"] == ()
    assert "CameraSensorSpec.factor" not in found
