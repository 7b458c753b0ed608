"""Works in the window on a disk that is full or read-only; needs a mount namespace.

``window_on_small_disk.py full|read_only FOLDER`` prints what the window showed: the saved cell
before the edit and after it, the message, the name in the window, and once the disk takes
writes again the kind of the saved state and the name in the file.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from gui.house import write_house
from patience import PATIENCE_S

from waypost.app.window.startup import opened_window
from waypost.demo.performance import wait_until
from waypost.documents.save_state import SaveKind
from waypost.domain.project import set_graph
from waypost.domain.scene.graph import describe_node
from waypost.store.project_store import ProjectStore


def mount(*arguments: str) -> None:
    """Call mount."""
    subprocess.run(["mount", *arguments], check=True)


def fill(filler: Path) -> None:
    """Write until there is no room."""
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return


def main() -> None:
    """Run one of the two."""
    fault, folder = sys.argv[1], Path(sys.argv[2])
    mount("-t", "tmpfs", "-o", "size=512k", "none", str(folder))
    path = write_house(folder / "house")
    filler = folder / "filler"
    if fault == "full":
        fill(filler)
    else:
        mount("-o", "remount,ro", str(folder))
    with (
        tempfile.TemporaryDirectory() as home,
        opened_window(Path(home) / "config", Path(home) / "data") as window,
    ):
        window.show()
        window.bench.open_path(path)
        wait_until(lambda: window.bench.scene is not None, PATIENCE_S, "the scene")
        document = window.bench.document
        said = [window.saved_text]
        name = "Galley" * 20_000
        graph = describe_node(document.project.graph, "node_3", name=name)
        document.edit("Rename", set_graph(document.project, graph))
        wait_until(
            lambda: document.save_state.kind is SaveKind.NOT_SAVED, PATIENCE_S, "the refusal"
        )
        said += [window.saved_text, window.notices.messages.message.text.partition(":")[0]]
        said.append(document.project.graph.nodes["node_3"].name[:6])
        if fault == "full":
            filler.unlink()
        else:
            mount("-o", "remount,rw", str(folder))
        wait_until(lambda: document.save_state.kind is SaveKind.SAVED, PATIENCE_S, "the save")
        said += [window.saved_text.partition(" ")[0], str(window.notices.messages.message)]
        said.append(ProjectStore.open(path).load().graph.nodes["node_3"].name[:6])
    sys.stdout.write("\n".join(said))


if __name__ == "__main__":
    main()
