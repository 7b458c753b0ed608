"""Submits a sheet, undoes it, says so and waits to be killed: ``scoring_session.py FILE``."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path

from fixtures.score_examples import NOON
from PySide6.QtCore import QCoreApplication

from waypost.documents.project_document import ProjectDocument
from waypost.domain.score.sheet_edits import set_score, submit
from waypost.store.project_store import ProjectStore


def main(file: Path) -> None:
    """Score ``i0`` as ana and take the submission back."""
    _application = QCoreApplication([])
    document = ProjectDocument(ProjectStore.open(file), "ana")
    for criterion in ("clarity", "accuracy"):
        book = document.project.scoring
        scored = set_score(book, book.sheet("demo", "i0", "ana"), criterion, 4, NOON)
        document.edit("Score an instruction", replace(document.project, scoring=scored))
    book = document.project.scoring
    submitted = submit(book, book.sheet("demo", "i0", "ana"), NOON)
    document.edit("Submit a sheet", replace(document.project, scoring=submitted))
    print("submitted", flush=True)  # noqa: T201 - the parent waits for it
    document.undo()
    print("undone", flush=True)  # noqa: T201 - as above
    time.sleep(60)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
