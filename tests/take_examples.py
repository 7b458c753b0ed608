"""Takes to write and read: random ones, and the text of one as our recorder leaves it."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from waypost.domain.record.recording import Recording, TakeEvent
from waypost.domain.record.trajectory import UNKNOWN_COUNT, UNKNOWN_NS, trajectory

_finite = st.floats(-1e8, 1e8, allow_subnormal=True)
_unknown_or_finite = _finite | st.just(np.nan)
_words = st.sampled_from(["idle", "forward", "back+turn_left", 'a, "b"', "向前", ""])
_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_times = st.integers(0, 2**62)


def _floats(count, width=None, values=_unknown_or_finite):
    return npst.arrays(np.float64, (count, width) if width else (count,), elements=values)


@st.composite
def recordings(draw):
    count = draw(st.integers(1, 8))
    steps = draw(st.lists(st.integers(1, 2**50), min_size=count, max_size=count))
    walls = st.integers(0, 2**60) | st.just(UNKNOWN_NS)
    counts = st.integers(0, 99) | st.just(UNKNOWN_COUNT)
    lists = {"min_size": count, "max_size": count}
    samples = trajectory(
        count,
        times_ns=np.cumsum(steps),
        wall_times_ns=draw(st.lists(walls, **lists)),
        positions_m=draw(_floats(count, 3, _finite)),
        quaternions=draw(_floats(count, 4)),
        yaws_rad=draw(_floats(count)),
        camera_pitches_rad=draw(_floats(count)),
        speeds_mps=draw(_floats(count)),
        turn_rates_radps=draw(_floats(count)),
        displacements_m=draw(_floats(count)),
        contact_counts=draw(st.lists(counts, **lists)),
        has_focus=draw(st.lists(st.sampled_from([0, 1, UNKNOWN_COUNT]), **lists)),
        actions=draw(st.lists(_words, **lists)),
    )
    header = {
        "schema": "waypost-recording",
        "schema_version": 1,
        "participant": draw(_texts),
        "episode": {"episode_id": draw(_texts)},
        "eye_height_m": draw(_finite),
    }
    events = draw(
        st.lists(st.builds(TakeEvent, st.sampled_from(["pause", "note"]), _times, _times, _texts))
    )
    return Recording(
        samples,
        MappingProxyType(header),
        tuple(events),
        draw(st.sampled_from([True, False, None])),
        draw(_texts),
    )


def rows_of(table):
    """Text of a CSV from lists of cells."""
    return "".join(",".join(map(str, row)) + "\n" for row in table)
