"""Makes the application and its window, and takes them apart in the right order."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import platformdirs
from PySide6.QtCore import QEvent, QSettings, QTimer
from PySide6.QtWidgets import QApplication

from waypost.app.shell.display import check_display
from waypost.app.shell.project_address import project_place
from waypost.app.shell.qt_application import the_qt_application
from waypost.app.shell.workbench import Workbench
from waypost.app.shell.workspace import WorkspaceSpec
from waypost.app.window.person_at_work import no_pauses_in
from waypost.app.window.window import MainWindow
from waypost.app.window.workspaces import WORKSPACES
from waypost.domain.episode.run_source import RunSource
from waypost.io.confined.limits import say_limits_are_in
from waypost.io.confined.spare_child import end_spare_child, keep_spare_child
from waypost.services.cycle_collector import CycleCollector, collect_in_qt_thread
from waypost.services.engine.camera_eye import start_camera_worker
from waypost.services.engine.driven_engine import DrivenEngine
from waypost.services.jobs import JobRunner
from waypost.services.settings import Settings, SettingsFile, settings_path
from waypost.simulators.client import SimulatorClient
from waypost.simulators.engines import CAMERA_ENGINE
from waypost.widgets.theme import apply_theme

_TURN_S: Final = 0.0002
_IDLE_MS: Final = 3000
"""After this a window that was started has nothing else to do."""


def make_application() -> QApplication:
    """The one Qt application of this process.

    Raises:
        InputError: If there is no display.
    """
    if QApplication.instance() is None:
        check_display("a window needs")
    application, is_new = the_qt_application([sys.argv[0]])
    if is_new:
        application.setApplicationName("Waypost")
        application.setStyle("Fusion")
    return application


def collector() -> CycleCollector:
    """What collects reference cycles in the Qt thread."""
    return collect_in_qt_thread(the_qt_application([])[0])


@contextmanager
def opened_window(
    config_folder: Path | None = None,
    data_folder: Path | None = None,
    specs: tuple[WorkspaceSpec[Any], ...] = WORKSPACES,
) -> Iterator[MainWindow]:
    """A window with everything it needs; every thread and process is gone afterwards.

    Args:
        config_folder: Where settings are kept; by default the user's.
        data_folder: Where the copy of the sample is kept; by default the user's.
        specs: Its workspaces.
    """
    application = make_application()
    # The modules stay until the end.
    collector().keep()
    folder = config_folder or settings_path().parent
    data_folder = data_folder or Path(platformdirs.user_data_dir("waypost", appauthor=False))
    settings_file = SettingsFile(folder / settings_path().name)
    jobs = JobRunner()
    bench = Workbench(settings_file, jobs, data_folder)
    # A widget that is made before would keep the font of the system.
    apply_theme(application, bench.settings.theme, bench.settings.text_scale_percent)

    engine = _made_engine(bench)
    geometry = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)
    window = MainWindow(bench, jobs, engine, data_folder, geometry, specs=specs)
    # A project's values have no cycles and go when nobody holds them any more.
    bench.document_replaced.connect(collector().keep)
    try:
        with no_pauses_in(window, collector()):
            yield window
    finally:
        window.close()
        stuck = jobs.shutdown()
        is_joined = engine.shutdown()
        if stuck or not is_joined:
            # A thread that cannot be joined would crash the interpreter's own shutdown.
            os._exit(0)
        for part in (window, bench, jobs, engine, geometry):
            part.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QApplication.processEvents()


def _made_engine(bench: Workbench) -> DrivenEngine:
    """The engine and its camera, as the settings want them at each start."""

    def start_client() -> SimulatorClient:
        settings = bench.settings
        return SimulatorClient.of(
            settings.engine_choice,
            options=settings.engine_options,
            cancelled=lambda: engine.is_given_up,
        )

    def start_camera(cancelled: Callable[[], bool]) -> SimulatorClient:
        return start_camera_worker(cancelled, bench.settings.python_of(CAMERA_ENGINE) or None)

    engine = DrivenEngine(start_client, start_camera=start_camera)
    camera = engine.camera
    python = bench.settings.python_of(CAMERA_ENGINE)

    def use(settings: Settings) -> None:
        nonlocal python
        camera.set_camera(settings.camera)
        before, python = python, settings.python_of(CAMERA_ENGINE)
        if python != before:
            camera.start_anew()

    camera.set_camera(bench.settings.camera)
    bench.settings_changed.connect(use)
    camera.given_up.connect(lambda why: bench.refused.emit(f"No frames of the camera: {why}"))
    return engine


def keep_turns_short() -> None:
    """Let the window have Python soon after it asks for it; for a process with a window.

    A thread that reads keeps Python for 5 ms at a time by default, and the window asks for it
    again at every cell and label that Qt paints: one picture of a table took 0.6 s.
    """
    sys.setswitchinterval(_TURN_S)


def run_window(
    location: str | None, run: RunSource | None = None, project: str | None = None
) -> int:
    """Open the window and stay until it is closed.

    Args:
        location: A project or scene to open.
        run: Results to replay.
        project: Where the project of the scene is, or is made; by default where it usually is.
    """
    place = project_place(project) if project else None
    place = place.absolute() if isinstance(place, Path) else place
    say_limits_are_in("under Edit, Limits of reading")
    if location:
        keep_spare_child("scene")
    application = make_application()
    keep_turns_short()
    with opened_window() as window:
        window.show()
        window.introduction.start_with_first_project()
        QTimer.singleShot(_IDLE_MS, window, lambda: keep_spare_child("scene"))
        if location:
            path = project_place(location)
            QTimer.singleShot(0, window, lambda: window.bench.open_path(path, place))
        if run:
            QTimer.singleShot(0, window, lambda: window.replay.files.open_at_once(run))
        # Python only sees Ctrl+C between two of its instructions.
        signal.signal(signal.SIGINT, lambda *_: window.close())
        waker = QTimer(window)
        waker.start(200)
        waker.timeout.connect(lambda: None)
        try:
            return int(application.exec())
        finally:
            end_spare_child()
