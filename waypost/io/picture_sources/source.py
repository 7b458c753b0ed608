"""What a source of pictures gives for a step: pictures with their lenses, decoded when asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from waypost.domain.replay.picture_lenses import Lens
from waypost.domain.replay.replay import Replay

Pixels = NDArray[np.uint8]
"""(H, W, 3) RGB."""


@dataclass(frozen=True, slots=True)
class SourcePicture:
    """One picture that has not been decoded yet."""

    name: str
    """For messages: the file, or what is rendered."""

    lens: Lens
    read: Callable[[int], Pixels] = field(compare=False)
    """Decodes it, at a width of at least so many pixels where it has them.

    Raises:
        InputError: If it cannot be used; one sentence.
    """


@dataclass(frozen=True, slots=True)
class StepPictures:
    """What there is to see at a step."""

    pictures: tuple[SourcePicture, ...]
    """What surrounds the agent, or the one frame; empty where there is none."""

    sphere: SourcePicture | None = None
    """The whole sphere, where there is one beside the others."""

    caption: str = ""
    """What a single picture is, e.g. ``frame 12 of 300``."""

    reason: str = ""
    """Why there is none; one sentence."""


class PictureSource(Protocol):
    """A folder, a film or a scene that has pictures of the steps of runs."""

    title: str
    """What it is, in a few words."""

    conventions: str
    """How headings and lenses were read, in one sentence."""

    is_single: bool
    """Whether a step has one picture ahead instead of a panorama."""

    def place(self, replay: Replay, step: int) -> str:
        """A name that steps with the same pictures share; empty without. Never waits."""

    def pictures_at(self, replay: Replay, step: int) -> StepPictures:
        """The pictures of a step; looks at the disk."""

    def close(self) -> None:
        """Let files go."""
