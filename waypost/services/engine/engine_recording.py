"""Looks after the recording of a driven engine: under way, waiting for the disk, or lost."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from waypost.domain.base.errors import WaypostError
from waypost.io.recordings.take_records import add_missing_end
from waypost.services.engine.mail import Mailbox, MarkRecording, StartRecording, StopRecording
from waypost.simulators.client import SimulatorClient
from waypost.simulators.protocol import DriveCommand, RecordingStatus, Telemetry

PHYSICS_HZ = 120
_ASK_EVERY_S = 0.25


class EngineRecording:
    """What the thread of an engine knows of its recording; used by that thread only."""

    def __init__(self, mailbox: Mailbox, tell: Callable[[RecordingStatus], None]) -> None:
        self._mailbox = mailbox
        self._tell = tell
        self._status: RecordingStatus | None = None
        self._asked_s = 0.0

    @property
    def is_running(self) -> bool:
        """Whether samples are taken, or will be after a pause."""
        return self._status is not None and not self._status.is_ended

    @property
    def is_paused(self) -> bool:
        """Whether simulated time stands still."""
        return self.is_running and self._status is not None and self._status.is_paused

    def start(self, client: SimulatorClient, request: StartRecording) -> None:
        """Begin a take."""
        self._hear(client.start_recording(request.path, request.header))

    def mark(self, client: SimulatorClient, request: MarkRecording) -> None:
        """Pause, resume or note."""
        self._hear(client.mark_recording(request.kind, request.detail))

    def stop(self, client: SimulatorClient, request: StopRecording) -> None:
        """End the take; as incomplete where the engine fails in the steps that are left of it."""
        try:
            self._hear(client.stop_recording(request.reason, is_complete=request.is_complete))
        except WaypostError as error:
            self.abandon(client, str(error))
            raise

    def abandon(self, client: SimulatorClient, reason: str) -> None:
        """End a take under way as incomplete."""
        if self.is_running:
            # A worker that cannot even do that is about to be reported as dead.
            with contextlib.suppress(WaypostError):
                self._hear(client.stop_recording(reason, is_complete=False))

    def drive(self, client: SimulatorClient, command: DriveCommand, steps: int) -> Telemetry:
        """Drive, with what the samples say of the driver if there are samples."""
        if not self.is_running:
            return client.drive(command, steps)
        driver = self._mailbox.driver_after(steps / PHYSICS_HZ)
        telemetry = client.drive(command, steps, driver)
        self._status = telemetry.recording
        return telemetry

    def look_after(self, client: SimulatorClient) -> None:
        """Ask how the disk is doing while nothing is driven, and tell what has changed."""
        status = self._status
        if status is None or not (status.is_paused or (status.is_ended and _is_unsaved(status))):
            return
        now_s = time.monotonic()
        if now_s - self._asked_s >= _ASK_EVERY_S:
            self._asked_s = now_s
            latest = client.recording_status()
            if latest is not None and latest != status:
                self._hear(latest)

    def lose(self, reason: str) -> None:
        """The worker is gone; write down why, if it could not do that itself."""
        status, self._status = self._status, None
        if status is None or (status.is_ended and not _is_unsaved(status)):
            return
        problem = reason
        try:
            add_missing_end(Path(status.file), reason)
        except WaypostError as error:
            problem = f"{reason}; {error}"
        self._tell(replace(status, is_ended=True, is_paused=False, problem=problem))

    def _hear(self, status: RecordingStatus) -> None:
        self._status = status
        self._tell(status)


def _is_unsaved(status: RecordingStatus) -> bool:
    return status.unsaved_rows > 0 or bool(status.problem)
