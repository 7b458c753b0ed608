"""Whose marks an analyst sees: own ones alone, until everyone's are asked for."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from waypost.app.shell.workbench import Workbench, at_window


class MarkVisibility(QObject):
    """Blind unless asked: kept nowhere, and ended by another project or another analyst.

    Args:
        bench: Knows who is at work on what.
        parent: Qt owner.
    """

    changed = Signal()
    """Other marks are to be seen, or it is somebody else who sees them."""

    def __init__(self, bench: Workbench, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self._is_everyone = False
        self._lifted: set[tuple[Path | str | None, str]] = set()
        self._analyst = at_window(bench)
        self._told_last = False, False
        bench.document_replaced.connect(lambda: self.show_everyone(is_on=False))
        bench.settings_changed.connect(self._on_settings)

    @property
    def analyst(self) -> str:
        """Who marks now."""
        return at_window(self._bench)

    @property
    def is_everyone(self) -> bool:
        """Whether the marks of all analysts are seen."""
        return self._is_everyone

    @property
    def has_seen(self) -> bool:
        """Whether who marks now has seen others' marks on this project, in this session."""
        return self._who_and_where in self._lifted

    @property
    def counted(self) -> str | None:
        """The analyst whose marks are seen; ``None`` for everyone's."""
        return None if self._is_everyone else self.analyst

    def show_everyone(self, *, is_on: bool) -> None:
        """See the marks of all analysts, or own ones alone."""
        self._is_everyone = is_on
        if is_on:
            self._lifted.add(self._who_and_where)
        if (is_on, self.has_seen) != self._told_last:
            self._tell()

    def told(self, analysts: Iterable[str]) -> str:
        """Whose marks are counted.

        Args:
            analysts: Who has marked at all.
        """
        if not self._is_everyone:
            return f"your marks ({self.analyst})"
        names = ", ".join(sorted(analysts))
        return f"everyone's marks ({names})" if names else "everyone's marks"

    @property
    def _who_and_where(self) -> tuple[Path | str | None, str]:
        document = self._bench.document
        return None if document is None else document.store.location, self.analyst

    def _on_settings(self, _: object) -> None:
        if self._analyst == self.analyst:
            return
        self._analyst, self._is_everyone = self.analyst, False
        self._tell()

    def _tell(self) -> None:
        self._told_last = self._is_everyone, self.has_seen
        self.changed.emit()
