"""Which recording is under way, and which ones that ended still wait for the disk."""

from __future__ import annotations

from typing import Any

from waypost.simulators.mover import Mover
from waypost.simulators.protocol import DriverState, EngineInfo, RecordingStatus, Vec3
from waypost.simulators.worker.recorder import Recorder


class Recordings:
    """Starts, marks and stops recordings; at most one takes samples."""

    def __init__(self, engine: EngineInfo) -> None:
        self._engine = engine
        self._current: Recorder | None = None
        self._waiting: list[Recorder] = []

    def start(self, mover: Mover, origin_m: Vec3, path: str, header: dict[str, Any]) -> None:
        """Begin a take at the agent's pose.

        Raises:
            ValueError: If one is under way.
            OSError: If the files cannot be made.
        """
        if self._current is not None:
            raise ValueError("a recording is under way; stop it first")
        self._current = Recorder(mover, origin_m, self._engine, path, header)

    def hear(self, driver: DriverState) -> None:
        """What the driver does during the steps to come.

        Raises:
            ValueError: If the recording is paused or a value cannot be written.
        """
        if self._current is not None:
            if self._current.is_paused:
                raise ValueError("the recording is paused; resume it before driving on")
            self._current.set_driver(driver)

    def mark(self, kind: str, detail: str) -> None:
        """Note something in the take under way.

        Raises:
            ValueError: If there is none, or the kind is unknown.
        """
        self._recorder().mark(kind, detail)

    def stop(self, reason: str, *, is_complete: bool) -> None:
        """End the take under way.

        Raises:
            ValueError: If there is none.
        """
        recorder = self._recorder()
        if is_complete:
            recorder.finish(reason)
        else:
            recorder.end(reason, is_complete=False)
        self._put_aside(recorder)

    def interrupt(self, reason: str) -> None:
        """End the take under way, if there is one, as incomplete."""
        if self._current is not None:
            self._current.end(reason, is_complete=False)
            self._put_aside(self._current)

    def status(self) -> RecordingStatus | None:
        """Of the take under way; else of one that waits for the disk; else of the latest."""
        if self._current is not None:
            return self._current.status()
        unsaved = [recorder for recorder in self._waiting if not recorder.is_saved]
        self._waiting = unsaved or self._waiting[-1:]
        return self._waiting[0].status() if self._waiting else None

    def close(self) -> None:
        """End everything; there is nobody left to ask for more."""
        self.interrupt("the program ended before the recording was stopped")
        for recorder in self._waiting:
            recorder.give_up()

    def _recorder(self) -> Recorder:
        if self._current is None:
            raise ValueError("no recording is under way")
        return self._current

    def _put_aside(self, recorder: Recorder) -> None:
        self._current = None
        self._waiting.append(recorder)
