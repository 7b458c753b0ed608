"""The coordinator's side of a study in the real window: rules, scenes, graphs, consent, export."""

from __future__ import annotations

import json
import math
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cut_text import cut_texts
from fixtures.recorded_takes import THERE, write_r2r, write_walk
from fixtures.study_examples import LATER
from gui import participants
from gui.house import write_house
from gui.studies import CODE, NEWCOMER, write_study
from gui.user import User
from patience import PATIENCE_MS
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QScrollArea
from worlds.box_scenes import box, scene

from tools.scene_files.write_glb import write_glb
from waypost.app.record import study_desk, study_files
from waypost.app.record.consent_dialog import ConsentDialog
from waypost.app.record.export_dialog import ExportDialog, ExportSettings
from waypost.app.record.new_study_dialog import NewStudyDialog
from waypost.app.record.session.participant_session import ParticipantSession
from waypost.app.record.study_rows import (
    episode_rows,
    participant_facts,
    participant_rows,
    study_facts,
)
from waypost.app.record.take_recorder import TakePhase
from waypost.documents.save_state import SaveKind
from waypost.domain.base.errors import EditError
from waypost.domain.base.progress import Progress, Work
from waypost.domain.record.study import Study, Take, assignments_of
from waypost.domain.record.study_edits import begin_episode, finish_episode
from waypost.domain.record.take_rules import Feedback, Question, TakeRules
from waypost.io.recordings.read_recording import read_recording
from waypost.io.recordings.take_frames import frames_folder, write_frame
from waypost.services.study import export as study_export
from waypost.services.study.episodes import StudyEpisodes
from waypost.services.study.takes import take_of_file
from waypost.store import project_database
from waypost.store.project_store import ProjectStore
from waypost.widgets.facts_table import Fact

pytestmark = [pytest.mark.gui, pytest.mark.conformance]


@pytest.fixture
def empty(user: User, tmp_path: Path) -> User:
    """Somebody at the Record workspace of a house without a study."""
    user.open(write_house(tmp_path / "house"))
    user.press("Ctrl+3")
    return user


@pytest.fixture
def coordinator(user: User, tmp_path: Path) -> User:
    """Somebody at the Record workspace of a study."""
    user.open(write_study(tmp_path / "house"))
    user.press("Ctrl+3")
    user.wait_for_engine()
    return user


def study(user: User) -> Study:
    return user.project.study


def session(user: User) -> ParticipantSession:
    return user.window.record.session


def page(user: User) -> tuple[str, str]:
    shown = session(user).card.page
    return (shown.title, shown.text) if shown else ("", "")


def facts(user: User, name: str) -> str:
    """What the coordinator's panel says of the study."""
    return next(fact.found for fact in study_facts(study(user)) if fact.name == name)


def ask_new(user: User) -> NewStudyDialog:
    user.click_widget(user.find(QPushButton, "New study from an episode file"))
    dialog = user.window.findChild(NewStudyDialog)
    assert dialog is not None
    dialog.consent.setPlainText("I agree.")
    return dialog


def take_the_keyboard(user: User) -> None:
    """Where no window manager gives the keyboard back after a dialog."""
    user.window.activateWindow()
    handle = user.window.windowHandle()
    user.wait(lambda: QApplication.focusWindow() is handle)


def begin(user: User, code: str) -> None:
    take_the_keyboard(user)
    participants.begin(user, code)


def choose(user: User, code: str, place: int) -> None:
    record = user.window.record
    record.people.set_selected([code])
    record.refresh()
    record.episodes.set_selected([str(place)])
    record.refresh()


def drive(user: User, code: str, seconds: float = 0.5) -> Take:
    """Take the next episode of a participant, a little forward."""
    begin(user, code)
    if page(user)[0].startswith("Do you agree"):
        participants.press(user, "Space")
    user.wait(lambda: session(user).has_next)
    before = len(study(user).takes)
    participants.press(user, "Space")
    user.wait(lambda: session(user).recorder.phase is TakePhase.RECORDING)
    user.hold("W")
    user.wait(lambda: session(user).recorder.time_ns > seconds * 1e9)
    user.release("W")
    participants.stop(user)
    user.wait(lambda: page(user)[0] in {"A few questions", "Stopped"})
    if page(user)[0] == "A few questions":
        user.click_widget(session(user).card.secondary)
    assert len(study(user).takes) == before + 1
    take = list(study(user).takes.values())[-1]
    session(user).leave()
    user.settle()
    return take


