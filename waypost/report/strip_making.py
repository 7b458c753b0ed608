"""Panoramas of steps for shared pictures and reports; needs Qt only once it paints."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from waypost.domain.replay.replay import Replay
from waypost.io.picture_sources.open_source import open_picture_source
from waypost.io.picture_sources.source import PictureSource

StripMaker = Callable[[Replay, int, int], "NDArray[np.uint8] | None"]
"""The panoramas of a step, (H, W, 3) RGB, for a replay, a step and a width in pixels; ``None``
where there are none."""


def strip_maker(source: PictureSource, *, has_bare: bool = True) -> StripMaker:
    """Paints strips as on the window.

    Args:
        source: One that renders must be used on the window's thread.
        has_bare: Whether steps without pictures have bare tiles with their options, or no strip.
    """

    def paint(replay: Replay, step: int, width_px: int) -> NDArray[np.uint8] | None:
        # Commands that do not draw run without Qt's libraries.
        from waypost.viewers.scene.picture_pixels import rgb_pixels  # noqa: PLC0415
        from waypost.viewers.strip.image import strip_image  # noqa: PLC0415

        if not has_bare and not source.pictures_at(replay, step).pictures:
            return None
        return rgb_pixels(strip_image(replay, step, source, width_px))

    return paint


@contextlib.contextmanager
def opened_strips(pictures: Path | None, *, has_bare: bool = True) -> Iterator[StripMaker | None]:
    """Paints strips from a folder or film as ``strip_maker`` does; ``None`` without.

    Raises:
        ReadError: If nothing there can be used.
    """
    if pictures is None:
        yield None
        return
    with contextlib.closing(open_picture_source(pictures)) as source:
        yield strip_maker(source, has_bare=has_bare)
