"""What happens to paths that are dropped on the window together, in words and as what is opened."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import Progress, Work
from waypost.domain.base.visible_text import one_line
from waypost.domain.episode.run_source import RunSource
from waypost.domain.replay.row_filter import MOST_RUNS
from waypost.services.path_kinds import CONNECTIVITY, PathKind, kind_of_path

_WORDS = {
    PathKind.EPISODES: "episodes",
    PathKind.GRAPHS: "graphs",
    PathKind.PICTURES: "pictures",
    PathKind.FILM: "pictures",
}


@dataclass(frozen=True, slots=True)
class DropOutcome:
    """What is opened; parts that are not are empty."""

    told: str
    """What will happen, in one sentence without a full stop."""

    project: Path | None = None
    """A project or a scene; opened first."""

    runs: tuple[RunSource, ...] = ()
    """Results with what was dropped together with them."""

    folder: Path | None = None
    """Looked through for runs."""

    given: RunSource | None = None
    """A run of the open project by its name, and what it gets."""


def kinds_of(paths: Sequence[Path]) -> Work[dict[Path, PathKind]]:
    """Look at the beginning of each path.

    Raises:
        ReadError: If one of them is nothing that Waypost opens.
    """
    found: dict[Path, PathKind] = {}
    for path in paths:
        yield Progress(len(found), len(paths), f"Looking at {path.name}")
        if path.name.endswith(CONNECTIVITY):
            path = path.parent  # noqa: PLW2901 - readers take the folder of these files
        found[path] = kind_of_path(path)
    return found


def drop_outcome(kinds: Mapping[Path, PathKind], run_at_hand: str) -> DropOutcome:
    """What paths are opened as together.

    Args:
        kinds: What each path is.
        run_at_hand: The run that is looked at, which can be given what belongs to a run.

    Raises:
        InputError: If they cannot be opened together.
    """
    if len(kinds) == 1 and set(kinds.values()) <= {PathKind.FOLDER, PathKind.PICTURES}:
        folder = next(iter(kinds))
        return DropOutcome(f"Look for runs in {_quoted(folder)}", folder=folder)
    projects = _of(kinds, PathKind.PROJECT, PathKind.SCENE)
    results = _of(kinds, PathKind.RUN)
    if len(projects) > 1:
        raise InputError(f"{_listed(projects)}: only one of them can be open; drop one")
    if len(results) > MOST_RUNS:
        at_most = f"at most {MOST_RUNS} stand beside each other; drop fewer"
        raise InputError(f"{counted(len(results), 'run')}: {at_most}")
    if folders := _of(kinds, PathKind.FOLDER):
        raise InputError(f"{_quoted(folders[0])} is neither results nor pictures; drop it alone")
    belonging = _companions(kinds)
    if results:
        runs = tuple(replace(belonging, results=(path,)) for path in results)
        told = _told_of_runs(projects, results, kinds)
        return DropOutcome(told, projects[0] if projects else None, runs)
    if not _belonging(kinds):
        (project,) = projects
        what = "project" if kinds[project] is PathKind.PROJECT else "scene"
        return DropOutcome(f"Open the {what} {_quoted(project)}", project)
    files = _listed(_belonging(kinds))
    if projects or not run_at_hand:
        raise InputError(f"{files}: this belongs to a run; drop its results together with it")
    words = " and ".join(dict.fromkeys(_WORDS[kind] for kind in kinds.values()))
    told = f"Use {files} as the {words} of the run {one_line(run_at_hand)}"
    return DropOutcome(told, given=replace(belonging, name=run_at_hand))


def _companions(kinds: Mapping[Path, PathKind]) -> RunSource:
    """Episodes, graphs and pictures of a run without results."""
    graphs = _of(kinds, PathKind.GRAPHS)
    pictures = _of(kinds, PathKind.PICTURES, PathKind.FILM)
    for found, what in ((graphs, "graphs"), (pictures, "pictures")):
        if len(found) > 1:
            raise InputError(f"{_listed(found)}: a run has its {what} in one place; drop one")
    return RunSource(
        annotations=tuple(_of(kinds, PathKind.EPISODES)),
        connectivity=next(iter(graphs), None),
        pictures=next(iter(pictures), None),
    )


def _told_of_runs(
    projects: Sequence[Path], results: Sequence[Path], kinds: Mapping[Path, PathKind]
) -> str:
    runs = "a run" if len(results) == 1 else "runs"
    place = f"{_quoted(projects[0])}" if projects else "Replay"
    told = f"Open {_listed(results)} as {runs} in {place}"
    belonging = _belonging(kinds)
    return f"{told}, with {_listed(belonging)}" if belonging else told


def _belonging(kinds: Mapping[Path, PathKind]) -> list[Path]:
    return [path for path, kind in kinds.items() if kind in _WORDS]


def _of(kinds: Mapping[Path, PathKind], *wanted: PathKind) -> list[Path]:
    return [path for path, kind in kinds.items() if kind in wanted]


def _quoted(path: Path) -> str:
    return f"“{one_line(path.name or os.fspath(path))}”"


def _listed(paths: Sequence[Path]) -> str:
    *most, last = map(_quoted, paths)
    return f"{', '.join(most)} and {last}" if most else last
