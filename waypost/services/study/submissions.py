"""Submission files of a study: one per participant, and one of all where no episode is double."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final

from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import Progress, Work
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.record.study import Study, Take
from waypost.domain.record.take_runs import run_in_space, run_on_graph
from waypost.io.graphs.matterport_graphs import load_graph
from waypost.io.known_formats import RUN_FORMATS
from waypost.io.logs.run_format import Way
from waypost.io.read_log import ReadLog
from waypost.io.recordings.read_recording import read_recording
from waypost.io.study_exports import SUBMISSIONS
from waypost.services.study.episodes import StudyEpisodes

_FILE_ENDS: Final = {name.partition(".")[0]: name for name in SUBMISSIONS}
KINDS: Final = tuple(_FILE_ENDS)
"""Formats that submissions can be written in."""

TITLES: Final = {
    "vlnce-r2r": "VLN-CE R2R: positions and headings in Habitat's frame (JSON)",
    "vlnce-rxr": "VLN-CE RxR: paths in Habitat's frame (JSON Lines)",
    "r2r": "R2R: paths of viewpoints (JSON)",
}
"""What a submission file of each format is, in words."""


@dataclass(frozen=True, slots=True)
class ExportWish:
    """What an export holds beside takes, tables and averages."""

    kinds: tuple[str, ...] = ()
    """Submission files, of ``KINDS``."""

    connectivity: Path | None = None
    """Folder of viewpoint graphs, for paths on them."""

    has_parquet: bool = False
    """Whether every take is written as Parquet beside its CSV as well."""

    has_frames: bool = False
    """Whether the camera frames that were kept with takes are copied beside them."""


def needs_graphs(kind: str) -> bool:
    """Whether a format holds paths on a graph."""
    return RUN_FORMATS.find(Path(), kind).way is Way.VIEWPOINTS


def check_submissions(wish: ExportWish) -> None:
    """See that everything is there.

    Raises:
        InputError: If paths on a graph are asked for and no folder of graphs is given.
    """
    for kind in wish.kinds:
        if needs_graphs(kind) and wish.connectivity is None:
            raise InputError(f"--submission {kind}: needs --connectivity")


def write_submissions(
    out: Path,
    wish: ExportWish,
    study: Study,
    root: Path,
    takes: Sequence[Take],
    episodes: StudyEpisodes,
) -> Work[tuple[list[dict[str, Any]], list[str]]]:
    """Write the submission files asked for into ``submissions/`` of an export.

    Yields:
        Progress, before each take.

    Returns:
        A report per file, its name relative to the export, and sentences about takes that could
        not be written.
    """
    reports: list[dict[str, Any]] = []
    problems: list[str] = []
    for kind in wish.kinds:
        convert = _converter(kind, root, wish.connectivity, episodes)
        found: list[tuple[Take, EpisodeRun]] = []
        filled: dict[str, list[dict[str, Any]]] = {}
        for number, take in enumerate(takes):
            yield Progress(number, len(takes), f"Writing {kind}: {PurePosixPath(take.path).name}")
            try:
                run, moves = convert(take)
            except InputError as error:
                problems.append(f"{kind}: {take.path}: {error}")
                continue
            found.append((take, run))
            filled.setdefault(take.key.participant, []).extend(moves)
        for code in dict.fromkeys(take.key.participant for take, _ in found):
            own = [run for take, run in found if take.key.participant == code]
            name = f"submissions/{code}_{_FILE_ENDS[kind]}"
            reports.append(_write(kind, out, name, own, study, problems, filled[code]))
        ids = [run.episode_id for _, run in found]
        if found and len(set(ids)) == len(ids):
            name = f"submissions/all_{_FILE_ENDS[kind]}"
            moves = [move for own in filled.values() for move in own]
            reports.append(_write(kind, out, name, [r for _, r in found], study, problems, moves))
        elif found:
            problems.append(
                f"{kind}: several participants drove the same episode, and the format holds one"
                " run of each; there is a file per participant and none of all"
            )
    return reports, problems


Converter = Callable[[Take], tuple[EpisodeRun, list[dict[str, Any]]]]
"""A take as a run, and the moves that were filled in along the graph."""


def _converter(
    kind: str, root: Path, connectivity: Path | None, episodes: StudyEpisodes
) -> Converter:
    def in_space(take: Take) -> tuple[EpisodeRun, list[dict[str, Any]]]:
        return run_in_space(read_recording(root / PurePosixPath(take.path))), []

    def on_graph(take: Take) -> tuple[EpisodeRun, list[dict[str, Any]]]:
        episode = episodes.find(take.key.assignment.episode)
        if episode is None:
            raise InputError(f"episode {take.key.episode_id} is not at hand")
        recording = read_recording(root / PurePosixPath(take.path))
        run, path = run_on_graph(
            recording, episode, load_graph(connectivity or root, take.key.scene_id)
        )
        return run, [
            {
                "episode_id": run.episode_id,
                "sample": move.sample,
                "from": move.from_id,
                "to": move.to_id,
                "inserted": list(move.inserted),
            }
            for move in path.filled
        ]

    return on_graph if needs_graphs(kind) else in_space


def _write(
    kind: str,
    out: Path,
    name: str,
    runs: Iterable[EpisodeRun],
    study: Study,
    problems: list[str],
    filled: list[dict[str, Any]],
) -> dict[str, Any]:
    path = out / name
    chosen = RUN_FORMATS.find(path, kind)
    if chosen.write is None:
        raise InputError(f"{kind}: cannot be written")
    own = list(runs)
    log = ReadLog()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        chosen.write(path, own, log)
    except InputError as error:
        problems.append(str(error))
    wanted = sum(not episode.is_training for episode in study.episodes.values())
    return {
        "file": name,
        "format": kind,
        "conventions": chosen.conventions,
        "episodes": len(own),
        "episodes_of_the_study": wanted,
        "filled_moves": filled,
        "notes": [finding.message for finding in log.findings],
    }
