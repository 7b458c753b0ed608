"""Pictures in a report stop where the page would become too large."""

from __future__ import annotations

import base64
import io

import numpy as np
import pytest
from fixtures.replay_examples import graph_replay
from PIL import Image

from waypost.domain.base.progress import exhaust
from waypost.domain.replay.replay import Replay
from waypost.report.step_pictures import WIDTH_PX, EpisodePictures, step_pictures


def strip(replay: Replay, step: int, width_px: int) -> np.ndarray | None:
    return None if step == 1 else np.full((60, width_px, 3), (200, 30, 30), np.uint8)


def test_each_step_with_a_picture_has_one() -> None:
    found = exhaust(step_pictures([graph_replay("ABC"), graph_replay("ABCDE")], 4, strip))
    assert sorted(found.by_step) == [(0, 0), (0, 2), (1, 0), (1, 2), (1, 3)]
    assert found.left_out == 0
    assert found.at(0, 1) == ""
    head, _, data = found.at(1, 3).partition(",")
    assert head == "data:image/jpeg;base64"
    with Image.open(io.BytesIO(base64.b64decode(data))) as picture:
        assert picture.size == (WIDTH_PX, 60)
        assert picture.getpixel((9, 9)) == pytest.approx((200, 30, 30), abs=8)


def test_what_does_not_fit_is_counted() -> None:
    replays = [graph_replay("ABC"), graph_replay("ABCDE")]
    one = len(exhaust(step_pictures(replays, 4, strip)).at(0, 0))
    found = exhaust(step_pictures(replays, 4, strip, most_bytes=2 * one))
    assert sorted(found.by_step) == [(0, 0), (0, 2)]
    # The first of the second episode did not fit, nor do the three after it.
    assert found.left_out == 4


def test_cancelling_stops_between_episodes() -> None:
    work = step_pictures([graph_replay("ABC")] * 3, 4, strip)
    assert next(work).total == 3
    work.close()
    assert EpisodePictures().at(0, 0) == ""
