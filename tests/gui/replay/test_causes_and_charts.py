"""Root causes and charts in the real window: keys, undo, blind marks, parts that open episodes."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
from chosen_chart import show_chart
from fixtures.replay_files import write_run
from gui.user import User
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QDialog, QLabel, QPushButton
from shown_parts import middle_of

from waypost.app.replay.causes.cause_axis import CauseAxis
from waypost.app.replay.causes.taxonomy_editor import TaxonomyEditor
from waypost.app.replay.workspace import ReplayWorkspace
from waypost.domain.causes.failure import CauseKey, CauseMark, set_mark
from waypost.domain.causes.replay_book import set_causes
from waypost.domain.episode.run_source import RunSource
from waypost.domain.replay.row_filter import RowFilter
from waypost.io.taxonomy_files import shipped_taxonomies
from waypost.viewers.charts.outcome_charts import ChartKind

pytestmark = pytest.mark.gui

WALKED = {"7_0": "ABABC", "7_1": "ABCDE", "7_2": "ABCDE"}
MME = shipped_taxonomies()["vln-mme"]


@pytest.fixture
def replay(user: User, house: Path, tmp_path: Path) -> ReplayWorkspace:
    """The Replay workspace with a run of three episodes, read."""
    user.open(house)
    folder = tmp_path / "run"
    folder.mkdir()
    files = write_run(folder, WALKED)
    user.press("Ctrl+5")
    made = user.window.replay
    name = made.desk.add(
        RunSource((files.results,), (files.annotations,), files.connectivity, name="gpt")
    )
    made.show_runs((name,))
    user.wait(lambda: name in made.chosen_runs and not made.desk.is_reading(name))
    user.wait(
        lambda: (rows := made.desk.rows(name)) is not None and len(tuple(rows.outcomes())) == 3
    )
    user.settle()
    return made


@pytest.fixture
def marking(user: User, replay: ReplayWorkspace) -> ReplayWorkspace:
    """The same at an episode that failed, with the keyboard in the panel of root causes."""
    replay.open_episode("7_1")
    user.wait(replay.has_episode)
    user.press("X")
    user.wait(replay.causes.panel.hasFocus)
    return replay


def key(user: User, analyst: str = "") -> CauseKey:
    return CauseKey("gpt", "7_1", analyst or user.window.bench.annotator, "vln-mme")


def mark(user: User, analyst: str = "") -> CauseMark | None:
    return user.project.replay.causes.marks.get(key(user, analyst))


def click_part(user: User, replay: ReplayWorkspace, title: str) -> None:
    """Click the middle of a part of the chart in front."""
    user.settle()
    view = replay.charts.view
    picture = view.picture
    assert picture is not None
    (index,) = [i for i, target in enumerate(picture.targets) if target.title == title]
    point = middle_of(view, index)
    user.click_widget(view, QPoint(round(point.x()), round(point.y())))


def said(replay: ReplayWorkspace) -> str:
    words = replay.causes.panel.findChildren(QLabel)
    return "\n".join(label.text() for label in words if label.isVisible())


def test_keys_mark_and_commands_of_the_same_keys_wait(user: User, marking: ReplayWorkspace) -> None:
    """1 changes the face, D seeks a deviation and S shows the step card everywhere else."""
    face, step = marking.face, marking.views.cursor.step
    user.press("1", "R", "S", "D")
    found = mark(user)
    assert found is not None
    assert found.choices == {
        "outcome": ("incorrect_navigation",),
        "behaviour": ("late_stop",),
        "cause": ("vertical_movement", "object_detection"),
    }
    assert found.marked_at is not None
    assert (marking.face, marking.views.cursor.step) == (face, step)
    assert marking.causes.panel.hasFocus()
    user.press("S")
    assert mark(user).choices["cause"] == ("object_detection",)
    user.press("Ctrl+Z")
    assert mark(user) == found


def test_a_key_shows_every_answer_once(
    user: User, marking: ReplayWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[str, ...]] = []
    plain = CauseAxis.set_answer

    def counted(axis: CauseAxis, chosen: tuple[str, ...], *rest: object) -> None:
        shown.append(chosen)
        plain(axis, chosen, *rest)

    monkeypatch.setattr(CauseAxis, "set_answer", counted)
    user.press("1")
    assert sorted(shown) == [(), (), ("incorrect_navigation",)]


def test_every_mark_is_saved_and_undone(user: User, marking: ReplayWorkspace) -> None:
    user.press("1", "Q")
    user.press("Right")
    step = marking.views.cursor.step
    user.click_widget(user.find(QPushButton, f"Wrong from step {step}"))
    marking.causes.panel.note.setFocus()
    user.type("took the second door 1")
    marking.causes.panel.setFocus()
    found = mark(user)
    assert (found.step, found.note) == (step, "took the second door 1")
    assert user.document.store.load().replay == user.project.replay
    while user.document.undo_stack.undoText() != "Add run gpt":
        user.press("Ctrl+Z")
    assert mark(user) is None
    assert user.document.store.load() == user.project


def test_a_pause_while_a_note_is_written_leaves_it_as_it_is(
    user: User, marking: ReplayWorkspace
) -> None:
    """What is kept has no blank at its end; the box keeps it, and the cursor stays behind it."""
    note = marking.causes.panel.note
    note.setFocus()
    user.type("took the ")
    user.wait(lambda: mark(user) is not None)
    assert mark(user).note == "took the"
    user.type("second door")
    assert note.toPlainText() == "took the second door"


def ben_marks(user: User) -> None:
    """Another analyst marks the same episode."""
    other = CauseMark(
        key(user, "ben"),
        1,
        MappingProxyType(
            {
                "outcome": ("incorrect_navigation",),
                "behaviour": ("looping",),
                "cause": ("instruction",),
            }
        ),
    )
    project = user.project
    causes = set_mark(project.replay.causes, MME, other)
    user.document.edit("Ben", replace(project, replay=set_causes(project.replay, causes)))
    user.settle()


def ask_for_everyones_marks(user: User) -> None:
    box = user.find(QCheckBox, "Everyone's marks")
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Space)
    user.settle()


def test_marks_are_blind_until_everyones_are_asked_for(
    user: User, marking: ReplayWorkspace
) -> None:
    ben_marks(user)
    assert "1 other analyst has marked this; hidden" in said(marking)
    user.press("1", "R", "F")
    assert "✓ Complete. 1 other analyst has marked this; hidden" in said(marking)
    assert "ben" not in said(marking)
    ask_for_everyones_marks(user)
    assert "= ben: Incorrect navigation" in said(marking)
    assert "≠ ben: Looping" in said(marking)
    assert "= ben: Unclear instruction" in said(marking)
    assert "no longer blind" in said(marking)
    ask_for_everyones_marks(user)
    assert "ben" not in said(marking)


def test_a_mark_remembers_whether_it_was_made_blind(user: User, marking: ReplayWorkspace) -> None:
    ben_marks(user)
    user.press("1")
    assert mark(user).is_blind is True
    ask_for_everyones_marks(user)
    marking.causes.panel.setFocus()
    user.press("R")
    assert mark(user).is_blind is False
    user.press("Ctrl+Z")
    assert mark(user).is_blind is True
    ask_for_everyones_marks(user)
    assert "you have seen others' marks" in said(marking)
    marking.causes.panel.setFocus()
    user.press("R")
    assert mark(user).is_blind is False


def test_charts_filter_and_table_are_as_blind_as_the_panel(
    user: User, marking: ReplayWorkspace
) -> None:
    ben_marks(user)
    user.press("1")
    marking.show_page("Step")
    marking.show_face("charts")
    charts, model = marking.charts, marking.table.model
    show_chart(charts, ChartKind.FLOW)
    user.wait(lambda: charts.isVisible() and charts.view.picture is not None)
    me = user.window.bench.annotator
    assert f"Counts your marks ({me}) in VLN-MME." in charts._explanation.text()
    assert targets_of(marking).isdisjoint({"Looping", "Unclear instruction"})
    assert model.table.count_causes() == {"Incorrect navigation": 1}
    show_chart(charts, ChartKind.AGREEMENT)
    user.settle()
    assert charts.view.picture is None
    assert "Everyone's marks" in charts._explanation.text()
    ask_for_everyones_marks(user)
    user.wait(lambda: charts.view.picture is not None)
    assert (
        f"everyone's marks ({', '.join(sorted((me, 'ben')))}) in VLN-MME."
        in charts._explanation.text()
    )
    assert set(model.table.count_causes()) == {
        "Incorrect navigation",
        "Looping",
        "Unclear instruction",
    }
    show_chart(charts, ChartKind.FLOW)
    user.wait(lambda: "Unclear instruction" in targets_of(marking))
    click_part(user, marking, "Unclear instruction")
    assert [row.episode_id for row in shown_rows(marking)] == ["7_1"]
    ask_for_everyones_marks(user)
    user.wait(lambda: "Unclear instruction" not in targets_of(marking))
    assert len(shown_rows(marking)) == 3
    assert model.table.count_causes() == {"Incorrect navigation": 1}


def test_another_analyst_starts_blind(user: User, marking: ReplayWorkspace) -> None:
    ben_marks(user)
    ask_for_everyones_marks(user)
    assert "ben: Looping" in said(marking)
    bench = user.window.bench
    bench.change_settings(replace(bench.settings, annotator="cleo"))
    user.settle()
    assert not marking.causes.sight.is_everyone
    assert "ben" not in said(marking)
    assert not user.find(QCheckBox, "Everyone's marks").isChecked()


def test_a_table_says_whose_causes_it_has(
    user: User, marking: ReplayWorkspace, tmp_path: Path
) -> None:
    ben_marks(user)
    user.press("1")
    me = user.window.bench.annotator
    file = tmp_path / "t.csv"

    def written() -> dict[str, str]:
        file.unlink(missing_ok=True)
        user.window.replay.sharing.write_table(file)
        user.wait(file.exists)
        with file.open(encoding="utf-8-sig", newline="") as stream:
            line = next(line for line in csv.DictReader(stream) if line["episode_id"] == "7_1")
        return {name: line[name] for name in ("causes", "causes_by")}

    assert written() == {"causes": "Incorrect navigation", "causes_by": me}
    ask_for_everyones_marks(user)
    assert written() == {
        "causes": "Incorrect navigation; Looping; Unclear instruction",
        "causes_by": f"everyone: {', '.join(sorted((me, 'ben')))}",
    }


def targets_of(replay: ReplayWorkspace) -> set[str]:
    picture = replay.charts.view.picture
    return set() if picture is None else {target.title for target in picture.targets}


def test_charts_follow_marks_and_open_episodes(user: User, marking: ReplayWorkspace) -> None:
    user.press("1", "R", "A")
    marking.show_face("charts")
    charts = marking.charts
    show_chart(charts, ChartKind.FLOW)
    user.wait(lambda: charts.isVisible() and charts.view.picture is not None)
    box = next(b for b in charts.findChildren(type(charts._choice)) if b.isVisible())
    box.setCurrentIndex(next(i for i in range(box.count()) if box.itemText(i).endswith("Cause")))
    user.settle()
    click_part(user, marking, "Region recognition")
    assert [row.episode_id for row in shown_rows(marking)] == ["7_1"]
    click_part(user, marking, "No cause set")
    assert [row.episode_id for row in shown_rows(marking)] == ["7_2"]
    show_chart(charts, ChartKind.LENGTH)
    user.settle()
    charts.view.setFocus()
    user.press("Home", "Return")
    assert [row.episode_id for row in shown_rows(marking)] == ["7_0", "7_1", "7_2"]


def test_the_table_is_filtered_by_a_root_cause(user: User, marking: ReplayWorkspace) -> None:
    assert marking.table.model.table.count_causes() == {}
    user.press("1", "R")
    counts = marking.table.model.table.count_causes()
    assert counts == {"Incorrect navigation": 1, "Late stop": 1}
    marking.table.model.set_filter(RowFilter(causes=frozenset({"Late stop"})))
    assert [row.episode_id for row in shown_rows(marking)] == ["7_1"]
    user.press("R")
    assert shown_rows(marking) == []


def shown_rows(replay: ReplayWorkspace) -> list:
    model = replay.table.model
    return [model.row_at(number) for number in range(model.rowCount())]


def test_a_taxonomy_is_copied_changed_and_marked_by(user: User, marking: ReplayWorkspace) -> None:
    user.press("1")
    user.click_widget(user.find(QPushButton, "Edit taxonomies"))
    user.wait(lambda: any(d.isVisible() for d in user.window.findChildren(QDialog)))
    editor = user.find(TaxonomyEditor)
    user.wait(editor.isActiveWindow)
    user.click_widget(user.find(QPushButton, "Copy", editor))
    user.click_widget(user.find(QPushButton, "Add category", editor))
    user.type("Fell asleep")
    user.press("Return")
    editor.entries.form.shortcut.setFocus()
    user.type("z")
    user.click_widget(editor.save)
    user.click_widget(user.find(QPushButton, "Close", editor))
    user.wait(lambda: not user.window.findChildren(TaxonomyEditor))
    (saved,) = user.project.replay.taxonomies.values()
    assert saved.version == 1
    assert [c.title for c in saved.axes[0].categories][-1] == "Fell asleep"
    user.take_keyboard()
    marking.causes.panel.setFocus()
    user.press("Z")
    own = user.project.replay.causes.marks[key(user)._replace(taxonomy=saved.key)]
    assert own.choices == {"outcome": ("fell_asleep",)}
    assert mark(user) is not None
