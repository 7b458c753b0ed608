"""Performs the main job in the real window: graph, drives, labels, export, pictures."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import QBuffer, QEvent, QEventLoop, QIODevice, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication
from tqdm import tqdm

from waypost.annotators.traverse.labelling import accept
from waypost.annotators.traverse.spawn import spawn_pose
from waypost.app.window.startup import opened_window
from waypost.app.window.window import MainWindow
from waypost.demo.replay_show import PATIENCE_S, ReplayShow
from waypost.demo.report import DemoReport, DriveRow, Picture, write_report
from waypost.demo.verdicts import judge
from waypost.domain.base.errors import WriteError
from waypost.domain.base.frames import Vec3
from waypost.domain.project import set_graph
from waypost.domain.scene.graph import describe_node
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.traversability import Passage, judged_on, passages
from waypost.io.atomic import write_bytes_atomic
from waypost.sample.sample_project import AUTHOR as SAMPLE_AUTHOR
from waypost.sample.sample_project import PROJECT_FILE, write_sample
from waypost.services.judging import circumstances
from waypost.simulators.client import SimulatorClient
from waypost.simulators.protocol import EngineInfo
from waypost.store.project_store import ProjectStore
from waypost.viewers.scene.pointer import LEFT_BUTTON, PointerEvent, PointerPhase

AUTHOR = "demo script"
WINDOW_SIZE = (1280, 720)

_LOG = logging.getLogger(__name__)
_FROM = "Roof terrace"
_NEW_PLACES = (("Terrace middle", (8.6, 4.4)), ("Terrace east", (10.9, 4.4)))
"""What the script adds to the sample's graph: names, and places in plan, metres."""


def perform(folder: Path) -> Path:
    """Do the whole job in a folder and return the path of its report.

    Args:
        folder: Gets the project, the exports, the pictures and ``report.html``; what an
            earlier run left there is replaced, but for a project in which somebody has worked.

    Raises:
        WriteError: If there is such a project.
        WaypostError: If a step fails; nothing is reported as done that was not.
    """
    started = time.monotonic()
    sample = folder / "sample"
    check_nobody_worked_in(sample / PROJECT_FILE)
    folder.mkdir(parents=True, exist_ok=True)
    write_sample(sample, overwrite=True)
    with opened_window(folder / "settings", folder / "data") as window:
        window.bench.change_settings(replace(window.bench.settings, annotator=AUTHOR))
        window.resize(*WINDOW_SIZE)
        window.show()
        window.bench.open_project(sample / PROJECT_FILE)
        wait_until(lambda: window.bench.scene is not None, PATIENCE_S, "the sample scene to open")
        scene = window.bench.scene
        if scene is None:
            raise RuntimeError("the sample project has no scene")
        performance = _Performance(window, scene, folder)
        performance.show_overview()
        performance.draw_graph()
        performance.drive_everything()
        performance.show_labels()
        performance.drive_by_hand()
        performance.export()
        performance.replay_runs()
        report = performance.report(time.monotonic() - started)
    path = folder / "report.html"
    write_report(report, path)
    return path


def check_nobody_worked_in(path: Path) -> None:
    """Refuse to replace a sample project that holds work of others than this script.

    Raises:
        WriteError: If it does.
        ReadError: If it is no project that can be read.
        StoreError: If it cannot be reached.
    """
    if not path.exists():
        return
    store = ProjectStore.open(path)
    try:
        people = {change.author for change in store.changes_since(0)} - {AUTHOR, SAMPLE_AUTHOR}
    finally:
        store.close()
    if people:
        who = ", ".join(sorted(people))
        raise WriteError(str(path), f"{who} worked in it; another folder is named by --out")


def wait_until(condition: Callable[[], bool], timeout_s: float, what: str) -> None:
    """Run the event loop until a condition holds.

    Raises:
        TimeoutError: If it does not hold in time.
    """
    deadline = time.monotonic() + timeout_s
    loop = QEventLoop()
    poll = QTimer()
    poll.setInterval(10)
    poll.timeout.connect(lambda: loop.quit() if condition() else None)
    poll.timeout.connect(lambda: loop.quit() if time.monotonic() > deadline else None)
    poll.start()
    if not condition():
        loop.exec()
    if not condition():
        raise TimeoutError(f"waited {timeout_s:.0f} s for {what}")


