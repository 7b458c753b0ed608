"""The strips around a participant's view, kept true to the take under way."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject

from waypost.app.record.session import participant_pages as pages
from waypost.app.record.session.take_strips import InstructionStrip, LegendStrip
from waypost.app.record.take_recorder import TakePhase, TakeRecorder
from waypost.domain.traverse.agent import AgentProfile, DriveType
from waypost.services.input.gamepad import Gamepad
from waypost.services.input.key_driving import DriveKey


class TakeFace(QObject):
    """What is to be done and whether it is recording above; which keys work below.

    Args:
        recorder: Of the takes.
        gamepad: Its sticks and buttons join the keys while it is plugged in.
        parent: Qt owner.
    """

    def __init__(
        self, recorder: TakeRecorder, gamepad: Gamepad, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._recorder, self._gamepad = recorder, gamepad
        self.instruction, self.legend = InstructionStrip(), LegendStrip()
        self._keys: Mapping[str, str] = {}
        self._drive: Mapping[str, DriveKey] = {}
        self._can_look = self._can_sidestep = False
        gamepad.plugged.connect(self._show_legend)
        gamepad.unplugged.connect(self._show_legend)

    def set_keys(self, keys: Mapping[str, str], drive: Mapping[str, DriveKey]) -> None:
        """Show these keys: of the session by name, and for driving."""
        self._keys, self._drive = keys, drive
        self._show_legend()

    def show(self, agent: AgentProfile, *, can_look: bool) -> None:
        """Show both strips.

        Args:
            agent: What is driven.
            can_look: Whether the participant may look up and down.
        """
        self._can_look, self._can_sidestep = can_look, agent.drive is DriveType.HOLONOMIC
        self._show_legend()
        self.instruction.show()
        self.legend.show()

    def hide(self) -> None:
        """Take both strips away."""
        self.instruction.hide()
        self.legend.hide()

    def show_moment(self) -> None:
        """Say how the take stands."""
        recorder, phase = self._recorder, self._recorder.phase
        text = pages.recording_text(phase, recorder.time_ns, recorder.time_limit_s)
        self.instruction.set_state(text, is_recording=phase is TakePhase.RECORDING)
        problem = recorder.problem
        self.instruction.set_problem(f"⚠ Not saved: {problem}" if problem else "")
        notice = pages.moment_notice(phase, self._keys, recorder.halt)
        self.legend.set_notice("" if self.legend.asks_reason else notice)

    def _show_legend(self, *_: object) -> None:
        legend = pages.key_legend(
            self._keys,
            self._drive,
            can_look=self._can_look,
            can_sidestep=self._can_sidestep,
            has_pad=self._gamepad.is_plugged,
        )
        self.legend.set_keys(legend)
