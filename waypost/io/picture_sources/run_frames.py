"""Single pictures of continuous runs: numbered files in a folder, a film or one array."""

from __future__ import annotations

import functools
import math
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from waypost.domain.base.errors import ReadError
from waypost.domain.base.frames import r2r_heading_from_yaw
from waypost.domain.episode.episode import bare_scene
from waypost.domain.episode.run_ids import own_id
from waypost.domain.replay.picture_lenses import PerspectiveLens
from waypost.domain.replay.replay import Replay
from waypost.io.camera_takes.opencv import cv2
from waypost.io.file_reading import open_for_reading, require_regular_file
from waypost.io.picture_sources.decoding import MOST_PIXELS, decode_picture
from waypost.io.picture_sources.layouts import frame_number, pictures_in
from waypost.io.picture_sources.source import Pixels, SourcePicture, StepPictures

_FOV_RAD: Final = math.radians(90)
_LABEL: Final = r"(?<![A-Za-z0-9])(?:episode|ep)(?:[_-]?id)?[=_-]?"
_LABELLED: Final = re.compile(rf"{_LABEL}[A-Za-z0-9]", re.IGNORECASE)
"""Names that say which part of them is the episode's id, as those of VLN-CE's films do."""

_INSIDE: Final = ("", "rgb", "frames", "images", "color")
_ARRAY: Final = Path("rgb.npy")
_FIRST_BOX: Final = slice(4, 8)
_BOXES: Final = frozenset({b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"pnot"})
"""What an mp4 may begin with."""

_SEEK_BEYOND: Final = 60
"""A film is read on up to so many frames ahead, which costs less than a jump."""


@dataclass(frozen=True, slots=True)
class ShownFrame:
    """The frame of a step."""

    frame: int
    """Index among the frames there are."""

    is_exact: bool
    """Whether frames and steps correspond one to one."""


def frame_of_step(step: int, steps: int, numbers: Sequence[int]) -> ShownFrame:
    """Choose the frame that a step shows.

    As many frames as steps, or one less (no picture after the last action), correspond one to
    one. Fewer frames whose numbers are all steps are every so-manieth: the latest one counts.
    Otherwise they are spread evenly from the first step to the last.

    Args:
        step: The step.
        steps: How many there are.
        numbers: (N) of the frames, ascending; N ≥ 1.
    """
    count = len(numbers)
    if count in {steps, steps - 1}:
        return ShownFrame(min(step, count - 1), is_exact=True)
    if count < steps and steps * 0.5 <= numbers[-1] <= steps and numbers[0] <= 1:
        latest = int(np.searchsorted(numbers, step, side="right")) - 1
        return ShownFrame(max(latest, 0), is_exact=numbers[max(latest, 0)] == step)
    share = step / (steps - 1) if steps > 1 else 0.0
    return ShownFrame(math.floor(share * (count - 1) + 0.5), is_exact=False)


