from __future__ import annotations

import mmap
import os
import sys

import numpy as np
import pytest

from waypost.io.confined.array_block import arrays_in, fill, new_block

ARRAYS = (
    np.arange(12, dtype=np.float32).reshape(4, 3),
    np.zeros((0, 3), np.int32),
    np.arange(24, dtype=np.uint8).reshape(2, 3, 4)[:, ::2],
    np.array([1.5, np.nan]),
    np.array([True, False]),
)


def test_arrays_come_back_as_they_were_and_cannot_be_changed():
    with new_block() as block:
        found = arrays_in(block, fill(block, ARRAYS))
    assert len(found) == len(ARRAYS)
    for before, after in zip(ARRAYS, found, strict=True):
        assert after.dtype == before.dtype
        assert np.array_equal(after, before, equal_nan=before.dtype == np.float64)
        with pytest.raises(ValueError, match="read-only"):
            after[...] = 0


def test_arrays_live_longer_than_their_block():
    with new_block() as block:
        (found,) = arrays_in(block, fill(block, ARRAYS[:1]))
    assert found.sum() == 66


def test_what_is_looked_at_can_be_neither_cut_off_nor_changed_any_more():
    """Also by a child that still lives."""
    with new_block() as block:
        arrays_in(block, fill(block, ARRAYS))
        for change in (os.ftruncate, lambda number, at: os.pwrite(number, b"x", at)):
            with pytest.raises(OSError, match="not permitted"):
                change(block.fileno(), 0)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux seals")
def test_what_a_child_may_still_write_to_is_not_looked_at():
    with new_block() as block:
        places = fill(block, ARRAYS)
        with mmap.mmap(block.fileno(), 0), pytest.raises(OSError, match="busy"):
            arrays_in(block, places)


@pytest.mark.parametrize(
    "place",
    [
        None,
        {},
        {"at": 0, "type": "|O", "shape": [1]},
        {"at": 0, "type": "<f4", "shape": [13]},
        {"at": 48, "type": "|u1", "shape": [1]},
        {"at": -4, "type": "<f4", "shape": [1]},
        {"at": 2, "type": "<f4", "shape": [1]},
        {"at": 0, "type": "<f4", "shape": [-1]},
        {"at": 0, "type": "<f4", "shape": [1 << 40, 1 << 40]},
        {"at": 0, "type": "<f4", "shape": [1.0]},
        {"at": True, "type": "<f4", "shape": [1]},
        {"at": 0, "type": "<f4", "shape": 3},
    ],
)
def test_a_place_outside_the_block_is_refused(place):
    with new_block() as block:
        fill(block, ARRAYS[:1])
        with pytest.raises((TypeError, ValueError)):
            arrays_in(block, [place])


def test_what_is_no_number_is_not_handed_over():
    with new_block() as block, pytest.raises(TypeError, match="cannot be handed over"):
        fill(block, [np.array([object()])])
