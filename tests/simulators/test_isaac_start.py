"""How a worker with Isaac Sim starts and ends, and what it says where it cannot."""

from __future__ import annotations

import ast
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from simulators.engines import PYTHON_WITH_FAKE_ISAAC, start_engine
from simulators.rooms import HUMAN, SWEEPER, box, floor, scene

from waypost.domain.base.errors import EngineUnavailableError, SimulatorError, WorkerDiedError
from waypost.simulators.backends import isaac_start
from waypost.simulators.backends.usd_text import PRISM_SIDES
from waypost.simulators.client import SimulatorClient
from waypost.simulators.engine_search import find_engine
from waypost.simulators.engines import ENGINE_KINDS
from waypost.simulators.protocol import DriveCommand

BACKENDS = Path(isaac_start.__file__).parent


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("FAKE_ISAAC_CARDS", "", r"this computer has no driver for one"),
        ("FAKE_ISAAC_CARDS", "-1", r"its driver here does not answer"),
        ("FAKE_ISAAC_CARDS", "0", r"the driver here finds none"),
        ("FAKE_ISAAC_FAULT", "no isaacsim", r"this Python has no Isaac Sim; name the python\.sh"),
        ("FAKE_ISAAC_FAULT", "licence", r"licence of Isaac Sim has not been accepted.* if you"),
        ("FAKE_ISAAC_FAULT", "no kernel", r"not complete: Unable to find 'omniverse-kit' package"),
        ("FAKE_ISAAC_FAULT", "no app", r"lacks the extension isaacsim\.simulation_app"),
        ("FAKE_ISAAC_FAULT", "other python", r"Isaac Sim 4\.5\.0 runs on Python 3\.10, and this"),
        ("FAKE_ISAAC_FAULT", "no start", r"did not start \(exit code 1\); its log"),
        ("FAKE_ISAAC_FAULT", "newton only", r"simulates with newton here and cannot change"),
        ("FAKE_ISAAC_FAULT", "no omni.physx", r"lacks the extension omni\.physx$"),
    ],
)
def test_what_keeps_isaac_sim_from_running_is_said_in_one_sentence(
    monkeypatch, variable, value, sentence
):
    monkeypatch.setenv(variable, value)
    with pytest.raises(EngineUnavailableError, match=sentence) as told:
        start_engine("isaac")
    assert "\n" not in str(told.value)


def test_a_robot_that_is_not_there_is_named_before_isaac_sim_starts(tmp_path):
    options = {"robot_usd": str(tmp_path / "spot.usd")}
    with pytest.raises(EngineUnavailableError, match=r"spot\.usd is no file; name another USD"):
        SimulatorClient.start("isaac", str(PYTHON_WITH_FAKE_ISAAC), options=options)


def test_the_licence_is_never_accepted_for_anybody():
    for path in BACKENDS.glob("isaac*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_name = isinstance(node, ast.Constant) and node.value == "OMNI_KIT_ACCEPT_EULA"
            assert not is_name, f"{path.name} uses the variable instead of naming it to people"


def test_a_slow_start_tells_of_its_progress_and_what_isaac_sim_prints_harms_nothing(monkeypatch):
    monkeypatch.setenv("FAKE_ISAAC_FAULT", "slow")
    said: list[str] = []
    with SimulatorClient.start(
        "isaac", str(PYTHON_WITH_FAKE_ISAAC), on_progress=said.append
    ) as client:
        assert client.engine.name == "isaac"
        assert client.engine.title == "NVIDIA Isaac Sim 6.2.0.fake (PhysX)"
        assert client.engine.parameters.hull_sides == PRISM_SIDES
    assert said[0] == "Isaac Sim is being loaded"
    assert any("may take 15 minutes" in sentence for sentence in said)


def test_each_agent_is_shown_as_its_robot_or_as_a_plain_body(tmp_path, monkeypatch):
    layers, robots = tmp_path / "layers", tmp_path / "robots"
    for folder in (layers, robots, robots / f"{SWEEPER.key}.usd"):
        folder.mkdir()
    robot = robots / "courier.USDA"
    robot.write_text('#usda 1.0\n(\n    defaultPrim = "Robot"\n)\ndef Xform "Robot"\n{\n}\n')
    monkeypatch.setenv("TMPDIR", str(layers))

    def shown() -> list[str]:
        texts = (path.read_text(encoding="utf-8") for path in layers.rglob("*.usda"))
        return sorted(line for text in texts for line in text.splitlines() if '"Looks"' in line)

    options = {"robot_usd": str(robots)}
    with SimulatorClient.start("isaac", str(PYTHON_WITH_FAKE_ISAAC), options=options) as client:
        client.load_scene(scene(floor()))
        client.spawn(SWEEPER, (0.0, 0.0, 0.0), 0.0)
        assert shown() == ['def Xform "Looks"']
        # Of the same body: what is shown goes by the key all the same.
        client.spawn(replace(SWEEPER, key="courier"), (0.0, 0.0, 0.0), 0.0)
        assert shown() == [
            'def Xform "Looks"',
            f'def Xform "Looks" (references = @@@{robot}@@@)',
        ]


def test_closing_ends_isaac_sim_after_the_take_is_on_the_disk(tmp_path, monkeypatch):
    files = tmp_path / "files"
    files.mkdir()
    monkeypatch.setenv("TMPDIR", str(files))
    client = start_engine("isaac")
    process = psutil.Process(client.process_id)
    client.load_scene(scene(floor()))
    client.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
    status = client.start_recording(tmp_path / "drive.csv", {})
    client.drive(DriveCommand(1.0), 120)
    # The process ends within close(), as SimulationApp.close() does: nothing after it runs.
    client.close()
    assert not process.is_running()
    rows = Path(status.file).read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + 21
    assert not list(files.iterdir())


def test_isaac_sim_is_brought_back_from_newton(monkeypatch):
    monkeypatch.setenv("FAKE_ISAAC_FAULT", "newton")
    with start_engine("isaac") as client:
        client.load_scene(scene(floor()))
        floor_m = client.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0).position_m
    assert floor_m == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)


