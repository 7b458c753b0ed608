"""What result files a folder tree holds: data set, split, model and setting of each, if told.

What a path or a file does not say stays empty. Layouts that say more than a name:

- CapNav: ``<model>_<n>frames_<on|off>/<scene>/<prompt>.json``
  (makeabilitylab/CapNav:scripts/run.py)
- NavGPT: ``datasets/<data set>/exprs/<model>/preds/…`` (GengzeZhou/NavGPT:nav_src/parser.py)
- MapGPT and DUET: ``exprs_map/<setting …>/preds/…`` (chen-judge/MapGPT:vln/parser.py)
- VLN-PE and VLNVerse: ``sample_episodes/<task>/sample_data<rank>.lmdb``
  (InternRobotics/InternNav:internnav/evaluator)
- ``<data set>/<split>/<model>/<setting>/…``, as VLN-MME sorts its choices
"""

from __future__ import annotations

import itertools
import os
import re
from collections import deque
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, Final

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.base.progress import Progress
from waypost.io import known_formats
from waypost.io.file_head import FileHead, read_head
from waypost.io.logs import capnav_results, score_totals
from waypost.io.logs.run_format import RunFormat
from waypost.io.logs.run_records import first_file, top_record

MOST_ENTRIES: Final = 200_000
"""Names that are looked at."""

MOST_FILES: Final = 20_000
"""Files whose beginning is read."""

_DEEPEST: Final = 10
_PER_FOLDER: Final = 5_000
_FEW: Final = 20
_ENDINGS: Final = (".json", ".jsonl", ".json.gz", ".jsonl.gz", ".log", ".txt", ".csv", ".csv.gz")
_IN_FOLDERS: Final = ("mapgpt", "vlnverse-csv", "opennav", "discussnav-cache", "vlnpe-lmdb")
"""Formats of which a folder with files of many episodes is one run."""

_DATASETS: Final = {
    "r2r": "R2R",
    "r4r": "R4R",
    "rxr": "RxR",
    "reverie": "REVERIE",
    "soon": "SOON",
    "cvdn": "CVDN",
    "navbench": "NavBench",
    "capnav": "CapNav",
    "vlnverse": "VLNVerse",
    "r2r-ce": "R2R-CE",
    "rxr-ce": "RxR-CE",
}
_DATASET_OF_FORMAT: Final = {
    "capnav": "CapNav",
    "vlnverse-submission": "VLNVerse",
    "vlnverse-csv": "VLNVerse",
    "vlnce-r2r": "R2R-CE",
    "vlnce-rxr": "RxR-CE",
}
_SPLITS: Final = (
    "val_train_seen", "val_unseen", "val_seen", "test_unseen", "train", "test", "val",
)  # fmt: skip
_SPLIT: Final = re.compile(rf"(?<![a-z])({'|'.join(_SPLITS)})(?![a-z])", re.IGNORECASE)
_CAPNAV: Final = re.compile(r"(?P<model>.+)_(?P<frames>\d+)frames_(?P<thinking>on|off)")
_EXPERIMENTS: Final = ("exprs", "exprs_map")
"""Folders of experiments, whose names below say neither data set nor split."""

