"""What analysts say about the episode at hand: the question, its answer, and what comes of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from waypost.app.replay.causes.cause_panel import CausePanel
from waypost.app.replay.causes.cause_question import CauseQuestion, EdgeQuestion
from waypost.app.replay.causes.taxonomy_editor import TaxonomyEditor, TaxonomyFileDialogs
from waypost.app.replay.desk import OpenedRun, ReplayDesk
from waypost.app.replay.mark_visibility import MarkVisibility
from waypost.domain.causes.blind_marks import blind_after, blind_by_episode, signed_mark
from waypost.domain.causes.failure import (
    CauseKey,
    CauseMark,
    Taxonomy,
    carried_mark,
    clear_mark,
    set_mark,
    toggle_choice,
)
from waypost.domain.causes.mark_progress import NO_PROGRESS, MarkProgress
from waypost.domain.causes.proposal import FailureTag, Proposal, proposals
from waypost.domain.causes.replay_book import (
    EdgeVerdict,
    EdgeVerdictKey,
    ReplayBook,
    RouteVerdict,
    chosen_titles,
    clear_edge_verdict,
    known_taxonomies,
    remove_taxonomy,
    save_taxonomy,
    set_causes,
    set_edge_verdict,
    with_mark,
)
from waypost.domain.replay.charts import failing_tags
from waypost.domain.replay.tags import TAG_TITLES
from waypost.io.taxonomy_files import shipped_taxonomies
from waypost.metrics.analyst_agreement import (
    Agreement,
    reason_agreement,
    taxonomy_agreement,
    verdict_agreement,
)
from waypost.tables.episode_table import EpisodeCauses
from waypost.viewers.charts.outcome_charts import ChartedAxis

_TOML = "Taxonomies (*.toml)"


class ReplayCauses(QObject):
    """Connects the panel of root causes with the project.

    Args:
        desk: Changes the book.
        sight: Who marks now, and whose marks are seen.
        step: The step under the cursor, ``None`` without an episode.
        parent: Qt owner.
    """

    def __init__(
        self,
        desk: ReplayDesk,
        sight: MarkVisibility,
        step: Callable[[], int | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk, self.sight, self._step = desk, sight, step
        self._shipped = shipped_taxonomies()
        self._taxonomy = next(iter(self._shipped))
        self._run: OpenedRun | None = None
        self._edges: tuple[EdgeQuestion, ...] = ()
        self._route_told = ""
        self._doubtful: tuple[CauseKey, str, str] | None = None
        """Mark, axis and category that wait, because the episode succeeded."""

        self.progress_of: Callable[[str], MarkProgress] = lambda _: NO_PROGRESS
        """Gives how far who marks has come with a run."""

        self.panel = panel = CausePanel()
        panel.choice_toggled.connect(self._choose)
        panel.proposal_taken.connect(self._take_proposal)
        panel.doubt_answered.connect(self._answer_doubt)
        panel.note_changed.connect(self._set_note)
        panel.step_set.connect(self._set_step)
        panel.cleared.connect(self._clear)
        panel.taxonomy_chosen.connect(self.choose_taxonomy)
        panel.editing_wanted.connect(self.edit_taxonomies)
        panel.edge_verdict_chosen.connect(self._set_verdict)
        panel.switch.asked.connect(lambda is_on: sight.show_everyone(is_on=is_on))
        sight.changed.connect(self._on_sight)

    @property
    def taxonomy(self) -> Taxonomy:
        """What marks are made by, in its newest version."""
        known = known_taxonomies(self._desk.book, self._shipped)
        return known.get(self._taxonomy) or next(iter(known.values()))

    def choose_taxonomy(self, key: str) -> None:
        """Mark by another taxonomy."""
        self._taxonomy = key
        self.show()

    def prefer(self, key: str) -> None:
        """Mark by the taxonomy of a kind of runs until another is chosen; empty: the first."""
        self._taxonomy = key if key in self._shipped else next(iter(self._shipped))

    def show_run(
        self, run: OpenedRun | None, edges: tuple[EdgeQuestion, ...] = (), route_told: str = ""
    ) -> None:
        """Ask about another run or episode.

        Args:
            run: The run.
            edges: Of a predicted route.
            route_told: What is to be read beside them.
        """
        self.panel.report_note()
        self._doubtful = None
        self._run, self._edges, self._route_told = run, edges, route_told
        self.show()

    def show(self) -> None:
        """Show the question as it is answered now, and the step under the cursor."""
        self.panel.show_question(self._question())
        self.panel.set_step(self._step())

    def axes(self, run: str) -> tuple[ChartedAxis, ...]:
        """What is seen of what was set in a run, an entry per axis of the taxonomy at hand."""
        book, taxonomy, counted = self._desk.book, self.taxonomy, self.sight.counted
        return tuple(
            ChartedAxis(
                f"{taxonomy.title}: {axis.title}",
                chosen_titles(book, self._shipped, run, taxonomy.key, axis.key, counted),
            )
            for axis in taxonomy.axes
        )

    def whose(self, run: str) -> str:
        """Whose marks on a run are seen, and in which taxonomy."""
        marked = {k.analyst for k in self._desk.book.causes.marks if self._is_of(k, run)}
        return f"{self.sight.told(marked)} in {self.taxonomy.title}"

    def of_episodes(self, run: str) -> EpisodeCauses:
        """What is seen of what was set in a run, as files say it."""
        titles: dict[str, tuple[str, ...]] = {}
        for axis in self.axes(run):
            for episode_id, chosen in axis.causes.items():
                titles[episode_id] = (*titles.get(episode_id, ()), *chosen)
        who = self.sight.counted
        marks = [
            mark
            for key, mark in self._desk.book.causes.marks.items()
            if self._is_of(key, run) and who in {None, key.analyst}
        ]
        names = sorted({mark.key.analyst for mark in marks})
        by = f"everyone: {', '.join(names)}" if names and who is None else "".join(names)
        return EpisodeCauses(titles, by, blind_by_episode(marks))

    def agreements(self, run: str) -> tuple[Agreement, ...] | None:
        """How far analysts agree about a run, under the taxonomy at hand.

        ``None`` for one who sees only own marks.
        """
        if not self.sight.is_everyone:
            return None
        book = self._desk.book
        found = taxonomy_agreement(book.causes.marks.values(), self.taxonomy, run)
        verdicts = book.edge_verdicts.values()
        others = verdict_agreement(verdicts, run), reason_agreement(verdicts, run)
        return (*found, *(row for row in others if row is not None))

    def edit_taxonomies(self) -> None:
        """Open the editor of taxonomies."""
        window = self.panel.window()
        editor = TaxonomyEditor(_asking(window), window)
        self._fill(editor)
        editor.taxonomy_saved.connect(lambda taxonomy: self._save(editor, taxonomy))
        editor.taxonomy_removed.connect(lambda key: self._remove(editor, key))
        editor.finished.connect(editor.deleteLater)
        editor.open()

    def _is_of(self, key: CauseKey, run: str) -> bool:
        return (key.run, key.taxonomy) == (run, self.taxonomy.key)

    def _question(self) -> CauseQuestion | None:
        if self._run is None:
            return None
        taxonomy, book = self.taxonomy, self._desk.book
        key = self._key(self._run)
        marks = book.causes.of(key.run, key.episode_id, taxonomy.key)
        others = tuple(mark for mark in marks if mark.key.analyst != key.analyst)
        is_seen = self.sight.is_everyone
        known = known_taxonomies(book, self._shipped)
        return CauseQuestion(
            key,
            taxonomy,
            book.causes.marks.get(key),
            others if is_seen else (),
            tuple((own, entry.title) for own, entry in known.items()),
            tuple(self._judged(edge) for edge in self._edges),
            self._route_told,
            0 if is_seen else len(others),
            self._proposals(self._run),
            self._shared(self._run),
            self._doubtful_title(key),
            self.progress_of(key.run),
        )

    def _proposals(self, run: OpenedRun) -> Mapping[str, Proposal]:
        """What computed tags say of a run that did not succeed."""
        if run.shown.is_success is not False:
            return {}
        found = failing_tags(run.shown.tags)
        tags = [FailureTag(tag.kind.value, TAG_TITLES[tag.kind], tag.step) for tag in found]
        return proposals(self.taxonomy, tags)

    def _shared(self, run: OpenedRun) -> CauseMark | None:
        """The own mark on the episode of a take, as long as the take has none."""
        key, marks = self._key(run), self._desk.book.causes.marks
        of_episode = key._replace(episode_id=run.shown.replay.episode.episode_id)
        return None if key in marks or of_episode == key else marks.get(of_episode)

    def _doubtful_title(self, key: CauseKey) -> str:
        if self._doubtful is None or self._doubtful[0] != key:
            return ""
        _, axis_key, category_key = self._doubtful
        axis = self.taxonomy.axis(axis_key)
        category = None if axis is None else axis.category(category_key)
        return "" if category is None else category.title

    def _judged(self, edge: EdgeQuestion) -> EdgeQuestion:
        run, me = self._run, self.sight.analyst
        if run is None:
            return edge
        given = [
            verdict
            for verdict in self._desk.book.verdicts_of(run.name, _episode(run))
            if verdict.key[2:4] == (edge.from_id, edge.to_id)
        ]
        own = next((v.verdict for v in given if v.key.analyst == me), None)
        others = tuple(v for v in given if v.key.analyst != me and self.sight.is_everyone)
        return dataclasses.replace(edge, verdict=own, others=others)

    def _key(self, run: OpenedRun) -> CauseKey:
        return CauseKey(run.name, _episode(run), self.sight.analyst, self.taxonomy.key)

    def _choose(self, axis: str, category: str) -> None:
        """Set an answer; of a success only once that is said to be meant."""
        run = self._run
        if run is None:
            return
        key = self._key(run)
        mark = self._desk.book.causes.marks.get(key)
        if run.shown.is_success and not (mark and mark.choices):
            self._doubtful = key, axis, category
            self.show()
        else:
            self._toggle(key, axis, category)

    def _answer_doubt(self, is_meant: bool) -> None:
        doubtful, self._doubtful = self._doubtful, None
        if doubtful is not None and is_meant:
            self._toggle(*doubtful)
        else:
            self.show()

    def _take_proposal(self) -> None:
        """Take a mark that was shared, or mark what is proposed on axes without an answer."""
        question, taxonomy = self._question(), self.taxonomy
        if question is not None and question.shared is not None:
            own = dataclasses.replace(question.shared, key=question.key)
            self._change("Take the mark of the episode", lambda book, _: with_mark(book, own))
            return
        if question is None or not question.proposed:
            return
        key, proposed = question.key, question.proposed

        def edit(book: ReplayBook, now: datetime) -> ReplayBook:
            earlier = book.causes.marks.get(key)
            mark = earlier or CauseMark(key, taxonomy.version, MappingProxyType({}))
            mark = carried_mark(mark, taxonomy)
            taken = {axis: (each.category,) for axis, each in proposed.items()}
            mark = dataclasses.replace(mark, choices=MappingProxyType({**mark.choices, **taken}))
            mark = signed_mark(mark, earlier, now, has_seen=self.sight.has_seen)
            return set_causes(book, set_mark(book.causes, taxonomy, mark))

        self._change("Take the proposed root cause", edit)

    def _toggle(self, key: CauseKey, axis: str, category: str) -> None:
        taxonomy = self.taxonomy

        def edit(book: ReplayBook, now: datetime) -> ReplayBook:
            causes = toggle_choice(book.causes, taxonomy, key, axis, category)
            earlier, has_seen = book.causes.marks.get(key), self.sight.has_seen
            mark = signed_mark(causes.marks[key], earlier, now, has_seen=has_seen)
            return set_causes(book, set_mark(causes, taxonomy, mark))

        self._change("Mark root cause", edit)

    def _set_note(self, key: CauseKey, note: str) -> None:
        self._amend(key, "Note on root cause", lambda mark: dataclasses.replace(mark, note=note))

    def _set_step(self, step: int | None) -> None:
        if self._run is not None:
            self._amend(
                self._key(self._run),
                "Set the step it went wrong",
                lambda mark: dataclasses.replace(mark, step=step),
            )

    def _amend(self, key: CauseKey, text: str, change: Callable[[CauseMark], CauseMark]) -> None:
        taxonomy = known_taxonomies(self._desk.book, self._shipped).get(key.taxonomy)
        if taxonomy is None:
            return

        def edit(book: ReplayBook, now: datetime) -> ReplayBook:
            stored = book.causes.marks.get(key)
            earlier = None if stored is None else carried_mark(stored, taxonomy)
            mark = change(earlier or CauseMark(key, taxonomy.version, MappingProxyType({})))
            mark = signed_mark(mark, earlier, now, has_seen=self.sight.has_seen)
            return set_causes(book, set_mark(book.causes, taxonomy, mark))

        self._change(text, edit)

    def _clear(self) -> None:
        if self._run is not None:
            key = self._key(self._run)
            self._change(
                "Clear root cause",
                lambda book, _: set_causes(book, clear_mark(book.causes, key)),
            )

    def _set_verdict(self, from_id: str, to_id: str, verdict: RouteVerdict | None) -> None:
        run = self._run
        if run is None:
            return
        key = EdgeVerdictKey(run.name, _episode(run), from_id, to_id, self.sight.analyst)

        def edit(book: ReplayBook, now: datetime) -> ReplayBook:
            if verdict is None:
                return clear_edge_verdict(book, key)
            is_blind = blind_after(book.edge_verdicts.get(key), has_seen=self.sight.has_seen)
            given = EdgeVerdict(key, verdict, marked_at=now, is_blind=is_blind)
            return set_edge_verdict(book, given)

        self._change("Judge an edge of the route", edit)

    def _change(self, text: str, edit: Callable[[ReplayBook, datetime], ReplayBook]) -> None:
        before = self._desk.book
        self._desk.change(text, edit)
        # A changed book has been shown by now, as one that somebody else changes.
        if self._desk.book is before:
            self.show()

    def _on_sight(self) -> None:
        self.panel.report_note()
        sight = self.sight
        self.panel.switch.set_everyone(is_on=sight.is_everyone, has_seen=sight.has_seen)
        self.show()

    def _fill(self, editor: TaxonomyEditor) -> None:
        known = known_taxonomies(self._desk.book, self._shipped)
        editor.set_taxonomies(known, self._shipped, self.taxonomy.key)

    def _save(self, editor: TaxonomyEditor, taxonomy: Taxonomy) -> None:
        is_saved = self._desk.change(
            f"Save taxonomy {taxonomy.title}",
            lambda book, _: save_taxonomy(book, taxonomy, self._shipped),
        )
        if is_saved:
            self._taxonomy = taxonomy.key
        self._fill(editor)
        self.show()

    def _remove(self, editor: TaxonomyEditor, key: str) -> None:
        self._desk.change("Remove taxonomy", lambda book, _: remove_taxonomy(book, key))
        self._fill(editor)
        self.show()


def _episode(run: OpenedRun) -> str:
    return run.shown.chart_id


def _asking(window: QWidget) -> TaxonomyFileDialogs:
    return TaxonomyFileDialogs(
        lambda: QFileDialog.getOpenFileName(window, "Import a taxonomy", "", _TOML)[0],
        lambda name: QFileDialog.getSaveFileName(window, "Export the taxonomy", name, _TOML)[0],
    )
