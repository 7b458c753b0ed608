"""Small panoramas of the steps of a report, inside the page, up to a size that still opens."""

from __future__ import annotations

import base64
import io
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from waypost.domain.base.progress import Progress
from waypost.domain.replay.replay import Replay
from waypost.report.strip_making import StripMaker

MOST_BYTES: Final = 80_000_000
"""Of all pictures of a page as they stand in it."""

WIDTH_PX: Final = 560
_QUALITY: Final = 72


@dataclass(frozen=True, slots=True)
class EpisodePictures:
    """Pictures by place of the episode and step."""

    by_step: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """``data:`` addresses; steps without a picture are missing."""

    left_out: int = 0
    """Steps whose pictures would have made the page too large."""

    def at(self, episode: int, step: int) -> str:
        """The address of a picture; empty without."""
        return self.by_step.get((episode, step), "")


NO_PICTURES: Final = EpisodePictures()


def step_pictures(
    replays: Sequence[Replay],
    most_steps: int,
    strip: StripMaker,
    most_bytes: int = MOST_BYTES,
) -> Generator[Progress, None, EpisodePictures]:
    """Paint the panoramas of the first steps of some episodes.

    Args:
        replays: In the order of the page.
        most_steps: Of each.
        strip: Paints them.
        most_bytes: Once a picture no longer fits, it and all later ones are left out.

    Yields:
        Progress in episodes.
    """
    found: dict[tuple[int, int], str] = {}
    spent = left_out = 0
    for number, replay in enumerate(replays):
        yield Progress(number, len(replays), f"Pictures of episode {number + 1} of {len(replays)}")
        count = min(len(replay), most_steps)
        for step in range(count):
            if left_out:
                left_out += count - step
                break
            pixels = strip(replay, step, WIDTH_PX)
            if pixels is None:
                continue
            address = _address(pixels)
            if spent + len(address) > most_bytes:
                left_out += 1
                continue
            found[number, step] = address
            spent += len(address)
    return EpisodePictures(found, left_out)


def _address(pixels: NDArray[np.uint8]) -> str:
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, format="JPEG", quality=_QUALITY)
    return "data:image/jpeg;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")
