"""Check the graphs that episodes need: Matterport3D's connectivity and CapNav's drawn graphs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Final

from waypost.domain.base.errors import InputError
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.import_report import ImportKind, ImportReport
from waypost.io.graphs import matterport_graphs
from waypost.io.graphs.capnav_graph import read_capnav_graph
from waypost.io.graphs.capnav_names import GRAPH_NAME
from waypost.io.read_log import ReadLog

_DRAWN: Final = (
    "nodes and edges of CapNav graphs by id; what positions mean is not stated in the files"
)


def check_graphs(
    place: Path, scenes: Collection[str], questions: Mapping[str, Episode]
) -> tuple[str, ImportReport]:
    """Name of the format and what was found about graphs.

    Args:
        place: Folder of graphs; where questions are asked also one file of CapNav.
        scenes: That episodes are in; none where no annotations were given: then all graphs count.
        questions: Of CapNav, whose scenes have drawn graphs.

    Raises:
        InputError: If it is no folder where one is needed.
    """
    drawn = {question.scene_id for question in questions.values()}
    if drawn and drawn >= set(scenes):
        return "capnav", _drawn_graphs(place, sorted(drawn))
    if not place.is_dir():
        raise InputError(f"{place}: file: is no folder")
    return "matterport", _connectivity(place, [one for one in sorted(scenes) if one not in drawn])


def _connectivity(folder: Path, scenes: list[str]) -> ImportReport:
    files = {matterport_graphs.scene_id_of(p): p for p in folder.glob("*_connectivity.json*")}

    def read(scene_id: str, log: ReadLog) -> bool:
        if scene_id in files:
            matterport_graphs.read_connectivity(files[scene_id], log)
        return scene_id in files

    wanted = scenes or sorted(files)
    return _report(wanted, read, "connectivity file", matterport_graphs.CONVENTIONS)


def _drawn_graphs(place: Path, scenes: list[str]) -> ImportReport:
    def read(scene_id: str, _: ReadLog) -> bool:
        name = f"{scene_id}{GRAPH_NAME}"
        files = (place / name, place / "graphs" / name) if place.is_dir() else (place,)
        file = next((one for one in files if one.is_file() and one.name == name), None)
        if file is not None:
            read_capnav_graph(file)
        return file is not None

    return _report(scenes, read, "graph", _DRAWN)


def _report(
    scenes: list[str], read: Callable[[str, ReadLog], bool], what: str, conventions: str
) -> ImportReport:
    log = ReadLog()
    found = 0
    for scene_id in scenes:
        try:
            if read(scene_id, log):
                found += 1
            else:
                message = f"there is no {what} of {scene_id}"
                log.add(ImportKind.MISSING, message, item_id=scene_id)
        except InputError as error:
            log.add(ImportKind.UNREADABLE, str(error), item_id=scene_id)
    return ImportReport(
        expected=len(scenes),
        found=found,
        missing=log.counts[ImportKind.MISSING],
        unreadable=log.counts[ImportKind.UNREADABLE],
        findings=tuple(log.findings),
        findings_left_out=log.left_out,
        conventions=conventions,
        warnings=tuple(log.warnings),
    )