class RunFrames:
    """Pictures in front of the agent, step by step.

    The folder is that of one run, or holds a folder or film for each episode whose name has the
    episode's id in it, be it in a folder of the scene. ``rgb.npy`` in a folder is an array of all
    its pictures, as VLN-PE has it.

    Args:
        root: A folder, an mp4 file or such an array.
    """

    title = "pictures of the run"
    conventions = "one picture per step where their numbers agree, else spread evenly over the run"
    is_single = True

    def __init__(self, root: Path) -> None:
        self._root = root
        self._find = functools.lru_cache(maxsize=16)(self._frames_of)
        self._films: dict[Path, Film] = {}

    def place(self, replay: Replay, step: int) -> str:
        """Episode and step."""
        return f"{replay.episode.episode_id}/{step}"

    def pictures_at(self, replay: Replay, step: int) -> StepPictures:
        """The frame of a step."""
        episode_id = replay.episode.episode_id
        try:
            frames = self._find(episode_id, replay.episode.scene_id)
        except ReadError as error:
            return StepPictures((), reason=str(error))
        if frames is None:
            return StepPictures((), reason=f"{self._root} has no pictures of {episode_id}")
        choice = frame_of_step(step, len(replay), frames.numbers)
        yaw = float(replay.facing_rad[step])
        heading = r2r_heading_from_yaw(yaw) if math.isfinite(yaw) else 0.0
        picture = frames.picture(choice.frame, PerspectiveLens(heading, 0.0, _FOV_RAD))
        about = "" if choice.is_exact else ", the nearest there is"
        caption = f"picture {choice.frame + 1} of {len(frames.numbers)}{about}"
        return StepPictures((picture,), caption=caption)

    def close(self) -> None:
        """Let films go."""
        for film in self._films.values():
            film.close()
        self._films.clear()
        self._find.cache_clear()

    def _frames_of(self, episode_id: str, scene_id: str) -> _FrameFiles | Film | _FrameArray | None:
        if self._root.suffix == _ARRAY.suffix:
            return _frame_array(self._root)
        if self._root.is_file():
            return self._film(self._root)
        own = _of_episode(self._root, episode_id, scene_id)
        if own is not None and own.is_file():
            return self._film(own)
        for folder in (own, self._root) if own is not None else (self._root,):
            if (folder / _ARRAY).is_file():
                return _frame_array(folder / _ARRAY)
            for inside in _INSIDE:
                frames = _frame_files(folder / inside)
                if frames is not None:
                    return frames
        films = sorted(self._root.glob("*.mp4"))
        is_alone = len(films) == 1 and not _LABELLED.search(films[0].stem)
        return self._film(films[0]) if is_alone else None

    def _film(self, path: Path) -> Film:
        if path not in self._films:
            # A folder may hold a film for each of thousands of episodes.
            self.close()
            self._films[path] = Film(path)
        return self._films[path]


def _of_episode(root: Path, episode_id: str, scene_id: str) -> Path | None:
    """The folder or film of an episode; of several with its id, the one that names its scene.

    Scenes may number alike. What goes by ``SCENE/ID`` is not the first of its id, to which a name
    without a scene belongs.
    """
    own, scene = own_id(episode_id, scene_id), bare_scene(scene_id)
    inside = _named_after(root / scene, own) if scene.strip(".") else []
    found = _named_after(root, own)
    of_scene = [path for path in found if scene and _anywhere(scene).search(path.stem)]
    others = found if own == episode_id else []
    return next(iter((*inside, *of_scene, *others)), None)


def _named_after(root: Path, name: str) -> list[Path]:
    """Folders and films in a folder that have an id in their names, set off from other letters.

    A name like ``episode=7-ckpt=1`` says itself which of its numbers is the id. Those that are
    called by the id alone come first.
    """
    if not name:
        return []
    labelled = re.compile(rf"{_LABEL}{re.escape(name)}(?![A-Za-z0-9])", re.IGNORECASE)
    anywhere = _anywhere(name)
    try:
        entries = sorted(root.iterdir())
    except (OSError, ValueError):  # a name with a NUL
        return []

    def is_similar(stem: str) -> bool:
        return bool((labelled if _LABELLED.search(stem) else anywhere).search(stem))

    exact = [path for path in entries if name in {path.name, path.stem}]
    similar = [path for path in entries if is_similar(path.stem)]
    fits = (path for path in (*exact, *similar) if path.is_dir() or path.suffix.lower() == ".mp4")
    return list(dict.fromkeys(fits))


def _anywhere(name: str) -> re.Pattern[str]:
    """Finds a name that is set off from other letters."""
    return re.compile(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])")


def _frame_files(folder: Path) -> _FrameFiles | None:
    numbered = sorted(
        (number, name)
        for stem, name in pictures_in(folder).items()
        if (number := frame_number(stem)) is not None
    )
    if not numbered:
        return None
    return _FrameFiles(
        folder, [number for number, _ in numbered], tuple(name for _, name in numbered)
    )


