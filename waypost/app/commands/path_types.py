"""Types of arguments that name what is read: what cannot be read is refused before work begins."""

from __future__ import annotations

import os
from pathlib import Path

from waypost.domain.errors import ReadError
from waypost.io.file_reading import require_folder, require_regular_file


def file_to_read(text: str) -> Path:
    """A file.

    Raises:
        ReadError: If it is missing, no regular file, or may not be read.
    """
    path = Path(text)
    require_regular_file(path)
    return path


def folder_to_read(text: str) -> Path:
    """A folder.

    Raises:
        ReadError: If it is missing, no folder, or may not be read.
    """
    path = Path(text)
    require_folder(path)
    return path


def path_to_read(text: str) -> Path:
    """A file or a folder.

    Raises:
        ReadError: If it is missing, neither of them, or may not be read.
    """
    return folder_to_read(text) if os.path.isdir(text) else file_to_read(text)  # noqa: PTH112 - never raises


def project_to_open(text: str) -> str:
    """A project: a file, or the URL of a database.

    Raises:
        ReadError: As ``file_to_read``; what stands behind a URL is looked at on opening.
    """
    return text if "://" in text else str(file_to_read(text))


def project_to_make(text: str) -> str:
    """A project that may be there already, else is made.

    Raises:
        ReadError: If something else has the name, or its folder is none.
    """
    if "://" not in text and os.path.lexists(text):
        return project_to_open(text)
    if "://" not in text:
        folder = Path(text).parent
        try:
            require_folder(folder)
            os.lstat(text)
        except FileNotFoundError:
            return text
        except OSError as error:
            raise ReadError(text, "file", f"cannot be made: {error.strerror}") from error
        except ReadError as error:
            raise ReadError(text, "file", f"cannot be made: {folder} {error.reason}") from error
    return text
