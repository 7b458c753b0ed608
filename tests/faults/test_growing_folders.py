"""What a killed export leaves beside its target goes with the next one, and nothing else does."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fixtures.study_examples import study_of
from import_path import IMPORT_PATH

from waypost.domain.base.progress import exhaust
from waypost.domain.record.camera_take import PictureSize
from waypost.io import growing_folder
from waypost.io.camera_takes.picture_files import open_folder
from waypost.io.camera_takes.video import open_video
from waypost.services.study.export import export_study
from waypost.services.study.submissions import ExportWish

pytestmark = [
    pytest.mark.faults,
    pytest.mark.skipif(sys.platform == "win32", reason="no locks that end with their process"),
]

PROGRAM = Path(__file__).parent / "programs" / "growing_exports.py"


def hidden(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir() if entry.name.startswith("."))


def export_all(folder: Path) -> None:
    exhaust(export_study(folder / "study", ExportWish(), study_of([1], 1), folder))
    with open_folder(folder / "pictures", "z.json", replaces=True) as pictures:
        (pictures / "a.png").write_bytes(b"whole")
    with open_video(folder / "film.mp4", PictureSize(64, 48), 2.0) as film:
        film.write(np.zeros((48, 64, 3), np.uint8))


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """A folder in which another process exported until it was killed; while it lived, so did we."""
    (tmp_path / "table.csv").write_bytes(b"old")
    command = [sys.executable, PROGRAM, tmp_path]
    environment = {"PYTHONPATH": IMPORT_PATH, "PATH": "/usr/bin"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"writing\n"
        growing = hidden(tmp_path)
        assert [name.split(".")[1] for name in growing] == ["film", "pictures", "study"]
        export_all(tmp_path)
        assert hidden(tmp_path) == growing, "another process is still at work there"
        process.kill()
    assert hidden(tmp_path) == growing
    assert (tmp_path / "table.csv").read_bytes() == b"old"
    return tmp_path


def test_the_next_export_takes_away_what_a_killed_one_left(
    killed: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (other,) = killed.glob(".study.*")
    names = {
        "of another file": ".studyx.0123abcd.tmp",
        "of a program that says nothing": ".study.0123abcd.tmp",
        "of another computer": ".study.0123abce.tmp",
        "of somebody about to say": ".study.0123abcf.tmp",
        "of somebody who lets nobody look": ".study.0123abc1.tmp",
    }
    for name in names.values():
        shutil.copytree(other, killed / name)
    (killed / names["of a program that says nothing"] / "owner").unlink()
    (killed / names["of another computer"] / "owner").write_bytes(b"elsewhere\n")
    (killed / names["of somebody about to say"] / "owner").write_bytes(b"")
    (killed / ".study.0123abc0.tmp").symlink_to(killed / names["of another file"])
    closed, look = killed / names["of somebody who lets nobody look"], os.stat

    def stat(path: str | Path, *, follow_symlinks: bool = True, **others: Any) -> os.stat_result:
        # As for whoever may do nothing in a folder, which an administrator always may.
        if Path(path).parent == closed:
            raise PermissionError(13, "Permission denied", str(path))
        return look(path, follow_symlinks=follow_symlinks, **others)

    with monkeypatch.context() as patch:
        patch.setattr(os, "stat", stat)
        patch.setattr(os, "lstat", partial(stat, follow_symlinks=False))
        export_all(killed)
    assert hidden(killed) == sorted([*names.values(), ".study.0123abc0.tmp"])
    assert not caplog.records


def test_what_cannot_be_removed_is_said_and_stays_ours(
    killed: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (left,) = killed.glob(".study.*")

    def refuse(folder: Path, *, ignore_errors: bool = False) -> None:
        if folder.parent == left:
            raise PermissionError(13, "Permission denied")
        shutil.rmtree(folder, ignore_errors=ignore_errors)

    with monkeypatch.context() as patch:
        patch.setattr(growing_folder, "shutil", type("refusing", (), {"rmtree": refuse}))
        export_all(killed)
    sentence = f"{left} is left of an export and cannot be removed: Permission denied"
    assert caplog.messages == [sentence]
    assert hidden(killed) == [left.name]
    export_all(killed)
    assert not hidden(killed)


def test_a_folder_that_is_a_disk_of_its_own_is_filled_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As ``/out`` of a container is: what grew beside it could not move there."""
    disks = {tmp_path / "study", tmp_path / "pictures"}
    for disk in disks:
        disk.mkdir()
    rename, moved = os.rename, []

    def disk_of(path: str | Path) -> Path | None:
        return next((disk for disk in disks if disk in Path(path).parents), None)

    def replace(source: str | Path, target: str | Path) -> None:
        if disk_of(source) != disk_of(target):
            raise OSError(errno.EXDEV, "Invalid cross-device link", str(source))
        moved.append(Path(target).name)
        rename(source, target)

    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(Path, "is_mount", lambda path: path in disks)
    for _ in range(2):
        export_all(tmp_path)
    assert {"a.png", "averages.json"} <= set(moved)
    assert (tmp_path / "pictures" / "a.png").read_bytes() == b"whole"
    assert not hidden(tmp_path) + hidden(tmp_path / "study") + hidden(tmp_path / "pictures")


def test_a_folder_beside_which_nobody_may_write_is_filled_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != tmp_path)
    place = tmp_path / "pictures"
    place.mkdir()
    with open_folder(place, "z.json") as pictures:
        assert place in pictures.parents
        (pictures / "a.png").write_bytes(b"whole")
    assert [file.name for file in place.iterdir()] == ["a.png"]
