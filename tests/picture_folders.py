"""Folders of small pictures in the layouts of the field, and runs that go through them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image
from replay_examples import graph_replay

from waypost.domain.replay.replay import Replay
from waypost.io.camera_takes.picture_files import write_picture

RED, GREEN, BLUE, WHITE = (200, 0, 0), (0, 200, 0), (0, 0, 200), (200, 200, 200)
COLOURS = (RED, GREEN, BLUE, WHITE)
"""Of the views at 0°, 90°, 180°, 270°."""


def plain(colour: tuple[int, int, int], width: int = 64, height: int = 48) -> np.ndarray:
    """A picture of one colour."""
    return np.full((height, width, 3), colour, np.uint8)


def put(path: Path, picture: np.ndarray) -> Path:
    """Write a picture where it belongs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_picture(path, picture)
    return path


def read_picture(path: Path) -> np.ndarray:
    """(H, W, 3) RGB of a picture file."""
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB"))


def four_views(
    folder: Path, name: str, tokens: tuple[str, ...] = ("0", "90", "180", "270")
) -> None:
    """Four views of a viewpoint; ``name`` has ``{}`` where the token stands."""
    for token, colour in zip(tokens, COLOURS, strict=True):
        put(folder / name.format(token), plain(colour))


def walk() -> Replay:
    """A, B, C, B, U on ``line_graph``; the scan is called ``line``."""
    return graph_replay("ABCBU")


def colour_of(picture: np.ndarray) -> tuple[int, int, int]:
    """The middle of a picture, to the nearest 20 (JPEG is not exact)."""
    middle = picture[picture.shape[0] // 2, picture.shape[1] // 2]
    return tuple(int(round(int(value) / 20) * 20) for value in middle)  # type: ignore[return-value]
