"""How a project states where a file is."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath


def relative_path(root: Path, file: Path) -> str:
    """POSIX path of a file relative to the project's folder; absolute on another drive."""
    try:
        return PurePosixPath(Path(os.path.relpath(file, root))).as_posix()
    except ValueError:
        return file.absolute().as_posix()
