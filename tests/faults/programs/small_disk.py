"""Edits a project on a disk that is full or read-only, then gives it back; needs a mount namespace.

``small_disk.py full|read_only FOLDER`` prints what the document said, one word a line.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from patience import PATIENCE_S
from PySide6.QtCore import QCoreApplication

from waypost.documents.project_document import ProjectDocument
from waypost.documents.save_state import SaveKind
from waypost.domain.project import Project
from waypost.services.cycle_collector import collect_in_qt_thread
from waypost.store.project_store import ProjectStore


def mount(*arguments: str) -> None:
    """Call mount."""
    subprocess.run(["mount", *arguments], check=True)


def edit_and_recover(
    file: Path, disturb: Callable[[], None], repair: Callable[[], None]
) -> list[str]:
    """Edit while the disk refuses, then wait until the document has saved by itself."""
    application = QCoreApplication([])
    collect_in_qt_thread(application)
    ProjectStore.create(file, Project("start"), "ana").close()
    disturb()
    document = ProjectDocument(ProjectStore.open(file), "ana", retry_interval_ms=20)
    said = [document.save_state.kind]
    for number in range(20):
        document.edit("Rename", replace(document.project, name=f"{number}" * 2000))
    said += [document.save_state.kind, document.save_state.reason]
    if document.project.name != "19" * 2000:
        raise SystemExit("the edits did not stay in memory")
    on_disk = ProjectStore.open(file).load().name
    if on_disk != "start" and len(set(on_disk)) > 2:
        raise SystemExit("the file is neither before nor after an edit")
    repair()
    deadline = time.monotonic() + PATIENCE_S
    while document.save_state.kind is not SaveKind.SAVED and time.monotonic() < deadline:
        application.processEvents()
    said.append(document.save_state.kind)
    if ProjectStore.open(file).load() != document.project:
        raise SystemExit("the file is not what the document says it saved")
    return said


def main() -> None:
    """Run one of the two."""
    folder = Path(sys.argv[2])
    mount("-t", "tmpfs", "-o", "size=1m", "none", str(folder))
    filler = folder / "filler"

    def fill() -> None:
        with filler.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                return

    if sys.argv[1] == "full":
        said = edit_and_recover(folder / "p.waypost", fill, filler.unlink)
    else:
        said = edit_and_recover(
            folder / "p.waypost",
            lambda: mount("-o", "remount,ro", str(folder)),
            lambda: mount("-o", "remount,rw", str(folder)),
        )
    sys.stdout.write("\n".join(said))


if __name__ == "__main__":
    main()
