"""Buffers of drawings that stay are kept."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from waypost.domain.base.progress import exhaust
from waypost.viewers.scene import overlay_packing
from waypost.viewers.scene.drawing import NOTHING, Drawing, PolyLine, SceneMarker
from waypost.viewers.scene.overlay_buffers import line_quads, marker_points
from waypost.viewers.scene.overlay_packing import OverlayPacker, Parts

RED = (1.0, 0.0, 0.0, 1.0)
ORIGIN_M = (1.0, 2.0, 3.0)


def drawing(x_m: float) -> Drawing:
    """A line and a disc the scene may hide, and one of each on top of it."""
    ends = ((x_m, 0.0, 0.0), (x_m, 1.0, 0.0))
    hidden, seen = (
        PolyLine(ends, RED, 2.0, is_on_top=False),
        PolyLine(ends, RED, 3.0, is_on_top=True),
    )
    discs = (
        SceneMarker(ends[0], RED, 5.0, is_on_top=False),
        SceneMarker(ends[1], RED, 6.0, is_on_top=True),
    )
    return Drawing((hidden, seen), discs)


def _holds(parts: Parts, wanted: NDArray[np.void]) -> bool:
    return np.array_equal(np.concatenate(parts), wanted)


def test_a_drawing_is_packed_as_before() -> None:
    shown = drawing(4.0)
    (packed,) = OverlayPacker().pack([shown], ORIGIN_M)
    for is_on_top in (False, True):
        lines = [line for line in shown.lines if line.is_on_top is is_on_top]
        assert len(lines) == 1
        assert _holds(packed.quads[is_on_top], line_quads(lines, ORIGIN_M))
        markers = [marker for marker in shown.markers if marker.is_on_top is is_on_top]
        assert _holds(packed.points[is_on_top], marker_points(markers, ORIGIN_M))


def test_only_what_is_new_is_packed() -> None:
    packer, graph = OverlayPacker(), drawing(4.0)
    before = packer.pack([graph, drawing(5.0)], ORIGIN_M)
    after = packer.pack([graph, drawing(6.0)], ORIGIN_M)
    assert after[0] is before[0]
    assert after[1] is not before[1]
    assert after[1].quads[0][0]["a_start"][0, 0] == 5.0


def test_another_scene_packs_everything_anew() -> None:
    packer, graph = OverlayPacker(), drawing(4.0)
    (before,) = packer.pack([graph], ORIGIN_M)
    (after,) = packer.pack([graph], (0.0, 0.0, 0.0))
    assert after is not before
    assert after.quads[0][0]["a_start"][0].tolist() == [4.0, 0.0, 0.0]


def test_what_is_shown_no_more_is_forgotten() -> None:
    packer, graph = OverlayPacker(), drawing(4.0)
    (before,) = packer.pack([graph], ORIGIN_M)
    assert packer.pack([], ORIGIN_M) == ()
    (after,) = packer.pack([graph], ORIGIN_M)
    assert after is not before


def test_a_prepared_drawing_is_the_same_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overlay_packing, "_PAUSE_EVERY", 3)
    parts = [drawing(float(number)) for number in range(5)]
    graph = sum(parts, NOTHING)
    (at_once,) = OverlayPacker().pack([graph], ORIGIN_M)
    packer = OverlayPacker()
    steps = list(packer.prepare_steps(graph, ORIGIN_M))
    assert len(steps) == 8  # ten lines and ten discs, three at a time
    (prepared,) = packer.pack([graph], ORIGIN_M)
    for is_on_top in (False, True):
        lines = [line for line in graph.lines if line.is_on_top is is_on_top]
        wanted = line_quads(lines, ORIGIN_M)
        assert _holds(at_once.quads[is_on_top], wanted)
        assert _holds(prepared.quads[is_on_top], wanted)
        markers = [marker for marker in graph.markers if marker.is_on_top is is_on_top]
        assert _holds(prepared.points[is_on_top], marker_points(markers, ORIGIN_M))


def test_what_was_prepared_is_packed_once_and_only_for_its_scene(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    packer, graph, moved = OverlayPacker(), drawing(4.0), drawing(5.0)
    exhaust(packer.prepare_steps(graph, ORIGIN_M))
    with monkeypatch.context() as patch:
        patch.setattr(overlay_packing, "line_quads", lambda *_: pytest.fail("packed again"))
        packer.pack([graph], ORIGIN_M)
    exhaust(packer.prepare_steps(moved, ORIGIN_M))
    (elsewhere,) = packer.pack([moved], (0.0, 0.0, 0.0))
    assert elsewhere.quads[0][0]["a_start"][0].tolist() == [5.0, 0.0, 0.0]
