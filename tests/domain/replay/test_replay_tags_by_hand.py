"""Each tag on a run that must have it at a step known by hand, and on its nearest miss.

Thresholds are those of docs/replay.md: 3 m for success, 1.5 m for another storey, 1 m for a place,
1.5 m and 90° for the first turn, 3 visits or one move made twice for a loop.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fixtures.replay_examples import ends_near, graph_replay, space_replay

from waypost.domain.episode.run import Decision, Event, EventKind, RunEnd
from waypost.domain.replay.replay import Replay
from waypost.domain.replay.rules import DEFAULT_RULES
from waypost.domain.replay.tags import TAG_RULES, TagKind, find_tags

STRAIGHT = [[0, 0, 0], [10, 0, 0]]
"""A reference of 10 m along +X; its goal is its end."""


def found(replay: Replay, **options: Any) -> dict[str, int | None]:
    is_success = options.get("is_success", ends_near(replay))
    return {tag.kind.value: tag.step for tag in find_tags(replay, is_success)}


def along(*xs: float, reference: Any = STRAIGHT, **values: Any) -> dict[str, int | None]:
    """Tags of a run along the reference with these distances from its start, metres."""
    return found(space_replay([[x, 0.0, 0.0] for x in xs], reference, **values))


@pytest.mark.parametrize(
    ("xs", "tags"),
    [
        # Strictly nearer than 3 m succeeds: 10 − 7 = 3 does not.
        ((0, 4, 7.0), {"early_stop": 2}),
        ((0, 4, 7.01), {"perfect": 2}),
        # It came nearer than where it ended: no early stop, nothing else either.
        ((0, 6, 5), {}),
    ],
)
def test_early_stop_and_its_edge(xs: tuple[float, ...], tags: dict[str, int | None]) -> None:
    assert along(*xs) == tags


@pytest.mark.parametrize(
    ("xs", "tags"),
    [
        # Within 3 m at step 2, beyond for good from step 4 on.
        ((0, 5, 8, 12.9, 13, 15), {"oracle_success": 2, "late_stop": 4}),
        ((0, 5, 8, 12.9), {}),
        # Left and come back: late from the last leaving on.
        ((0, 8, 14, 11, 14), {"oracle_success": 1, "late_stop": 4}),
        # 3 m is not within 3 m.
        ((0, 7, 6), {}),
    ],
)
def test_late_stop_and_oracle_success(xs: tuple[float, ...], tags: dict[str, int | None]) -> None:
    assert along(*xs) == tags


@pytest.mark.parametrize(
    ("end", "tags"),
    [
        (RunEnd(called_stop=False), {"never_stopped": 2}),
        (RunEnd(reason="exceed_single_task_max_step"), {"never_stopped": 2}),
        (RunEnd(reason="step limit"), {"never_stopped": 2}),
        (RunEnd(reason="time limit"), {"never_stopped": 2}),
        (RunEnd(reason="Timed out"), {"never_stopped": 2}),
        # Not said, or called: it stopped by itself.
        (RunEnd(), {"early_stop": 2}),
        (RunEnd(called_stop=True, reason="stop"), {"early_stop": 2}),
        (RunEnd(reason="the clock showed a quarter past"), {"early_stop": 2}),
    ],
)
def test_never_stopped(end: RunEnd, tags: dict[str, int | None]) -> None:
    assert along(0, 2, 4, end=end) == tags
    # The same ends at the goal: only who stopped is perfect.
    is_limit = "never_stopped" in tags
    assert along(0, 5, 10, end=end) == ({"never_stopped": 2} if is_limit else {"perfect": 2})


@pytest.mark.parametrize(
    ("walked", "loop"),
    [
        # Back and forth: A–B is made again from step 2 on. There and back alone is none.
        ("ABAB", 2),
        ("ABA", None),
        # The same round again, from the arrival where it begins anew.
        ("ABCUABC", 4),
        ("ABCUAC", None),
        # Turns in place are no moves.
        ("AABBA", None),
        ("AABBAAB", 4),
        # A third visit to B, from the second on; two visits are none.
        ("BABCBU", 2),
        ("ABCBABC", 3),
        ("BABC", None),
    ],
)
def test_looping_on_a_graph(walked: str, loop: int | None) -> None:
    tags = found(graph_replay(walked, "ABCDE"))
    assert tags.get("looping") == loop


def test_looping_in_space_needs_another_place() -> None:
    """A place is a disc of 1 m: trembling by 1.0 m is none, 1.1 m there and back again is."""
    assert "looping" not in along(0, 1.0, 0, 1.0, 0, 1.0)
    assert along(0, 1.1, 0, 1.1)["looping"] == 2
    assert "looping" not in along(0, 1.1, 0)


def test_success_with_looping_needs_success() -> None:
    assert found(graph_replay("ABABC", "ABC")) == {"success_with_looping": 2, "looping": 2}
    assert "success_with_looping" not in found(graph_replay("ABABABCDE", "ABCDEDCBA"))
    assert "success_with_looping" not in found(graph_replay("ABABC", "ABC"), is_success=False)
    assert "success_with_looping" not in found(graph_replay("ABAC", "ABC"))


@pytest.mark.parametrize(
    ("height_m", "tags"),
    [
        # 1.5 m above the goal is another storey; a goal 3 m away in plan is missed either way.
        (1.5, {"wrong_storey": 2, "early_stop": 2}),
        (1.49, {"early_stop": 2}),
        (-1.5, {"wrong_storey": 2, "early_stop": 2}),
    ],
)
def test_wrong_storey(height_m: float, tags: dict[str, int | None]) -> None:
    points = [[0, 0, 0], [3, 0, 0], [6, 0, height_m]]
    assert found(space_replay(points, STRAIGHT)) == tags


def test_wrong_storey_is_of_the_end_and_of_every_goal() -> None:
    """Up and down again is none; a failure on the goal's storey is none; heights are relative."""
    assert "wrong_storey" not in found(
        space_replay([[0, 0, 0], [3, 0, 2.0], [5, 0, 0.0]], STRAIGHT)
    )
    lifted = [[0, 0, 7.0], [3, 0, 7.0], [6, 0, 7.0]]
    assert "wrong_storey" not in found(space_replay(lifted, STRAIGHT))
    # 1.6 m above the goal, but 1 m beside it: within 3 m, so it is a success.
    assert "wrong_storey" not in found(space_replay([[0, 0, 0], [9, 0, 1.6]], STRAIGHT))


