"""What is entered into a form is there when it is asked for again, also after a kill."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QHBoxLayout, QWidget

from waypost.app.shell.workbench import Workbench
from waypost.documents.kept_steps import history_file
from waypost.domain.base.errors import ReadError, WriteError
from waypost.io.atomic import write_text_atomic
from waypost.io.file_reading import read_plain_bytes
from waypost.widgets.form_dialog import FormDialog
from waypost.widgets.parts import button, label

PAUSE_MS: Final = 800
"""Between two looks at what is entered."""

_FOLDER: Final = "forms"
_MOST_FILES: Final = 40
_LOG: Final = logging.getLogger(__name__)


def keep_form(dialog: FormDialog, bench: Workbench, name: str) -> None:
    """Keep what is entered into a dialog until what it asks for is made.

    To be called once what the dialog proposes stands in its fields. What was entered before, into
    the form of this name for the open project, is entered again; only what differs from the
    proposal is kept, so that what the project says meanwhile is proposed in all other fields.

    Args:
        dialog: About to be opened.
        bench: Has the open project; without one nothing is kept.
        name: Of the form.
    """
    file = form_file(bench, name)
    if file is not None:
        _KeptForm(dialog, file)


def form_file(bench: Workbench, name: str) -> Path | None:
    """Where what somebody enters into a form is kept for the open project; ``None`` without one."""
    document = bench.document
    if document is None:
        return None
    location = document.store.location
    login = document.project.team.member if isinstance(location, str) else ""
    whose = "\n".join((str(location), login, bench.annotator))
    at = history_file(bench.steps_folder.with_name(_FOLDER), whose)
    return at.with_suffix(f".{name}.json")


class _KeptForm(QObject):
    """Looks at a dialog while it is open, and writes into a file what differs."""

    def __init__(self, dialog: FormDialog, file: Path) -> None:
        super().__init__(dialog)
        self._dialog, self._file = dialog, file
        self._proposed = dialog.entries()
        self._kept = _read(file)
        if self._kept and self._enter():
            self._offer_to_start_over()
        dialog.keep_entries(are_kept=True)
        watch = QTimer(self, interval=PAUSE_MS)
        watch.timeout.connect(self.keep)
        watch.start()
        dialog.finished.connect(watch.stop)
        dialog.accepted.connect(lambda: self._write({}))
        dialog.rejected.connect(self.keep)

    def keep(self) -> None:
        """Write down what is entered now, if that is not written yet."""
        now = self._dialog.entries()
        entered = {k: value for k, value in now.items() if value != self._proposed.get(k)}
        if entered != self._kept:
            self._write(entered)

    def _enter(self) -> bool:
        """Enter what is kept; whether the form can take it."""
        try:
            self._dialog.set_entries({**self._proposed, **self._kept})
        except ValueError:
            _LOG.warning("%s: does not fit the form", self._file, exc_info=True)
            self._dialog.set_entries(self._proposed)
            return False
        return True

    def _offer_to_start_over(self) -> None:
        strip = QWidget()
        row = QHBoxLayout(strip)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(label("As you left it; not in the project yet.", "muted"), 1)
        start_over = button("Start over")
        row.addWidget(start_over)
        self._dialog.add_below(strip)

        def clear() -> None:
            self._dialog.set_entries(self._proposed)
            self.keep()
            strip.hide()

        start_over.clicked.connect(clear)

    def _write(self, entered: Mapping[str, Any]) -> None:
        try:
            if entered:
                write_text_atomic(self._file, json.dumps(entered))
                _forget_oldest(self._file)
            else:
                self._file.unlink(missing_ok=True)
        except (WriteError, OSError):
            _LOG.warning("%s: what is entered is not kept", self._file, exc_info=True)
            self._dialog.keep_entries(are_kept=False)
        else:
            self._kept = dict(entered)
            self._dialog.keep_entries(are_kept=True)


def _read(file: Path) -> dict[str, Any]:
    """What is kept; nothing if there is none, or it is damaged."""
    with suppress(ReadError, ValueError):
        found = json.loads(read_plain_bytes(file)) if file.exists() else {}
        return found if isinstance(found, dict) else {}
    return {}


def _forget_oldest(newest: Path) -> None:
    with suppress(OSError):
        files = sorted(newest.parent.glob("*.json"), key=lambda file: file.stat().st_mtime)
        for old in files[:-_MOST_FILES]:
            old.unlink()
