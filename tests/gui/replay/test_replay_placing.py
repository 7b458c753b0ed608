"""VLN-CE results of R2R episodes in the window: map, curves, metrics and what they say."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from gui.runs import add_run, asked, open_episode, write_line
from gui.user import User

from waypost.domain.episode.viewpoint_placing import NO_GRAPH, ON_FLOOR
from waypost.domain.replay.map import LineRole, MarkRole, replay_map

pytestmark = pytest.mark.gui

STATES = [
    {"position": [x, 0.0, -y], "heading": 0.0, "stop": stop}
    for x, y, stop in ((0.0, 0.0, False), (2.0, 0.0, False), (4.0, 1.0, True))
]


def test_reference_goal_and_curves_are_there(user: User, house: Path, tmp_path: Path) -> None:
    files = write_line(tmp_path / "line")
    files.results.write_text(json.dumps({"7_0": STATES, "7_1": STATES[:2]}))
    user.open(house)
    user.press("Ctrl+5")
    replay = user.window.replay
    add_run(user, asked(files, "walk"))
    open_episode(user, "7_0")
    run = replay.views.run
    assert run is not None
    run_map = replay_map(run.shown.replay)
    (reference,) = [line for line in run_map.lines if line.role is LineRole.REFERENCE]
    assert reference.points == ((0.0, 0.0), (2.0, 0.0), (4.0, 0.0))
    (goal,) = [mark for mark in run_map.marks if mark.role is MarkRole.GOAL]
    assert (goal.at, goal.height_m) == ((4.0, 0.0), 0.0)
    replay.views.curves.setChecked(True)
    user.settle()
    assert replay.views.plot.isVisible()
    (to_goal,) = [c for c in replay.views.plot.curves if c.title == "Distance to goal"]
    assert list(to_goal.y) == [4.0, 2.0, 1.0]
    assert ON_FLOOR in to_goal.definition
    replay.views.show_page("Metrics")
    user.settle()
    assert ON_FLOOR in replay.views.metrics._notes.text()


def test_without_graphs_a_sentence_says_why(user: User, house: Path, tmp_path: Path) -> None:
    files = write_line(tmp_path / "line")
    files.results.write_text(json.dumps({"7_0": STATES}))
    user.open(house)
    user.press("Ctrl+5")
    add_run(user, dataclasses.replace(asked(files, "walk"), connectivity=None))
    open_episode(user, "7_0")
    views = user.window.replay.views
    views.curves.setChecked(True)
    user.settle()
    assert not views.plot.isVisible()
    assert views.no_curve.full_text == f"No curve: {NO_GRAPH}."
