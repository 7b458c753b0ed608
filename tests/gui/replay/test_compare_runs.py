"""Runs beside each other in the real window: who leads, and attempts that only one of them has."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from fixtures.replay_files import write_run
from gui.runs import add_run, asked, at_hand, open_episode, shown_ids, write_line
from gui.user import User
from PySide6.QtWidgets import QLabel, QPushButton

from waypost.app.replay.workspace import ReplayWorkspace
from waypost.domain.replay.link import LinkKind

pytestmark = pytest.mark.gui


def shown(replay: ReplayWorkspace) -> list[tuple[str, tuple[str, int]]]:
    return [(run.name, run.key) for run in replay.comparison._runs]


def leads_offered(user: User) -> list[str]:
    names = (
        one.accessibleName() for one in user.window.findChildren(QPushButton) if one.isVisible()
    )
    return [name for name in names if name.startswith("Let ")]


@pytest.fixture
def two(user: User, house: Path, tmp_path: Path) -> ReplayWorkspace:
    """``gpt`` has 7_0 twice, A, B, A, B, C and then A, B; ``llama`` has it once, A, B, C."""
    user.open(house)
    user.press("Ctrl+5")
    line = write_line(tmp_path / "line")
    runs = line.results.read_text(encoding="utf-8")
    again = '{"instr_id": "7_0", "trajectory": [["A", 1.5, 0], ["B", 1.5, 0]]}'
    line.results.write_text(f"{runs[:-1]}, {again}]", encoding="utf-8")
    other = tmp_path / "other"
    other.mkdir()
    first = add_run(user, asked(line, "gpt"))
    second = add_run(user, asked(write_run(other, {"7_0": "ABC"}), "llama"))
    user.window.replay.show_runs([first, second])
    return user.window.replay


def test_a_longer_run_takes_the_lead_from_beyond_the_end_of_the_shorter(
    user: User, two: ReplayWorkspace
) -> None:
    open_episode(user, "7_0")
    user.press("6", "Shift+L")
    user.wait(lambda: [name for name, _ in shown(two)] == ["llama", "gpt"])
    two.comparison.set_link(LinkKind.DISTANCE)
    user.press("End")
    assert two.comparison.steps == (2, 4)
    user.press("Shift+L")
    user.wait(lambda: [name for name, _ in shown(two)] == ["gpt", "llama"])
    assert two.comparison.steps == (4, 2)


def test_a_second_attempt_stands_beside_the_only_one_of_another_run(
    user: User, two: ReplayWorkspace
) -> None:
    two.choice.lead("llama")
    open_episode(user, "7_0", 2)
    user.press("6")
    assert shown(two) == [("gpt", ("7_0", 2)), ("llama", ("7_0", 1))]
    assert at_hand(two) == ("7_0", 2), "what was asked for leads"
    texts = [one.text() for one in two.comparison.face.findChildren(QLabel) if one.isVisible()]
    assert not any("Without this episode" in text for text in texts)
    assert leads_offered(user) == [], "the other attempt would lead away from what was asked for"
    open_episode(user, "7_0", 1)
    assert shown(two) == [("llama", ("7_0", 1)), ("gpt", ("7_0", 1))]
    assert leads_offered(user) == ["Let gpt lead"]


def test_that_only_one_of_them_has_the_episode_is_said(user: User, two: ReplayWorkspace) -> None:
    open_episode(user, "7_1")
    user.press("6")
    assert two.comparison.empty._title.text() == "Only one of the chosen runs has this episode"
    open_episode(user, "7_0")
    assert not two.comparison.empty.isVisible()


def test_of_two_episodes_with_one_number_the_chosen_one_is_replayed(
    user: User, two: ReplayWorkspace, tmp_path: Path
) -> None:
    """Of two runs in different scenes, each of which counts its episodes from the same number."""
    (tmp_path / "attic").mkdir()
    files = write_run(tmp_path / "attic", {"7_0": "AB"})
    told = files.annotations.read_text(encoding="utf-8").replace('"line"', '"attic"')
    files.annotations.write_text(told, encoding="utf-8")
    attic = add_run(user, dataclasses.replace(asked(files, "attic"), connectivity=None))
    two.show_runs(["llama", attic])
    assert shown_ids(two) == ["7_0", "attic/7_0"]
    user.press("6")
    for name, own, place in (("attic", "attic/7_0", 1), ("llama", "7_0", 0)):
        two.table.go_to(own)
        user.wait(lambda name=name: two.opening.is_there and [n for n, _ in shown(two)] == [name])
        chosen = two.table.chosen
        assert (chosen and chosen.episode_id, two.table._view.currentIndex().row()) == (own, place)
        assert two.comparison.empty.isVisible()
    two.step_episode(1)
    user.wait(lambda: two.opening.is_there and [name for name, _ in shown(two)] == ["attic"])
    left = two.place()
    assert left["episode_id"] == "attic/7_0"
    two.browse("7_0")
    user.wait(lambda: two.opening.is_there and [name for name, _ in shown(two)] == ["llama"])
    two.go_to_place(left)
    user.wait(lambda: two.opening.is_there and [name for name, _ in shown(two)] == ["attic"])
    # Who leads says how the rows are called, and not which episode is at hand.
    for leading, own, ids in (
        (attic, "7_0", ["7_0", "line/7_0"]),
        ("llama", "attic/7_0", ["7_0", "attic/7_0"]),
    ):
        two.choice.lead(leading)
        user.wait(lambda ids=ids: two.opening.is_there and shown_ids(two) == ids)
        assert [name for name, _ in shown(two)] == ["attic"]
        chosen = two.table.chosen
        assert (chosen and chosen.episode_id, chosen and chosen.scene_id) == (own, "attic")
    left = {**two.place(), "runs": [attic, "llama"]}
    two.go_to_place(left)
    assert two.chosen_runs == (attic, "llama"), "who led leads again"
