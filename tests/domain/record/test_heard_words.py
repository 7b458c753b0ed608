"""When participants heard which word: by the clock on the wall, through pauses, again."""

from __future__ import annotations

from fixtures.recorded_takes import STEP_NS, walk

from waypost.domain.episode.episode import TimedWord
from waypost.domain.record.heard_words import HeardWord, Stretch, heard_words, played_stretches
from waypost.domain.record.recording import Recording, TakeEvent

S = 1_000_000_000
WORDS = (TimedWord("Leave", 0.4, 0.6), TimedWord("the", None, None), TimedWord("room", 0.9, 1.2))


def take(*events: TakeEvent) -> Recording:
    """4 m ahead in 81 samples, 50 ms apart: 4 s."""
    return walk([(0, 0), (4, 0)], events=events)


def voice(kind: str, at_s: float, place: str) -> TakeEvent:
    return TakeEvent(f"voice_{kind}", round(at_s * S), round(at_s * S), place)


def test_a_word_is_heard_where_the_driver_is_when_it_begins() -> None:
    recording = take(voice("play", 1.0, "0.000"), voice("pause", 3.0, "2.000"))
    assert played_stretches(recording) == (Stretch(0.0, S, 3 * S),)
    # 0.4 s into the audio that began at 1 s: sample 28 of 50 ms each; 0.9 s: sample 38.
    assert heard_words(recording, WORDS) == (
        HeardWord(0, 1, 28),
        HeardWord(1, None, None),
        HeardWord(2, 1, 38),
    )


def test_what_is_played_again_is_heard_again() -> None:
    events = (
        voice("play", 0.0, "0"), voice("pause", 0.5, "0.5"),
        voice("play", 1.0, "0.5"), voice("pause", 2.0, "1.5"),
        voice("play", 2.5, "0.8"), voice("pause", 3.0, "1.3"),
    )  # fmt: skip
    heard = heard_words(take(*events), WORDS)
    assert [(one.number, one.hearing, one.sample) for one in heard] == [
        (0, 1, 8),
        (1, None, None),
        (2, 1, 28),
        (2, 2, 52),
    ]


def test_a_word_at_the_end_of_a_stretch_is_not_heard() -> None:
    recording = take(voice("play", 0.0, "0"), voice("pause", 0.9, "0.9"))
    assert [one.hearing for one in heard_words(recording, WORDS)] == [1, None, None]


def test_a_voice_that_nobody_paused_plays_to_the_end_of_the_take() -> None:
    assert played_stretches(take(voice("play", 1.0, "0.25"))) == (Stretch(0.25, S, 4 * S),)


def test_the_voice_goes_on_while_the_take_is_paused() -> None:
    """Paused for 2 s after the first second: the words are heard at the place of the pause."""
    times = [step * STEP_NS for step in range(81)]
    walls = [time if time <= S else time + 2 * S for time in times]
    recording = walk(
        [(0, 0), (4, 0)],
        wall_times_ns=walls,
        events=(voice("play", 1.2, "0"), voice("pause", 2.5, "1.3")),
    )
    assert [one.sample for one in heard_words(recording, WORDS)] == [20, None, 20]


def test_what_tells_no_place_in_the_audio_is_left_out() -> None:
    events = (voice("play", 0.0, "soon"), voice("play", 0.5, "nan"), voice("play", 1.0, "-1"))
    assert played_stretches(take(*events)) == ()
    assert [one.sample for one in heard_words(take(*events), WORDS)] == [None] * 3


def test_without_a_clock_nothing_is_known() -> None:
    recording = walk(
        [(0, 0), (4, 0)], wall_times_ns=[-(2**63)] * 81, events=(voice("play", 0.0, "0"),)
    )
    assert [one.sample for one in heard_words(recording, WORDS)] == [None] * 3
