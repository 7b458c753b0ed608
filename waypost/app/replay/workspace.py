"""The Replay workspace: runs and their episodes at left, one episode in all its views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from waypost.app.replay.cause_marking import ReplayCauses
from waypost.app.replay.charts import RunCharts
from waypost.app.replay.compare import RunComparison
from waypost.app.replay.desk import OpenedRun, ReplayDesk
from waypost.app.replay.episode import EpisodeViews
from waypost.app.replay.faces import OF_THE_RUN, ReplayFaces
from waypost.app.replay.files import ReplayFiles
from waypost.app.replay.judged_runs import JudgedRuns
from waypost.app.replay.left_episode import ReplayPlace
from waypost.app.replay.mark_tally import MarkTally
from waypost.app.replay.mark_visibility import MarkVisibility
from waypost.app.replay.navmesh_offer import NavmeshOffer
from waypost.app.replay.opening import ReplayOpening
from waypost.app.replay.pictures import ReplayPictures
from waypost.app.replay.predicted_route import PredictedRoute
from waypost.app.replay.replay_header import FACES, face_action
from waypost.app.replay.run_choice import RunChoice
from waypost.app.replay.run_list import run_list_rows
from waypost.app.replay.scene import ReplayScene
from waypost.app.replay.sharing import ReplaySharing
from waypost.app.replay.table.episode_table import EpisodeTable
from waypost.app.shell.field_keys import FieldKeys
from waypost.app.shell.workspace import Surroundings, Workspace
from waypost.domain.base.visible_text import breakable, one_line, with_short_ids
from waypost.services.input.shortcuts import ShortcutMap
from waypost.services.pieces import Steps
from waypost.services.settings import Settings
from waypost.widgets.empty_state import EmptyState
from waypost.widgets.parts import column

_MOST_TITLE = 200
_INVITATION = (
    "Replay what an agent did",
    "Choose a file of results; its episodes and graphs are looked for beside it.",
    "Replay a run …",
)


class ReplayWorkspace(Workspace):
    """Chooses runs and episodes and lays out their views.

    Args:
        around: What it finds in its window.
    """

    def __init__(self, around: Surroundings) -> None:
        super().__init__(around)
        self._around, self._bench = around, around.bench
        self._leaves_table = self._has_run = False
        self._place = ReplayPlace(self)

    def make(self) -> Steps:
        """Make its parts in steps, of which none holds up the window for long."""
        around, bench, jobs = self._around, self._around.bench, self._around.jobs
        self.desk = ReplayDesk(bench, jobs, around.clock, self)
        self.files = ReplayFiles(bench, self.desk, jobs, around.data_folder, around.window)
        self.choice = RunChoice(self.desk, self)
        self.opening = ReplayOpening(self.desk, lambda: self.chosen_runs, self)
        yield
        self.views = EpisodeViews(self)
        yield
        self.views.add_pages()
        yield
        self.causes = ReplayCauses(self.desk, MarkVisibility(bench, self), self._step_at_hand, self)
        self.views.add_page("Causes", self.causes.panel, self.causes.show)
        self.judged = JudgedRuns(bench, self.desk, self.views, self.causes, self)
        self.route = PredictedRoute(bench, self.causes, self)
        yield
        self.scene = ReplayScene(bench, around.stage, self.views.cursor, around.engine.camera, self)
        self.pictures = ReplayPictures(
            bench, self.desk, jobs, lambda run: self.scene.can_show(run.shown.replay), self
        )
        self.comparison = RunComparison(self.views.cursor, self)
        yield
        yield from self._make_tables()
        self.sharing = ReplaySharing(bench, self, jobs, around.window)
        self._connect()
        self._mind_files(around)
        self._set_theme(bench.settings)
        yield
        # A project may be open already.
        self._document = bench.document
        self._on_runs()

    def _make_tables(self) -> Steps:
        """What shows the whole run, and the faces, which one of the tables is."""
        self.table = EpisodeTable()
        yield
        self.wide_table = EpisodeTable(model=self.table.model)
        self.table.set_compact(True)
        self.offer = NavmeshOffer(self.desk)
        table_face = _padded(self.offer, self.wide_table)
        self.empty = EmptyState(table_face)
        FieldKeys((table_face,), self._around.middle, self._around.bench.document_left)
        yield
        self.run_charts = RunCharts(
            self.desk, self.causes, lambda: self.chosen_runs, self.table, self._around.jobs, self
        )
        self.charts = self.run_charts.view
        self.run_charts.face.setFocusProxy(self.charts.view)
        yield
        self.tally = MarkTally(
            self.desk, self.causes, self.table.model,
            lambda: next(iter(self.chosen_runs), ""), self,
        )  # fmt: skip
        self.runs = self.choice.list
        self.left, self.right = column(self.runs, self.table), self.views.right
        shown = {
            "table": table_face,
            "charts": _padded(self.run_charts.face),
            "map": self.views.map,
            "compare": self.comparison.face,
        }
        self.faces = ReplayFaces(
            self._around.middle, self._around.below, self.views, self.scene, shown, self.table, self
        )
        yield

    @property
    def face(self) -> str:
        """What fills the middle; a key of ``replay_header.FACES``."""
        return self.faces.face

    @property
    def chosen_runs(self) -> tuple[str, ...]:
        """Names of the chosen runs, the leading one first."""
        return self.choice.names

    def has_run(self) -> bool:
        """Whether a run is chosen; asked for many actions at every key."""
        return self._has_run

    def has_episode(self) -> bool:
        """Whether an episode is replayed."""
        return self.views.run is not None

    def activate(self) -> None:
        """Take over middle and strip below."""
        self.faces.is_active = True
        self._around.stage.set_hint("")
        self.refresh()
        self.show_face(self.face)

    def deactivate(self) -> None:
        """Let go of them; playing ends."""
        self.faces.is_active = False
        self.views.cursor.pause()
        self.scene.hide()
        self._around.middle.show_parts()
        self._around.below.show_part(None)

    def place(self) -> dict[str, Any]:
        """The runs, the episode and the step at hand."""
        return self._place.values()

    def go_to_place(self, place: Mapping[str, Any]) -> None:
        """Choose the runs again, and replay the episode as soon as it is read."""
        self._place.go(place)

    def show_runs(self, names: Sequence[str]) -> None:
        """Choose runs, and read those that have not been read."""
        self._place.drop()
        self.choice.set(names)
        self._on_runs_chosen()

    def remove_run(self) -> None:
        """Take the chosen runs out of the project; their files stay."""
        for name in self.chosen_runs:
            self.desk.remove(name)

    def show_face(self, face: str) -> None:
        """Show the overview, the map, the scene, the agent's eyes or the runs side by side."""
        self.faces.show(face)

    def show_page(self, title: str) -> None:
        """Turn to a page at right."""
        self.views.show_page(title)

    def open_episode(self, episode_id: str, attempt: int = 1) -> None:
        """Replay an episode of the chosen runs; from table and charts it goes to the map."""
        self._leaves_table = self.face in OF_THE_RUN
        self.browse(episode_id, attempt)
        if self._leaves_table and self.opening.is_there:
            self._leaves_table = False
            self.show_face("map")

    def step_episode(self, places: int) -> None:
        """Replay the next episode of the table as it is sorted and filtered, or the one before."""
        model, row = self.table.model, self.table.chosen
        here = model.number_of(*row.key) if row else None
        number = places + here if here is not None else 0
        wanted = model.row_at(min(max(number, 0), model.rowCount() - 1))
        if wanted is not None and wanted is not row:
            self.browse(*wanted.key)

    def open_next_unmarked(self) -> None:
        """Replay the next failure that whoever looks has not marked; say so if there is none."""
        row, here = self.tally.next_unmarked(self.opening.key), self.opening.key
        if row is None or row.key == here:
            self._around.say(
                self.tally.told_of_none() if row is None else "It is the last one unmarked."
            )
        else:
            self.browse(*row.key)

    def focus_search(self) -> None:
        """Go to the search field of the episodes."""
        table = self.wide_table if self.face == "table" else self.table
        table.focus_search()

    def step_storey(self, places: int) -> bool:
        """Show another storey of the map; whether the map is what is shown."""
        if self.face == "map":
            self.views.map.step_storey(places)
        return self.face == "map"

    def frame_selected(self) -> None:
        """Bring the whole path into view."""
        if self.face == "map":
            self.views.map.fit()
        else:
            self.scene.frame()

    def go_to_item(self, key: str) -> None:
        """Replay the episode of an id."""
        self.table.go_to(key)

    def search_items(self) -> bool:
        """Ask for an episode by its id."""
        self.focus_search()
        return True

    def set_keys(self, shortcuts: ShortcutMap) -> None:
        """Write the keys in force on the controls."""
        keys = shortcuts.keys()
        faces = {face: keys[face_action(face)] for face in FACES}
        self.views.set_keys(faces, keys["replay.play"], keys["replay.fold_curves"])
        self.causes.panel.set_next_key(keys["replay.next_unmarked"])

    def is_moving(self) -> bool:
        """Whether a replay is played."""
        return self.views.cursor.is_playing

    def close(self) -> None:
        """End all loading."""
        self.views.close()
        self.comparison.close()

    def focus_causes(self) -> None:
        """Turn to the root causes, whose own keys act then."""
        self.views.show_page("Causes")
        self.causes.panel.setFocus()

    def refresh(self, *_: object) -> None:
        """Show the runs of the project and what is read of those chosen."""
        self.runs.set_rows(run_list_rows(self.desk))
        names = self.chosen_runs
        self._has_run = bool(names)
        rows = tuple(rows for name in names if (rows := self.desk.rows(name)) is not None)
        self.table.set_runs(rows)
        self.offer.show_runs(names)
        self.run_charts.refresh()
        self.tally.refresh()
        self.causes.show()
        self.opening.follow()
        self._place.follow()
        self._show_header()
        self._invite()

    def _connect(self) -> None:
        desk, views = self.desk, self.views
        desk.runs_changed.connect(self._on_runs)
        self._bench.settings_changed.connect(self._set_theme)
        self.judged.scores_changed.connect(self.refresh)
        for shown in (views.map, self.comparison.map, self.scene):
            self.route.marked.connect(shown.set_edge_marks)
        desk.rows_changed.connect(self.refresh)
        self.opening.opened.connect(self._on_opened)
        self.opening.failed.connect(self._on_episode_failed)
        self.opening.lost.connect(self._clear_episode)
        self.judged.causes_changed.connect(self.run_charts.refresh)
        self.judged.causes_changed.connect(self.tally.refresh)
        self.causes.panel.next_wanted.connect(self.open_next_unmarked)
        # The window gives the new scene to the stage in the same moment, after this.
        self._bench.scene_replaced.connect(lambda: QTimer.singleShot(0, self, self._on_scene))
        self.choice.changed.connect(self._on_runs_chosen)
        self.comparison.lead_wanted.connect(self.choice.lead)
        for telling in (self.choice, self.comparison):
            telling.refused.connect(self._bench.refused)
        for table in (self.table, self.wide_table):
            table.attempt_chosen.connect(self.browse)
            table.entered.connect(self.open_episode)
        views.header.face_chosen.connect(self.show_face)
        self.faces.shown.connect(self._on_face)

    def _on_face(self, face: str) -> None:
        self.choice.set_bounded(is_bounded=face != "table")
        self.comparison.catch_up()
        self.run_charts.refresh()

    def _mind_files(self, around: Surroundings) -> None:
        def show(names: tuple[str, ...]) -> None:
            around.show(self)
            self.show_runs(names)

        for files in (self.files, self.sharing):
            files.told.connect(around.say)
        self.files.added.connect(show)
        self.empty.action_chosen.connect(self.files.ask_file)

    def _set_theme(self, settings: Settings) -> None:
        self.views.set_theme(dark=settings.theme == "dark")

    def _on_runs(self) -> None:
        if self._bench.document is not self._document:
            self._document = self._bench.document
            self._place.drop()
            self.choice.set(())
            self._clear_episode()
        if not self.chosen_runs:
            self.choice.set(self.desk.names[:1])
        self._on_runs_chosen()

    def _on_runs_chosen(self, *_: object) -> None:
        for name in self.chosen_runs:
            self.desk.read(name)
        self.refresh()

    def browse(self, episode_id: str, attempt: int = 1) -> None:
        """Show an episode beside whatever is shown; one that is at hand stays as it is."""
        self._place.drop((episode_id, attempt))
        self._mark_row(episode_id, attempt)
        self.opening.ask(episode_id, attempt)

    def _on_opened(self, opened: tuple[OpenedRun, ...]) -> None:
        opened = self.judged.take(opened)
        run = opened[0]
        self._mark_row(*(self.opening.key or ()))
        background = self._bench.prepared if self.scene.can_show(run.shown.replay) else None
        self.views.show_run(run, background, self.comparison.step_of(run))
        self.pictures.give(self.views.strip, run)
        self.comparison.set_runs(opened, background, self.pictures.give, self.route.told_of)
        self.route.show_runs(opened)
        self._show_header()
        face = self._place.arrive(run) or ("map" if self._leaves_table else self.face)
        self.show_face(face)
        self._leaves_table = False

    def _on_scene(self) -> None:
        """Show the episode in the scene that has come, or without the one that has gone."""
        if self.has_episode():
            self._on_opened(self.judged.opened)

    def _clear_episode(self) -> None:
        self.opening.forget()
        self.judged.take(())
        self.views.show_run(None)
        self.route.show_runs(())
        self.comparison.set_runs((), None, self.pictures.give)
        self._mark_row()
        self.show_face("table")

    def _on_episode_failed(self) -> None:
        self._leaves_table = False
        self._mark_row(*(self.opening.key or ()))

    def _mark_row(self, episode_id: str = "", attempt: int = 1) -> None:
        for table in (self.table, self.wide_table):
            table.set_chosen(episode_id, attempt)

    def _step_at_hand(self) -> int | None:
        return self.views.cursor.step if self.has_episode() else None

    def _show_header(self) -> None:
        run = self.views.run
        title = _title_of(run) if run else ", ".join(self.chosen_runs) or "No run is chosen"
        told = run.shown.replay.episode.instruction.text if run else ""
        self.views.header.set_content(title, told)
        scene_id = run.shown.replay.episode.scene_id if run else ""
        self.comparison.set_lacking(self.choice.lacking(*run.key, scene_id) if run else ())

    def _invite(self) -> None:
        is_open = self._bench.document is not None
        invitation = _invitation(self.desk, self.chosen_runs) if is_open else ("",)
        self.empty.invite(*invitation)
        self.table.set_absence(*(invitation[:2] if self.desk.names else ()))
        self.wide_table.set_absence(is_said_around=bool(invitation[0]))


def _invitation(desk: ReplayDesk, chosen: Sequence[str]) -> tuple[str, ...]:
    """Title, text and button where the table has nothing to show; an empty title for none."""
    if not desk.names:
        return _INVITATION
    failures = [failure for name in chosen if (failure := desk.failure(name))]
    if not failures or any(desk.rows(name) is not None for name in chosen):
        return ("",)
    told = f"{breakable(failures[0])}. Open its results again with what belongs to them."
    return "This run cannot be read", told, _INVITATION[-1]


def _title_of(run: OpenedRun) -> str:
    """Episode first: a long name of a run may be cut."""
    episode = run.shown.replay.episode
    which = f", {run.which}" if run.which else ""
    parts = (f"{episode.episode_id}{which}", run.name, episode.scene_id)
    return with_short_ids(one_line(" · ".join(part for part in parts if part), _MOST_TITLE))


def _padded(*contents: QWidget) -> QWidget:
    page = QWidget()
    layout = QVBoxLayout(page)
    layout.setContentsMargins(10, 8, 10, 8)
    for content in contents:
        layout.addWidget(content)
    page.setFocusProxy(contents[-1])
    return page
