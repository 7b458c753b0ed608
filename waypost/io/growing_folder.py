"""A folder grows hidden beside what it will be; what a killed process left of one is removed.

Whose it is stands in a file in it, which stays locked by the process for as long as that lives.
"""

from __future__ import annotations

import contextlib
import logging
import os
import platform
import re
import secrets
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from waypost.domain.base.errors import WriteError
from waypost.io.atomic import target_of

if sys.platform != "win32":
    import fcntl

_LOG: Final = logging.getLogger(__name__)
_FILES: Final = "files"
_OWNER: Final = "owner"
_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")


@contextlib.contextmanager
def growing_folder(path: Path) -> Iterator[Path]:
    """Give an empty folder beside a file or folder; whatever is still in it goes with the block.

    Nothing moves from one disk to another in one step: in a folder where another one is mounted, as
    in a container, and in one beside which nobody may write, it grows inside. First it removes what
    an earlier process left that was to become the same file or folder, if that process is certainly
    gone; what cannot be removed is a line of the log.

    Raises:
        WriteError: About ``path``, for what the block cannot write into the folder or move.
    """
    target = target_of(path)
    place = target if _grows_inside(target) else target.parent
    temporary = place / f".{target.name}.{secrets.token_hex(4)}.tmp"
    try:
        _remove_left(place, target.name)
        temporary.mkdir(parents=True)
        with _owned(temporary):
            (temporary / _FILES).mkdir()
            try:
                yield temporary / _FILES
            finally:
                shutil.rmtree(temporary / _FILES, ignore_errors=True)
    except WriteError as error:
        # What the user named is the target, not what is in the temporary folder.
        if not Path(error.file).is_relative_to(temporary):
            raise
        raise WriteError(str(path), error.reason) from error
    except FileExistsError as error:
        raise WriteError(str(path), f"{error.filename} is a file, not a folder") from error
    except OSError as error:
        raise WriteError(str(path), error.strerror or str(error)) from error
    finally:
        with contextlib.suppress(OSError):
            _remove(temporary)


@contextlib.contextmanager
def _owned(folder: Path) -> Iterator[None]:
    """Say whose a folder is, where the system has locks that end with their process."""
    with (folder / _OWNER).open("xb") as owner:
        # Written only once it is locked: an empty one belongs to somebody who is about to.
        if _lock(owner, waits=True):
            owner.write(_computer())
            owner.flush()
        yield


def _grows_inside(target: Path) -> bool:
    return target.is_dir() and (target.is_mount() or not os.access(target.parent, os.W_OK))


def _remove_left(place: Path, target: str) -> None:
    pattern = re.compile(rf"\.{re.escape(target)}\.[0-9a-f]{{8}}\.tmp")
    names: list[Path] = []
    # A folder may be written to and not be listed.
    with contextlib.suppress(OSError):
        names = [name for name in place.iterdir() if pattern.fullmatch(name.name)]
    for folder in names:
        _remove_if_left(folder)


def _remove_if_left(folder: Path) -> None:
    try:
        owner = _open_owner(folder)
    except OSError:
        # Somebody else's, who lets nobody look into it.
        return
    if owner is None:
        return
    # Locked until it is gone, so that two who find it do not both remove it.
    with owner:
        if not _lock(owner, waits=False) or owner.read(len(_computer()) + 1) != _computer():
            return
        try:
            with contextlib.suppress(FileNotFoundError):
                _remove(folder)
        except OSError as error:
            reason = error.strerror or str(error)
            _LOG.warning("%s is left of an export and cannot be removed: %s", folder, reason)


def _open_owner(folder: Path) -> IO[bytes] | None:
    owner = folder / _OWNER
    is_link = folder.is_symlink() or owner.is_symlink()
    return owner.open("r+b") if owner.is_file() and not is_link else None


def _remove(folder: Path) -> None:
    """Remove what was made here and nothing else, and last what says whose it is."""
    if (folder / _FILES).exists():
        shutil.rmtree(folder / _FILES)
    (folder / _OWNER).unlink(missing_ok=True)
    folder.rmdir()


def _lock(owner: IO[bytes], *, waits: bool) -> bool:
    """Whether a file is locked by us now; where there are no such locks, it never is."""
    if sys.platform == "win32":
        return False
    try:
        fcntl.flock(owner, fcntl.LOCK_EX if waits else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _computer() -> bytes:
    """This computer since it was started: locks need not reach the others that share a disk."""
    boot = _BOOT.read_bytes() if _BOOT.exists() else b""
    return platform.node().encode() + b"\n" + boot
