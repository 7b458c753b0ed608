"""Types what is not sent yet into the Score workspace: ``typing_window.py PROJECT HOME``.

Says ``kept`` once the project has every text, and ``entered`` once what a form of a new batch was
given is on the disk; waits to be killed.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from patience import PATIENCE_S
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from waypost.app.score.batch_dialog import BatchDialog
from waypost.app.score.workspace import ScoreWorkspace
from waypost.app.shell.kept_form import form_file
from waypost.app.window.startup import opened_window
from waypost.app.window.window import MainWindow
from waypost.demo.performance import wait_until


def open_scoring(window: MainWindow, project: Path) -> ScoreWorkspace:
    """The workspace, at which ana sits."""
    window.show()
    window.activateWindow()
    bench, before = window.bench, window.bench.document
    bench.change_settings(replace(bench.settings, annotator="ana"))
    bench.open_path(project)
    wait_until(lambda: bench.document is not before, PATIENCE_S, "the project")
    window.show_workspace("score")
    scoring = window.workspaces.current
    assert isinstance(scoring, ScoreWorkspace)
    return scoring


def type_everything(window: MainWindow, scoring: ScoreWorkspace) -> None:
    """A reason on a sheet, a comment and a reason on a pair, and what a lead says to ana."""

    def into(field: QWidget, text: str) -> None:
        field.setFocus()
        QTest.keyClicks(field, text)

    bench, panel = window.bench, scoring.panel
    scoring.go_to_item("i1")
    panel.ask_reason()
    into(panel.reason, "no pict")
    scoring.go_to_item("i2")
    scoring.go_to_place({"batch": "pairs", "item": "q"})
    into(panel.comment, "both od")
    panel.ask_reason()
    into(panel.reason, "the sa")
    scoring.go_to_place({"batch": "demo", "item": "i0"})
    bench.change_settings(replace(bench.settings, annotator="lea"))
    into(panel.comment, "look aga")


def say(word: str) -> None:
    """Tell whoever is to kill this."""
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def main() -> None:
    """Type, and wait."""
    project, home = Path(sys.argv[1]), Path(sys.argv[2])
    with opened_window(home, home) as window:
        scoring = open_scoring(window, project)
        type_everything(window, scoring)

        def is_kept() -> bool:
            sheet = window.bench.project.scoring.sheet("demo", "i0", "ana")
            return sheet.decision_comment == "look aga"

        wait_until(is_kept, PATIENCE_S, "what was typed last")
        say("kept")
        scoring.files.ask_new_batch()
        dialog = window.findChild(BatchDialog)
        QTest.keyClicks(dialog.name, "pilo")
        file = form_file(window.bench, "batch")

        def is_written() -> bool:
            return file is not None and file.exists() and "pilo" in file.read_text()

        wait_until(is_written, PATIENCE_S, "the form")
        say("entered")
        wait_until(lambda: False, PATIENCE_S, "the kill")


if __name__ == "__main__":
    main()
