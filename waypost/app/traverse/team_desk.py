"""What the window does with a team: its people, accepting labels of two, returning them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from waypost.app.shell.project_edits import edit_project
from waypost.app.shell.workspace import Surroundings
from waypost.domain.base.errors import EditError, InputError
from waypost.domain.project import Project
from waypost.domain.team_labels import own_labels, with_team
from waypost.domain.traverse.team import Person, Role
from waypost.domain.traverse.team_edits import (
    accept_label,
    deal_second_labels,
    labels_without_author,
    not_dealt_words,
    return_label,
    with_people,
)
from waypost.domain.traverse.traversability import Passage, passages, with_places

if TYPE_CHECKING:
    from waypost.annotators.traverse.team_dialogs import TeamDialog


class TeamDesk(QObject):
    """Edits what two label; makes the project theirs when somebody else comes to the window.

    Args:
        around: What is found in the window.
    """

    def __init__(self, around: Surroundings) -> None:
        super().__init__(around.bench)
        self._around, self._bench = around, around.bench
        self._annotator = around.bench.annotator
        around.bench.settings_changed.connect(self._follow_annotator)

    def can_decide(self, passage: Passage | None) -> bool:
        """Whether who is at the window decides about a passage, and both labels are in."""
        team = self._bench.project.team
        is_open = passage is not None and team.both(passage) is not None
        return passage is not None and is_open and team.decides(passage)

    def accept(self, passage: Passage | None, side: int) -> None:
        """Make final what the first (0) or the second (1) of two says."""
        author = self._author(passage, side)
        if passage is None or not author:
            return

        def change(project: Project) -> Project:
            team = accept_label(project.team, passage, author, self._around.clock())
            return with_team(project, team)

        edit_project(self._bench, f"Accept the label of {author}", change)

    def ask_return(self, passage: Passage | None, side: int) -> None:
        """Ask why, and return the label of the first (0) or the second (1) of two."""
        author = self._author(passage, side)
        if passage is None or not author:
            return

        def give_back(comment: str) -> None:
            edit_project(
                self._bench,
                f"Return the label of {author}",
                lambda project: with_team(
                    project,
                    return_label(project.team, passage, author, comment, self._around.clock()),
                ),
            )

        from waypost.annotators.traverse.team_dialogs import (  # noqa: PLC0415 - when asked for
            ReturnDialog,
        )

        dialog = ReturnDialog(author, self._around.window)
        dialog.commented.connect(give_back)
        dialog.open()

    def ask_people(self) -> None:
        """Ask who works on the project, and the share that two label."""
        team = self._bench.project.team
        leads = {person.name for person in team.people.values() if person.role is Role.LEAD}
        if leads and team.viewer not in leads:
            self._bench.refused.emit(f"Only a lead says who does what: {', '.join(sorted(leads))}.")
            return
        from waypost.annotators.traverse.team_dialogs import (  # noqa: PLC0415 - when asked for
            TeamDialog,
        )

        dialog = TeamDialog(team, self._around.window)
        dialog.submitted.connect(lambda *given: self._put(dialog, *given))
        dialog.open()

    def _put(self, dialog: TeamDialog, people: tuple[Person, ...], share: float, seed: int) -> None:
        document = self._bench.document
        if document is None:
            return
        project = document.project
        asked = [p for key in project.agents for p in passages(project.graph, key)]
        try:
            team = with_people(project.team, people)
            if people or share:
                labels = {p: with_places(x, project.graph) for p, x in own_labels(project).items()}
                team = deal_second_labels(team, asked, labels, share, seed)
        except (EditError, InputError) as error:
            dialog.fail(str(error))
            return
        dialog.accept()
        document.edit("Change the team", with_team(project, team))
        count = len(team.doubles)
        told = f"{count:,} of {len(asked):,} passages are labelled by two"
        left = labels_without_author(team, asked, own_labels(project)) if share else ()
        self._around.say("; ".join(filter(None, (told, not_dealt_words(len(left))))) + ".")

    def _author(self, passage: Passage | None, side: int) -> str:
        entry = self._bench.project.team.doubles.get(passage) if passage is not None else None
        if entry is None:
            self._bench.refused.emit("One person labels this passage; there is nothing to decide.")
            return ""
        return entry.annotators[side]

    def _follow_annotator(self) -> None:
        annotator, before = self._bench.annotator, self._annotator
        self._annotator = annotator
        document = self._bench.document
        if document is None:
            return
        team = document.project.team
        if team.people:
            is_file = not document.store.is_on_server
            if is_file and team.viewer != annotator:
                document.author = annotator
                self._bench.reload()
        elif annotator != before:
            document.hand_over(annotator)