def add_participant(user: User) -> str:
    user.click_widget(user.find(QPushButton, "Add a participant"))
    return list(study(user).participants)[-1]


def test_episodes_of_viewpoints_begin_where_the_graph_says(empty: User, tmp_path: Path) -> None:
    episodes = write_r2r(tmp_path, ["house"], paths=(THERE, THERE[:2]))
    dialog = ask_new(empty)
    dialog.path.setText(str(episodes))
    # The graphs are found beside the episodes.
    empty.wait(lambda: dialog.connectivity.path == str(tmp_path / "connectivity"))
    assert dialog.make.isEnabled()
    dialog.connectivity.line.clear()
    assert "2 episodes name viewpoints only" in dialog._fields["connectivity_path"].problem
    assert not dialog.make.isEnabled()
    dialog.connectivity.line.setText(str(tmp_path / "connectivity"))
    assert dialog._fields["connectivity_path"].problem == ""
    dialog.split.setCurrentIndex(dialog.split.findData("val_unseen"))
    dialog.make.click()
    empty.wait(empty.window.record.has_study)
    rules = study(empty).rules
    assert rules is not None
    assert rules.connectivity_path == "../connectivity"
    code = add_participant(empty)

    empty.open(tmp_path / "house" / "house.waypost")
    empty.wait_for_engine()
    take_the_keyboard(empty)
    take = drive(empty, code)
    recording = read_recording(empty.window.record.desk.root / take.path)
    assert recording.trajectory.positions_m[0] == pytest.approx((0.0, 0.0, 0.0), abs=0.01)
    assert recording.trajectory.yaws_rad[0] == pytest.approx(0.0, abs=math.radians(0.1))
    assert take.scores["r2r.NE"] == pytest.approx(4.0)
    episode = empty.window.record.desk.episode(take.key.assignment.episode)
    assert episode is not None
    assert episode.reference.positions_m is not None
    assert episode.reference.positions_m.tolist() == [[0, 0, 0], [2, 0, 0], [2, 2, 0]]

    drive(empty, code)
    out = tmp_path / "out"
    empty.window.record.files.export(ExportSettings(str(out), ("r2r", "vlnce-r2r"), 0))
    empty.wait(lambda: "1 take exported" in empty.message())
    assert "Left out: 1 training" in empty.message()
    (entry,) = json.loads((out / "submissions" / "all_r2r.json").read_text())
    assert [name for name, _, _ in entry["trajectory"]] == ["va"]
    (path,) = json.loads((out / "submissions" / "all_vlnce-r2r.json").read_text()).values()
    # Habitat: Y up, and R2R's east is a quarter turn clockwise from −Z.
    assert path[0]["position"] == pytest.approx([0.0, 0.0, 0.0], abs=0.01)
    assert path[0]["heading"] == pytest.approx(3 * math.pi / 2, abs=0.01)
    assert path[-1]["stop"] is True


def test_episodes_of_other_scenes_are_driven_there(empty: User, tmp_path: Path) -> None:
    episodes = write_r2r(tmp_path, ["house", "annex", "barn"])
    scenes = tmp_path / "scenes"
    scenes.mkdir()
    write_glb(scene(box("floor", (-5.0, -5.0, -0.1), (5.0, 5.0, 0.0))), scenes / "annex.glb")
    dialog = ask_new(empty)
    dialog.path.setText(str(episodes))
    dialog.first.setChecked(False)
    dialog.connectivity.line.setText(str(tmp_path / "connectivity"))
    dialog.scenes.line.setText(str(scenes))
    dialog.make.click()
    empty.wait(empty.window.record.has_study)
    assert len(study(empty).episodes) == 3
    code = add_participant(empty)
    empty.wait_for_engine()
    own = empty.window.bench.scene_hash
    driven = {}
    for _ in range(3):
        begin(empty, code)
        if page(empty)[0].startswith("Do you agree"):
            participants.press(empty, "Space")
        empty.wait(lambda: page(empty)[0] != "One moment, please")
        if page(empty)[0] == "This episode cannot be shown":
            assert "scene barn: there is neither a file barn.glb nor a folder" in page(empty)[1]
            session(empty).leave()
            break
        session(empty).leave()
        empty.settle()
        take = drive(empty, code)
        header = read_recording(empty.window.record.desk.root / take.path).header
        driven[take.key.scene_id] = header["scene_hash"]
        assert empty.window.bench.is_own_scene
    assert {scene_id: hash_ == own for scene_id, hash_ in driven.items()} == {
        scene_id: scene_id == "house" for scene_id in driven
    }
    assert "annex" in driven or "house" in driven
    assert empty.window.stage.slider.isVisible()


