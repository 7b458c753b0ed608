"""REVERIE box files: from which viewpoints an object is seen, which is what success means there.

Two public forms: one file for everything, ``{"<scan>_<viewpoint>": {object: …}}``, and one file
per viewpoint, ``<scan>_<viewpoint>.json`` with ``{viewpoint: {object: …}}``.
Source: YuankaiQi/REVERIE, cshizhe/VLN-DUET:map_nav_src/reverie/data_utils.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from waypost.domain.base.errors import ReadError
from waypost.domain.episode.import_report import ImportKind
from waypost.io.foreign_errors import reader
from waypost.io.item_reading import read_items
from waypost.io.json_reading import read_json
from waypost.io.read_log import ReadLog

_FILES = ("BBoxes.json", "BBoxes.json.gz", "bbox.json")
_FOLDERS = ("BBox", "BBoxes", "bbox", "bboxes")


@dataclass(slots=True)
class ObjectViews:
    """Which viewpoints see which object; folders are read scan by scan, when first asked."""

    folder: Path | None = None
    """Folder with one file per viewpoint, if that is the form."""

    seen: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    """(scan, object id) → viewpoints."""

    scans: set[str] = field(default_factory=set)
    """Scans whose files were read."""

    known: set[str] = field(default_factory=set)
    """Scans of which some viewpoint was found."""

    def viewpoints(self, scan: str, object_id: str, log: ReadLog) -> frozenset[str] | None:
        """Viewpoints that see an object; empty if none does, ``None`` without files of its scan."""
        if self.folder is not None and scan not in self.scans:
            self.scans.add(scan)
            self._read_scan(self.folder, scan, log)
        return frozenset(self.seen.get((scan, object_id), ())) if scan in self.known else None

    def _read_scan(self, folder: Path, scan: str, log: ReadLog) -> None:
        for path in sorted(folder.glob(f"{scan}_*.json*")):
            try:
                root = read_json(path).root
                for viewpoint, objects in root.entries():
                    self.add(scan, viewpoint, objects.as_object())
            except ReadError as error:
                log.add(ImportKind.UNREADABLE, str(error), item_id=path.name, value=path.name)

    def add(self, scan: str, viewpoint: str, objects: dict[str, Any]) -> None:
        """Note what one viewpoint sees."""
        self.known.add(scan)
        for object_id, facts in objects.items():
            if isinstance(facts, dict) and facts.get("visible_pos"):
                self.seen[scan, object_id].add(viewpoint)


def find_boxes(annotations: Path) -> Path | None:
    """The box file or folder beside an annotation file or in the folder above; ``None`` if none."""
    folders = [annotations.resolve().parent]
    folders.append(folders[0].parent)
    return next(_candidates(folders), None)


def _candidates(folders: list[Path]) -> Iterator[Path]:
    for folder in folders:
        yield from (folder / name for name in _FILES if (folder / name).is_file())
        yield from (folder / name for name in _FOLDERS if (folder / name).is_dir())


@reader
def read_object_views(path: Path, log: ReadLog) -> ObjectViews:
    """Read a box file, or prepare to read a folder of them.

    Raises:
        ReadError: If the one file cannot be used.
    """
    if path.is_dir():
        return ObjectViews(folder=path)
    views = ObjectViews()
    for item in read_items(path, log):
        scan, separator, viewpoint = item.key.partition("_")
        if not separator:
            raise item.json.error("is not named by scan and viewpoint")
        views.add(scan, viewpoint, item.json.as_object())
    return views
