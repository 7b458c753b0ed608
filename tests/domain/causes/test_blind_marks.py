"""Whether a mark is blind: what each change leaves of it, and counting."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from waypost.domain.causes.blind_marks import (
    BlindCount,
    blind_after,
    blind_by_episode,
    count_blind,
    signed_mark,
)
from waypost.domain.causes.failure import CauseKey, CauseMark
from waypost.domain.causes.replay_book import EdgeVerdict, EdgeVerdictKey, RouteVerdict

NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)
KEY = CauseKey("gpt", "7_0", "ana", "own")
ROOM = CauseMark(KEY, 1, {"why": ("room",)}, 3, "dark")


@pytest.mark.parametrize(
    ("before", "has_seen", "after"),
    [
        (True, False, True),
        (True, True, False),
        (False, False, False),
        (False, True, False),
        (None, False, None),
        (None, True, False),
    ],
)
def test_a_mark_is_blind_if_every_answer_was(before, has_seen: bool, after) -> None:
    earlier = replace(ROOM, is_blind=before)
    for changed in (replace(earlier, choices={"why": ("stair",)}), replace(earlier, step=4)):
        signed = signed_mark(changed, earlier, NOON, has_seen=has_seen)
        assert signed == replace(changed, marked_at=NOON, is_blind=after)
    verdict = EdgeVerdict(EdgeVerdictKey("gpt", "7_0", "a", "b", "ana"), RouteVerdict.VALID)
    assert blind_after(replace(verdict, is_blind=before), has_seen=has_seen) is after


@pytest.mark.parametrize("has_seen", [True, False])
def test_the_first_answer_decides_for_itself(has_seen: bool) -> None:
    assert signed_mark(ROOM, None, NOON, has_seen=has_seen).is_blind is not has_seen
    assert blind_after(None, has_seen=has_seen) is not has_seen


@pytest.mark.parametrize("before", [True, False, None])
def test_a_note_alone_leaves_a_mark_as_blind_as_it_was(before) -> None:
    earlier = replace(ROOM, is_blind=before)
    signed = signed_mark(replace(earlier, note="a sill"), earlier, NOON, has_seen=True)
    assert signed == replace(earlier, note="a sill", marked_at=NOON)


def test_counting_by_episode_and_in_words() -> None:
    marks = [
        replace(ROOM, key=KEY._replace(episode_id=episode, analyst=str(n)), is_blind=is_blind)
        for n, (episode, is_blind) in enumerate(
            (("7_0", True), ("7_0", None), ("7_1", False), ("7_0", True))
        )
    ]
    assert blind_by_episode(marks) == {"7_0": (2, 0, 1), "7_1": (0, 1, 0)}
    assert count_blind([]) == BlindCount(0, 0, 0)
    assert BlindCount(5, 1200, 1).others == "1,200 seeing others' marks, 1 unknown"
    assert BlindCount(5).others == ""
