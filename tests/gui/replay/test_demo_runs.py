"""The runs of the sample and of the small house, replayed by somebody at the real window."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from cut_text import cut_texts
from gui.runs import at_hand, open_episode, shown_ids, wait_for_rows
from gui.user import User

from tools.small_house import make
from waypost.app.replay.desk import PEOPLE
from waypost.app.window.window import MainWindow
from waypost.domain.base.mark_state import MarkState
from waypost.domain.causes.failure import CauseBook, CauseKey, CauseMark, set_mark
from waypost.domain.causes.replay_book import set_causes
from waypost.domain.replay.tags import TagKind
from waypost.services.replay.cursor import Landmark

pytestmark = pytest.mark.gui

OPEN, NAVGPT, MAPGPT = (f"Scripted agent, {form} form" for form in ("open", "NavGPT", "MapGPT"))


@pytest.fixture
def at_sample(user: User, sample: Path) -> User:
    """Somebody who opened the sample and went to the Replay workspace."""
    user.open(sample)
    user.press("Ctrl+5")
    wait_for_rows(user, user.window.replay, OPEN)
    return user


def choose(user: User, *names: str) -> None:
    replay = user.window.replay
    replay.show_runs(names)
    for name in names:
        wait_for_rows(user, replay, name)


def tags(window: MainWindow) -> dict[TagKind, int | None]:
    run = window.replay.views.run
    assert run is not None
    return {tag.kind: tag.step for tag in run.shown.tags}


def has_pictures(window: MainWindow) -> bool:
    tiles = [tile for row in window.replay.views.strip.rows for tile in row.tiles]
    return len(tiles) >= 4 and all(tile.picture is not None for tile in tiles)


def test_a_newcomer_finds_runs_in_the_sample(at_sample: User) -> None:
    replay = at_sample.window.replay
    assert not replay.empty.isVisible()
    assert replay.chosen_runs == (OPEN,)
    assert shown_ids(replay) == ["1_0", "1_1", "2_0", "2_1", "3_0", "4_0", "5_0"]
    assert len(replay.desk.names) == 5
    assert replay.desk.names[-1] == PEOPLE
    assert not any(replay.desk.failure(name) for name in replay.desk.names)
    assert cut_texts(at_sample.window) == []


def test_takes_of_one_episode_have_marks_of_their_own(at_sample: User) -> None:
    """Two people drove 1_0, and one 3_0; marks of both are of when takes shared one."""
    user, replay = at_sample, at_sample.window.replay
    taxonomy, me = replay.causes.taxonomy, replay.causes.sight.analyst
    shared = CauseKey(PEOPLE, "3_0", "ada", taxonomy.key)
    causes = set_mark(CauseBook(), taxonomy, CauseMark(shared, taxonomy.version, {}))
    of_both = CauseMark(
        CauseKey(PEOPLE, "1_0", me, taxonomy.key), taxonomy.version, {}, note="lost"
    )
    causes = set_mark(causes, taxonomy, of_both)
    book = set_causes(user.project.replay, causes)
    user.document.edit("Mark root cause", dataclasses.replace(user.project, replay=book))
    choose(user, PEOPLE)
    own = shared._replace(episode_id="3_0 · P-4K7D, take 1")
    assert list(user.project.replay.causes.marks) == [own, of_both.key]
    assert user.document.undo_stack.undoText() == "Mark root cause"
    open_episode(user, "1_0", 2)
    user.press("X", "1")
    (key,) = user.project.replay.causes.marks.keys() - {own, of_both.key}
    assert key.episode_id == "1_0 · P-9WRM, take 1"
    rows = replay.desk.rows(PEOPLE)
    assert rows is not None
    marks = {row.chart_id: replay.table.model.table.mark_of(row) for row in rows.rows}
    assert marks["1_0 · P-9WRM, take 1"] is MarkState.BEGUN
    assert marks["1_0 · P-4K7D, take 1"] is MarkState.UNMARKED
    open_episode(user, "1_0", 1)
    user.press("X", "Return")
    taken = of_both.key._replace(episode_id="1_0 · P-4K7D, take 1")
    kept = user.project.replay.causes.marks
    assert kept[taken] == dataclasses.replace(of_both, key=taken)
    assert of_both.key in kept
    assert replay.causes.panel.note.toPlainText() == "lost"


def test_the_loop_of_the_sample_step_by_step(at_sample: User) -> None:
    """Entrance–Hall–Entrance–Hall–Living room–Sofa: it leaves the reference at step 2."""
    user, replay = at_sample, at_sample.window.replay
    open_episode(user, "1_0")
    assert tags(user.window) == {TagKind.SUCCESS_WITH_LOOPING: 2, TagKind.LOOPING: 2}
    user.press("D")
    assert (replay.views.cursor.step, replay.face) == (2, "map")
    shown = replay.views.cursor.replay
    assert shown is not None
    names = {node.node_id: node.name for node in user.graph.nodes.values()}
    walked = [names[name] for name in shown.viewpoint_ids]
    assert walked == ["Entrance", "Hall", "Entrance", "Hall", "Living room", "Sofa"]
    user.wait(lambda: has_pictures(user.window))
    assert cut_texts(user.window) == []


@pytest.mark.parametrize("name", [OPEN, NAVGPT, MAPGPT])
def test_every_form_says_what_the_script_thought(at_sample: User, name: str) -> None:
    user, replay = at_sample, at_sample.window.replay
    choose(user, name)
    open_episode(user, "3_0")
    shown = replay.views.cursor.replay
    assert shown is not None
    assert len(shown) > 1
    for step in shown.steps():
        user.press("Right")
        assert step.decision is not None
        # The script wrote nothing at the limit of steps, where NavGPT's program ends the run.
        said = [event.message for event in step.decision.events]
        is_ended = any(text.startswith("the program ended the run") for text in said)
        assert step.decision.thought or step.decision.raw_text or is_ended
    assert replay.views.cursor.step == len(shown) - 1


def test_three_forms_side_by_side(at_sample: User) -> None:
    user, replay = at_sample, at_sample.window.replay
    choose(user, OPEN, NAVGPT, MAPGPT)
    open_episode(user, "2_1")
    user.press("6")
    assert replay.face == "compare"
    user.wait(lambda: at_hand(replay) == ("2_1", 1))
    assert cut_texts(user.window) == []


@pytest.mark.realdata
def test_runs_in_the_small_house(user: User, shared_data: Path, tmp_path: Path) -> None:
    """A-B-A-B-C over 2 m edges: 8 m, SPL 4/8, first deviation at the return, the loop at step 2."""
    scene = shared_data / "scenes" / "small_house" / "small_house.glb"
    project = make(scene, tmp_path / "house", "96x96")
    window, replay = user.window, user.window.replay
    user.open(project)
    user.press("Ctrl+5")
    wait_for_rows(user, replay, OPEN)
    open_episode(user, "1_0")
    run = replay.views.run
    assert run is not None
    scores = run.shown.scores.values
    assert (scores["TL"], scores["SPL"]) == (pytest.approx(8.0), pytest.approx(0.5))
    assert run.shown.replay.first_deviation_step == 2
    assert replay.views.cursor.landmarks(Landmark.REVISIT) == (2, 3)
    assert tags(window)[TagKind.LOOPING] == 2
    user.press("3", "D")
    assert replay.views.cursor.step == 2
    user.wait(lambda: has_pictures(window))
    assert cut_texts(window) == []
    open_episode(user, "2_0")
    assert tags(window) == {TagKind.LATE_STOP: 6, TagKind.ORACLE_SUCCESS: 3}
    open_episode(user, "3_1")
    assert TagKind.GENERATION_ERROR in tags(window)
    choose(user, NAVGPT)
    open_episode(user, "2_0")
    assert tags(window) == {TagKind.EARLY_STOP: 2}
    choose(user, MAPGPT)
    open_episode(user, "5_0")
    assert tags(window) == {TagKind.PERFECT: 2}
    user.press("4", "5", "3")
    assert replay.face == "map"
