"""Which files a scene may be read from besides its own, and why another is left alone."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from waypost.io.scenes.bounds import MAX_FILE_BYTES

_NETWORK: Final = re.compile(
    r"^([\\/]{2}|[a-z][a-z0-9+.-]+:[\\/]{2}|(file|https?|ftps?|smb|omniverse):)", re.IGNORECASE
)
"""``//server/share``, ``\\\\server\\share``, ``https://…``, ``file:…`` and every other scheme."""

OUTSIDE: Final = "is outside the scene's folder"
"""The reason for what is only read when a person allows it."""

MISSING: Final = "does not exist"


NETWORK: Final = "is an address, and only files are read"


def is_address(stated: str) -> bool:
    """Whether a path of a scene is an address, e.g. of a server; not even looked for then."""
    return _NETWORK.match(unquote(stated)) is not None


@dataclass(frozen=True, slots=True)
class AssetAccess:
    """Where the files that a scene names may lie."""

    folder: Path
    """The folder of the scene file, resolved; it and all below it are inside."""

    allow_outside: bool = False
    """Whether files outside are read as well. Devices and network addresses never are."""

    asset_folders: tuple[Path, ...] = ()
    """Further folders that count as inside, resolved; USD also searches them."""

    @classmethod
    def of(
        cls, scene: Path, *, allow_outside: bool = False, asset_folders: Sequence[Path] = ()
    ) -> AssetAccess:
        """The access of a scene file.

        Args:
            scene: As the user named it.
            allow_outside: Whether a person said that files outside may be read.
            asset_folders: That a person named.
        """
        return cls(
            _resolved(scene.parent),
            allow_outside,
            tuple(_resolved(folder) for folder in asset_folders),
        )

    def is_inside(self, path: Path) -> bool:
        """Whether a path lies below the folder of the scene or below an asset folder.

        A symbolic link counts as what it leads to.
        """
        real = _resolved(path)
        return any(real.is_relative_to(folder) for folder in (self.folder, *self.asset_folders))

    def refusal(self, stated: str, path: Path) -> str:
        """Why a file is not to be opened, as a predicate such as ``does not exist``.

        Args:
            stated: The path as the scene states it.
            path: Where that is.

        Returns:
            The reason; empty if the file is there and may be opened.
        """
        if is_address(stated):
            return NETWORK
        try:
            status = path.stat()
        except (FileNotFoundError, NotADirectoryError, ValueError):  # a name may hold a zero
            return MISSING
        except OSError as error:
            return f"cannot be read: {error.strerror or error}"
        reason = _refusal_of_kind(status)
        if not reason and not self.allow_outside and not self.is_inside(path):
            reason = OUTSIDE
        return reason


def _refusal_of_kind(status: os.stat_result) -> str:
    if stat.S_ISDIR(status.st_mode):
        return "is a folder, not a file"
    if not stat.S_ISREG(status.st_mode):
        return "is a pipe, a socket or a device, not a file"
    if status.st_size > MAX_FILE_BYTES:
        return f"is larger than {MAX_FILE_BYTES // 1024**3} GB"
    return ""


def _resolved(path: Path) -> Path:
    return Path(os.path.realpath(path))