class _Performance:
    """The steps of the job, in the order they are called."""

    def __init__(self, window: MainWindow, scene: Scene, folder: Path) -> None:
        self._window = window
        self._scene = scene
        self._folder = folder
        self._pictures: list[Picture] = []
        self._drives: list[DriveRow] = []
        self._files: list[str] = []
        self._engine: EngineInfo | None = None
        self._mover_hash = ""

    def show_overview(self) -> None:
        """The house from outside, as it opens."""
        self._window.show_workspace("graph")
        caption = "The sample home as it opens: the ground floor with its graph, ceilings cut away"
        self._take("overview", "Overview", f"{caption}.")

    def draw_graph(self) -> None:
        """Place two nodes by double-click, join them by Alt+click, undo and redo."""
        window = self._window
        document = window.bench.document
        if document is None:
            raise RuntimeError("no project is open")
        before = document.project.graph
        last = next(node for node in before.nodes.values() if node.name == _FROM)
        window.stage.set_camera_mode("top")
        window.graph.go_to_item(last.node_id)
        QApplication.processEvents()
        for name, (x, y) in _NEW_PLACES:
            self._gesture((x, y, last.position_m[2]), PointerPhase.DOUBLE)
            (added,) = window.bench.selection.node_ids
            graph = describe_node(document.project.graph, added, name=name)
            document.edit(f"Rename to {name}", set_graph(document.project, graph))
            window.bench.selection.set({last.node_id})
            last = document.project.graph.nodes[added]
            self._gesture(last.position_m, PointerPhase.PRESS)
            self._gesture(last.position_m, PointerPhase.RELEASE)
        drawn = document.project.graph
        steps = document.undo_stack.index()
        for _ in range(steps):
            document.undo()
        if document.project.graph is not before:
            raise RuntimeError("undo did not give back the graph that was opened")
        for _ in range(steps):
            document.redo()
        if document.project.graph is not drawn:
            raise RuntimeError("redo did not give back the graph that was drawn")
        window.bench.selection.set()
        window.frame_scene()
        caption = (
            f"{len(drawn.nodes) - len(before.nodes)} nodes placed by double-click and "
            f"{len(drawn.edges) - len(before.edges)} edges joined by Alt+click; "
            f"{steps} steps undone and redone"
        )
        self._take("graph", "Drawing the graph", f"{caption}.")

    def drive_everything(self) -> None:
        """Drive each agent over each edge in both directions and write a label for each."""
        project = self._window.bench.project
        with SimulatorClient.start() as client:
            client.load_scene(self._scene)
            self._engine, self._mover_hash = client.engine, client.settings_hash
            for profile in project.agents.values():
                queue = passages(project.graph, profile.key)
                for passage in tqdm(queue, desc=profile.name, unit="drive", disable=None):
                    self._drive(client, profile, passage)
                    QApplication.processEvents()

    def show_labels(self) -> None:
        """The labels of two agents from above."""
        window = self._window
        window.show_workspace("traverse")
        window.stage.set_camera_mode("top")
        window.traverse.toggle_overview()
        for key, title in (("wheelchair", "Wheelchair"), ("quadruped", "Quadruped")):
            window.bench.choose_agent(key)
            window.frame_scene()
            caption = "Edges by what it can travel in each direction: ✓ green, ✕ red, ? amber"
            self._take(f"labels_{key}", f"{title}, from above", f"{caption}.")

    def drive_by_hand(self) -> None:
        """The driving view, with the keys held as a person would."""
        window = self._window
        window.bench.choose_agent("wheelchair")
        window.traverse.toggle_overview()
        with self._engine_ready():
            window.traverse.drive()
            driver = window.traverse.driver
            wait_until(lambda: driver.pose is not None, PATIENCE_S, "the agent to stand")
            self._press("W")
            start = driver.pose
            wait_until(
                lambda: (
                    driver.pose is not None
                    and start is not None
                    and math.dist(driver.pose[0], start[0]) > 0.6
                ),
                PATIENCE_S,
                "the agent to drive 0.6 m",
            )
            caption = "Driving the wheelchair by hand: collider true to size, turning circle, HUD"
            self._take("driving", "Driving", f"{caption}.")
            driver.stop()

    def export(self) -> None:
        """Write the CapNav files."""
        job = self._window.files.export_to(self._folder)
        wait_until(lambda: job.state.is_final, PATIENCE_S, "the export")
        written = job.result
        if written is None:
            raise job.error or RuntimeError("the export failed")
        self._files += [written.graph_path.name, written.traverse_path.name]

    def replay_runs(self) -> None:
        """A run of the scripted agent on the map, and a predicted route beside the labels."""
        show = ReplayShow(self._window, wait_until)
        show.choose("Scripted agent, open form")
        show.open_episode("1_0", 2)
        caption = (
            "A run over the sample's graph – by a script, not by a model – at its first deviation:"
            " it goes back to where it came from"
        )
        self._take("replay_map", "Replaying a run", f"{caption}.")
        show.choose("Scripted answers, CapNav form")
        show.open_episode("home_5__WHEELCHAIR", 1)
        show.show("map", "Causes")
        caption = "A route that was answered for the wheelchair, beside the labels of its drives"
        self._take("replay_route", "Judging a predicted route", f"{caption}.")

    def report(self, seconds: float) -> DemoReport:
        """Everything that was done."""
        scene, engine = self._scene, self._engine
        size = " × ".join(f"{extent:.1f}" for extent in scene.size_m)
        return DemoReport(
            f"{scene.name}: {scene.triangle_count:,} triangles, {size} m, "
            f"{len(scene.storeys)} storeys",
            f"engine {engine.title}" if engine else "",
            self._mover_hash,
            self._pictures,
            self._drives,
            ["sample/home.waypost", *self._files],
            seconds,
        )

    def _drive(self, client: SimulatorClient, profile: AgentProfile, passage: Passage) -> None:
        document = self._window.bench.document
        if document is None:
            raise RuntimeError("the project was closed")
        project = document.project
        pose = spawn_pose(project.graph, passage)
        spawned = client.spawn(profile, pose.floor_m, pose.yaw_rad)
        outcome = client.drive_to(pose.target_m)
        answer = judge(passage, profile, spawned, outcome)
        engine = client.engine
        edit = accept(
            answer,
            project.labels,
            project.graph,
            author=AUTHOR,
            provenance=judged_on(
                passage,
                circumstances(project, self._scene.content_hash),
                engine.name,
                engine.version,
                engine.parameter_text,
            ),
            now=lambda: datetime.now(UTC),
        )
        document.edit(edit.text, replace(project, labels=edit.labels))
        nodes = project.graph.nodes
        self._drives.append(
            DriveRow(
                profile.name,
                nodes[passage.from_id].name,
                nodes[passage.to_id].name,
                outcome.reached,
                math.dist(outcome.path_m[0][:2], outcome.stopped_at_m[:2]),
                outcome.highest_step_m,
                outcome.displacement_m,
                edit.labels[passage],
            )
        )

    @contextmanager
    def _engine_ready(self) -> Iterator[None]:
        driver = self._window.traverse.driver
        wait_until(lambda: driver.is_ready, PATIENCE_S, "the physics engine to load the scene")
        yield
        driver.stop()

    def _press(self, letter: str) -> None:
        key = Qt.Key[f"Key_{letter}"]
        event = QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier, letter.lower())
        QApplication.sendEvent(self._window.stage.view, event)

    def _gesture(self, point_m: Vec3, phase: PointerPhase) -> None:
        """A press, release or double-click with Alt, which joins."""
        view = self._window.stage.view
        x_px, y_px = (float(v) for v in view.project([point_m])[0])
        origin, direction = view.ray_at(x_px, y_px)
        event = PointerEvent(phase, x_px, y_px, origin, direction, LEFT_BUTTON, alt=True)
        self._window.graph.handle_pointer(event)

    def _take(self, name: str, title: str, caption: str) -> None:
        take_picture(self._window, self._folder / f"{name}.png")
        self._pictures.append(Picture(f"{name}.png", title, caption))
        _LOG.info("%s.png", name)


def take_picture(window: MainWindow, path: Path) -> None:
    """Write what the window shows, once it has drawn what it was told.

    Raises:
        WriteError: If the file cannot be written.
    """
    drawn, view = 0, window.stage.view

    def has_drawn() -> bool:
        nonlocal drawn
        # A large scene reaches the card over several pictures; one of it may take several turns.
        turns = (timer for timer in view.findChildren(QTimer) if timer.interval() == 0)
        is_there = view.is_complete and not any(turn.isActive() for turn in turns)
        drawn = drawn + 1 if is_there or not view.isVisible() else 0
        return drawn > 5

    view.update()
    wait_until(has_drawn, PATIENCE_S, "the window to draw")
    picture = QBuffer()
    picture.open(QIODevice.OpenModeFlag.WriteOnly)
    window.grab().save(picture, "PNG")
    write_bytes_atomic(path, bytes(picture.data().data()))
