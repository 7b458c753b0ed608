"""Camera frames of takes in an export: how much they are, and copies of them beside the takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import ReadError
from waypost.domain.base.progress import Progress, Work
from waypost.io.atomic import write_bytes_atomic
from waypost.io.file_reading import read_plain_bytes
from waypost.io.recordings.take_frames import CAMERA_FILE, frame_files, frames_folder, time_of_frame
from waypost.io.study_exports import CopiedTake, CopyState

_BYTES_PER_MB: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class FramesFacts:
    """How many camera frames there are beside some takes."""

    takes: int = 0
    """That have any."""

    frames: int = 0
    size_bytes: int = 0

    @property
    def words(self) -> str:
        """E.g. ``1,234 camera frames of 3 takes, 12.3 MB``."""
        size = f"{self.size_bytes / _BYTES_PER_MB:,.1f} MB"
        return f"{counted(self.frames, 'camera frame')} of {counted(self.takes, 'take')}, {size}"


def measure_frames(samples: Sequence[Path]) -> Work[FramesFacts]:
    """How much the camera frames beside takes are.

    Args:
        samples: The CSV of each take.
    """
    takes = frames = size_bytes = 0
    for done, file in enumerate(samples):
        yield Progress(done, len(samples), "Counting camera frames")
        files = frame_files(frames_folder(file))
        takes += bool(files)
        frames += _count(files)
        size_bytes += sum(map(_size_bytes, files))
    return FramesFacts(takes, frames, size_bytes)


@dataclass(frozen=True, slots=True)
class ExportedFrames:
    """What an export has of camera frames."""

    entries: tuple[CopiedTake, ...]
    """Its takes, with how many frames each has in it."""

    found: FramesFacts
    """Beside the takes that were copied."""

    problems: tuple[str, ...] = ()
    """Per take of which some cannot be read a sentence."""

    @property
    def document(self) -> dict[str, int]:
        """Of the report."""
        return {
            "takes": self.found.takes,
            "frames": self.found.frames,
            "bytes": self.found.size_bytes,
            "copied": sum(entry.frames for entry in self.entries),
        }


def frames_line(document: Mapping[str, int]) -> str:
    """One sentence about ``ExportedFrames.document``; empty where takes have no frames."""
    found = FramesFacts(document["takes"], document["frames"], document["bytes"])
    if not found.frames:
        return ""
    copied = document["copied"]
    return f"{copied:,} of {found.words}, copied." if copied else f"{found.words}: none copied."


def export_frames(
    root: Path, folder: Path, copied: Sequence[CopiedTake], *, is_wanted: bool
) -> Work[ExportedFrames]:
    """Look for the camera frames of takes that were copied, and copy them beside those if wanted.

    Args:
        root: Folder that the paths of takes resolve against.
        folder: Of the export.
        copied: The takes.
        is_wanted: Whether frames are copied.

    Yields:
        Progress, before each file.

    Raises:
        WriteError: If a file cannot be written.
    """
    whole = [entry for entry in copied if entry.state is CopyState.COPIED]
    found = yield from measure_frames([root / entry.take.path for entry in whole])
    if not is_wanted:
        return ExportedFrames(tuple(copied), found)
    entries, problems, done = [], [], 0
    for entry in copied:
        written: list[Path] = []
        lost: list[str] = []
        own = frames_folder(root / entry.take.path)
        for file in frame_files(own) if entry.state is CopyState.COPIED else []:
            if file.name == CAMERA_FILE and not written:
                # No frame could be read: a camera alone would outlive the next export.
                continue
            yield Progress(done, found.size_bytes, f"Copying camera frames of {own.stem}")
            try:
                data = read_plain_bytes(file)
            except ReadError as error:
                lost.append(f"{file.name}: {error.reason}")
                continue
            done += len(data)
            written.append(frames_folder(folder / entry.file) / file.name)
            write_bytes_atomic(written[-1], data)
        entries.append(replace(entry, frames=_count(written)))
        if lost:
            more = f", and {counted(len(lost) - 1, 'more file')}" if len(lost) > 1 else ""
            problems.append(f"{entry.take.path}: camera frames: {lost[0]}{more}")
    return ExportedFrames(tuple(entries), found, tuple(problems))


def _count(files: Iterable[Path]) -> int:
    """How many frames files are of: colours and depth of one moment are one."""
    times = {time_of_frame(file.name) for file in files}
    return len({found[0] for found in times if found is not None})


def _size_bytes(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        # Deleted since it was listed, or not to be read, which is said when it is copied.
        return 0
