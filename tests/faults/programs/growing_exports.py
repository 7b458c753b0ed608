"""Begins an export of each kind in a folder, says so and waits to be killed: ``…py FOLDER``."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import numpy as np
from fixtures.study_examples import study_of

from waypost.domain.record.camera_take import PictureSize
from waypost.io.atomic import write_bytes_atomic
from waypost.io.camera_takes.picture_files import open_folder
from waypost.io.camera_takes.video import open_video
from waypost.services.study.export import export_study
from waypost.services.study.submissions import ExportWish


def main(folder: Path) -> None:
    """A study, a folder of pictures, a film, and a file whose bytes do not reach the disk."""
    study = export_study(folder / "study", ExportWish(), study_of([1], 1), folder)
    while not list(folder.glob(".study.*/files/manifest.json")):
        next(study)
    with (
        open_folder(folder / "pictures", "z.json") as pictures,
        open_video(folder / "film.mp4", PictureSize(64, 48), 2.0) as film,
    ):
        (pictures / "a.png").write_bytes(b"half")
        film.write(np.zeros((48, 64, 3), np.uint8))
        os.fsync = wait  # type: ignore[assignment]
        write_bytes_atomic(folder / "table.csv", b"new")


def wait(_: int) -> None:
    """A disk that takes its time."""
    print("writing", flush=True)  # noqa: T201 - the parent waits for it
    time.sleep(600)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
