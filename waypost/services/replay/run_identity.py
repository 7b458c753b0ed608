"""What the rows of a run depend on: files, options and the program, as one digest."""

from __future__ import annotations

from collections.abc import Generator
from functools import cache
from pathlib import Path

import waypost
from waypost.domain.base.counted_words import counted
from waypost.domain.base.progress import Progress, exhaust
from waypost.io.datasets.capnav_episodes import graph_beside
from waypost.io.datasets.ground_truth_paths import find_ground_truth
from waypost.io.datasets.reverie_boxes import find_boxes
from waypost.io.file_identity import identify
from waypost.services.replay.graphs import nodes_identity
from waypost.services.replay.loading import ReplayRequest


def request_identity(request: ReplayRequest) -> Generator[Progress, None, str]:
    """Digest of everything that the rows depend on; empty if it cannot be told.

    Args:
        request: Files and profile.
    """
    files = [request.results]
    for path in request.annotations:
        files.append(path)
        beside = (find_ground_truth(path), find_boxes(path), graph_beside(path))
        files += [other for other in beside if other is not None and other.is_file()]
    if request.connectivity is not None:
        files += _graph_files(request.connectivity)
    formats = (request.annotation_format, request.result_format)
    options = (request.profile_key, *formats, nodes_identity(request.nodes))
    work = identify(files, (*options, waypost.__version__, _code_identity()))
    while True:
        try:
            seen = next(work)
        except StopIteration as end:
            return str(end.value)
        yield Progress(0, 0, f"{counted(seen, 'file')} listed")


def _graph_files(connectivity: Path) -> list[Path]:
    """The folder of graphs or CapNav's graph file, and where the labels of CapNav's may stand."""
    place = connectivity.resolve()
    if not place.is_file():
        beside = [place.parent / "traverse"]
    else:
        beside = [place.parent.parent / "traverse", *sorted(place.parent.glob("*-traverse.json*"))]
    return [connectivity, *(path for path in beside if path.exists())]


@cache
def _code_identity() -> str:
    """Digest of the parts of this program that decide about rows; changes while it is developed."""
    folder = Path(waypost.__file__).parent
    return exhaust(identify(folder / name for name in ("domain", "io", "metrics", "services")))
