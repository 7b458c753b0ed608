"""What to do next once an agent is finished: the next agent, at the end the export."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from waypost.annotators.traverse.agent_chooser import AgentRow
from waypost.widgets.parts import button, label


@dataclass(frozen=True, slots=True)
class Offer:
    """What is finished, and what comes next."""

    done: str
    next_words: str
    agent_key: str = ""
    """Of the agent to go on with; empty once all are finished: then the export is next."""


def offer_after(agents: Sequence[AgentRow], current: str) -> Offer | None:
    """What to offer while an agent is at hand; ``None`` while there is something left to answer.

    Args:
        agents: All agents, in the order shown.
        current: Key of the one at hand.
    """
    keys = [row.profile.key for row in agents]
    if current not in keys:
        return None
    at = keys.index(current)
    own = agents[at]
    if not own.total or not own.is_finished:
        return None
    others = (*agents[at + 1 :], *agents[:at])
    following = next((row for row in others if not row.is_finished), None)
    if following is None:
        if any(row.of_others for row in agents):
            return Offer("Your part of every agent is finished.", "Export for CapNav …")
        return Offer("Every agent is finished.", "Export for CapNav …")
    words = f"Go on: {following.mark.name}, {following.decided:,} of {following.total:,}"
    done = f"{own.mark.name} is finished."
    if own.of_others:
        done = f"Your part of {done}"
    return Offer(done, words, following.profile.key)


class OfferStrip(QFrame):
    """One sentence and one button; hidden while there is nothing to offer."""

    taken = Signal(object)
    """The ``Offer`` whose button was pressed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "message")
        self.setProperty("level", "success")
        self._offer: Offer | None = None
        self._key = ""
        self._done = label("", "good")
        self._next = button("", role="primary")
        self._next.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._next.clicked.connect(self._take)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 6, 8, 6)
        layout.setSpacing(5)
        layout.addWidget(self._done)
        layout.addWidget(self._next)
        self.hide()

    @property
    def offer(self) -> Offer | None:
        """What is offered now."""
        return self._offer

    def set_key(self, key: str) -> None:
        """Write another key on the button; it takes the offer."""
        self._key = key
        self.show_offer(self._offer)

    def show_offer(self, offer: Offer | None) -> None:
        """Offer something else, or nothing."""
        self._offer = offer
        self.setVisible(offer is not None)
        if offer is not None:
            self._done.setText(f"✓ {offer.done}")
            # One line would be wider than the panel, and push the scene aside.
            *first, last = offer.next_words.rsplit(", ", 1)
            lines = (*first, f"{last}  {self._key}") if first else (last, self._key)
            self._next.setText("\n".join(lines).rstrip())
            self._next.setAccessibleName(offer.next_words)

    def _take(self) -> None:
        if self._offer is not None:
            self.taken.emit(self._offer)