@dataclass(frozen=True, slots=True)
class _FrameFiles:
    folder: Path
    numbers: Sequence[int]
    names: tuple[str, ...]

    def picture(self, index: int, lens: PerspectiveLens) -> SourcePicture:
        """One of the files."""
        name = self.names[index]
        return SourcePicture(name, lens, functools.partial(decode_picture, self.folder / name))


def _frame_array(path: Path) -> _FrameArray:
    """The pictures of an array, which stay on the disk until they are shown.

    Raises:
        ReadError: If it is no array of (N, H, W, 3) bytes.
    """
    require_regular_file(path)
    try:
        pictures = np.load(path, mmap_mode="r", allow_pickle=False)
    except Exception as error:  # numpy parses the header as Python text
        raise ReadError(str(path), "file", "is no array that can be read") from error
    is_rgb = isinstance(pictures, np.ndarray) and pictures.ndim == 4 and pictures.shape[3] == 3
    if not is_rgb or pictures.dtype != np.uint8 or not pictures.size:
        raise ReadError(str(path), "header", "is no array of pictures: N × H × W × 3 bytes")
    if pictures.shape[1] * pictures.shape[2] > MOST_PIXELS:
        raise ReadError(str(path), "header", f"has pictures of more than {MOST_PIXELS:,} pixels")
    return _FrameArray(path, range(len(pictures)), pictures)


@dataclass(frozen=True, eq=False, slots=True)
class _FrameArray:
    path: Path
    numbers: Sequence[int]
    pictures: Pixels
    """(N, H, W, 3) RGB, mapped from the file."""

    def picture(self, index: int, lens: PerspectiveLens) -> SourcePicture:
        """One of the array."""
        name = f"{self.path.name}, picture {index + 1}"
        return SourcePicture(name, lens, lambda _wished_px: np.array(self.pictures[index]))


def _require_film(path: Path) -> None:
    """Refuse what does not begin as an mp4: a playlist of that name would name other files."""
    with open_for_reading(path) as stream:
        head = stream.read(_FIRST_BOX.stop)
    if head[_FIRST_BOX] not in _BOXES:
        raise ReadError(str(path), "header", "is no film that can be decoded: it begins as no mp4")


class Film:
    """A video read frame by frame; forwards without jumps where that is faster.

    Raises:
        ReadError: If it cannot be decoded or its pictures are too large.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        _require_film(path)
        self._reader: Any = cv2.VideoCapture(str(path))
        self._next = 0
        count = int(self._reader.get(cv2.CAP_PROP_FRAME_COUNT))
        pixels = self._reader.get(cv2.CAP_PROP_FRAME_WIDTH) * self._reader.get(
            cv2.CAP_PROP_FRAME_HEIGHT
        )
        if not self._reader.isOpened() or count < 1:
            raise ReadError(str(path), "file", "is no film that can be decoded")
        if pixels > MOST_PIXELS:
            raise ReadError(
                str(path), "header", f"has pictures of more than {MOST_PIXELS:,} pixels"
            )
        self.numbers: Sequence[int] = range(count)

    def picture(self, index: int, lens: PerspectiveLens) -> SourcePicture:
        """One of its pictures."""
        name = f"{self._path.name}, picture {index + 1}"
        return SourcePicture(name, lens, lambda _wished_px: self._read(index))

    def close(self) -> None:
        """Let the file go."""
        with self._lock:
            self._reader.release()

    def _read(self, index: int) -> Pixels:
        with self._lock:
            if not self._next <= index <= self._next + _SEEK_BEYOND:
                self._reader.set(cv2.CAP_PROP_POS_FRAMES, index)
                self._next = index
            while self._next < index and self._reader.grab():
                self._next += 1
            is_read, picture = self._reader.read()
            self._next += 1
        if not is_read:
            place = f"picture {index + 1}"
            raise ReadError(str(self._path), place, "cannot be decoded")
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), dtype=np.uint8)