@pytest.mark.parametrize(
    ("turned_deg", "step"), [(89.0, None), (90.0, None), (91.0, 1), (180.0, 1), (-91.0, 1)]
)
def test_wrong_first_turn_in_space(turned_deg: float, step: int | None) -> None:
    angle = np.radians(turned_deg)
    points = [[0, 0, 0], [1.6 * np.cos(angle), 1.6 * np.sin(angle), 0]]
    assert found(space_replay(points, STRAIGHT)).get("wrong_first_turn") == step


def test_the_first_turn_is_looked_at_from_a_metre_and_a_half_on() -> None:
    back = [[0, 0, 0], [-1.4, 0, 0], [2, 0, 0]]
    assert "wrong_first_turn" not in found(space_replay(back, STRAIGHT))
    back = [[0, 0, 0], [-1.4, 0, 0], [-1.5, 0, 0], [2, 0, 0]]
    assert found(space_replay(back, STRAIGHT))["wrong_first_turn"] == 2


@pytest.mark.parametrize(
    ("walked", "reference", "step"),
    [
        # Away from the goal, after a turn in place.
        ("BBA", "BCDE", 2),
        ("BC", "BCDE", None),
        # Elsewhere than the reference, but nearer to the goal.
        ("BCD", "BABCDE", None),
        # It started elsewhere: nothing to compare with.
        ("AU", "BCDE", None),
    ],
)
def test_wrong_first_turn_on_a_graph(walked: str, reference: str, step: int | None) -> None:
    assert found(graph_replay(walked, reference)).get("wrong_first_turn") == step


@pytest.mark.parametrize(
    ("walked", "step"),
    [("ABX", 2), ("ABD", 2), ("ABC", None), ("ABBC", None), ("AXB", 1)],
)
def test_off_the_graph(walked: str, step: int | None) -> None:
    """An unknown viewpoint, or a move without an edge; staying and edges are neither."""
    assert found(graph_replay(walked, "ABC")).get("generation_error") == step