def test_engines_of_physics_of_other_versions_tell_contacts_in_two_parts(monkeypatch):
    monkeypatch.setenv("FAKE_ISAAC_VERSION", "4.5")
    with start_engine("isaac") as client:
        client.load_scene(scene(floor(), box("sofa", (2.0, -1.0, 0.0), (3.0, 1.0, 0.8))))
        client.spawn(HUMAN, (0.4, 0.0, 0.0), 0.0)
        outcome = client.drive_to((3.6, 0.0, 0.0))
    assert [contact.object for contact in outcome.contacts] == ["sofa"]


def test_its_own_python_is_found_by_variable_folder_and_usual_place(monkeypatch, tmp_path):
    kind = ENGINE_KINDS["isaac"]
    folder = tmp_path / "isaacsim"
    folder.mkdir()
    launcher = folder / "python.sh"
    launcher.write_text(f'#!/bin/sh\nexec {PYTHON_WITH_FAKE_ISAAC} "$@"\n', encoding="utf-8")
    launcher.chmod(0o755)
    (folder / "VERSION").write_text("5.1.0-rc.19+release.26219\n", encoding="utf-8")
    for found in (find_engine(kind, str(folder)), find_engine(kind, str(launcher))):
        assert (found.reason, found.python) == ("", str(launcher))
        assert found.version.startswith("5.1.0")
    monkeypatch.setenv("WAYPOST_ISAAC_PYTHON", str(folder))
    assert find_engine(kind).python == str(launcher)
    monkeypatch.delenv("WAYPOST_ISAAC_PYTHON")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert find_engine(kind).python == str(launcher)
    monkeypatch.setenv("FAKE_ISAAC_FAULT", "no isaacsim")
    assert "has no isaacsim" in find_engine(kind).reason


def test_a_python_without_isaac_sim_is_told_to_be_the_wrong_one():
    found = find_engine(ENGINE_KINDS["isaac"], sys.executable)
    lack = f"{sys.executable} has no isaacsim; name the folder of Isaac Sim"
    assert found.reason.startswith(lack)


@pytest.mark.parametrize("is_ended_badly", [False, True])
def test_what_the_launcher_script_prints_is_skipped(tmp_path, is_ended_badly):
    launcher = tmp_path / "python.sh"
    lines = [
        "#!/bin/sh",
        "echo 'Warning: running in conda env, please deactivate before executing this script'",
        "echo 'WPT: no message'",
        f'{PYTHON_WITH_FAKE_ISAAC} "$@" || echo "There was an error running python"',
    ]
    launcher.write_text("\n".join(lines) + "\n", encoding="utf-8")
    launcher.chmod(0o755)
    with SimulatorClient.start("isaac", str(launcher)) as client:
        client.load_scene(scene(floor()))
        if is_ended_badly:
            worker = next(
                child
                for child in psutil.Process(client.process_id).children(recursive=True)
                if "bootstrap.py" in " ".join(child.cmdline()) and not child.children()
            )
            worker.kill()
            with pytest.raises(WorkerDiedError):
                client.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
        else:
            assert client.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0).blocked_by is None


def test_a_window_that_somebody_closes_ends_the_engine_in_one_sentence(monkeypatch):
    monkeypatch.setenv("FAKE_ISAAC_FAULT", "closed window")
    options = {"window": True}
    with SimulatorClient.start("isaac", str(PYTHON_WITH_FAKE_ISAAC), options=options) as client:
        psutil.wait_procs([psutil.Process(client.process_id)], timeout=30)
        with pytest.raises(SimulatorError):
            client.load_scene(scene(floor()))
