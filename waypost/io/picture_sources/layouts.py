"""The names that pictures of viewpoints have in the field, and which layout a folder is in."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Final

from waypost.io.picture_sources.decoding import PICTURE_ENDINGS

_MOST_ENTRIES: Final = 20_000
_DEEPEST: Final = 5
_FEWEST_FRAMES: Final = 2
_PER_FOLDER: Final = 4_000


class Layout(StrEnum):
    """How pictures are named."""

    MANIFEST = "waypost panoramas"
    DEGREES = "four views by degrees"
    SIDES = "four views by side"
    QUARTERS = "four views by number"
    VIEWS_36 = "36 views"
    FACES = "Matterport3D skybox faces"
    STRIP = "Matterport3D skybox strips"
    SPHERE = "equirectangular panoramas"
    FRAMES = "numbered frames"
    VIDEO = "films of runs"


SIDES: Final = ("front", "right", "back", "left")
"""Names of the views at 0°, 90°, 180°, 270°."""

_TOKENS: Final = re.compile(
    r"(?:(?P<prefix>.+)[_-])?"
    r"(?P<token>h?\d{1,3}|front|right|back|left|skybox[0-5]_sami|skybox_small"
    r"|equirectangular|pano|panorama|equirect)",
    re.IGNORECASE,
)
_SPHERE_TOKENS: Final = ("equirectangular", "equirect", "panorama", "pano")
_FRAME: Final = re.compile(r"(?:.*?[^0-9])?(?P<number>\d+)(?:[_-][A-Za-z]+)?")


TOKENS: Final[Mapping[Layout, tuple[tuple[str, ...], ...]]] = MappingProxyType(
    {
        Layout.DEGREES: tuple(
            (str(d), f"{d:03d}", f"h{d:03d}", f"h{d}") for d in (0, 90, 180, 270)
        ),
        Layout.SIDES: tuple((side, side.capitalize()) for side in SIDES),
        Layout.QUARTERS: tuple((str(number),) for number in range(4)),
        Layout.VIEWS_36: tuple((str(number), f"{number:02d}") for number in range(36)),
        Layout.FACES: tuple((f"skybox{face}_sami",) for face in range(6)),
        Layout.STRIP: (("skybox_small",),),
        Layout.SPHERE: (("", *_SPHERE_TOKENS),),
    }
)
"""What the names of a viewpoint's pictures end in: alternatives for each picture in turn."""


def frame_number(stem: str) -> int | None:
    """The number in the name of a frame: the last one; ``None`` without."""
    match = _FRAME.fullmatch(stem)
    return int(match["number"]) if match else None


def pictures_in(folder: Path, most: int | None = None) -> dict[str, str]:
    """Stem → name of the pictures of a folder; empty if it cannot be listed.

    Args:
        folder: The folder.
        most: Look at no more entries than this.
    """
    found: dict[str, str] = {}
    try:
        with os.scandir(folder) as entries:
            for number, entry in enumerate(entries):
                if most is not None and number >= most:
                    break
                name = PurePath(entry.name)
                if name.suffix.lower() in PICTURE_ENDINGS:
                    found.setdefault(name.stem, entry.name)
    except OSError:
        return {}
    return found


def find_layout(folder: Path) -> Layout | None:
    """Tell the layout of a folder by the names in it; nothing is decoded.

    At most 20,000 entries down to five folders deep are looked at.

    Returns:
        The layout; ``None`` where no name fits.
    """
    votes: Counter[Layout] = Counter()
    for inside in _folders(folder):
        layout = layout_of(pictures_in(inside, _PER_FOLDER))
        if layout is None:
            layout = _whole_runs(inside)
        if layout is not None:
            votes[layout] += 1
    if not votes:
        return None
    # Whole spheres lie beside other views at times; names of single frames may be anything.
    order = list(Layout)
    return min(
        votes, key=lambda layout: (layout is Layout.FRAMES, -votes[layout], order.index(layout))
    )


def layout_of(stems: Collection[str]) -> Layout | None:
    """The layout that the names of one folder's pictures are in; ``None`` where none fits."""
    groups: dict[str, set[str]] = defaultdict(set)
    for stem in stems:
        match = _TOKENS.fullmatch(stem)
        if match is not None:
            groups[match["prefix"] or ""].add(match["token"].lower())
    found = Counter(
        layout for layout in (_layout_of_tokens(tokens) for tokens in groups.values()) if layout
    )
    if found:
        return max(found, key=lambda layout: found[layout])
    if _are_ids(stems):
        return Layout.SPHERE
    numbered = [stem for stem in stems if frame_number(stem) is not None]
    is_run = len(numbered) >= _FEWEST_FRAMES and len(numbered) * 2 > len(stems)
    return Layout.FRAMES if is_run else None


def _layout_of_tokens(tokens: set[str]) -> Layout | None:
    degrees = {int(token.lstrip("h")) for token in tokens if token.lstrip("h").isdecimal()}
    tests = (
        (Layout.FACES, any(token.endswith("_sami") for token in tokens)),
        (Layout.STRIP, "skybox_small" in tokens),
        (Layout.SIDES, set(SIDES) <= tokens),
        (Layout.DEGREES, degrees >= {0, 90, 180, 270} and len(degrees) <= 12),
        (Layout.VIEWS_36, degrees == set(range(36))),
        (Layout.QUARTERS, tokens == {"0", "1", "2", "3"}),
        (Layout.SPHERE, not tokens.isdisjoint(_SPHERE_TOKENS)),
    )
    return next((layout for layout, fits in tests if fits), None)


def _whole_runs(folder: Path) -> Layout | None:
    """The layout of a folder without pictures of its own."""
    if (folder / "rgb.npy").is_file():
        return Layout.FRAMES
    return Layout.VIDEO if any(folder.glob("*.mp4")) else None


def _are_ids(stems: Iterable[str]) -> bool:
    """Whether names are those of Matterport3D's viewpoints: 32 hexadecimal digits."""
    return any(re.fullmatch(r"(?:.+_)?[0-9a-f]{32}", stem) for stem in stems)


def _folders(root: Path) -> Iterator[Path]:
    """A folder and those in it, the nearest first."""
    level, seen = [root], 0
    for _ in range(_DEEPEST):
        deeper: list[Path] = []
        for folder in level:
            yield folder
            try:
                with os.scandir(folder) as entries:
                    for entry in entries:
                        seen += 1
                        if seen > _MOST_ENTRIES:
                            return
                        if entry.is_dir():
                            deeper.append(Path(entry.path))
            except OSError:
                continue
        level = sorted(deeper)
