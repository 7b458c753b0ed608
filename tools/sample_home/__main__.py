"""Make the shipped files of the sample home anew: ``python -m tools.sample_home``."""

from __future__ import annotations

import shutil
from pathlib import Path

import waypost.resources
from tools.sample_home.files import write_sample_files

FOLDER = Path(waypost.resources.__path__[0]) / "sample"


def main() -> None:
    """Replace ``waypost/resources/sample``; what is not made any more goes."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    write_sample_files(FOLDER)
    files = [file for file in FOLDER.rglob("*") if file.is_file()]
    size = sum(file.stat().st_size for file in files)
    print(f"{FOLDER}: {len(files)} files, {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