def test_the_form_says_what_is_wrong_beside_each_field(empty: User, tmp_path: Path) -> None:
    dialog = ask_new(empty)
    assert dialog._fields["episodes_path"].problem == "Choose the file of the episodes."
    dialog.name.clear()
    assert dialog._fields["name"].problem == "A study needs a name."
    dialog.name.setText("Walk")
    dialog.path.setText(str(tmp_path / "none.json"))
    empty.wait(lambda: "none.json" in dialog._fields["episodes_path"].problem)
    write_study(tmp_path / "other")
    dialog.path.setText(str(tmp_path / "other" / "episodes.json"))
    dialog.practice.setText("house_9")
    empty.wait(lambda: "no episode house_9" in dialog._fields["practice"].problem)
    dialog.practice.setText("house_3")
    dialog.count.setValue(2)
    dialog.overlap.setValue(3)
    dialog.seed.setValue(11)
    dialog.break_episodes.setValue(0)
    dialog.break_minutes.setValue(12.5)
    dialog.agent.setCurrentIndex(dialog.agent.findData("wheelchair"))
    dialog.rules.map.setChecked(True)
    assert dialog.make.isEnabled()
    entered = dialog.values
    dialog.reject()
    empty.wait(lambda: empty.window.findChild(NewStudyDialog) is None)
    empty.window.record.files.ask_new_study()
    dialog = empty.window.findChild(NewStudyDialog)
    assert dialog.values == entered
    empty.wait(dialog.make.isEnabled)
    dialog.make.click()
    empty.wait(empty.window.record.has_study)
    rules = study(empty).rules
    assert rules is not None
    assert (rules.name, rules.seed, rules.overlap, rules.episodes_per_participant) == (
        "Walk",
        11,
        3,
        2,
    )
    assert (rules.break_after_episodes, rules.break_after_min) == (None, 12.5)
    assert rules.agent_key == "wheelchair"
    training = [key.episode_id for key, e in study(empty).episodes.items() if e.is_training]
    assert training == ["house_1", "house_3"]

    empty.click_widget(empty.find(QPushButton, "Change the rules of the study"))
    dialog = empty.window.findChild(NewStudyDialog)
    assert dialog is not None
    assert dialog.seed.value() == 11
    dialog.scenes.line.setText(str(tmp_path))
    dialog.count.setValue(1)
    dialog.make.click()
    rules = study(empty).rules
    assert rules is not None
    assert (rules.episodes_per_participant, rules.scenes_path) == (1, "..")
    assert rules.episodes_path == "../other/episodes.json"


def test_the_rules_are_read_in_the_form_changed_there_and_taken_back(coordinator: User) -> None:
    before = study(coordinator).rules
    assert before is not None
    assert before.of_takes == TakeRules(Feedback.AFTER_EACH, questions=())
    coordinator.click_widget(coordinator.find(QPushButton, "Change the rules of the study"))
    dialog = coordinator.window.findChild(NewStudyDialog)
    assert dialog is not None
    fields = dialog.rules
    assert fields.rules == before.of_takes
    fields.feedback.setCurrentIndex(fields.feedback.findData("none"))
    fields.limit_min.setValue(2.5)
    for shown in (fields.map, fields.compass, fields.scale_bar, fields.look):
        shown.setChecked(True)
    fields.questions[Question.SURENESS].setChecked(True)
    fields.abandoned.setChecked(False)
    dialog.make.click()
    after = study(coordinator).rules
    assert after is not None
    assert after.of_takes == TakeRules(
        Feedback.NONE, True, True, True, 150.0, True, (Question.SURENESS,)
    )
    assert after == replace(before, of_takes=after.of_takes, counts_abandoned=False)
    take_the_keyboard(coordinator)
    coordinator.press("Ctrl+Z")
    assert study(coordinator).rules == before


