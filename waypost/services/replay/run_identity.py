"""What the rows of a run depend on: files, options and the program, as one digest."""

from __future__ import annotations

from collections.abc import Generator
from functools import cache
from pathlib import Path

import waypost
from waypost.domain.base.counted_words import counted
from waypost.domain.base.progress import Progress, exhaust
from waypost.domain.episode.run_source import RunSource
from waypost.io.datasets.capnav_episodes import graph_beside
from waypost.io.datasets.ground_truth_paths import find_ground_truth
from waypost.io.datasets.reverie_boxes import find_boxes
from waypost.io.file_identity import identify
from waypost.services.replay.graphs import nodes_identity


def source_identity(source: RunSource) -> Generator[Progress, None, str]:
    """Digest of everything that the rows depend on; empty if it cannot be told.

    Args:
        source: Files and profile.
    """
    files = [source.file]
    for path in source.annotations:
        files.append(path)
        beside = (find_ground_truth(path), find_boxes(path), graph_beside(path))
        files += [other for other in beside if other is not None and other.exists()]
    if source.connectivity is not None:
        files += _graph_files(source.connectivity)
    if source.navmeshes is not None:
        files.append(source.navmeshes)
    formats = (source.annotation_format, source.result_format)
    options = (source.profile_key, *formats, nodes_identity(source.nodes))
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
