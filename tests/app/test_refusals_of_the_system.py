"""What the operating system says stands behind words of Waypost: FILE: PLACE: cannot be read: …"""

from __future__ import annotations

import os
import re
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path

import pytest

from waypost.app.commands import gui
from waypost.app.replay.run_project import making_project
from waypost.domain.base.errors import WaypostError
from waypost.domain.project import Project
from waypost.io.scenes.asset_access import AssetAccess
from waypost.io.scenes.gltf_container import open_container
from waypost.io.scenes.registry import format_of_file
from waypost.sample.sample_project import write_sample
from waypost.store.project_store import ProjectStore

READ = "cannot be read: Permission denied"
WRITTEN = "cannot be written: Permission denied"


def _open_window(path: Path) -> None:
    parser = ArgumentParser()
    gui.add_arguments(parser)
    gui.run(parser.parse_args([str(path.with_suffix(".waypost"))]))


def _make(path: Path) -> None:
    ProjectStore.create(path, Project("p", ""), "ana")


@pytest.mark.parametrize(
    ("broken", "act", "place"),
    [
        ((os, "open"), _open_window, f"file: {READ}"),
        ((os, "open"), format_of_file, f"file: {READ}"),
        ((os, "open"), lambda path: open_container(path, AssetAccess.of(path)), f"file: {READ}"),
        ((Path, "iterdir"), lambda path: write_sample(path.parent), f"folder: {READ}"),
        ((Path, "replace"), _make, f"file: {WRITTEN}"),
        (
            (Path, "mkdir"),
            lambda path: list(making_project(path / "new" / "p", "ana")),
            f"file: {WRITTEN}",
        ),
    ],
)
def test_it_comes_after_our_own_words(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    broken: tuple[object, str],
    act: Callable[[Path], object],
    place: str,
) -> None:
    def refuse(*_args: object, **_more: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "thing.glb"
    if broken == (os, "open"):
        for name in (path, path.with_suffix(".waypost")):
            name.write_bytes(b"glTF")
    monkeypatch.setattr(*broken, refuse)
    with pytest.raises(WaypostError, match=f"^{re.escape(str(tmp_path))}.*: {place}$"):
        act(path)