@pytest.mark.parametrize("larger_percent", [0, 100])
def test_no_dialog_scrolls_sideways_or_cuts_text(coordinator: User, larger_percent: int) -> None:
    window = coordinator.window
    window.preferences.scale_text(larger_percent)
    window.record.people.set_selected([CODE])
    window.record.refresh()
    files = window.record.files
    for ask, kind in (
        (files.ask_rules, NewStudyDialog),
        (files.ask_export, ExportDialog),
        (files.ask_consent, ConsentDialog),
    ):
        ask()
        dialog = window.findChild(kind)
        coordinator.wait(dialog.isVisible)
        coordinator.settle()
        coordinator.wait(lambda dialog=dialog: cut_texts(dialog) == [])
        assert dialog.width() <= 1280
        assert dialog.height() <= 720
        for area in dialog.findChildren(QScrollArea):
            coordinator.wait(lambda area=area: area.widget().width() <= area.viewport().width())
        dialog.reject()
        coordinator.wait(lambda kind=kind: window.findChild(kind) is None)
    coordinator.wait(lambda: cut_texts(window) == [])


def test_withdrawn_consent_keeps_takes_out_and_can_be_undone(coordinator: User) -> None:
    drive(coordinator, CODE)
    drive(coordinator, CODE)
    record = coordinator.window.record
    record.people.set_selected([CODE])
    record.refresh()
    undo, redo = coordinator.window._bar.history
    coordinator.find(QPushButton, "Withdraw the consent of the participant").click()
    assert study(coordinator).participants[CODE].withdrawn_utc
    assert "nothing of them is exported" in coordinator.message()
    assert not record.can_begin()
    assert (undo.isEnabled(), redo.isEnabled()) == (True, False)
    assert facts(coordinator, "assigned") == "2"
    assert facts(coordinator, "participants") == "1"
    assert [row.text for row in participant_rows(study(coordinator))] == [NEWCOMER, f"⊘ {CODE}"]
    assert Fact("next", "–") in participant_facts(study(coordinator), CODE)
    out = record.desk.root / "out"
    record.files.export(ExportSettings(str(out), (), 0))
    coordinator.wait(lambda: "0 takes exported" in coordinator.message())
    assert "2 consent was withdrawn" in coordinator.message()
    assert not list(out.rglob("*_take*.csv"))
    coordinator.press("Ctrl+Z")
    assert study(coordinator).participants[CODE].withdrawn_utc is None
    assert record.can_begin()
    assert redo.isEnabled()
    assert facts(coordinator, "assigned") == "4"
    take = list(study(coordinator).takes.values())[-1]
    frames = frames_folder(record.desk.root / take.path)
    write_frame(frames, 0, np.zeros((4, 4, 3), np.uint8), None)
    record.files.ask_export()
    dialog = coordinator.window.findChild(ExportDialog)
    record.files._jobs.jobs[-1].cancel()
    coordinator.wait(dialog.frames.isEnabled)
    assert dialog.frames.accessibleDescription() == "Counting them was cancelled."
    dialog.reject()
    coordinator.wait(lambda: coordinator.window.findChild(ExportDialog) is None)
    record.files.ask_export()
    dialog = coordinator.window.findChild(ExportDialog)
    coordinator.wait(dialog.frames.isEnabled)
    assert not dialog.frames.isChecked()
    told = dialog.frames.accessibleDescription()
    assert told == "1 camera frame of 1 take, 0.0 MB"
    dialog.frames.setChecked(True)
    dialog.folder.line.setText(str(out))
    coordinator.settle()
    dialog.export.click()
    coordinator.wait(lambda: "1 of 1 camera frame of 1 take" in coordinator.message())
    assert len(list(out.rglob("*.frames/*.jpg"))) == 1
    record.files.export(ExportSettings(str(out), (), 0))
    coordinator.find(QPushButton, "Withdraw the consent of the participant").click()
    coordinator.wait(lambda: "1 take that does not count any more" in coordinator.message())


def test_only_a_consent_that_was_given_can_be_withdrawn(coordinator: User) -> None:
    record = coordinator.window.record
    for code, has_agreed in ((NEWCOMER, False), (CODE, True)):
        assert bool(study(coordinator).participants[code].consents) is has_agreed
        record.people.set_selected([code])
        record.refresh()
        coordinator.settle()
        assert record.can_begin()
        assert record.can_withdraw() is has_agreed
        assert record.panel.withdraw.isVisible() is has_agreed


