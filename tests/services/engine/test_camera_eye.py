"""Frames of what an agent sees, against a scripted worker: never in the way of who drives."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from patience import PATIENCE_MS, PATIENCE_S

from waypost.domain.base.errors import Cancelled, SimulatorError, WorkerDiedError
from waypost.domain.scene.scene import Scene
from waypost.services.engine.camera_eye import CameraEye
from waypost.simulators.backends.cameras import CameraSettings
from waypost.simulators.camera_feed import CameraFrame
from waypost.simulators.protocol import RecordingStatus, Telemetry

CAMERA = CameraSettings(4, 3, depth=False)
OTHER = CameraSettings(8, 6, depth=False)


class Drawing:
    """A worker that draws, as slowly as it is told to."""

    def __init__(self):
        self.scenes, self.places, self.cameras = [], [], []
        self.may_draw = threading.Event()
        self.may_draw.set()
        self.is_drawing = threading.Event()
        self.error = None
        self.lives, self.is_closed = True, False

    def load_scene(self, scene):
        self.scenes.append(scene)

    def open_camera(self, settings):
        self.settings = settings
        self.cameras.append(settings)
        return self

    def frame_from(self, place):
        self.is_drawing.set()
        self.may_draw.wait(PATIENCE_S)
        if not self.lives:
            raise WorkerDiedError(-9)
        if self.error is not None:
            raise self.error
        self.places.append(place)
        rgb = np.zeros((3, 4, 3), np.uint8)
        tilt = place.gaze_rad
        return CameraFrame(
            place.time_ns, place.position_m, place.yaw_rad, tilt, rgb, None, place.take
        )

    def kill(self):
        self.lives = False
        self.may_draw.set()

    def close(self):
        self.is_closed = True


@pytest.fixture
def workers():
    return []


@pytest.fixture
def eye(qapp, workers):
    def start(_cancelled):
        workers.append(Drawing())
        return workers[-1]

    made = CameraEye(start)
    yield made
    assert made.shutdown(PATIENCE_S)
    assert all(worker.is_closed for worker in workers)


@pytest.fixture
def wait(qtbot):
    return lambda until: qtbot.waitUntil(lambda: bool(until()), timeout=PATIENCE_MS)


def plane():
    return Scene("plane", "plane.glb", "glb", ())


def at(seconds, x=0.0, gaze=0.0):
    return Telemetry(round(seconds * 1e9), (x, 0.0, 0.0), 0.5, 1.0, 0.0, camera_pitch_rad=gaze)


def taken(file, *, is_ended=False):
    return RecordingStatus(file, 1, 0, "", 0, 0, False, is_ended)


def test_only_the_newest_place_is_drawn_once_a_slow_frame_is_there(eye, workers, wait):
    frames = []
    eye.drawn.connect(frames.append)
    eye.set_camera(CAMERA)
    eye.set_scene(plane())
    wait(lambda: workers and workers[0].scenes)
    eye.follow(at(1.0))  # nobody watches
    eye.watch(is_watched=True)
    worker = workers[0]
    worker.may_draw.clear()
    eye.follow(at(2.0))
    wait(worker.is_drawing.is_set)
    # While it draws, whoever drives goes on.
    for step in range(100):
        eye.follow(at(2.1 + step / 100, float(step), 0.25))
    worker.may_draw.set()
    wait(lambda: len(frames) == 2)
    assert [frame.time_ns for frame in frames] == [2_000_000_000, 3_090_000_000]
    assert (frames[1].position_m, frames[1].yaw_rad) == ((99.0, 0.0, 0.0), 0.5)
    assert (frames[1].tilt_rad, frames[1].take) == (0.25, "")
    assert worker.cameras == [CAMERA]


def test_frames_of_a_take_have_the_time_of_its_samples(eye, workers, wait):
    frames = []
    eye.drawn.connect(frames.append)
    eye.set_camera(CAMERA)
    eye.set_scene(plane())
    eye.watch(is_watched=True)
    eye.follow(at(0.5))
    wait(lambda: len(frames) == 1)
    eye.follow_take(taken("a.csv"))
    eye.follow(at(2.0))
    wait(lambda: len(frames) == 2)
    eye.follow_take(taken("a.csv", is_ended=True))
    eye.follow(at(3.0))
    wait(lambda: len(frames) == 3)
    told = [(frame.take, frame.time_ns / 1e9) for frame in frames]
    assert told == [("", 0.5), ("a.csv", 1.5), ("", 3.0)]


def test_another_camera_and_another_scene_take_effect_with_the_same_worker(eye, workers, wait):
    first, second = plane(), plane()
    eye.set_scene(first)
    eye.set_camera(CAMERA)
    wait(lambda: workers and workers[0].cameras)
    eye.set_camera(OTHER)
    eye.set_scene(second)
    wait(lambda: workers[0].cameras[-1] == OTHER and len(workers[0].scenes) == 2)
    assert workers[0].scenes[-1] is second
    eye.set_camera(None)
    wait(lambda: workers[0].is_closed)
    assert len(workers) == 1


def test_a_frame_that_fails_is_told_once_and_started_anew_when_asked(eye, workers, wait):
    told, frames = [], []
    eye.given_up.connect(told.append)
    eye.drawn.connect(frames.append)
    eye.set_camera(CAMERA)
    eye.set_scene(plane())
    eye.watch(is_watched=True)
    wait(lambda: workers)
    workers[0].error = SimulatorError("no picture came")
    eye.follow(at(1.0))
    wait(lambda: told)
    assert eye.problem == "no picture came"
    for step in range(5):
        eye.follow(at(2.0 + step))
    eye.try_again()
    eye.follow(at(9.0))
    wait(lambda: frames and frames[-1].time_ns == 9_000_000_000)
    assert told == ["no picture came"]
    assert len(workers) == 2
    assert eye.problem == ""


def test_another_python_draws_with_another_worker_also_while_one_starts(qapp, wait):
    started, given_up = [], []

    def start(cancelled):
        started.append(Drawing())
        if len(started) == 1:
            deadline = threading.Event()
            while not cancelled():
                deadline.wait(0.01)
            given_up.append(started[0])
            raise Cancelled
        return started[-1]

    eye = CameraEye(start)
    frames = []
    eye.drawn.connect(frames.append)
    eye.set_camera(CAMERA)
    eye.set_scene(plane())
    eye.watch(is_watched=True)
    wait(lambda: started)
    for count in (2, 3):
        eye.start_anew()
        eye.follow(at(float(count)))
        wait(lambda: len(started) == count)  # noqa: B023 - waited for within the loop
        wait(lambda: len(started[-1].scenes) == len(started[-1].cameras) == 1)
    assert given_up == started[:1]
    assert started[1].is_closed
    assert eye.shutdown(PATIENCE_S)
    assert started[2].is_closed


def test_a_frame_without_end_does_not_keep_the_window_from_closing(eye, workers, wait):
    eye.set_camera(CAMERA)
    eye.set_scene(plane())
    eye.watch(is_watched=True)
    wait(lambda: workers)
    workers[0].may_draw.clear()
    eye.follow(at(1.0))
    wait(workers[0].is_drawing.is_set)
    assert eye.shutdown(PATIENCE_S)
    assert workers[0].is_closed


def test_a_worker_that_does_not_end_when_it_is_asked_to_is_not_left_behind(qapp, wait):
    class Lingering(Drawing):
        was_killed = threading.Event()

        def kill(self):
            self.was_killed.set()

        def close(self):
            assert self.was_killed.wait(PATIENCE_S)

    worker = Lingering()
    eye = CameraEye(lambda _: worker)
    eye.set_camera(CAMERA)
    eye.set_scene(plane())
    wait(lambda: worker.cameras)
    eye.shutdown(0.1)
    assert worker.was_killed.is_set()
    assert eye.shutdown(PATIENCE_S)
