"""Records a drive by scripted keys, through the same key states that a person's keys make."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from waypost.domain.traverse.agent import AgentProfile
from waypost.io.key_scripts import KeyPress
from waypost.services.engine.pacing import StepPacer
from waypost.services.input.key_driving import DEFAULT_KEYS, KeyState
from waypost.services.input.key_presses import KeyMoment
from waypost.services.input.steering import moved_gaze
from waypost.simulators.client import SimulatorClient
from waypost.simulators.protocol import DriverState, RecordingStatus

ENTER = "Enter"
SCRIPT_KEYS = frozenset({*DEFAULT_KEYS, ENTER})
"""Keys that a script may press."""

_PHYSICS_HZ = 120
_SAMPLE_STEPS = 6
_LARGEST_BATCH = 120
_PACED_BATCH = 2
_SAVE_EVERY_S = 0.1


def play_keys(
    client: SimulatorClient,
    profile: AgentProfile,
    presses: Sequence[KeyPress],
    *,
    duration_s: float | None = None,
    is_paced: bool = False,
    save_within_s: float = 10.0,
) -> RecordingStatus:
    """Drive the agent of a recording under way by these keys, then stop the recording.

    The take ends with the second press of Enter, as a person confirms a stop, or else with the
    last press, or after ``duration_s``.

    Args:
        client: Has an agent and a recording.
        profile: Of that agent.
        presses: In the order of time.
        duration_s: Simulated seconds.
        is_paced: Whether to keep to the wall clock instead of running as fast as possible.
        save_within_s: How long to wait for a disk that refuses.

    Returns:
        Of the ended recording; with ``unsaved_rows`` if the disk still refuses.

    Raises:
        SimulatorError: If the engine fails.
    """
    end_step, reason = _ending(presses, duration_s)
    drive = _ScriptedDrive(client, profile, StepPacer(_PACED_BATCH / _PHYSICS_HZ), is_paced)
    state = KeyState()
    for press in presses:
        drive.until(min(_step_of(press.t_s), end_step), state)
        state = _after(state, press)
    drive.until(end_step, state)
    status = client.stop_recording(reason)
    deadline_s = time.monotonic() + save_within_s
    while (status.unsaved_rows or status.problem) and time.monotonic() < deadline_s:
        time.sleep(_SAVE_EVERY_S)
        status = client.recording_status() or status
    return status


def _ending(presses: Sequence[KeyPress], duration_s: float | None) -> tuple[int, str]:
    confirmations = [press for press in presses if press.key == ENTER and press.is_down]
    ends = []
    if len(confirmations) >= 2:
        ends.append((_step_of(confirmations[1].t_s), "stop"))
    if duration_s is not None:
        ends.append((_step_of(duration_s), "end of the time given"))
    if not ends:
        ends.append((_step_of(presses[-1].t_s if presses else 0.0), "end of the script"))
    return min(ends)


@dataclass
class _ScriptedDrive:
    client: SimulatorClient
    profile: AgentProfile
    pacer: StepPacer
    is_paced: bool
    step: int = 0
    pitch_rad: float = 0.0

    def until(self, step: int, state: KeyState) -> None:
        """Drive by the same keys up to a step."""
        steering = state.steering()
        command, look_radps = steering.command(self.profile), steering.look_radps
        while self.step < step:
            batch = min(step - self.step, self._largest(is_looking=bool(look_radps)))
            while self.is_paced and not self.pacer.take(time.monotonic()):
                time.sleep(self.pacer.wait_s(time.monotonic()))
            self.pitch_rad = moved_gaze(self.pitch_rad, look_radps * batch / _PHYSICS_HZ)
            self.client.drive(command, batch, DriverState(camera_pitch_rad=self.pitch_rad))
            self.step += batch

    def _largest(self, *, is_looking: bool) -> int:
        largest = _PACED_BATCH if self.is_paced else _LARGEST_BATCH
        # Each sample has the gaze of its own moment.
        return min(largest, _SAMPLE_STEPS - self.step % _SAMPLE_STEPS) if is_looking else largest


def _after(state: KeyState, press: KeyPress) -> KeyState:
    meaning = DEFAULT_KEYS.get(press.key)
    if meaning is None:
        return state
    physical = sorted(DEFAULT_KEYS).index(press.key)
    at = KeyMoment(press.t_s * 1000)
    return state.press(physical, meaning, at) if press.is_down else state.release(physical, at)


def _step_of(t_s: float) -> int:
    return round(t_s * _PHYSICS_HZ)