def test_a_take_is_excluded_with_a_reason_and_taken_back(coordinator: User) -> None:
    drive(coordinator, CODE)
    take = drive(coordinator, CODE)
    place = study(coordinator).assignments[take.key.assignment].place
    choose(coordinator, CODE, place)
    texts = [text.text() for text in coordinator.window.record.panel.findChildren(QLabel)]
    assert any("stopped after" in text.lower() for text in texts), texts
    assert "✓ counts" in texts
    field = coordinator.find(QLineEdit, "Reason to keep take 1 out of the scores")
    field.setText("somebody spoke")
    coordinator.find(QPushButton, "Keep take 1 out of the scores").click()
    assert study(coordinator).takes[take.key].excluded_reason == "somebody spoke"
    coordinator.settle()
    rows = [(row.text, row.detail) for row in episode_rows(study(coordinator), CODE)]
    assert (f"⊘ {take.key.episode_id}", "excluded") in rows
    shown = [text.text() for text in coordinator.window.record.panel.findChildren(QLabel)]
    assert any(text.startswith("⊘ does not count: excluded") for text in shown), shown
    assert facts(coordinator, "assigned") == "3"
    assert Fact("excluded", "1") in participant_facts(study(coordinator), CODE)
    coordinator.find(QPushButton, "Let take 1 count again").click()
    assert study(coordinator).takes[take.key].excluded_reason == ""


def no_consent(*_: object) -> None:
    raise EditError("not now")


