"""The table of spoken words: when each was said, where the guide stood, and who heard it where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from waypost.domain.episode.episode import Episode, TimedWord
from waypost.domain.episode.guide_trace import GuideStay
from waypost.domain.record.heard_words import HeardWord, heard_words
from waypost.domain.record.recording import Recording
from waypost.domain.record.study import Take
from waypost.domain.replay.guide_words import stay_of_each_word
from waypost.tables.frames import Columns, frame_of

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class WordRow:
    """One hearing of one word in one take."""

    take: Take
    split: str
    word: TimedWord
    heard: HeardWord
    stay: GuideStay | None
    """Where the guide stood when it was said; ``None`` where no pose trace tells."""

    time_ns: int | None
    """Simulated time at which it was heard; ``None`` if it was not."""

    pose: tuple[float, float, float, float] | None
    """Where the participant stood then: x, y, z in metres, yaw in radians, scene frame."""


def word_rows(take: Take, recording: Recording, episode: Episode) -> list[WordRow]:
    """A row per hearing of each timed word; none for an episode without such."""
    words = episode.instruction.words
    stays = stay_of_each_word(episode)
    samples = recording.trajectory
    rows = []
    for heard in heard_words(recording, words) if words else ():
        time_ns, pose = None, None
        if heard.sample is not None:
            time_ns = int(samples.times_ns[heard.sample])
            x, y, z = samples.positions_m[heard.sample].tolist()
            pose = (x, y, z, float(samples.yaws_rad[heard.sample]))
        stay = stays[heard.number] if stays else None
        rows.append(WordRow(take, episode.split, words[heard.number], heard, stay, time_ns, pose))
    return rows


def word_frame(rows: Sequence[WordRow]) -> pd.DataFrame:
    """One row per hearing: who, which take, the word with its times, guide and participant."""

    def guide(axis: int, row: WordRow) -> float | None:
        return None if row.stay is None else row.stay.position_m[axis]

    def own(part: int, row: WordRow) -> float | None:
        return None if row.pose is None else row.pose[part]

    columns: Columns[WordRow] = {
        "participant": (str, lambda row: row.take.key.participant),
        "dataset": (str, lambda row: row.take.key.dataset),
        "split": (str, lambda row: row.split),
        "scene_id": (str, lambda row: row.take.key.scene_id),
        "episode_id": (str, lambda row: row.take.key.episode_id),
        "take": (int, lambda row: row.take.key.number),
        "word_number": (int, lambda row: row.heard.number),
        "word": (str, lambda row: row.word.word),
        "start_s": (float, lambda row: row.word.start_s),
        "end_s": (float, lambda row: row.word.end_s),
        "guide_viewpoint": (str, lambda row: None if row.stay is None else row.stay.viewpoint_id),
        "guide_x_m": (float, lambda row: guide(0, row)),
        "guide_y_m": (float, lambda row: guide(1, row)),
        "guide_z_m": (float, lambda row: guide(2, row)),
        "hearing": (int, lambda row: row.heard.hearing),
        "heard_s": (float, lambda row: None if row.time_ns is None else row.time_ns / 1e9),
        "heard_x_m": (float, lambda row: own(0, row)),
        "heard_y_m": (float, lambda row: own(1, row)),
        "heard_z_m": (float, lambda row: own(2, row)),
        "heard_yaw_rad": (float, lambda row: own(3, row)),
    }
    return frame_of(rows, columns)
