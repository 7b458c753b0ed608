"""What result files a folder tree holds: data set, split, model and setting of each, if told.

What a path or a file does not say stays empty. Each format knows the layout of its program
(``RunFormat.told_by_path``); these are of several:

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
from waypost.io.file_head import FileHead, read_head
from waypost.io.known_formats import EPISODE_FORMATS, RUN_FORMATS
from waypost.io.logs import score_totals
from waypost.io.logs.run_format import EXPERIMENTS, RunFormat
from waypost.io.logs.run_records import top_record

MOST_ENTRIES: Final = 200_000
"""Names that are looked at."""

MOST_FILES: Final = 20_000
"""Files whose beginning is read."""

_DEEPEST: Final = 10
_PER_FOLDER: Final = 5_000
_ENDINGS: Final = (".json", ".jsonl", ".json.gz", ".jsonl.gz", ".log", ".txt", ".csv", ".csv.gz")
_DATASETS: Final = {
    form.dataset.lower(): form.dataset for form in (*EPISODE_FORMATS, *RUN_FORMATS) if form.dataset
}
"""Name of a folder in small letters → data set."""

_SPLITS: Final = (
    "val_train_seen", "val_unseen", "val_seen", "test_unseen", "train", "test", "val",
)  # fmt: skip
_SPLIT: Final = re.compile(rf"(?<![a-z])({'|'.join(_SPLITS)})(?![a-z])", re.IGNORECASE)
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
            whole = _format_of_folder(folder)
            if whole is not None:
                self._add(folder, whole, None)
                if whole.reads_below:
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

    def _look_at(self, path: Path) -> None:
        if self._files >= MOST_FILES:
            self.is_whole = False
            return
        self._files += 1
        try:
            head = read_head(path)
            found = RUN_FORMATS.of_content(head)
            if found is None or found.name == score_totals.FORMAT.name:
                return
            # Ground truth and an answer to it may have one shape; only a name tells them apart.
            below = str(path.relative_to(self._root))
            is_truth = EPISODE_FORMATS.of_content(head) is not None
            if is_truth and not _RESULT_WORDS.search(below):
                return
        except (InputError, OSError):
            return
        self._add(path, found, head)

    def _add(self, path: Path, found: RunFormat, head: FileHead | None) -> None:
        name = path.relative_to(self._root).as_posix()
        entry = RunEntry(
            path,
            path.name if name == "." else name,
            found.name,
            found.title,
            dataset=found.dataset,
        )
        record = top_record(head) if head else {}
        self.entries.append(_described(entry, found, self._root, record))


def _format_of_folder(folder: Path) -> RunFormat | None:
    """The format of a folder that is one run."""
    try:
        head = read_head(folder)
        for entry in RUN_FORMATS:
            if entry.is_run_folder is not None and entry.is_run_folder(head):
                return entry
    except (InputError, OSError):
        pass
    return None


def _described(entry: RunEntry, found: RunFormat, root: Path, record: dict[str, Any]) -> RunEntry:
    """An entry with what its content, then its path, says."""
    # Layouts are known by several names in a row, so folders above the searched one count, too.
    parts = entry.path.absolute().parts[-_DEEPEST:]
    below = (root.absolute().name, *entry.path.relative_to(root).parts)
    for told in (
        dict(_texts(record, ("model", "setting", "split"))),
        _from_sorted_folders(parts),
        found.told_by_path(parts),
        _from_task(parts),
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


def _from_task(parts: tuple[str, ...]) -> dict[str, str]:
    """``sample_episodes/<task>/…``."""
    for before, task in pairwise(parts):
        if before == "sample_episodes":
            return {"setting": task}
    return {}


def _dataset_of(parts: tuple[str, ...]) -> str:
    """From a folder named as a data set, or the first word of the file's name."""
    words = [parts[-1].split("_")[0].split(".")[0], *reversed(parts[:-1])]
    return next((_DATASETS[word.lower()] for word in words if word.lower() in _DATASETS), "")


def _split_of(parts: tuple[str, ...]) -> str:
    """From the file's name, or a folder named as a split; two of them tell nothing."""
    found = {match.lower() for match in _SPLIT.findall(parts[-1])}
    if not found:
        folders = itertools.takewhile(lambda name: name not in EXPERIMENTS, parts[:-1])
        found = {name.lower() for name in folders if name.lower() in _SPLITS}
    return next(iter(found)) if len(found) == 1 else ""


def _texts(record: dict[str, Any], keys: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for key in keys:
        if isinstance(record.get(key), str):
            yield key, record[key]