def test_a_new_consent_text_asks_everybody_again(
    coordinator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    coordinator.click_widget(coordinator.find(QPushButton, "Consent text and its versions"))
    dialog = coordinator.window.findChild(ConsentDialog)
    assert dialog is not None
    assert not dialog.publish.isEnabled()
    dialog.text.setPlainText("I agree to be recorded and to be quoted.")
    dialog.reject()
    coordinator.wait(lambda: coordinator.window.findChild(ConsentDialog) is None)
    coordinator.window.record.files.ask_consent()
    dialog = coordinator.window.findChild(ConsentDialog)
    assert dialog.text.toPlainText() == "I agree to be recorded and to be quoted."
    files, wanted = coordinator.window.record.files, dialog.text.toPlainText()
    with monkeypatch.context() as refusing:
        refusing.setattr(study_files, "publish_consent", no_consent)
        dialog.publish.click()
    assert dialog.isVisible()
    assert "not possible" in dialog._failure.text()
    dialog.reject()
    files.ask_consent()
    *_, dialog = coordinator.window.findChildren(ConsentDialog)
    assert dialog.text.toPlainText() == wanted
    dialog.publish.click()
    assert sorted(study(coordinator).consent_texts) == [1, 2]
    begin(coordinator, CODE)
    assert page(coordinator)[0] == "Do you agree to take part?"
    session(coordinator).leave()


def test_a_cancelled_export_leaves_what_was_there(
    coordinator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = coordinator.window.record.desk.root / "out"
    record = coordinator.window.record
    record.files.export(ExportSettings(str(out), (), 0))
    coordinator.wait(lambda: "0 takes exported" in coordinator.message())
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    drive(coordinator, NEWCOMER)
    has_begun = threading.Event()
    write_submissions = study_export.write_submissions

    def endlessly(*options: Any) -> Work[Any]:
        yield from write_submissions(*options)
        has_begun.set()
        while True:
            time.sleep(0.01)
            yield Progress(0.0, 1.0, "Writing on")

    monkeypatch.setattr(study_export, "write_submissions", endlessly)
    record.files.export(ExportSettings(str(out), (), 0))
    coordinator.wait(has_begun.is_set)
    assert len(list(out.parent.glob(".out.*"))) == 1
    coordinator.window.notices.progress.cancel_chosen.emit()
    coordinator.wait(lambda: "cancelled" in coordinator.message())
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    assert [path.name for path in out.parent.glob(".out.*")] == []


def test_an_export_that_is_cancelled_too_late_is_told_as_what_it_is(coordinator: User) -> None:
    out = coordinator.window.record.desk.root / "out"
    coordinator.window.record.files.export(ExportSettings(str(out), (), 0))
    (job,) = (job for job in coordinator.window.record.desk._jobs.jobs if "Export" in job.title)
    # Its end is under way, but nothing is heard of it before the event loop goes on.
    assert job._thread.wait(PATIENCE_MS)
    coordinator.window.notices.progress.cancel_chosen.emit()
    coordinator.wait(lambda: "0 takes exported" in coordinator.message())
    assert (out / "manifest.json").is_file()


def test_nothing_is_left_to_do_without_the_file_of_the_episodes(user: User, tmp_path: Path) -> None:
    project = write_study(tmp_path / "house")
    (tmp_path / "house" / "episodes.json").unlink()
    user.open(project)
    user.press("Ctrl+3")
    begin(user, CODE)
    user.wait(lambda: page(user)[0] == "This episode cannot be shown")
    assert "episodes.json" in page(user)[1]
    assert assignments_of(study(user), CODE)
    session(user).leave()


def test_a_session_waits_for_episodes_that_are_still_being_read(
    user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_held = threading.Event()
    read = study_desk.read_study_episodes

    def slowly(*options: Any) -> Work[StudyEpisodes]:
        while not is_held.wait(0.01):
            yield Progress(0.0, 1.0, "Reading slowly")
        return (yield from read(*options))

    monkeypatch.setattr(study_desk, "read_study_episodes", slowly)
    user.open(write_study(tmp_path / "house"))
    user.press("Ctrl+3")
    desk = user.window.record.desk
    assert not desk.is_ready
    user.wait_for_engine()
    begin(user, CODE)
    assert page(user) == ("One moment, please", "The episodes are being read …")
    assert not session(user).has_next
    is_held.set()
    user.wait(lambda: page(user)[0] == "Practice 1 of 1")
    session(user).leave()


def test_reading_that_was_cancelled_can_begin_anew(
    user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endlessly(*_: Any) -> Work[StudyEpisodes]:
        while True:
            time.sleep(0.01)
            yield Progress(0.0, 1.0, "Reading slowly")

    with monkeypatch.context() as reading:
        reading.setattr(study_desk, "read_study_episodes", endlessly)
        user.open(write_study(tmp_path / "house"))
        user.press("Ctrl+3")
        desk = user.window.record.desk
        (job,) = [job for job in desk._jobs.jobs if "episodes" in job.title]
        job.cancel()
        user.wait(lambda: desk.is_ready)
    assert desk.notes == ("Reading the episodes was cancelled.",)
    user.wait_for_engine()
    begin(user, CODE)
    user.wait(lambda: page(user)[0] == "Practice 1 of 1")
    session(user).leave()


def test_a_study_from_before_learns_its_paths_and_scores_when_it_is_opened(
    user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write_study(tmp_path / "house")
    store = ProjectStore.open(file)
    project = store.load()
    expected = {key: one.path_id for key, one in project.study.episodes.items()}
    key = assignments_of(project.study, CODE)[1].key
    names = {"dataset": key.dataset, "scene_id": key.scene_id, "episode_id": key.episode_id}
    walk = file.parent / "old.csv"
    write_walk(walk, [(-2.5, -1.0), (-2.5, 1.0)], participant=CODE, **names)
    before = finish_episode(
        begin_episode(project.study, key, LATER),
        take_of_file(project.study, file.parent, walk, lambda _: None),
        LATER,
    )
    bare = {own: replace(one, path_id="") for own, one in before.episodes.items()}
    store.save(project, replace(project, study=replace(before, episodes=bare)), "ana", "Drive")
    store.close()
    with monkeypatch.context() as reading:
        reading.setattr(project_database, "can_write", lambda _: False)
        _see_read_only(user, file, names)
    user.open(file)
    user.press("Ctrl+3")
    user.wait(lambda: all(take.profile for take in study(user).takes.values()))
    assert {own: one.path_id for own, one in study(user).episodes.items()} == expected
    (take,) = study(user).takes.values()
    assert (take.profile, take.scores["vlnverse.SR"]) == ("vlnverse", 1.0)
    assert take.scores["vlnverse.NE"] == pytest.approx(0.0, abs=1e-9)
    # What the program found out by itself is no step that somebody could take back.
    assert user.document.undo_stack.count() == 0
    assert user.document.store.load().study == study(user)


def _see_read_only(user: User, file: Path, names: dict[str, str]) -> None:
    """What the program finds out by itself is seen, and makes nothing that could be lost."""
    stray = file.parent / "takes" / "stray.csv"
    write_walk(stray, [(-2.5, -1.0), (-2.5, 0.0)], participant=CODE, **names)
    user.open(file)
    user.press("Ctrl+3")
    user.wait(lambda: len(study(user).takes) == 2)
    user.wait(lambda: all(take.profile for take in study(user).takes.values()))
    user.wait(lambda: all(episode.path_id for episode in study(user).episodes.values()))
    assert user.document.save_state.kind is SaveKind.READ_ONLY
    assert user.window.saved_text == "⚠ read-only"
    assert user.message() == ""
    assert user.document.undo_stack.count() == 0
    assert len(user.document.store.load().study.takes) == 1
    for found in stray.parent.iterdir():
        found.unlink()
