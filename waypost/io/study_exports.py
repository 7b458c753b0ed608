"""What a study leaves for others: its takes with a manifest, and its tables as CSV and Parquet."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Any, Final

from waypost.domain.base.errors import ReadError, WriteError
from waypost.domain.record.study import Study, Take
from waypost.domain.record.study_progress import LeftOut
from waypost.io.atomic import write_bytes_atomic
from waypost.io.file_reading import read_plain_bytes
from waypost.io.json_reading import read_json
from waypost.io.json_writing import write_json_file
from waypost.io.recordings.take_frames import FRAMES_SUFFIX, frame_files
from waypost.io.recordings.take_records import RECORDS_SUFFIX, records_path

SCHEMA: Final = "waypost-study-export"
MANIFEST_VERSION: Final = 1
MANIFEST: Final = "manifest.json"
WORDS: Final = "words.csv"
"""The table of spoken words, where episodes have such."""

SUBMISSIONS: Final = ("vlnce-r2r.json", "vlnce-rxr.jsonl", "r2r.json")
"""How the names of submission files end: the key of a format and its suffix."""

ACTIVE_TIME_RULE: Final = (
    "wall time from the first sample, pauses and time without keyboard focus taken off; the clock"
    " stops 60 s after the last key"
)
"""Written beside every active time."""

TABLES: Final = (
    "scores.csv", "scores.parquet", "participants.csv", "averages.csv", "averages.json", WORDS,
)  # fmt: skip
"""What an export writes beside its manifest, by names that others may use too."""

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")
_EXPORTED: Final = re.compile(r".*_[0-9a-f]{6}_take[1-9]\d*\.[a-z.]+", re.DOTALL)
"""What ``export_name`` makes; a recording of our own is numbered from ``take001``."""


class CopyState(StrEnum):
    """What became of a take's file."""

    COPIED = "copied"
    MISSING = "missing"
    """There is no such file."""

    CHANGED = "changed"
    """The file is not the one that was recorded; it is not copied."""


@dataclass(frozen=True, slots=True)
class CopiedTake:
    """A take of an export."""

    take: Take
    state: CopyState
    file: str
    """POSIX path in the export folder; empty if it was not copied."""

    frames: int = 0
    """Camera frames that were copied beside it."""


def check_export_place(folder: Path) -> None:
    """Refuse a folder with files of others that an export would write over.

    Raises:
        WriteError: Naming the first of them.
    """
    if _is_export(folder / MANIFEST):
        return
    for name in (MANIFEST, *TABLES):
        if (folder / name).exists():
            raise WriteError(str(folder / name), "it is there already and of no export of a study")


def remove_earlier_export(folder: Path) -> int:
    """Remove the takes, frames, words and submission files that an earlier export left in a folder.

    Whoever withdrew consent since then must not stay in it. A folder without the manifest of an
    export is left alone, and so is every file that an export does not write.

    Returns:
        How many files were removed.

    Raises:
        WriteError: If one cannot be removed.
    """
    if not _is_export(folder / MANIFEST):
        return 0
    found = [
        *folder.glob(WORDS),
        *_exported(folder, ".csv"),
        *_exported(folder, RECORDS_SUFFIX),
        *_exported(folder, ".parquet"),
        *(path for place in _frame_folders(folder) for path in frame_files(place)),
        *(path for kind in SUBMISSIONS for path in folder.glob(f"submissions/*_{kind}")),
    ]
    for path in found:
        try:
            path.unlink()
        except OSError as error:
            raise WriteError(str(path), error.strerror or str(error)) from error
    places = {place for path in found for place in path.relative_to(folder).parents}
    for place in sorted(places, key=lambda place: len(place.parts), reverse=True):
        # The name of a folder of takes is a code; one with files of others stays.
        if len(place.parts) > 1:
            with suppress(OSError):
                (folder / place).rmdir()
    return len(found)


