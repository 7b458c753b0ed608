"""Large parts of evidence: kept once, read when they are asked for, never with the project."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stored_rows import change_rows, stored_rows

from waypost.domain.base.errors import ReadError
from waypost.domain.project import Project
from waypost.domain.traverse.passage_drive import pack_track, unpack_track
from waypost.store.project_store import ProjectStore

single = st.floats(-1000, 1000, width=32)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "house.waypost"
    ProjectStore.create(file, Project("House"), "ana").close()
    return file


def test_a_part_is_there_after_reopening_and_kept_once(file: Path) -> None:
    store = ProjectStore.open(file)
    first, second = store.put_attachments([b"picture", b"\0\xff"])
    assert store.put_attachments([b"picture"]) == (first,)
    store.close()
    again = ProjectStore.open(file)
    assert again.attachment(first) == b"picture"
    assert again.attachment(second) == b"\0\xff"
    assert again.attachment("of nothing") is None
    assert stored_rows(file, "SELECT count(*) FROM attachments") == [(2,)]


def test_damaged_bytes_are_refused(file: Path) -> None:
    store = ProjectStore.open(file)
    (digest,) = store.put_attachments([b"picture"])
    change_rows(file, "UPDATE attachments SET bytes = x'00'")
    with pytest.raises(ReadError, match=f"{digest} does not match"):
        store.attachment(digest)


@given(st.lists(st.tuples(st.tuples(single, single, single), single), max_size=20))
def test_a_driven_path_comes_back(track) -> None:
    assert unpack_track(pack_track(track)) == tuple(track)


@pytest.mark.parametrize("data", [b"", b"no zlib", pack_track([((0, 0, 0), 0.0)])[:-1]])
def test_what_is_no_driven_path_is_said(data: bytes) -> None:
    with pytest.raises(ValueError, match="is no driven path"):
        unpack_track(data)
