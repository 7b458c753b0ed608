"""Read graphs, labels, episodes, runs, recordings, studies and scores for a notebook."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import ReadError, StoreError, WaypostError
from waypost.domain.base.frames import CAPNAV, FRAMES
from waypost.domain.base.progress import exhaust
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.project import SUFFIX, Project
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.traversability import Labels as LabelsByPassage
from waypost.domain.traverse.traversability import Passage, TraversabilityLabel
from waypost.io.foreign_errors import reading
from waypost.io.graphs.capnav_graph import graph_from_capnav, read_capnav_graph
from waypost.io.graphs.matterport_graphs import read_connectivity
from waypost.io.known_formats import EPISODE_FORMATS, RUN_FORMATS
from waypost.io.labels.capnav_traverse import read_capnav_traverse
from waypost.io.labels.labels_csv import read_labels_csv
from waypost.io.read_log import ReadLog
from waypost.io.recordings.read_recording import read_recording as read_take
from waypost.io.scenes.open_scene import read_scene
from waypost.notebook.values import (
    Episodes,
    Graph,
    Labels,
    RaterScores,
    Recording,
    Runs,
    Source,
    Study,
)
from waypost.services.judging import circumstances
from waypost.services.path_kinds import CONNECTIVITY
from waypost.services.study.episodes import read_study_episodes
from waypost.services.study.scoring_anew import lacks_scores, with_missing_scores
from waypost.store.project_store import ProjectStore

AnyPath = str | os.PathLike[str]


def read_episodes(file: AnyPath, format: str = "") -> Episodes:  # noqa: A002 - what it is
    """Read the episodes of a file in any known form.

    Args:
        file: An annotation file (docs/formats.md).
        format: Key of its format instead of what the content shows.

    Raises:
        ReadError: If it cannot be used.
    """
    with _one_error(file) as path:
        log = ReadLog()
        entry = EPISODE_FORMATS.find(path, format)
        found = tuple(entry.read(path, log))
        return Episodes(found, _source(file, log, entry.name, entry.conventions))


def read_runs(results: AnyPath, format: str = "") -> Runs:  # noqa: A002 - what it is
    """Read the runs of a result file or folder in any known form.

    Args:
        results: A file, or a folder where the form is one (docs/formats.md).
        format: Key of its format instead of what the content shows.

    Raises:
        ReadError: If it cannot be used.
    """
    with _one_error(results) as path:
        log = ReadLog()
        entry = RUN_FORMATS.find(path, format)
        found = tuple(entry.read(path, log))
        return Runs(found, _source(results, log, entry.name, entry.conventions))


def read_graph(file: AnyPath, frame: str = CAPNAV.key) -> Graph:
    """Read the graph of a project, a CapNav graph file, or the connectivity of a scan.

    Args:
        file: ``….waypost``, a project's URL, ``…-graph.json`` or ``…_connectivity.json``.
        frame: Of the positions in a CapNav file, which does not say it.

    Raises:
        ReadError: If it cannot be used.
    """
    with _one_error(file) as path:
        if _is_project(file):
            project, _ = _project(file)
            return Graph(project.graph, Source(os.fspath(file), "waypost"))
        if path.name.endswith(CONNECTIVITY):
            log = ReadLog()
            return Graph(read_connectivity(path, log), _source(file, log, "connectivity"))
        if frame not in FRAMES:
            raise ReadError(str(path), "frame", f"{frame!r} is none of {', '.join(FRAMES)}")
        found = read_capnav_graph(path)
        graph = graph_from_capnav(found, FRAMES[frame])
        return Graph(graph, Source(os.fspath(file), "capnav", frame, found.warnings))


def read_labels(file: AnyPath, graph: Graph | None = None) -> Labels:
    """Read the labels of a project, a table (CSV), or a CapNav traverse file.

    A project's scene is read as well if labels were judged on it, to tell which are stale.

    Args:
        file: ``….waypost``, a project's URL, ``….csv`` or ``…-traverse.json``.
        graph: What a traverse file is about.

    Raises:
        ReadError: If it cannot be used, or a traverse file comes without its graph.
    """
    with _one_error(file) as path:
        if _is_project(file):
            return _project_labels(file)
        if ".csv" in path.suffixes:
            return _labels(read_labels_csv(path), Source(os.fspath(file), "csv"), _unknown)
        if graph is None or not isinstance(graph.graph, NavigationGraph):
            reason = "a traverse file needs its graph: read_labels(FILE, graph=read_graph(GRAPH))"
            raise ReadError(str(path), "graph", reason)
        found = read_capnav_traverse(path, graph.graph)
        orphans = tuple(f"{place}: not a passage of the graph" for place in found.orphans)
        source = Source(os.fspath(file), "capnav", warnings=(*found.warnings, *orphans))
        return _labels(found.labels, source, _unknown)


def read_recording(file: AnyPath) -> Recording:
    """Read one take: a CSV, the records beside it, or Parquet.

    Raises:
        ReadError: If there is no trajectory to read.
    """
    with _one_error(file) as path:
        found = read_take(path)
        return Recording(found, Source(os.fspath(file), "recording", warnings=found.notes))


def read_study(project: AnyPath) -> Study:
    """Read the study of a project, its takes scored as an export would.

    Args:
        project: ``….waypost`` or a project's URL.

    Raises:
        ReadError: If it cannot be used or has no study.
    """
    with _one_error(project):
        found, root = _project(project)
        study = found.study
        if study.rules is None:
            raise ReadError(os.fspath(project), "study", "the project has no study")
        if any(map(lacks_scores, study.takes.values())):
            episodes = exhaust(read_study_episodes(study, root))
            study = exhaust(with_missing_scores(study, root, episodes))
        return Study(study, Source(os.fspath(project), "waypost"))


def read_scores(project: AnyPath, batch: str, viewer: str = "") -> RaterScores:
    """Read what people scored, or compared, in a batch of a project.

    Args:
        project: ``….waypost`` or a project's URL.
        batch: Name of the batch.
        viewer: Who reads: a rater of the batch reads of others what they may see; whoever is
            none, what is submitted.

    Raises:
        ReadError: If it cannot be used or has no such batch.
    """
    with _one_error(project):
        found, _ = _project(project)
        found.scoring.batch(batch)
        return RaterScores(found.scoring, batch, viewer, Source(os.fspath(project), "waypost"))


@contextmanager
def _one_error(file: AnyPath) -> Iterator[Path]:
    """The path; whatever goes wrong while it is read is one ``ReadError``."""
    name = os.fspath(file)
    try:
        with reading(name):
            yield Path(name)
    except ReadError:
        raise
    except StoreError as error:
        raise ReadError(error.file, error.place, error.reason) from error
    except WaypostError as error:
        raise ReadError(name, "file", str(error)) from error


def _source(file: AnyPath, log: ReadLog, name: str, conventions: str = "") -> Source:
    log.finish()
    lost = log.counts[ImportKind.UNREADABLE]
    told = tuple(log.warnings), tuple(log.findings)
    return Source(os.fspath(file), name, conventions, *told, unreadable=lost)


def _is_project(file: AnyPath) -> bool:
    return "://" in os.fspath(file) or os.fspath(file).endswith(SUFFIX)


def _project(location: AnyPath) -> tuple[Project, Path]:
    """A project and the folder that its paths resolve against."""
    name = os.fspath(location)
    store = ProjectStore.open(name if "://" in name else Path(name))
    try:
        return store.load(), store.root
    finally:
        store.close()


def _project_labels(file: AnyPath) -> Labels:
    project, root = _project(file)
    scene_hash, unread = "", ""
    if any(label.provenance.scene_hash for label in project.labels.values()):
        try:
            scene = _scene(project, root)
            scene_hash = scene.content_hash
            left_out = {one.asset for one in scene.outside_assets if not one.is_followed}
            if left_out:
                unread = f"{scene.path}: {counted(len(left_out), 'file')} outside its folder unread"
        except ReadError as error:
            unread = str(error)
    told = "nobody can tell which labels a changed scene makes stale"
    warnings = (f"{told}: {unread}",) if unread else ()
    now = circumstances(project, None)

    def is_stale(label: TraversabilityLabel) -> bool | None:
        if label.is_stale(now):
            return True
        if label.provenance.scene_hash in {"", scene_hash}:
            return False
        return None if unread else True

    return _labels(project.labels, Source(os.fspath(file), "waypost", "", warnings), is_stale)


def _scene(project: Project, root: Path) -> Scene:
    path = Path(os.path.normpath(root / project.scene_path))
    return read_scene(
        path, up_axis=project.scene_up_axis, metres_per_unit=project.scene_metres_per_unit
    )


def _labels(
    found: LabelsByPassage, source: Source, is_stale: Callable[[TraversabilityLabel], bool | None]
) -> Labels:
    stale: dict[Passage, bool | None] = {key: is_stale(label) for key, label in found.items()}
    return Labels(tuple(found.values()), source, MappingProxyType(stale))


def _unknown(_: TraversabilityLabel) -> None:
    """A file of labels alone has neither scene nor agents to compare with."""