@pytest.mark.parametrize(
    ("kind", "step"),
    [
        (EventKind.NO_MOVE, 1),
        # The log corrected it, or it went back on purpose: no generation error.
        (EventKind.UNMATCHED_TEXT, None),
        (EventKind.BACKTRACK, None),
    ],
)
def test_output_that_names_no_move(kind: EventKind, step: int | None) -> None:
    decisions = (Decision(1, 2), Decision(2, 3, events=(Event(kind, "said so"),)))
    assert found(graph_replay("ABC", decisions=decisions)).get("generation_error") == step


@pytest.mark.parametrize(
    ("events", "count", "tag"),
    [
        ((EventKind.COLLISION,), None, {"collision": 1}),
        ((EventKind.COLLISION,), 3, {"collision": 1}),
        ((), 3, {"collision": None}),
        ((), 0, {"perfect": 2}),
        ((), None, {"perfect": 2}),
    ],
)
def test_collisions(
    events: tuple[EventKind, ...], count: int | None, tag: dict[str, int | None]
) -> None:
    marked = tuple(Event(kind, "touched a chair") for kind in events)
    decisions = (Decision(1, 2), Decision(2, 3, events=marked))
    end = RunEnd(called_stop=True, collision_count=count)
    assert found(graph_replay("ABC", decisions=decisions, end=end)) == tag


@pytest.mark.parametrize(
    ("end", "tags"),
    [
        (RunEnd(is_stuck=True), {"stuck": 2}),
        (RunEnd(reason=" Stuck "), {"stuck": 2}),
        (RunEnd(has_fallen=True), {"fall": 2}),
        (RunEnd(reason="fall"), {"fall": 2}),
        (RunEnd(is_stuck=False, has_fallen=False), {"early_stop": 2}),
        # A word within another reason is none.
        (RunEnd(reason="stopped in the fall colours, unstuck"), {"early_stop": 2}),
    ],
)
def test_stuck_and_fall(end: RunEnd, tags: dict[str, int | None]) -> None:
    assert along(0, 2, 4, end=end) == tags


@pytest.mark.parametrize(
    ("walked", "end", "step"),
    [
        ("ABC", RunEnd(called_stop=True), 2),
        ("AABBC", RunEnd(called_stop=True), 4),
        # Near enough but not at the end of the reference; beyond it; with a way back.
        ("AB", RunEnd(called_stop=True), None),
        ("ABCD", RunEnd(called_stop=True), None),
        ("ABABC", RunEnd(called_stop=True), None),
        ("ABC", RunEnd(called_stop=True, collision_count=1), None),
        ("ABC", RunEnd(has_fallen=True), None),
        ("ABC", RunEnd(is_stuck=True), None),
    ],
)
def test_perfect(walked: str, end: RunEnd, step: int | None) -> None:
    assert found(graph_replay(walked, "ABC", end=end)).get("perfect") == step


def test_the_documentation_states_the_rules_as_they_are() -> None:
    """Every tag of a way has its row, with the numbers of the rules in force."""
    text = (Path(__file__).parents[3] / "docs" / "replay.md").read_text(encoding="utf-8")
    section = text[text.index("## Tags") : text.index("## Panoramas")]
    rows = {
        name: line
        for line in section.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`(\w+)`", line.split("|")[1])
    }
    of_ways = {kind for kind in TagKind if not TAG_RULES[kind].startswith("CapNav")}
    missing = {kind.value for kind in of_ways} - set(rows)
    assert not missing
    rules = DEFAULT_RULES
    radius, storey = f"{rules.success_radius_m:g} m", f"{rules.storey_m:g} m"
    for name in ("early_stop", "late_stop", "oracle_success", "wrong_storey"):
        assert radius in rows[name], name
    assert storey in rows["wrong_storey"]
    assert f"{rules.loop_visits} separate visits" in rows["looping"]
    assert f"{rules.first_turn_m:g} m" in rows["wrong_first_turn"]
    assert f"{np.degrees(rules.first_turn_rad):g}°" in rows["wrong_first_turn"]
    assert f"a disc of {rules.place_radius_m:g} m around the pose" in text
    for name, numbers in (
        (TagKind.EARLY_STOP, (radius,)),
        (TagKind.WRONG_STOREY, (radius, storey)),
        (TagKind.LOOPING, (f"{rules.loop_visits} separate", f"{rules.place_radius_m:g} m")),
        (TagKind.WRONG_FIRST_TURN, (f"{rules.first_turn_m:g} m", "90°")),
    ):
        assert all(number in TAG_RULES[name] for number in numbers), name
