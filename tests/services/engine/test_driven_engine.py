"""The engine against a scripted client, and once against a real engine."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from patience import PATIENCE_S

from waypost.domain.base.errors import (
    Cancelled,
    EngineUnavailableError,
    InputError,
    WorkerDiedError,
)
from waypost.domain.scene.scene import LeftOutObject, Mesh, Scene
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.services.engine.driven_engine import DrivenEngine, EngineState
from waypost.simulators.client import SimulatorClient
from waypost.simulators.protocol import DriveCommand, DriveOutcome, EngineInfo, Telemetry

STEP_S = 1 / 120


def telemetry(steps=0, x=0.0, speed=0.0):
    return Telemetry(round(steps * STEP_S * 1e9), (x, 0.0, 0.0), 0.0, speed, 0.0)


class ScriptedClient:
    """Moves along +X exactly as commanded, on an empty plane; dies when told to."""

    def __init__(self):
        self.engine = EngineInfo("scripted", "1", "Scripted")
        self.settings_hash = "abc"
        self.lives = True
        self.looks = 0
        self.is_closed = False
        self.scenes = []
        self.calls = []
        self.threads = set()
        self.steps = 0
        self.x = 0.0
        self.answers = threading.Event()
        self.answers.set()

    @property
    def is_alive(self):
        self.looks += 1
        return self.lives

    def load_scene(self, scene):
        self._begin()
        self.scenes.append(scene)

    def spawn(self, profile, floor_position_m, yaw_rad):
        self._begin()
        if floor_position_m[2] < -10:
            raise InputError("spawn: there is no floor")
        self.steps, self.x = 0, floor_position_m[0]
        return telemetry(0, self.x)

    def drive(self, command, steps):
        self._begin()
        self.calls.append((time.monotonic(), command))
        self.steps += steps
        self.x += command.forward_mps * steps * STEP_S
        return telemetry(self.steps, self.x, abs(command.forward_mps))

    def drive_to(self, target_m, time_limit_s=None, on_telemetry=None, batch_steps=12):
        self._begin()
        begin = self.x
        while self.x < target_m[0]:
            self.answers.wait(PATIENCE_S)
            if not on_telemetry(self.drive(DriveCommand(1.0), batch_steps)):
                return self._outcome(False, begin, "stopped")
        return self._outcome(True, begin, None)

    def kill(self):
        self.lives = False
        self.answers.set()

    def close(self):
        self.lives = False
        self.is_closed = True

    def _begin(self):
        self.threads.add(threading.current_thread())
        self.answers.wait(PATIENCE_S)
        if not self.lives:
            raise WorkerDiedError(-9)

    def _outcome(self, reached, begin, blocked_by):
        stopped = (self.x, 0.0, 0.0)
        return DriveOutcome(
            reached, stopped, self.x - begin, 0.0, False, (), 0.0, 1.0, blocked_by, (stopped,)
        )


class Workshop:
    """Makes a new scripted client at every start."""

    def __init__(self):
        self.clients = []
        self.error = None

    def start(self):
        if self.error is not None:
            raise self.error
        self.clients.append(ScriptedClient())
        return self.clients[-1]


@pytest.fixture
def workshop():
    return Workshop()


@pytest.fixture
def engine(qapp, workshop):
    engine = DrivenEngine(workshop.start)
    yield engine
    assert engine.shutdown(PATIENCE_S)


@pytest.fixture
def profile():
    return AgentProfile("human", "Human", BodyShape.CYLINDER, 0.6, 0.6, 1.7, 0.3, True, True, True)


@pytest.fixture
def scene():
    corners = np.array([[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]], dtype=np.float32)
    faces = np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32)
    return Scene("plane", "plane.glb", "glb", (Mesh("plane", corners, faces),))


def start_driving(engine, qtbot, scene, profile):
    engine.start_engine()
    engine.load_scene(scene)
    engine.spawn(profile, (0.0, 0.0, 0.0), 0.0)
    qtbot.waitUntil(lambda: engine.state is EngineState.DRIVING)


def test_an_engine_starts_loads_and_spawns_off_the_window_thread(
    engine, workshop, qtbot, scene, profile
):
    ready, loaded = [], []
    engine.engine_ready.connect(ready.append)
    engine.scene_loaded.connect(lambda: loaded.append(threading.current_thread()))
    start_driving(engine, qtbot, scene, profile)
    assert ready == [EngineInfo("scripted", "1", "Scripted")]
    assert engine.info == ready[0]
    assert engine.mover_hash == "abc"
    assert loaded == [threading.main_thread()]
    (client,) = workshop.clients
    assert client.scenes == [scene]
    assert threading.main_thread() not in client.threads


def test_driving_keeps_the_pace_of_the_clock(engine, workshop, qtbot, scene, profile):
    start_driving(engine, qtbot, scene, profile)
    seen = []
    engine.telemetry_received.connect(seen.append)
    begin = time.monotonic()
    engine.set_command(DriveCommand(1.0))
    qtbot.waitUntil(lambda: bool(seen) and seen[-1].position_m[0] > 0.5)
    wall_s = time.monotonic() - begin
    # 0.5 m at 1 m/s; a loaded machine may be slower, none may be faster than its catch-up.
    assert wall_s > 0.5 - 0.1 - 0.05
    steps = [round(t.time_ns / 1e9 / STEP_S) for t in seen]
    assert {later - earlier for earlier, later in pairwise(steps)} == {2}


def test_a_cleared_command_takes_effect_with_the_next_batch(
    engine, workshop, qtbot, scene, profile
):
    start_driving(engine, qtbot, scene, profile)
    (client,) = workshop.clients
    engine.set_command(DriveCommand(1.0))
    qtbot.waitUntil(lambda: client.calls[-1:] and client.calls[-1][1] == DriveCommand(1.0))
    engine.stop()
    stopped_s = time.monotonic()
    qtbot.waitUntil(lambda: client.calls[-1][1] == DriveCommand())
    late = [t for t, command in client.calls if t > stopped_s and command != DriveCommand()]
    assert len(late) <= 1


def test_a_resting_agent_costs_no_steps(engine, workshop, qtbot, scene, profile):
    start_driving(engine, qtbot, scene, profile)
    (client,) = workshop.clients
    qtbot.waitUntil(lambda: len(client.calls) >= 30)
    looks = client.looks
    qtbot.waitUntil(lambda: client.looks >= looks + 2)
    assert len(client.calls) == 30
    engine.set_command(DriveCommand(0.5))
    qtbot.waitUntil(lambda: len(client.calls) > 32)


def test_death_while_driving_is_told_and_restart_reloads_the_scene(
    engine, workshop, qtbot, scene, profile
):
    start_driving(engine, qtbot, scene, profile)
    engine.set_command(DriveCommand(1.0))
    with qtbot.waitSignal(engine.engine_failed) as failed:
        workshop.clients[0].kill()
    assert failed.args == [
        "the physics engine stopped (killed, perhaps out of memory); it can be restarted"
    ]
    assert engine.state is EngineState.FAILED
    assert workshop.clients[0].is_closed
    with qtbot.waitSignal(engine.scene_loaded):
        engine.restart()
    assert workshop.clients[1].scenes == [scene]
    engine.spawn(profile, (1.0, 0.0, 0.0), 0.0)
    qtbot.waitUntil(lambda: engine.state is EngineState.DRIVING)


def test_death_while_resting_is_noticed(engine, workshop, qtbot, scene, profile):
    start_driving(engine, qtbot, scene, profile)
    qtbot.waitUntil(lambda: len(workshop.clients[0].calls) >= 30)
    with qtbot.waitSignal(engine.engine_failed):
        workshop.clients[0].lives = False


def test_an_engine_that_is_missing_is_one_sentence_and_can_come_back(engine, workshop, qtbot):
    workshop.error = EngineUnavailableError("sapien is not installed for this Python")
    with qtbot.waitSignal(engine.engine_failed) as failed:
        engine.start_engine()
    assert failed.args == ["sapien is not installed for this Python"]
    workshop.error = None
    with qtbot.waitSignal(engine.engine_ready):
        engine.restart()


def test_a_refused_request_leaves_the_engine_running(
    engine, workshop, qtbot, scene, profile, tmp_path
):
    engine.start_engine()
    engine.load_scene(scene)
    with qtbot.waitSignal(engine.request_refused) as refused:
        engine.spawn(profile, (0.0, 0.0, -99.0), 0.0)
    assert refused.args == ["spawn: there is no floor"]
    assert engine.state is EngineState.READY
    told = []
    engine.request_refused.connect(told.append)
    engine.start_recording(tmp_path / "take.csv", {})
    engine.spawn(profile, (0.0, 0.0, -98.0), 0.0)
    qtbot.waitUntil(lambda: bool(told))
    assert told == ["spawn: there is no floor"], "why nothing was recorded had been said"
    assert not workshop.clients[0].is_closed


def test_nobody_is_put_into_a_scene_that_lacks_geometry(engine, qtbot, scene, profile, tmp_path):
    gap = replace(scene, left_out=(LeftOutObject("/Wall", "a vertex is not a finite number"),))
    engine.start_engine()
    engine.load_scene(gap)
    with qtbot.waitSignal(engine.request_refused) as refused:
        engine.spawn(profile, (0.0, 0.0, 0.0), 0.0)
    assert "1 part of the geometry is missing (/Wall)" in refused.args[0]
    assert engine.state is EngineState.READY
    engine.allow_gaps(["/Door"])
    with qtbot.waitSignal(engine.request_refused):
        engine.spawn(profile, (0.0, 0.0, 0.0), 0.0)
    engine.allow_gaps(["/Door", "/Wall"])
    with qtbot.waitSignal(engine.telemetry_received):
        engine.spawn(profile, (0.0, 0.0, 0.0), 0.0)
    engine.allow_gaps([])
    told = []
    engine.request_refused.connect(told.append)
    engine.spawn(profile, (0.0, 0.0, 0.0), 0.0)
    engine.start_recording(tmp_path / "take.csv", {})
    engine.spawn(profile, (0.0, 0.0, 0.0), 0.0)
    qtbot.waitUntil(lambda: len(told) > 1)
    assert [sentence.partition(" (")[0] for sentence in told] == [
        "1 part of the geometry is missing"
    ] * 2, "the agent that stands there from before is not recorded in its place"


def test_requests_without_an_engine_or_agent_are_refused(engine, qtbot, profile):
    with qtbot.waitSignal(engine.request_refused) as refused:
        engine.spawn(profile, (0.0, 0.0, 0.0), 0.0)
    assert "not running" in refused.args[0]
    engine.start_engine()
    with qtbot.waitSignal(engine.request_refused) as refused:
        engine.drive_to((1.0, 0.0, 0.0))
    assert "agent" in refused.args[0]


def test_an_unexpected_answer_does_not_end_the_session(
    engine, workshop, qtbot, scene, profile, caplog
):
    start_driving(engine, qtbot, scene, profile)
    workshop.clients[0].drive = lambda command, steps: {}["telemetry"]
    with qtbot.waitSignal(engine.request_refused) as refused:
        engine.set_command(DriveCommand(1.0))
    assert "unexpected answer" in refused.args[0]
    assert engine.state is EngineState.READY
    with qtbot.waitSignal(engine.scene_loaded):
        engine.restart()


def test_drive_to_reports_its_outcome(engine, qtbot, scene, profile):
    start_driving(engine, qtbot, scene, profile)
    with qtbot.waitSignal(engine.drive_finished) as finished:
        engine.drive_to((3.0, 0.0, 0.0))
    assert finished.args[0].reached
    assert engine.state is EngineState.DRIVING


def test_stop_calls_a_drive_off(engine, workshop, qtbot, scene, profile):
    start_driving(engine, qtbot, scene, profile)
    with qtbot.waitSignal(engine.drive_finished) as finished:
        engine.drive_to((1e9, 0.0, 0.0))
        qtbot.waitUntil(lambda: engine.state is EngineState.AUTOMATIC)
        engine.stop()
    assert finished.args[0].blocked_by == "stopped"


def test_nothing_of_the_agent_before_is_told_of_one_placed_anew(
    engine, workshop, qtbot, scene, profile
):
    """It is told of later than the window asks for the new one, which it would stand for."""
    start_driving(engine, qtbot, scene, profile)
    heard, ended = [], []
    engine.telemetry_received.connect(heard.append)
    engine.drive_finished.connect(ended.append)
    (client,) = workshop.clients
    heard.clear()
    engine.drive_to((3.0, 0.0, 0.0))
    deadline_s = time.monotonic() + PATIENCE_S
    while client.x < 3.0 and time.monotonic() < deadline_s:
        time.sleep(0.001)  # what is told meanwhile is not heard yet
    engine.spawn(profile, (5.0, 0.0, 0.0), 0.0)
    qtbot.waitUntil(lambda: bool(heard))
    assert {one.position_m[0] for one in heard} == {5.0}
    assert ended == []
    with qtbot.waitSignal(engine.request_refused):
        engine.spawn(profile, (0.0, 0.0, -99.0), 0.0)
    with qtbot.waitSignal(engine.telemetry_received):
        engine.spawn(profile, (7.0, 0.0, 0.0), 0.0)
    assert heard[-1].position_m[0] == 7.0


def test_shutdown_ends_a_request_that_hangs(qapp, workshop, qtbot, scene, profile):
    engine = DrivenEngine(workshop.start)
    start_driving(engine, qtbot, scene, profile)
    workshop.clients[0].answers.clear()
    engine.set_command(DriveCommand(1.0))
    # Long before the request would end by itself.
    assert engine.shutdown(PATIENCE_S / 2)
    assert workshop.clients[0].is_closed
    assert engine.state is EngineState.OFF


def test_a_restart_gives_up_a_start_that_goes_on(qapp, qtbot, workshop):
    """As where another engine was chosen meanwhile."""
    has_begun = threading.Event()

    def start():
        if has_begun.is_set():
            return workshop.start()
        has_begun.set()
        while not engine.is_given_up:
            time.sleep(0.01)
        raise Cancelled

    engine = DrivenEngine(start)
    failures = []
    engine.engine_failed.connect(failures.append)
    try:
        engine.start_engine()
        assert has_begun.wait(PATIENCE_S)
        assert not engine.is_given_up
        engine.restart()
        qtbot.waitUntil(lambda: engine.state is EngineState.READY)
        assert not engine.is_given_up
        assert failures == []
    finally:
        assert engine.shutdown(PATIENCE_S)


def test_a_worker_that_does_not_end_when_it_is_asked_to_is_not_left_behind(qapp, qtbot):
    class Lingering(ScriptedClient):
        was_killed = threading.Event()

        def kill(self):
            self.was_killed.set()

        def close(self):
            assert self.was_killed.wait(PATIENCE_S)

    engine = DrivenEngine(Lingering)
    engine.start_engine()
    qtbot.waitUntil(lambda: engine.state is EngineState.READY)
    engine.shutdown(0.1)
    assert Lingering.was_killed.is_set()
    assert engine.shutdown(PATIENCE_S)


def test_a_session_that_never_started_shuts_down(qapp):
    assert DrivenEngine(Workshop().start).shutdown(PATIENCE_S)


@pytest.mark.conformance
def test_a_real_engine_drives_dies_and_comes_back(qapp, qtbot, scene, profile):
    clients = []

    def start():
        clients.append(SimulatorClient.start("physx"))
        return clients[-1]

    engine = DrivenEngine(start)
    try:
        engine.start_engine()
        engine.load_scene(scene)
        engine.spawn(profile, (0.0, 0.0, 0.0), 0.0)
        qtbot.waitUntil(lambda: engine.state is EngineState.DRIVING)
        seen = []
        engine.telemetry_received.connect(seen.append)
        engine.set_command(DriveCommand(1.0))
        qtbot.waitUntil(lambda: bool(seen) and seen[-1].position_m[0] > 0.4)
        with qtbot.waitSignal(engine.engine_failed):
            clients[0].kill()
        with qtbot.waitSignal(engine.scene_loaded):
            engine.restart()
        engine.spawn(profile, (0.0, 0.0, 0.0), 0.0)
        with qtbot.waitSignal(engine.drive_finished) as finished:
            engine.drive_to((2.0, 0.0, 0.0))
        assert finished.args[0].reached
    finally:
        assert engine.shutdown(PATIENCE_S)
