"""A window's document that edits, takes back and repeats until it is killed.

Arguments: the project, the file of its steps, a seed, and ``wait`` or ``go``: whether it says each
number only once everything so far is kept; or a number, after which it does nothing more.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path


def main() -> None:
    """Run the session; each line is what was done and the name that the project has now."""
    from PySide6.QtCore import QCoreApplication

    from waypost.documents.kept_steps import HistoryKeeper, read_history
    from waypost.documents.project_document import ProjectDocument
    from waypost.services.cycle_collector import collect_in_qt_thread
    from waypost.store.project_store import ProjectStore

    file, steps, chance = Path(sys.argv[1]), Path(sys.argv[2]), random.Random(sys.argv[3])
    collect_in_qt_thread(QCoreApplication([]))
    store = ProjectStore.open(file)
    project = store.load()
    keeper = HistoryKeeper(steps)
    history = read_history(steps, project, store.changes_since)
    document = ProjectDocument(store, "ana", project=project, history=history, keeper=keeper)
    number = 0
    while True:
        number += 1
        what = chance.choice(["edit", "edit", "edit", "undo", "redo"])
        if what == "undo" and document.undo_stack.canUndo():
            document.undo()
        elif what == "redo" and document.undo_stack.canRedo():
            document.redo()
        else:
            name = f"{document.project.name.split(' ')[0]} {chance.random()}"
            document.edit(name, replace(document.project, name=name))
        if sys.argv[4] == "wait":
            while keeper.is_busy:
                time.sleep(0.001)
        index, count = document.undo_stack.index(), document.undo_stack.count()
        os.write(1, f"{document.project.name}\t{index}\t{count}\n".encode())
        if sys.argv[4] == str(number):
            signal.pause()


if __name__ == "__main__":
    main()
