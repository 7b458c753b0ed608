"""Which files a scene may be read from besides its own, and why another is left alone."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote

from waypost.domain.scene.scene import ABSENT
from waypost.io.confined.input_bytes import will_read
from waypost.io.scenes.bounds import MAX_FILE_BYTES

_NETWORK: Final = re.compile(
    r"^([\\/]{2}|[a-z][a-z0-9+.-]+:[\\/]{2}|(file|https?|ftps?|smb|omniverse):)", re.IGNORECASE
)
"""``//server/share``, ``\\\\server\\share``, ``https://…``, ``file:…`` and every other scheme."""

OUTSIDE: Final = "is outside the scene's folder"
"""The reason for what is only read when a person allows it."""


NETWORK: Final = "is an address, and only files are read"


def is_address(stated: str) -> bool:
    """Whether a path of a scene is an address, e.g. of a server; not even looked for then."""
    return _NETWORK.match(unquote(stated)) is not None


class Permission(NamedTuple):
    """Whether a file that a scene names may be opened."""

    reason: str
    """Why not, as a predicate such as ``does not exist``; empty if it may."""

    is_outside: bool = False
    """Whether it is there, but outside the folder of the scene."""


@dataclass(frozen=True, slots=True)
class AssetAccess:
    """Where the files that a scene names may lie."""

    inside: tuple[Path, ...]
    """Folders, resolved; they and all below them are inside."""

    allow_outside: bool = False
    """Whether files outside are read as well. Devices and network addresses never are."""

    asset_folders: tuple[Path, ...] = ()
    """Those of the folders that a person named, which USD also searches."""

    _known: dict[str, bool] = field(default_factory=dict, repr=False, compare=False)
    """Whether what lies in a folder is inside; most files of a scene lie in few."""

    @classmethod
    def of(
        cls, scene: Path, *, allow_outside: bool = False, asset_folders: Sequence[Path] = ()
    ) -> AssetAccess:
        """The access of a scene file.

        The folder that the scene lies in is inside. If the scene is a symbolic link, so is the
        folder it leads to: caches of data sets keep all files there.

        Args:
            scene: As the user named it.
            allow_outside: Whether a person said that files outside may be read.
            asset_folders: That a person named.
        """
        named = tuple(_resolved(folder) for folder in asset_folders)
        own = (_resolved(scene.parent), _resolved(scene).parent)
        return cls(tuple(dict.fromkeys((*own, *named))), allow_outside, named)

    def judge(self, stated: str, path: Path) -> Permission:
        """Whether a file may be opened.

        Args:
            stated: The path as the scene states it.
            path: Where that is.
        """
        if is_address(stated):
            return Permission(NETWORK)
        try:
            status = path.stat()
        except (FileNotFoundError, NotADirectoryError, ValueError):  # a name may hold a zero
            return Permission(ABSENT)
        except OSError as error:
            return Permission(f"cannot be read: {error.strerror or error}")
        reason = _refusal_of(path, status)
        if reason:
            return Permission(reason)
        is_outside = not self._is_inside(path)
        if is_outside and not self.allow_outside:
            return Permission(OUTSIDE, is_outside)
        will_read(status)
        return Permission("", is_outside)

    def _is_inside(self, path: Path) -> bool:
        """Whether a path lies inside; a symbolic link counts as what it leads to."""
        if path.is_symlink():
            return self._is_folder_inside(_resolved(path).parent)
        folder = str(path.parent)
        if folder not in self._known:
            self._known[folder] = self._is_folder_inside(_resolved(path.parent))
        return self._known[folder]

    def _is_folder_inside(self, real: Path) -> bool:
        return any(real.is_relative_to(folder) for folder in self.inside)


def _refusal_of(path: Path, status: os.stat_result) -> str:
    if stat.S_ISDIR(status.st_mode):
        return "is a folder, not a file"
    if not stat.S_ISREG(status.st_mode):
        return "is a pipe, a socket or a device, not a file"
    if status.st_size > MAX_FILE_BYTES:
        return f"is larger than {MAX_FILE_BYTES // 1024**3} GB"
    may_read = os.access(path, os.R_OK, effective_ids=os.access in os.supports_effective_ids)
    return "" if may_read else "may not be read"


def _resolved(path: Path) -> Path:
    return Path(os.path.realpath(path))
