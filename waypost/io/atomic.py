"""Write files so that a crash at any moment leaves the old one or the new one, whole."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from waypost.domain.base.errors import WriteError
from waypost.domain.base.visible_text import visible_text

_DESCRIPTORS: Final = Path("/proc/self/fd")


def target_of(path: Path) -> Path:
    """The file behind a name, links followed; it need not be there yet.

    Raises:
        WriteError: If a device, pipe or socket is there, whose name a file must not take, if there
            is no name, or if links lead round in a circle.
    """
    try:
        target = path.resolve()
        # Python 3.13 leaves the link where the ones before it complain.
        is_circle = target.is_symlink()
        is_special = target.exists() and not target.is_file() and not target.is_dir()
    except (OSError, RuntimeError) as error:
        raise WriteError(str(path), getattr(error, "strerror", None) or str(error)) from error
    if is_circle:
        raise WriteError(str(path), "its links lead round in a circle")
    if not target.name:
        raise WriteError(str(path), "it is the folder above all others")
    if is_special:
        raise WriteError(str(path), f"{target} is a device or a pipe, not a file")
    return target


def check_file_place(path: Path) -> None:
    """Refuse a place where no file could be written, before the work for it; nothing is left there.

    Raises:
        WriteError: As writing it would; a disk that fills later is not foreseen.
    """
    target = target_of(path)
    if target.is_dir():
        raise WriteError(str(path), "it is a folder")
    _check_folder(path, target.parent)


def check_folder_place(path: Path) -> None:
    """Refuse a place where no folder of files could be; nothing is made there.

    Raises:
        WriteError: As writing into it would.
    """
    _check_folder(path, target_of(path))


def _check_folder(path: Path, folder: Path) -> None:
    """Refuse to write into a folder, or into the first above it that is there."""
    try:
        while not folder.exists():
            folder = folder.parent
        if not folder.is_dir():
            is_itself = folder == target_of(path)
            what = "there is a file of that name" if is_itself else f"{folder} is a file"
            raise WriteError(str(path), f"{what}, not a folder")
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise WriteError(str(path), error.strerror or str(error)) from error


def write_bytes_atomic(path: Path, data: bytes) -> None:
    """Replace the content of a file in one step; missing folders are made.

    The data goes to a temporary file beside the target, reaches the disk, and then takes the
    target's name. A symbolic link is followed; the permissions of an existing file are kept.

    Raises:
        WriteError: If the disk is full, read-only or the like; no temporary file stays behind.
    """
    with open_atomic(path) as stream:
        stream.write(data)


def write_text_atomic(path: Path, text: str) -> None:
    """Replace the content of a text file in one step: UTF-8, line ends as given.

    Raises:
        WriteError: If the file cannot be written, or the text not as UTF-8.
    """
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        shown = visible_text(text[error.start])
        reason = f"a text holds half a character, which UTF-8 cannot say: {shown}"
        raise WriteError(str(path), reason) from error
    write_bytes_atomic(path, data)


@contextlib.contextmanager
def open_atomic(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing piece by piece; it takes its name when the block ends well.

    If the block raises, the file keeps its old content and no temporary file stays behind. Where
    the system knows files without a name, a killed program leaves nothing either.

    Raises:
        WriteError: If the disk is full, read-only or the like, or a folder is there.
    """
    target = target_of(path)
    if target.is_dir():
        raise WriteError(str(path), "it is a folder")
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with _open_nameless(target.parent) or temporary.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            if not temporary.exists():
                _give_name(stream, temporary)
        if target.exists():
            temporary.chmod(target.stat().st_mode & 0o7777)
        os.replace(temporary, target)  # noqa: PTH105 - tests inject faults here by name
    except FileExistsError as error:
        raise WriteError(str(path), f"{path.parent} is a file, not a folder") from error
    except OSError as error:
        raise WriteError(str(path), error.strerror or str(error)) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
    _sync_folder(target.parent)


def _open_nameless(folder: Path) -> IO[bytes] | None:
    """A file in a folder that has no name yet; ``None`` where there is no such thing."""
    flag = getattr(os, "O_TMPFILE", 0)
    if not flag or not _DESCRIPTORS.is_dir():
        return None
    try:
        return os.fdopen(os.open(folder, flag | os.O_RDWR, 0o666), "w+b")
    except OSError:
        return None


def _give_name(stream: IO[bytes], name: Path) -> None:
    """Give a nameless file its name; where the disk refuses that, copy it."""
    try:
        # Only with a folder's descriptor is the link followed to the file itself.
        folder = os.open(name.parent, os.O_RDONLY)
        try:
            source = _DESCRIPTORS / str(stream.fileno())
            os.link(source, name.name, dst_dir_fd=folder, follow_symlinks=True)
        finally:
            os.close(folder)
    except OSError:
        stream.seek(0)
        with name.open("xb") as copy:
            shutil.copyfileobj(stream, copy)
            copy.flush()
            os.fsync(copy.fileno())


def _sync_folder(folder: Path) -> None:
    # Windows cannot open folders, and some network disks cannot sync them; the file itself is safe.
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
