"""What a person reads on the label panel."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from waypost.annotators.traverse.label_panel import LabelPanel
from waypost.domain.traverse.traversability import REASON_TITLES, Reason


def said(panel: QWidget) -> list[str]:
    """The words that are shown."""
    labels = panel.findChildren(QLabel)
    return [label.text() for label in labels if label.isVisibleTo(panel) and label.text()]


def asks_why(panel: LabelPanel) -> bool:
    """Whether only the reason of “does not” is missing."""
    return any(text.startswith("Why not?") for text in said(panel))


def chosen_reason(panel: LabelPanel) -> Reason | None:
    """The reason whose chip is down."""
    chips = [b for b in panel.findChildren(QPushButton) if b.isChecked()]
    names = {f"Reason: {title}": reason for reason, title in REASON_TITLES.items()}
    found = [names[n] for n in (b.accessibleName().split(",")[0] for b in chips) if n in names]
    return found[0] if found else None


def can_replay(panel: LabelPanel) -> bool:
    """Whether there is a drive to show again."""
    (replay,) = (b for b in panel.findChildren(QPushButton) if b.text().startswith("Replay"))
    return replay.isEnabled()


def measured(panel: LabelPanel, name: str) -> str:
    """What was measured under a name; empty for nothing."""
    words = said(panel)
    return words[words.index(name) + 1] if name in words else ""
