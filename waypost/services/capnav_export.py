"""Writes the open project as the files that CapNav's scripts read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from waypost.domain.base.counted_words import counted
from waypost.domain.base.sentences import capitalised
from waypost.domain.project import Project
from waypost.io.datasets.capnav_tasks import write_capnav_tasks
from waypost.io.graphs.capnav_graph import write_capnav_graph
from waypost.io.graphs.capnav_names import ExportNames
from waypost.io.labels.capnav_hallucinated import hallucinated_questions
from waypost.io.labels.capnav_traverse import TraverseOptions, write_capnav_traverse
from waypost.services.label_report import (
    LabelSelection,
    agent_counts,
    gaps_note,
    scene_note,
    scorer_words,
    select_labels,
    team_note,
)
from waypost.services.mixed_engines import engines_of_labels, mixture_note


@dataclass(frozen=True, slots=True)
class CapnavExport:
    """What was written and what was not."""

    graph_path: Path
    traverse_path: Path
    written: int
    """Labels in the file."""

    stale: int
    uncertain: int
    undecided: int
    questions: int
    """In a file of their own."""
    gaps: str = ""
    """What to say of a scene that is not known, of labels that were given while geometry was
    missing, and of engines; empty without any."""

    as_scored: str = ""
    """What CapNav's scorer makes of passages that have no label in the file."""

    of_two: str = ""
    """What to say of passages that two label; empty without any that lacks a label."""

    @property
    def sentence(self) -> str:
        """What the user should know, in one or two sentences."""
        written = counted(self.written, "label")
        beside = "the graph"
        if self.questions:
            beside += f" and {counted(self.questions, 'question')}"
        text = f"Wrote {written} to {self.traverse_path.name} and {beside} beside it."
        left_out = [
            f"{count} {word}"
            for count, word in ((self.stale, "stale"), (self.uncertain, "uncertain"))
            if count
        ]
        if left_out:
            text += f" Left out: {', '.join(left_out)}."
        if self.undecided:
            text += f" {counted(self.undecided, 'passage is', 'passages are')} undecided."
        if self.as_scored:
            text += f" CapNav's scorer reads {self.as_scored}."
        text = f"{text} {self.of_two}." if self.of_two else text
        return f"{text} {capitalised(self.gaps)}." if self.gaps else text


def export_capnav(project: Project, scene_hash: str, folder: Path) -> CapnavExport:
    """Write ``<scene>-graph.json``, ``<scene>-traverse.json`` and, if any, ``<scene>_QA.json``.

    Args:
        project: What to write.
        scene_hash: Content hash of the open scene; stale labels are left out.
        folder: Where; files of that name are replaced.

    Raises:
        OSError: If a file cannot be written; the old one is then untouched.
    """
    names = ExportNames.of(project.scene_path, project.name)
    graph_path, traverse_path = folder / names.graph, folder / names.labels
    selection = select_labels(project, scene_hash)
    write_capnav_graph(graph_path, project.graph)
    listed = hallucinated_questions(project.tasks, project.graph.extra)
    options = TraverseOptions(
        left_out=selection.left_out, kinds=selection.kinds, hallucinated=listed
    )
    write_capnav_traverse(traverse_path, project.labels, project.graph, options)
    if project.tasks:
        path = folder / names.questions
        write_capnav_tasks(path, project.tasks, project.graph.extra, project.graph)
    counts = agent_counts(project, selection)
    return CapnavExport(
        graph_path,
        traverse_path,
        sum(count["written"] for count in counts),
        len(selection.left_out),
        sum(count["uncertain_left_out"] for count in counts),
        sum(count["undecided"] for count in counts),
        len(project.tasks),
        _notes(project, selection, scene_hash),
        scorer_words(
            sum(count["edges_read_as_blocked"] for count in counts),
            sum(count["passages_read_as_other_way"] for count in counts),
        ),
        team_note(selection),
    )


def _notes(project: Project, selection: LabelSelection, scene_hash: str) -> str:
    engines = engines_of_labels(project, selection.left_out)
    said = (
        scene_note(project, scene_hash),
        gaps_note(project, selection.left_out),
        mixture_note(engines, "label"),
    )
    return ". ".join(capitalised(sentence) for sentence in said if sentence)