_RESULT_WORDS: Final = re.compile(r"submi|pred|result", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RunEntry:
    """A result file, or a folder that is one run."""

    path: Path
    name: str
    """Below the folder that was searched."""

    format: str
    """Key of the format."""

    format_title: str
    dataset: str = ""
    split: str = ""
    model: str = ""
    setting: str = ""


@dataclass(frozen=True, slots=True)
class RunCatalogue:
    """The runs below a folder, by name."""

    folder: Path
    entries: tuple[RunEntry, ...]
    is_whole: bool = True
    """False where the search stopped at its bounds."""


def list_runs(folder: Path) -> Generator[Progress, None, RunCatalogue]:
    """Look through a folder tree; yields progress in names looked at.

    Raises:
        ReadError: If the folder does not exist.
    """
    if not folder.is_dir():
        raise ReadError(str(folder), "file", "is no folder")
    search = _Search(folder)
    yield from search.run()
    return RunCatalogue(
        folder, tuple(sorted(search.entries, key=lambda entry: entry.name)), search.is_whole
    )


class _Search:
    """One walk through a tree.

    Args:
        root: The folder.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._names = 0
        self._files = 0
        self.entries: list[RunEntry] = []
        self.is_whole = True

    def run(self) -> Generator[Progress, None, None]:
        """Look at folders, nearest first."""
        queue = deque([(self._root, 0)])
        while queue:
            folder, depth = queue.popleft()
            if self._names >= MOST_ENTRIES or self._files >= MOST_FILES or depth > _DEEPEST:
                self.is_whole = False
                continue
            folders, files = self._list(folder)
            yield Progress(self._names, MOST_ENTRIES, f"looking in {folder.name}")
            whole = self._folder_format(folder, folders)
            if whole is not None:
                self._add(folder, whole, None)
                if whole.name in {"capnav", "vlnpe-lmdb"}:
                    continue
            else:
                for count, path in enumerate(files):
                    self._look_at(path)
                    if count % 50 == 49:
                        yield Progress(self._names, MOST_ENTRIES, f"looking at {path.name}")
            queue.extend((inner, depth + 1) for inner in folders)

    def _list(self, folder: Path) -> tuple[list[Path], list[Path]]:
        folders: list[Path] = []
        files: list[Path] = []
        try:
            with os.scandir(folder) as listing:
                for entry in islice(listing, _PER_FOLDER):
                    self._names += 1
                    if entry.name.startswith("."):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(folder / entry.name)
                    elif entry.name.lower().endswith(_ENDINGS):
                        files.append(folder / entry.name)
                if next(listing, None) is not None:
                    self.is_whole = self.is_whole and not folders
        except OSError:
            self.is_whole = False
        return sorted(folders), sorted(files)

    def _folder_format(self, folder: Path, inside: list[Path]) -> RunFormat | None:
        """The format of a folder that is one run."""
        try:
            head = read_head(folder)
            for entry in known_formats.RUN_FORMATS:
                if entry.name in _IN_FOLDERS and entry.can_read(head):
                    return entry
            if any(_holds_prompts(inner) for inner in inside[:_FEW]):
                return capnav_results.FORMAT
        except (InputError, OSError):
            pass
        return None

    def _look_at(self, path: Path) -> None:
        if self._files >= MOST_FILES:
            self.is_whole = False
            return
        self._files += 1
        try:
            head = read_head(path)
            found = next(
                (entry for entry in known_formats.RUN_FORMATS if entry.can_read(head)), None
            )
            if found is None or found.name == score_totals.FORMAT.name:
                return
            # Ground truth and an answer to it may have one shape; only a name tells them apart.
            below = str(path.relative_to(self._root))
            is_truth = any(entry.can_read(head) for entry in known_formats.EPISODE_FORMATS)
            if is_truth and not _RESULT_WORDS.search(below):
                return
        except (InputError, OSError):
            return
        self._add(path, found, head)

    def _add(self, path: Path, found: RunFormat, head: FileHead | None) -> None:
        name = path.relative_to(self._root).as_posix()
        entry = RunEntry(
            path, path.name if name == "." else name, found.name, found.title,
            dataset=_DATASET_OF_FORMAT.get(found.name, ""),
        )  # fmt: skip
        self.entries.append(_described(entry, self._root, top_record(head) if head else {}))


def _holds_prompts(folder: Path) -> bool:
    file = first_file(folder, "*__*.json")
    return file is not None and capnav_results.can_read(read_head(file))


def _described(entry: RunEntry, root: Path, record: dict[str, Any]) -> RunEntry:
    """An entry with what its content, then its path, says."""
    # Layouts are known by several names in a row, so folders above the searched one count, too.
    parts = entry.path.absolute().parts[-_DEEPEST:]
    below = (root.absolute().name, *entry.path.relative_to(root).parts)
    for told in (
        dict(_texts(record, ("model", "setting", "split"))),
        _from_sorted_folders(parts),
        _from_experiment(parts, entry.format),
        _from_task(parts),
        _from_capnav(entry),
        {"dataset": _dataset_of(below), "split": _split_of(below)},
    ):
        known: dict[str, Any] = {
            key: text for key, text in told.items() if text and not getattr(entry, key)
        }
        entry = replace(entry, **known)
    return entry


def _from_sorted_folders(parts: tuple[str, ...]) -> dict[str, str]:
    """``<data set>/<split>/<model>/<setting>/…``."""
    for at in range(len(parts) - 3):
        dataset, split = _DATASETS.get(parts[at].lower(), ""), parts[at + 1].lower()
        if dataset and split in _SPLITS:
            rest = parts[at + 2 : -1]
            return {
                "dataset": dataset,
                "split": split,
                "model": rest[0] if rest else "",
                "setting": "/".join(rest[1:]),
            }
    return {}


def _from_experiment(parts: tuple[str, ...], form: str) -> dict[str, str]:
    """``exprs…/<experiment …>/preds/…``; NavGPT names experiments by their model."""
    folders = parts if form == "mapgpt" else parts[:-1]
    starts = [at for at, name in enumerate(folders) if name in _EXPERIMENTS]
    if not starts:
        return {}
    inner = [name for name in folders[starts[-1] + 1 :] if name not in {"preds", "logs"}]
    if form == "navgpt" and folders[starts[-1]] == "exprs" and inner:
        return {"model": inner[0], "setting": "/".join(inner[1:])}
    return {"setting": "/".join(inner)}


def _from_task(parts: tuple[str, ...]) -> dict[str, str]:
    """``sample_episodes/<task>/…``."""
    for before, task in pairwise(parts):
        if before == "sample_episodes":
            return {"setting": task}
    return {}


def _from_capnav(entry: RunEntry) -> dict[str, str]:
    found = _CAPNAV.fullmatch(entry.path.name) if entry.format == "capnav" else None
    if found is None:
        return {}
    return {
        "model": found["model"],
        "setting": f"{found['frames']} frames, thinking {found['thinking']}",
    }


def _dataset_of(parts: tuple[str, ...]) -> str:
    """From a folder named as a data set, or the first word of the file's name."""
    words = [parts[-1].split("_")[0].split(".")[0], *reversed(parts[:-1])]
    return next((_DATASETS[word.lower()] for word in words if word.lower() in _DATASETS), "")


def _split_of(parts: tuple[str, ...]) -> str:
    """From the file's name, or a folder named as a split; two of them tell nothing."""
    found = {match.lower() for match in _SPLIT.findall(parts[-1])}
    if not found:
        folders = itertools.takewhile(lambda name: name not in _EXPERIMENTS, parts[:-1])
        found = {name.lower() for name in folders if name.lower() in _SPLITS}
    return next(iter(found)) if len(found) == 1 else ""


def _texts(record: dict[str, Any], keys: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for key in keys:
        if isinstance(record.get(key), str):
            yield key, record[key]
