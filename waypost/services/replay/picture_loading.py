"""Loads the pictures of replayed steps beside the window and keeps the latest in memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from PySide6.QtCore import QObject, Signal, SignalInstance

from waypost.domain.base.errors import WaypostError
from waypost.domain.base.progress import Progress
from waypost.domain.replay.replay import Replay
from waypost.io.picture_sources.source import PictureSource
from waypost.services.jobs import JobRunner
from waypost.services.replay.picture_tiles import PlacePictures, TileWish, place_pictures

CACHE_MB: Final = 128
"""Memory for pictures that were shown or may be shown next."""

PlaceKey = tuple[str, TileWish]
"""A place of the source, and how its pictures are wanted."""


@dataclass(frozen=True, eq=False, slots=True)
class StepWish:
    """The pictures of one step, as they are wanted."""

    replay: Replay
    step: int
    tiles: TileWish


class PictureCache:
    """The pictures used last, as many as fit; may be used from any thread.

    Args:
        limit_mb: The most memory that pixels take; the newest pictures are kept in any case.
    """

    def __init__(self, limit_mb: float = CACHE_MB) -> None:
        self._limit = int(limit_mb * 2**20)
        self._entries: OrderedDict[PlaceKey, PlacePictures] = OrderedDict()
        self._lock = threading.Lock()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: PlaceKey) -> PlacePictures | None:
        """Pictures, which count as used now; ``None`` if they are not there."""
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
            return self._entries.get(key)

    def put(self, key: PlaceKey, pictures: PlacePictures) -> None:
        """Keep pictures; those not used for longest go if there is no room."""
        with self._lock:
            before = self._entries.pop(key, None)
            self._bytes += pictures.byte_count - (before.byte_count if before else 0)
            self._entries[key] = pictures
            while len(self._entries) > 1 and (
                self._bytes > self._limit or len(self._entries) > _MOST_PLACES
            ):
                _, oldest = self._entries.popitem(last=False)
                self._bytes -= oldest.byte_count

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()
            self._bytes = 0


_MOST_PLACES: Final = 4096


NO_PLACE: Final = PlacePictures((), reason="the run has no place here to show pictures of")
"""Shown where a run says no place."""


class PictureFeed(Protocol):
    """What a strip gets its pictures from, without ever waiting for them."""

    @property
    def arrived(self) -> SignalInstance:
        """Emitted when something has come; it does not say what, so look again."""

    @property
    def source(self) -> PictureSource:
        """Where pictures come from."""

    def shown(self, wish: StepWish) -> PlacePictures | None:
        """The pictures of a step if they are at hand."""

    def ask(self, wishes: Sequence[StepWish]) -> None:
        """Get these, the first one first; what was asked for before and has not begun is off."""

    def close(self) -> None:
        """End all work."""


class PictureLoading(QObject):
    """Pictures of files: one job at a time decodes what was asked for last.

    What comes late for a step that is no longer at hand goes to the cache and is not shown: a
    strip asks for the pictures of its own step only.

    Args:
        source: Where pictures come from.
        limit_mb: Memory for them.
        parent: Qt owner. Call ``close`` before it goes.
    """

    arrived = Signal()
    """Something has come."""

    def __init__(
        self, source: PictureSource, limit_mb: float = CACHE_MB, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.source = source
        self.cache = PictureCache(limit_mb)
        self._jobs = JobRunner(self)
        self._jobs.job_ended.connect(self._on_ended)
        self._wishes = _Wishes()
        self._is_closed = False

    def shown(self, wish: StepWish) -> PlacePictures | None:
        """The pictures of a step if they are at hand; never waits."""
        place = self.source.place(wish.replay, wish.step)
        return self.cache.get((place, wish.tiles)) if place else NO_PLACE

    def ask(self, wishes: Sequence[StepWish]) -> None:
        """Get these, the first one first; older wishes that have not begun are off."""
        if self._is_closed:
            return
        self._wishes.replace(wish for wish in wishes if self.shown(wish) is None)
        self._go_on()

    def close(self) -> None:
        """End the job and let files go; nothing can be asked for afterwards."""
        self._is_closed = True
        self._wishes.replace(())
        self._jobs.shutdown()
        self.source.close()
        self.cache.clear()

    def _go_on(self) -> None:
        if not self._jobs.jobs and not self._wishes.is_empty and not self._is_closed:
            job = self._jobs.start("Pictures", self._work())
            job.progressed.connect(self._on_progress)

    def _work(self) -> Generator[Progress, None, None]:
        """Load what is wished for until nothing is, looking at the wishes anew each time."""
        count = 0
        while (wish := self._wishes.take()) is not None:
            key = (self.source.place(wish.replay, wish.step), wish.tiles)
            if self.cache.get(key) is None:
                self.cache.put(key, (yield from load_pictures(self.source, wish)))
            count += 1
            yield Progress(count, 0, "")

    def _on_progress(self, _progress: Progress) -> None:
        self.arrived.emit()

    def _on_ended(self) -> None:
        self.arrived.emit()
        self._go_on()


def load_pictures(
    source: PictureSource, wish: StepWish
) -> Generator[Progress, None, PlacePictures]:
    """Find, decode and scale the pictures of one step; problems become their reason."""
    try:
        found = source.pictures_at(wish.replay, wish.step)
    except WaypostError as error:
        return PlacePictures((), reason=str(error))
    return (yield from place_pictures(found, wish.tiles, is_single=source.is_single))


class _Wishes:
    """What is still to be loaded, passed from the window to the job."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wishes: list[StepWish] = []

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left."""
        return not self._wishes

    def replace(self, wishes: Iterable[StepWish]) -> None:
        """Wish for these and nothing else."""
        with self._lock:
            self._wishes = list(wishes)

    def take(self) -> StepWish | None:
        """The first wish, which is one no longer."""
        with self._lock:
            return self._wishes.pop(0) if self._wishes else None
