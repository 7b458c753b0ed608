from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.errors import WriteError
from waypost.io import atomic
from waypost.io.atomic import open_atomic, write_bytes_atomic, write_text_atomic


def test_writes_and_replaces(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "file.json"
    write_text_atomic(path, "one — é\r\n")
    assert path.read_bytes() == b"one \xe2\x80\x94 \xc3\xa9\r\n"
    write_bytes_atomic(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(path.parent.iterdir()) == [path]


def test_keeps_permissions_and_follows_links(tmp_path: Path) -> None:
    real = tmp_path / "real.txt"
    real.write_text("old")
    real.chmod(0o640)
    link = tmp_path / "link.txt"
    link.symlink_to(real)
    write_text_atomic(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert real.stat().st_mode & 0o777 == 0o640


def test_new_files_get_the_usual_permissions(tmp_path: Path) -> None:
    usual = tmp_path / "usual"
    usual.write_text("")
    write_text_atomic(tmp_path / "ours", "x")
    assert (tmp_path / "ours").stat().st_mode == usual.stat().st_mode


def test_a_folder_in_the_way_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(WriteError, match=r"taken: file: cannot be written: it is a folder"):
        write_text_atomic(tmp_path / "taken", "x")
    with pytest.raises(WriteError, match=r"^/: file: cannot be written: it is the folder above"):
        write_text_atomic(Path("/"), "x")
    assert [p.name for p in tmp_path.iterdir()] == ["taken"]


def test_what_utf_8_does_not_have_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(
        WriteError, match=r"t: file: cannot be written: .* half a character.*⟨U\+DCFF⟩"
    ):
        write_text_atomic(tmp_path / "t", "P-\udcff")
    assert not list(tmp_path.iterdir())


class _FailAt:
    """Lets the first ``limit`` system calls through and fails the next, as a full disk does."""

    def __init__(self, limit: int, error: BaseException) -> None:
        self.left, self.error = limit, error

    def wrap(self, function):
        def faulty(*args, **kwargs):
            self.left -= 1
            if self.left < 0:
                raise self.error
            return function(*args, **kwargs)

        return faulty


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@given(
    old=st.none() | st.binary(max_size=200),
    new=st.binary(max_size=200),
    limit=st.integers(0, 9),
    is_named=st.booleans(),
)
def test_a_fault_anywhere_leaves_old_or_new_whole(
    tmp_path_factory: pytest.TempPathFactory,
    error: BaseException,
    old: bytes | None,
    new: bytes,
    limit: int,
    is_named: bool,
) -> None:
    folder = tmp_path_factory.mktemp("fault")
    path = folder / "file"
    if old is not None:
        path.write_bytes(old)
    fault = _FailAt(limit, error)
    with pytest.MonkeyPatch.context() as patch:
        if is_named:
            # As where the system knows no files without a name.
            patch.setattr(atomic, "_open_nameless", lambda folder: None)
        patch.setattr(Path, "mkdir", fault.wrap(Path.mkdir))
        patch.setattr(Path, "open", fault.wrap(Path.open))
        patch.setattr(atomic.os, "fsync", fault.wrap(os.fsync))
        patch.setattr(Path, "chmod", fault.wrap(Path.chmod))
        patch.setattr(atomic.os, "link", fault.wrap(os.link))
        patch.setattr(atomic.os, "replace", fault.wrap(os.replace))
        failed = False
        try:
            write_bytes_atomic(path, new)
        except (WriteError, KeyboardInterrupt):
            failed = True
    content = path.read_bytes() if path.exists() else None
    assert content in (old, new)
    assert failed or content == new
    assert [p.name for p in folder.iterdir()] in ([], ["file"])


@pytest.mark.parametrize("written", [0, 1, 5])
def test_a_disk_that_fills_up_half_way_keeps_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: int
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old content")

    class Full(io.FileIO):
        def write(self, data: bytes) -> int:
            super().write(data[:written])
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic, "_open_nameless", lambda folder: None)
    monkeypatch.setattr(Path, "open", lambda path, mode: Full(path, mode.replace("b", "")))
    with pytest.raises(WriteError, match="cannot be written: No space left on device"):
        write_bytes_atomic(path, b"new content")
    monkeypatch.undo()
    assert path.read_bytes() == b"old content"
    assert list(tmp_path.iterdir()) == [path]


def write_by_pieces(path: Path, data: bytes) -> None:
    with open_atomic(path) as stream:
        stream.write(data)


@pytest.mark.parametrize("write", [write_bytes_atomic, write_by_pieces])
def test_what_is_no_file_keeps_its_name(tmp_path: Path, write) -> None:
    """A device such as /dev/null must not become a file, however it is named."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "link").symlink_to(pipe)
    for name in ("pipe", "link"):
        with pytest.raises(WriteError, match="pipe is a device or a pipe, not a file"):
            write(tmp_path / name, b"x")
    assert pipe.is_fifo()
    assert {p.name for p in tmp_path.iterdir()} == {"pipe", "link"}
