"""What evaluation servers refuse, as far as their code or what they print is public."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.episode.import_report import ImportKind


@dataclass(frozen=True, slots=True)
class Server:
    """An evaluation server, and which findings about a result file make it refuse the file."""

    name: str
    formats: frozenset[str]
    """Formats of runs that are submitted there."""

    datasets: frozenset[str]
    """Data sets of the episodes that it scores."""

    refused: Mapping[ImportKind, tuple[str, str]]
    """What is refused, for one and for several."""

    source: str
    unreadable: Callable[[Any], str] | None = None
    """What is wrong with the form of a record although it can be read here; empty if nothing."""

    needs_graph: bool = False
    """Whether its rules can be checked only with the viewpoint graphs."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason why a server would refuse a file."""

    reason: str
    count: int
    first: str
    """Id of the first item it holds for."""


@dataclass(frozen=True, slots=True)
class ServerVerdict:
    """Whether a server would take a file."""

    server: str
    source: str
    refusals: tuple[Refusal, ...]
    unchecked: str = ""
    """What could not be checked for want of input; empty if nothing."""


def _no_flat_entry(record: Any) -> str:
    """Why the leaderboard cannot take the entries of a record; empty if it can.

    The scorer takes the first element of every entry for its viewpoint: of a group the others
    are lost, and a plain name is read as its first letter.
    """
    entries = record.get("trajectory") if isinstance(record, dict) else None
    if not isinstance(entries, list):
        return ""
    if any(_is_group(entry) for entry in entries):
        return "groups of viewpoints, of which only the first is read (waypost convert --flat)"
    if any(isinstance(entry, str) for entry in entries):
        return "viewpoints that do not stand in a list of their own (waypost convert --flat)"
    return ""


def _is_group(entry: Any) -> bool:
    if not isinstance(entry, list):
        return False
    return not entry or any(isinstance(part, str) for part in entry[1:])


R2R_LEADERBOARD: Final = Server(
    name="the R2R leaderboard",
    formats=frozenset({"r2r"}),
    datasets=frozenset({"r2r", "fgr2r"}),
    refused=MappingProxyType(
        {
            ImportKind.MISSING: ("instruction without a run", "instructions without a run"),
            ImportKind.EMPTY_PATH: ("empty path", "empty paths"),
            ImportKind.WRONG_START: (
                "run that begins elsewhere than its episode",
                "runs that begin elsewhere than their episodes",
            ),
            ImportKind.UNKNOWN_VIEWPOINT: (
                "viewpoint that the graph does not have",
                "viewpoints that the graph does not have",
            ),
            ImportKind.NO_EDGE: (
                "move between viewpoints that no edge joins",
                "moves between viewpoints that no edge joins",
            ),
        }
    ),
    source="peteanderson80/Matterport3DSimulator:tasks/R2R/eval.py; cshizhe/VLN-DUET, issue 2",
    unreadable=_no_flat_entry,
    needs_graph=True,
)
"""EvalAI challenge 97. Runs nobody asked for, and further runs of an instruction, are passed
over."""

VLNCE_SERVER: Final = Server(
    name="the VLN-CE server",
    formats=frozenset({"vlnce-r2r"}),
    datasets=frozenset({"vlnce-r2r"}),
    refused=MappingProxyType(
        {ImportKind.TELEPORT: ("step of 0.75 m or more", "steps of 0.75 m or more")}
    ),
    source="MrZihan/g3D-LF, issue 1 (traceback of main.py of EvalAI challenge 719)",
)
"""EvalAI challenge 719, which its authors close in 2026 (jacobkrantz/VLN-CE, issue 74); nothing
else of its code is public."""

SERVERS: Final = (R2R_LEADERBOARD, VLNCE_SERVER)
