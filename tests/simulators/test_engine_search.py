"""Which engines are there: asked of any Python without importing one, and why not in words."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import textwrap
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import psutil
import pytest
from faults.processes import wait_for_end

from waypost.domain.base.errors import Cancelled, EngineUnavailableError, InputError
from waypost.simulators.client import SimulatorClient
from waypost.simulators.engine_search import find_engine, launcher_in
from waypost.simulators.engines import ENGINE_KINDS, REFERENCE_ENGINE, engine_kind

ELSEWHERE = replace(
    ENGINE_KINDS["isaac"], modules=("far_engine",), distributions=("far-engine",), usual_places=()
)


def python_in(folder: Path, script: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "python.sh"
    path.write_text(f"#!/bin/sh\n{textwrap.dedent(script)}\n")
    path.chmod(0o755)
    return str(path)


def python_with_engine(folder: Path, module: str = "far_engine") -> str:
    (folder / "lib").mkdir(parents=True)
    (folder / "lib" / f"{module}.py").write_text("raise SystemExit('imported')\n")
    return python_in(folder, f'PYTHONPATH={folder}/lib exec {sys.executable} "$@"')


@pytest.fixture(autouse=True)
def nothing_named(monkeypatch):
    for kind in ENGINE_KINDS.values():
        monkeypatch.delenv(kind.python_variable, raising=False)


def test_the_reference_engine_is_found_in_this_python():
    found = find_engine(engine_kind(REFERENCE_ENGINE))
    assert found.is_there
    assert (found.python, found.version) == (sys.executable, version("sapien"))
    assert found.python_version == "{}.{}.{}".format(*sys.version_info)


def test_an_unknown_engine_is_refused_with_the_known_ones():
    with pytest.raises(InputError, match=r"bullet: engine: there is no such engine; known: physx"):
        engine_kind("bullet")


def test_another_python_is_asked_without_importing_the_engine(tmp_path):
    python = python_with_engine(tmp_path / "far")
    (tmp_path / "far" / "VERSION").write_text("5.1.0-rc.19\nrest\n")
    found = find_engine(ELSEWHERE, python)
    assert (found.reason, found.version) == ("", "5.1.0-rc.19")
    assert find_engine(ELSEWHERE, str(tmp_path / "far")) == found, "a folder means its launcher"


def test_the_variable_of_the_environment_names_a_python(tmp_path, monkeypatch):
    python = python_with_engine(tmp_path / "far")
    monkeypatch.setenv("WAYPOST_ISAAC_PYTHON", python)
    assert find_engine(ELSEWHERE).python == python
    named = find_engine(ELSEWHERE, sys.executable)
    lack = f"{sys.executable} has no far_engine; name the folder of Isaac Sim"
    assert named.reason.startswith(lack)


def test_the_newest_of_the_usual_places_that_has_it_is_taken(tmp_path):
    python_in(tmp_path / "isaac-sim-6", "echo 'out of order' >&2; exit 9")
    wanted = python_with_engine(tmp_path / "isaac-sim-5")
    python_with_engine(tmp_path / "isaac-sim-4")
    kind = replace(ELSEWHERE, usual_places=(f"{tmp_path}/isaac-sim-*/python.sh",))
    assert find_engine(kind).python == wanted


def test_where_nothing_is_found_the_reason_says_what_to_do(tmp_path):
    found = find_engine(ELSEWHERE)
    assert (found.python, found.is_there) == ("", False)
    assert found.reason == (
        "NVIDIA Isaac Sim was not found at the usual places; "
        "name the folder of Isaac Sim, or its python.sh"
    )
    lacking = replace(ENGINE_KINDS["physx"], modules=("far_engine",))
    assert find_engine(lacking).reason == (
        "this Python has no far_engine; install it with: pip install sapien"
    )


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo 'no licence' >&2; exit 3", "is no Python that answers: no licence"),
        ("exit 3", "is no Python that answers: exit code 3"),
        ("echo 'ANSWER {}'", "is no Python that answers: exit code 0"),
        ("echo 'ANSWER [1, 2, 3]'", "is no Python that answers: exit code 0"),
        ("echo 'ANSWER ['", "is no Python that answers: exit code 0"),
        ("exec sleep 60", "did not answer within 0.3 s"),
        ("exec >&- 2>&-; exec sleep 60", "did not answer within 0.3 s"),
    ],
)
def test_what_is_no_python_is_named_and_never_waited_for(tmp_path, monkeypatch, script, reason):
    monkeypatch.setattr("waypost.simulators.engine_search._ASK_TIMEOUT_S", 0.3)
    python = python_in(tmp_path, script)
    assert find_engine(ELSEWHERE, python).reason == f"{python} {reason}"


def test_a_program_that_writes_without_end_is_not_heard_to_the_end(tmp_path):
    python = python_in(tmp_path, "exec yes")
    reason = f"{python} is no Python that answers: it writes without end"
    assert find_engine(ELSEWHERE, python).reason == reason


def test_a_search_that_is_called_off_ends_the_python_that_does_not_answer(tmp_path):
    before = psutil.Process().children()
    python = python_in(tmp_path, f"touch {tmp_path}/started\nexec sleep 60")
    with pytest.raises(Cancelled):
        find_engine(ELSEWHERE, python, (tmp_path / "started").is_file)
    assert psutil.Process().children() == before


def test_what_a_script_has_started_ends_with_it(tmp_path, monkeypatch):
    monkeypatch.setattr("waypost.simulators.engine_search._ASK_TIMEOUT_S", 0.3)
    python = python_in(tmp_path, f"sleep 60 &\necho $! > {tmp_path}/started\nwait")
    assert "did not answer within" in find_engine(ELSEWHERE, python).reason
    started = int((tmp_path / "started").read_text())
    with contextlib.suppress(psutil.NoSuchProcess):
        wait_for_end(psutil.Process(started))


def test_a_missing_python_and_a_folder_without_one_are_named(tmp_path):
    for missing, why in (
        (str(tmp_path / "none"), "No such file or directory"),
        (str(tmp_path / (300 * "n")), "File name too long"),
        ("~nobody_of_this_name/python", "No such file or directory"),
    ):
        assert find_engine(ELSEWHERE, missing).reason == f"{missing} cannot be started: {why}"
    assert launcher_in(str(tmp_path)) == str(tmp_path)
    empty = f"{tmp_path} is a folder without a Python in it"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for place, reason in ((tmp_path, empty), (pipe, f"{pipe} is a pipe or a device, no Python")):
        assert find_engine(ELSEWHERE, str(place)).reason == reason
        with pytest.raises(EngineUnavailableError, match=f"'isaac' cannot run: {reason}$"):
            SimulatorClient.start("isaac", str(place))


def test_what_another_python_says_cannot_steer_the_terminal(tmp_path):
    python = python_in(tmp_path, 'printf \'ANSWER ["3.10\\\\u001b[2J", "5\\\\n6", []]\\n\'')
    found = find_engine(ELSEWHERE, python)
    assert "\x1b" not in found.python_version
    assert "\n" not in found.version


def test_nobody_waits_for_what_a_program_leaves_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("waypost.simulators.engine_search._ASK_TIMEOUT_S", 0.3)
    left, over = tmp_path / "left", tmp_path / "over"
    daemon = f"setsid sh -c 'echo $$ > {left}; sleep 20; touch {over}' &"
    python = python_in(tmp_path, f"{daemon}\nwhile [ ! -s {left} ]; do sleep 0.01; done")
    try:
        assert "did not answer within" in find_engine(ELSEWHERE, python).reason
        assert not over.exists(), "it holds the output open, and was waited for"
    finally:
        os.killpg(int(left.read_text()), signal.SIGKILL)
