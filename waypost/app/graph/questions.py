"""The questions of the benchmark in the Graph workspace: listed, asked, drawn, and judged."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from waypost.annotators.graph.question_drawing import question_drawing
from waypost.app.graph.task_form import TaskForm
from waypost.app.shell.project_edits import (
    edit_project,
    is_still_open,
    project_root,
    refuse,
)
from waypost.app.shell.workspace import Surroundings
from waypost.domain.base.counted_words import counted
from waypost.domain.base.progress import Progress, Work
from waypost.domain.project import Project
from waypost.domain.traverse.judged_graph import JudgedGraph, current_labels
from waypost.domain.traverse.places import node_names, places_of, unmistakable_place
from waypost.domain.traverse.questions import (
    FEASIBLE_WORDS,
    FeasibilityShare,
    QuestionRoute,
    feasibility,
    feasibility_shares,
)
from waypost.domain.traverse.task import Task, asked_again, asked_again_words
from waypost.services.agent_marks import agent_names
from waypost.services.judging import circumstances
from waypost.services.pieces import Pieces, Steps
from waypost.viewers.scene.drawing import NOTHING
from waypost.widgets.facts_table import Fact
from waypost.widgets.folder_dialog import FolderDialog
from waypost.widgets.grouped_list import GroupedList, ListRow

QUESTION_FILTER = "CapNav questions (*.json *.json.gz)"
_LAYER = "question"
_HALLUCINATED: Final = "Hallucinated"
"""Heading of the questions that count nowhere."""


class QuestionList(GroupedList):
    """Questions by number; ``row_activated`` asks to go where one starts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("question", "questions", parent)


