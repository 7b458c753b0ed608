"""An annotator who knows the truth, and how many keys they need to write it down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from waypost.app.window.window import MainWindow
from waypost.domain.traverse.traversability import Passage, Reason, Verdict

_ANSWER_KEYS = {Verdict.TRAVELS: "Y", Verdict.DOES_NOT: "N", Verdict.UNCERTAIN: "U"}
_REASON_KEYS = dict(zip(Reason, "123456789B0", strict=True))


class Truth(NamedTuple):
    """What is so."""

    verdict: Verdict
    reason: Reason | None = None


class SimulatedAnnotator:
    """Presses keys of the real window; each is counted.

    Args:
        window: With the Traverse workspace shown.
        press: Presses one key and waits until the window has answered.
        truth: Of every passage.
    """

    def __init__(
        self, window: MainWindow, press: Callable[[str], None], truth: Mapping[Passage, Truth]
    ) -> None:
        self._window, self._press_key, self._truth = window, press, truth
        self.keys = 0

    def press(self, key: str) -> None:
        """Press one key."""
        self.keys += 1
        self._press_key(key)

    def label_by_hand(self) -> None:
        """Answer the passages of the agent at hand one by one, without any measure."""
        traverse = self._window.traverse
        for _ in traverse.walk.queue.passages:
            truth = self._truth[traverse.current]
            if truth.reason is not None:
                self._give_reason(truth.reason)
            self.press(_ANSWER_KEYS[truth.verdict])

    def label_measured(self) -> None:
        """Accept what was measured for certain, judge the rest, go on with the next agent."""
        walk = self._window.traverse.walk
        self.press("Ctrl+A")
        self.press("Return")
        while walk.current is not None and walk.is_open(walk.current):
            truth = self._truth[walk.current]
            if truth.reason is not None:
                self._give_reason(truth.reason)
            else:
                self.press(_ANSWER_KEYS[truth.verdict])
        self.press("Space")

    def _give_reason(self, reason: Reason) -> None:
        self.press(_REASON_KEYS[reason])
