"""The engine ovphysx where it is installed; ``make conformance`` runs everything on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from waypost.domain.base.errors import EngineUnavailableError
from waypost.domain.base.frames import bearing_rad
from waypost.services.conformance.cases import CASES
from waypost.services.conformance.rooms import HUMAN, WHEELCHAIR, box, door, floor, scene
from waypost.services.conformance.trial import Case
from waypost.simulators.client import SimulatorClient
from waypost.simulators.engine_search import find_engine
from waypost.simulators.engines import engine_kind
from waypost.simulators.protocol import DriveCommand

FOUND = find_engine(engine_kind("ovphysx"))

pytestmark = [
    pytest.mark.conformance,
    pytest.mark.skipif(not FOUND.is_there, reason=f"ovphysx: {FOUND.reason}"),
]


@pytest.fixture(scope="module")
def ovphysx() -> Iterator[SimulatorClient]:
    with SimulatorClient.start("ovphysx", FOUND.python) as client:
        yield client


def drive(client, room, profile, start=(0.4, 0.0, 0.0), target=(3.6, 0.0, 0.0)):
    client.load_scene(room)
    client.spawn(profile, start, bearing_rad(start, target))
    return client.drive_to(target)


def test_it_names_its_version_and_the_numbers_that_decide_where_an_agent_gets_through(ovphysx):
    parameters = ovphysx.engine.parameters
    assert ovphysx.engine.version == "0.7.0.74035321"
    assert (parameters.position_iterations, parameters.friction) == (60, 0.0)
    assert (parameters.friction_mode, parameters.hull_sides) == ("min", 28)


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.is_quick], ids=lambda case: case.play.__name__
)
def test_it_conforms_at_a_quick_look(ovphysx, case: Case):
    assert case.failures(ovphysx) == []


def test_a_touch_names_the_object_and_its_normal_looks_at_the_agent(ovphysx):
    places_m = {"a sofa": 2.0, 'two "words"': 1.0, "наволочка": -0.2}
    sofas = [box(name, (2.0, y, 0.0), (3.0, y + 0.4, 0.8)) for name, y in places_m.items()]
    outcome = drive(ovphysx, scene(floor(), *sofas), HUMAN)
    (contact,) = outcome.contacts
    assert contact.object == "наволочка"
    assert contact.normal == pytest.approx((-1.0, 0.0, 0.0), abs=0.02)
    assert contact.point_m[0] == pytest.approx(2.0, abs=0.002)


def test_far_from_the_origin_of_its_scene_an_agent_is_as_fast_and_meets_nothing(ovphysx):
    ovphysx.load_scene(scene(floor(400.0, 20.0)))
    ovphysx.spawn(HUMAN, (300.0, 3.0, 0.0), 0.3)
    ovphysx.drive(DriveCommand(0.8), 120)
    fast = ovphysx.drive(DriveCommand(0.8), 120)
    assert fast.speed_mps == pytest.approx(0.8, abs=1e-4)
    assert fast.displacement_m == 0.0


def test_what_is_only_seen_stops_nobody(ovphysx):
    room = scene(floor(), box("curtain", (1.0, -2.0, 0.0), (1.1, 2.0, 2.0)))
    curtain = replace(room.meshes[-1], is_collider=False)
    assert drive(ovphysx, replace(room, meshes=(*room.meshes[:-1], curtain)), HUMAN).reached


def test_another_agent_is_put_in_without_loading_the_scene_anew(ovphysx):
    room = scene(floor(), door(0.65))
    assert drive(ovphysx, room, HUMAN).reached
    ovphysx.spawn(WHEELCHAIR, (0.4, 0.0, 0.0), 0.0)
    assert ovphysx.drive_to((3.6, 0.0, 0.0)).blocked_by == "obstacle"
    ovphysx.spawn(HUMAN, (0.4, 0.0, 0.0), 0.0)
    assert ovphysx.drive_to((3.6, 0.0, 0.0)).reached


def test_two_workers_drive_identically():
    outcomes = []
    for _ in range(2):
        with SimulatorClient.start("ovphysx", FOUND.python) as client:
            outcomes.append(drive(client, scene(floor(), door(0.58)), HUMAN))
    assert outcomes[0] == outcomes[1]


def test_a_worker_that_ends_leaves_no_folder_behind(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with SimulatorClient.start("ovphysx", FOUND.python) as client:
        drive(client, scene(floor()), HUMAN)
    assert client._worker._process.returncode == 0, "it ended by itself"
    assert [path for path in tmp_path.iterdir() if path.is_dir()] == []


def test_a_python_without_ovphysx_says_so_in_one_sentence(tmp_path):
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec "{FOUND.python}" -I -S "$@"\n')
    python.chmod(0o755)
    with pytest.raises(EngineUnavailableError, match="numpy"):
        SimulatorClient.start("ovphysx", str(python))


def test_a_version_that_nobody_measured_is_refused(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import ovphysx; ovphysx.__version__ = '0.8.0.1'\n")
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{tmp_path}" exec "{FOUND.python}" "$@"\n')
    python.chmod(0o755)
    with pytest.raises(EngineUnavailableError, match=r"0\.8\.0\.1 is installed, but only 0\.7\.0"):
        SimulatorClient.start("ovphysx", str(python))