def _exported(folder: Path, suffix: str) -> Iterator[Path]:
    """What an export wrote of takes; the folder may be the project's, with its recordings."""
    for path in folder.glob(f"takes/*/*_take*{suffix}"):
        if _EXPORTED.fullmatch(path.name):
            yield path


def _frame_folders(folder: Path) -> Iterator[Path]:
    for place in _exported(folder, FRAMES_SUFFIX):
        # What a link leads to may be the study's own.
        if not place.is_symlink():
            yield place


def _is_export(manifest: Path) -> bool:
    try:
        found = read_json(manifest).root.value
    except ReadError:
        return False
    return isinstance(found, dict) and found.get("schema") == SCHEMA


def copy_takes(root: Path, folder: Path, takes: Iterable[Take]) -> tuple[CopiedTake, ...]:
    """Copy the files of takes, the records beside each included, after checking their hashes.

    Args:
        root: Folder that the paths of takes resolve against.
        folder: Of the export; files go to ``takes/CODE/`` in it.
        takes: What to copy.

    Raises:
        WriteError: If a file cannot be written.
    """
    return tuple(_copy(root, folder, take) for take in takes)


def _copy(root: Path, folder: Path, take: Take) -> CopiedTake:
    source = root / PurePosixPath(take.path)
    try:
        data = read_plain_bytes(source)
    except ReadError:
        return CopiedTake(take, CopyState.MISSING, "")
    if hashlib.sha256(data).hexdigest() != take.content_hash:
        return CopiedTake(take, CopyState.CHANGED, "")
    name = export_name(take)
    target = folder / PurePosixPath(name)
    write_bytes_atomic(target, data)
    beside = records_path(source)
    if beside.is_file():
        write_bytes_atomic(records_path(target), read_plain_bytes(beside))
    return CopiedTake(take, CopyState.COPIED, name)


def export_name(take: Take) -> str:
    """POSIX path of a take in an export, in letters that every system allows.

    A digest keeps apart what would have one name after unsafe letters are replaced.
    """
    key = take.key
    digest = hashlib.sha256("\0".join(key[:3]).encode("utf-8", "surrogatepass")).hexdigest()[:6]
    stem = "_".join(_safe(part) for part in (key.scene_id, key.episode_id))
    return f"takes/{_safe(key.participant)}/{stem[:80]}_{digest}_take{key.number}.csv"


def _safe(text: str) -> str:
    return _UNSAFE.sub("-", text).strip("-.") or "x"


def write_manifest(
    path: Path, study: Study, copied: Sequence[CopiedTake], left_out: Sequence[LeftOut]
) -> None:
    """Write which takes an export holds, what stands behind each, and why others are not in it.

    Raises:
        WriteError: If the file cannot be written.
    """
    write_json_file(
        path,
        {
            "schema": SCHEMA,
            "schema_version": MANIFEST_VERSION,
            "study": "" if study.rules is None else study.rules.name,
            "consent_texts": [
                {"version": text.version, "sha256": text.text_hash}
                for text in study.consent_texts.values()
            ],
            "active_time_rule": ACTIVE_TIME_RULE,
            "takes": [_manifest_entry(study, entry) for entry in copied],
            "left_out": [{**key_values(entry.key), "reason": entry.reason} for entry in left_out],
        },
    )


def _manifest_entry(study: Study, entry: CopiedTake) -> dict[str, Any]:
    take = entry.take
    consent = [
        given.version
        for given in study.participants[take.key.participant].consents
        if given.time_utc <= take.started_utc
    ]
    return {
        **key_values(take.key),
        "file": entry.file,
        "state": entry.state.value,
        "camera_frames": entry.frames,
        "sha256": take.content_hash,
        "started_utc": take.started_utc,
        "consent_version": max(consent, default=None),
    }


def key_values(key: tuple[str, str, str, str, int]) -> dict[str, Any]:
    """The key of a take, part by part."""
    names = ("dataset", "scene_id", "episode_id", "participant", "take")
    return dict(zip(names, key, strict=True))