class GraphQuestions(QObject):
    """Keeps the list, the form and the drawing of questions in step with the project.

    Args:
        around: What the workspace finds in its window.
        parent: Qt owner.
    """

    shown = Signal(bool)
    """Whether a question is at hand, which has the right panel then."""

    def __init__(self, around: Surroundings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._around, self._bench = around, around.bench
        self._is_active = False
        self._at_hand: int | None = None
        self._routes: tuple[QuestionRoute, ...] = ()
        self._judged = JudgedGraph()
        self._shares: Mapping[str, FeasibilityShare] = {}
        self._filling = Pieces(self)
        self.list, self.form = QuestionList(), TaskForm()
        self.list.selection_changed.connect(self._on_chosen)
        self.list.row_activated.connect(self._go_to)
        self.form.changed.connect(self._put)
        self.form.hallucinated_toggled.connect(self.toggle_hallucinated)
        self.form.deleted.connect(self.delete)
        self._bench.project_changed.connect(self._on_changed)
        self._bench.document_replaced.connect(self._on_document)
        self._bench.scene_replaced.connect(self.refresh)

    @property
    def at_hand(self) -> int | None:
        """Index of the question that is shown; ``None`` if none is."""
        return self._at_hand

    def set_active(self, *, is_active: bool) -> None:
        """The workspace takes over the stage, or lets go of it."""
        self._is_active = is_active
        if is_active:
            self.refresh()
        else:
            self.form.commit()
            self._filling.cancel()
            self._around.stage.view.set_drawing(_LAYER, NOTHING)

    def take(self, index: int | None) -> None:
        """Show a question, or none."""
        if index != self._at_hand:
            self.form.commit()
        tasks = self._bench.project.tasks
        self._at_hand = index if index is not None and index < len(tasks) else None
        self.list.set_selected(() if self._at_hand is None else (str(self._at_hand),))
        self._show_at_hand()

    def ask(self, node_ids: tuple[str, ...]) -> None:
        """Add a question from node to node, and put the cursor into its words."""
        graph = self._bench.project.graph
        names = node_names(graph)
        told = [names[node_id] for node_id in node_ids]
        via = f" through {' and '.join(told[1:-1])}" if len(told) > 2 else ""
        places = [unmistakable_place(node_id, names) for node_id in node_ids]
        task = Task(
            f"Can the agent go from {told[0]} to {told[-1]}{via}?",
            places[0],
            places[-1],
            intermediate=tuple(places[1:-1]),
            node_ids=node_ids,
        )
        index = len(self._bench.project.tasks)
        text = f"Ask from {told[0]} to {told[-1]}"
        if self._edit(text, lambda tasks: (*tasks, task)):
            self.take(index)
            self.form.focus_words()

    def delete(self) -> None:
        """Delete the question at hand."""
        index = self._at_hand
        if index is not None:
            self._edit("Delete the question", lambda tasks: (*tasks[:index], *tasks[index + 1 :]))

    def toggle_hallucinated(self) -> None:
        """Leave the question at hand out of every count, or let it count again."""
        if self._at_hand is not None:
            task = self._bench.project.tasks[self._at_hand]
            is_so = not task.is_hallucinated
            text = "Mark the question hallucinated" if is_so else "Let the question count again"
            self._put(replace(task, is_hallucinated=is_so), text)

    def ask_import(self) -> None:
        """Ask for a question file of CapNav and put it behind the questions that are there."""
        path, _ = QFileDialog.getOpenFileName(
            self._around.window, "Import questions", self._folder(), QUESTION_FILTER
        )
        if path:
            self.import_file(Path(path))

    def import_file(self, path: Path) -> None:
        """Put the questions of a file behind those that are there; one undo step."""
        document = self._bench.document

        def take(found: Callable[[Project], Project]) -> None:
            if document is None or not is_still_open(self._bench, document, path.name):
                return
            before = len(document.project.tasks)
            edit_project(self._bench, f"Import {path.name}", found)
            self._tell_import(document.project, before, path.name)

        self._start(f"Reading {path.name}", _reading(path, self._bench.project), take)

    def ask_export(self) -> None:
        """Ask for a file and write the questions there."""
        proposed = os.path.join(self._folder(), f"{self._scene_name()}_QA.json")  # noqa: PTH118
        path, _ = QFileDialog.getSaveFileName(
            self._around.window, "Export questions", proposed, QUESTION_FILTER
        )
        if path:
            project = self._bench.project
            told = f"Wrote {counted(len(project.tasks), 'question')} to {Path(path).name}."
            self._start(
                f"Writing {Path(path).name}",
                _writing(Path(path), project),
                lambda _: self._around.say(told),
            )

    def ask_export_prompts(self) -> None:
        """Ask for a folder and write node list and prompts for language models there."""
        start = Path(self._folder()) / "prompts"
        dialog = FolderDialog(self._around.window, "Export prompts into", start)
        if dialog.exec() and dialog.selectedFiles():
            folder = Path(dialog.selectedFiles()[0])
            self._start(
                f"Writing into {folder.name}",
                _writing_prompts(folder, self._scene_name(), self._bench.project),
                lambda written: self._around.say(written.sentence),
            )

    def refresh(self, *_: object) -> None:
        """Show the questions of the project as they are now."""
        if self._is_active:
            self._filling.start(self._fill)

    def _fill(self) -> Steps:
        project = self._bench.project
        routes: tuple[QuestionRoute, ...] = ()
        if project.tasks:
            # 0.1 s to import, of networkx: a window with other work starts without.
            from waypost.domain.traverse.question_routes import (  # noqa: PLC0415
                question_route_steps,
            )

            routes = yield from question_route_steps(project.tasks, project.graph)
        labels = current_labels(project.labels, circumstances(project, self._bench.scene_hash))
        judged = JudgedGraph(project.graph, labels)
        yield
        shares = feasibility_shares(project.tasks, judged, project.agents)
        if project is self._bench.project:
            self._routes, self._judged, self._shares = routes, judged, shares
            self.list.set_rows(_rows(project.tasks, routes))
            self.take(self._at_hand)

    def _show_at_hand(self) -> None:
        project, index = self._bench.project, self._at_hand
        view = self._around.stage.view
        self.shown.emit(index is not None)
        if index is None:
            self.form.set_question(None, None, {})
            view.set_drawing(_LAYER, NOTHING)
            return
        # Its words can be typed before its way is found.
        is_known = len(self._routes) == len(project.tasks)
        task, route = project.tasks[index], self._routes[index] if is_known else None
        self.form.set_question(task, route, node_names(project.graph))
        self.form.set_feasible(self._facts(project, task) if route else ())
        if self._is_active:
            drawing = question_drawing(project.graph, route) if route else NOTHING
            view.set_drawing(_LAYER, drawing)

    def _facts(self, project: Project, task: Task) -> tuple[Fact, ...]:
        """Who can do the question, and how many each can do, with the labels that hold now."""
        facts, names = [], agent_names(project.agents)
        for key, share in self._shares.items():
            if key not in names:
                continue
            found = feasibility(task, self._judged, key)
            decided = share.feasible + share.infeasible
            of_all = f"{share.feasible} of {decided}"
            of_all += "" if share.share is None else f" · {share.share:.0%}"
            of_all += f", {share.undecided} open" if share.undecided else ""
            facts.append(Fact(names[key], FEASIBLE_WORDS[found], f"all: {of_all}", found))
        return tuple(facts)

    def _on_chosen(self, keys: frozenset[str]) -> None:
        self.take(int(next(iter(keys))) if len(keys) == 1 else None)

    def _go_to(self, key: str) -> None:
        self.take(int(key))
        index = self._at_hand
        if index is not None and index < len(self._routes):
            start, end = self._routes[index].ends
            nodes = self._bench.project.graph.nodes
            for node_id in (start, end):
                if node_id in nodes:
                    self._around.stage.go_to(nodes[node_id].position_m)
                    return

    def _put(self, task: Task, text: str) -> None:
        index = self._at_hand
        if index is not None:
            self._edit(text, lambda tasks: (*tasks[:index], task, *tasks[index + 1 :]))

    def _edit(self, text: str, change: Callable[[tuple[Task, ...]], tuple[Task, ...]]) -> bool:
        return edit_project(
            self._bench, text, lambda project: replace(project, tasks=change(project.tasks))
        )

    def _on_changed(self, old: Project, new: Project) -> None:
        if any(
            getattr(old, part) is not getattr(new, part)
            for part in ("tasks", "graph", "labels", "agents")
        ):
            self.refresh()

    def _on_document(self) -> None:
        self._filling.cancel()
        self._at_hand, self._routes = None, ()
        self.refresh()

    def _tell_import(self, project: Project, before: int, name: str) -> None:
        new = project.tasks[before:]
        open_places = [m for t in new for m in places_of(t, project.graph) if m.problem]
        told = f"{counted(len(new), 'question')} from {name}."
        if again := asked_again(project.tasks[:before], new):
            told += f" {asked_again_words(again)}; undo takes that back."
        if open_places:
            told += f" {counted(len(open_places), 'place')} to be cleared up, marked ⚠ in the list."
        self._around.say(told)

    def _start(self, title: str, work: Work[Any], take: Callable[[Any], None]) -> None:
        job = self._around.jobs.start(title, work)
        job.succeeded.connect(take)
        job.failed.connect(lambda error: refuse(self._bench, error))

    def _folder(self) -> str:
        return os.fspath(project_root(self._bench))

    def _scene_name(self) -> str:
        project = self._bench.project
        return PurePosixPath(project.scene_path).stem or project.name


def _reading(path: Path, project: Project) -> Work[Callable[[Project], Project]]:
    """Read a file; returns the change that puts its questions into a project."""
    from waypost.io.datasets.capnav_tasks import read_capnav_tasks  # noqa: PLC0415 - when wanted
    from waypost.services.question_import import with_questions  # noqa: PLC0415 - when wanted

    yield Progress(0.0, 0.0, f"Reading {path.name}")
    found = read_capnav_tasks(path, project.graph.extra)
    return lambda now: with_questions(now, found, is_added=True)


def _writing(path: Path, project: Project) -> Work[None]:
    from waypost.io.datasets.capnav_tasks import write_capnav_tasks  # noqa: PLC0415 - when wanted

    yield Progress(0.0, 0.0, f"Writing {path.name}")
    write_capnav_tasks(path, project.tasks, project.graph.extra, project.graph)


def _writing_prompts(folder: Path, scene: str, project: Project) -> Work[Any]:
    from waypost.io.datasets.capnav_prompts import write_prompts  # noqa: PLC0415 - when wanted

    yield Progress(0.0, 0.0, f"Writing into {folder.name}")
    agents = tuple(project.agents.values())
    return write_prompts(folder, scene, project.tasks, agents, project.graph)


def _rows(tasks: Sequence[Task], routes: Sequence[QuestionRoute]) -> tuple[ListRow, ...]:
    """Rows of a list of questions, those that count first.

    Args:
        tasks: In order; their index is the key of their row.
        routes: Of the same questions.
    """
    rows = [
        ListRow(
            str(index),
            task.question,
            f"{index + 1}",
            _HALLUCINATED if task.is_hallucinated else "",
            "" if task.is_hallucinated else route.problem,
            " → ".join(task.places),
        )
        for index, (task, route) in enumerate(zip(tasks, routes, strict=True))
    ]
    return tuple(sorted(rows, key=lambda row: row.group))
