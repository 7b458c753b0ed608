"""Which pictures a strip gets: those of the run, else for people's takes those of a model's run."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest
from picture_folders import four_views, plain, put
from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from waypost.app.replay.desk import PEOPLE, ReplayDesk
from waypost.app.replay.pictures import ReplayPictures
from waypost.domain.causes.replay_book import ReplayBook, RunSource
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

    def set_source(self, source: Any) -> None:
        self.sources.append(source)


@pytest.mark.parametrize(("layout", "is_lent"), [("places", True), ("frames", False)])
def test_people_borrow_pictures_of_places_and_no_others(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, layout: str, is_lent: bool
) -> None:
    four_views(tmp_path / "places", "line/A/{}.jpg")
    for number in range(3):
        put(tmp_path / "frames" / f"{number:04}.jpg", plain((0, 0, 0)))
    monkeypatch.setattr(ReplayDesk, "root", property(lambda _: tmp_path))
    sources = {
        "bare": RunSource("bare", "bare.json"),
        "gpt": RunSource("gpt", "gpt.json", pictures=layout),
    }
    bench, jobs = Bench(tmp_path, sources), JobRunner()
    desk = ReplayDesk(bench, jobs, lambda: None)  # type: ignore[arg-type]
    pictures = ReplayPictures(bench, desk, jobs, lambda _: False)  # type: ignore[arg-type]
    strips = {name: Strip() for name in ("bare", "gpt", PEOPLE)}
    for name, strip in strips.items():
        pictures.give(strip, SimpleNamespace(name=name))  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: not jobs.jobs)
    assert [bool(strip.sources and strip.sources[-1]) for strip in strips.values()] == [
        False,
        True,
        is_lent,
    ]
    for strip in strips.values():
        for source in filter(None, strip.sources):
            source.close()
    assert not jobs.shutdown()
