"""A desk of replays whose runs, with and without pictures, are each asked for theirs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any
from unittest.mock import PropertyMock, patch

from picture_folders import four_views, plain, put
from PySide6.QtCore import QObject, Signal

from waypost.app.replay.desk import PEOPLE, ReplayDesk
from waypost.app.replay.pictures import ReplayPictures
from waypost.domain.causes.replay_book import ReplayBook
from waypost.domain.episode.run_source import RunSource
from waypost.domain.project import Project
from waypost.services.jobs import JobRunner


class Bench(QObject):
    """As much of a workbench as a desk and its pictures ask for."""

    document_replaced = Signal()
    project_changed = Signal(object, object)
    scene_replaced = Signal()
    refused = Signal(str)
    scene = prepared = None

    def __init__(self, folder: Path, sources: dict[str, RunSource]) -> None:
        super().__init__()
        book = ReplayBook(MappingProxyType(sources))
        self.project = Project(name="p", scene_path="", replay=book)
        self.document = SimpleNamespace(root=folder)


class Strip:
    """Takes whatever it is given."""

    def __init__(self) -> None:
        self.sources: list[Any] = []

    def set_source(self, source: Any, *, is_awaited: bool = False) -> None:
        self.sources.append(source)


def write_pictures(folder: Path) -> None:
    """Put pictures of places and of steps into folders of these names."""
    four_views(folder / "places", "line/A/{}.jpg")
    for number in range(3):
        put(folder / "frames" / f"{number:04}.jpg", plain((0, 0, 0)))


def who_gets_pictures(
    folder: Path, layout: str, wait: Callable[[Callable[[], bool]], object]
) -> list[bool]:
    """Whether a run without pictures, one with those of ``layout``, and people get some.

    Args:
        folder: Where ``write_pictures`` wrote.
        layout: Name of the folder that belongs to the run with pictures.
        wait: Turns the event loop until its argument is true.
    """
    sources = {
        "bare": RunSource((Path("bare.json"),), name="bare"),
        "gpt": RunSource((Path("gpt.json"),), name="gpt", pictures=Path(layout)),
    }
    with patch.object(ReplayDesk, "root", PropertyMock(return_value=folder)):
        bench, jobs = Bench(folder, sources), JobRunner()
        desk = ReplayDesk(bench, jobs, lambda: None)  # type: ignore[arg-type]
        pictures = ReplayPictures(bench, desk, jobs, lambda _: False)  # type: ignore[arg-type]
        strips = {name: Strip() for name in ("bare", "gpt", PEOPLE)}
        for name, strip in strips.items():
            run = SimpleNamespace(name=name, shown=SimpleNamespace(samples=None))
            pictures.give(strip, run)  # type: ignore[arg-type]
        wait(lambda: not jobs.jobs)
    given = [bool(strip.sources and strip.sources[-1]) for strip in strips.values()]
    for strip in strips.values():
        for source in filter(None, strip.sources):
            source.close()
    assert not jobs.shutdown()
    return given
