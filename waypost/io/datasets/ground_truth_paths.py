"""The second file of VLN-CE, ``…_gt.json.gz``: every position of the expert, by episode.

Both files list the episodes in the same order, so they are read side by side; what comes early is
kept until it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import Frame
from waypost.domain.episode.episode import normal_id
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import EMPTY_ROUTE, Route, route
from waypost.io.item_reading import Item, read_items
from waypost.io.logs.run_records import read_rows
from waypost.io.read_log import ReadLog


def find_ground_truth(episodes: Path) -> Path | None:
    """``X_gt.json.gz`` or ``X_gt.json`` beside ``X.json.gz``; ``None`` if there is none."""
    stem = episodes.name.removesuffix(".gz").removesuffix(".json")
    folder = episodes.resolve().parent
    names = (f"{stem}_gt.json.gz", f"{stem}_gt.json")
    return next((folder / name for name in names if (folder / name).is_file()), None)


@dataclass(slots=True)
class GroundTruthPaths:
    """Dense paths by episode id."""

    path: Path
    frame: Frame
    """Convention of the positions."""

    log: ReadLog
    waiting: dict[str, Item] = field(default_factory=dict)
    """Read already and not yet asked for."""

    items: Iterator[Item] | None = None

    def take(self, episode_id: str) -> Route:
        """The dense path of an episode; empty where the file has none. Reads on until it is found.

        What cannot be used there is reported; the episode itself stays usable.
        """
        try:
            item = self.waiting.pop(episode_id, None) or self._read_on(episode_id)
            if item is not None:
                return self._dense(item)
            self.log.add(
                ImportKind.NOTE, f"{self.path} has no path of {episode_id}", item_id=episode_id
            )
        except InputError as error:
            self.log.add(
                ImportKind.UNREADABLE, str(error), item_id=episode_id, value=self.path.name
            )
        return EMPTY_ROUTE

    def _read_on(self, episode_id: str) -> Item | None:
        if self.items is None:
            self.items = read_items(self.path, self.log)
        for item in self.items:
            name = normal_id(item.key)
            if name == episode_id:
                return item
            self.waiting[name] = item
        return None

    def _dense(self, item: Item) -> Route:
        places = item.json.field("locations")
        return route(positions_m=self.frame.to_scene(read_rows(places, 3)))

    def say_unused(self) -> None:
        """Report how many paths belong to no episode."""
        try:
            rest = sum(1 for _ in self.items) if self.items is not None else 0
        except InputError as error:
            self.log.add(ImportKind.UNREADABLE, str(error), item_id=str(self.path))
            return
        unused = len(self.waiting) + rest
        if unused:
            self.log.warn(f"{self.path}: {unused} paths belong to no episode")
