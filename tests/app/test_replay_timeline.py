"""What the timeline of a replay shows: spans off the reference, and flags."""

from __future__ import annotations

from waypost.app.replay.timeline import timeline_of
from waypost.domain.episode.episode import Episode, Instruction
from waypost.domain.episode.route import route
from waypost.domain.episode.run import Decision, EpisodeRun, Event, EventKind, RunEnd
from waypost.domain.replay.replay import build_replay
from waypost.domain.replay.tags import Tag, TagKind
from waypost.widgets.timeline_content import TimelineKind, TimelineSpan


def episode() -> Episode:
    return Episode(
        dataset="",
        split="",
        episode_id="1",
        scene_id="s",
        instruction=Instruction("go"),
        reference=route(["A", "B", "C"]),
    )


def test_back_and_forth_has_its_flags_where_they_belong():
    touch = Event(EventKind.COLLISION, "touched")
    decisions = (Decision(1, 2), Decision(2, 3, events=(touch,)), Decision(3, 5))
    run = EpisodeRun(
        "1",
        route(["A", "B", "A", "B", "C"]),
        decisions,
        end=RunEnd(called_stop=True),
        times_s=(0.0, 1.0, 2.0, 3.0, 4.0),
    )
    replay = build_replay(episode(), run)
    assert replay.on_reference.tolist() == [True, True, False, True, True]
    content = timeline_of(replay, (Tag(TagKind.LOOPING, 2, "twice the same"),))
    assert content.count == 5
    assert content.time_s(3) == 3.0
    assert content.spans == (TimelineSpan(2, 2, TimelineKind.OFF_REFERENCE),)
    assert [(mark.index, mark.kind) for mark in content.marks] == [
        (1, TimelineKind.COLLISION),
        (2, TimelineKind.FIRST_DEVIATION),
        (2, TimelineKind.REVISIT),
        (2, TagKind.LOOPING),
        (3, TimelineKind.REVISIT),
        (4, TimelineKind.STOP),
    ]


def test_a_run_on_its_reference_to_the_end_has_no_span():
    content = timeline_of(build_replay(episode(), EpisodeRun("1", route(["A", "B", "C"]))))
    assert content.spans == ()
    assert content.marks == ()
    assert content.times_s is None


def test_two_ways_off_are_two_spans():
    reference = route(positions_m=[[0, 0, 0], [10, 0, 0]])
    walked = route(positions_m=[[0, 0, 0], [2, 3, 0], [4, 0, 0], [6, 0, 0], [8, 3, 0], [9, 3, 0]])
    truth = Episode(
        dataset="",
        split="",
        episode_id="1",
        scene_id="s",
        instruction=Instruction("go"),
        reference=reference,
    )
    content = timeline_of(build_replay(truth, EpisodeRun("1", walked)))
    assert [(span.first, span.last) for span in content.spans] == [(1, 1), (4, 5)]
