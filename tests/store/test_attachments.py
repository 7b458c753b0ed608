"""Large parts of evidence: kept once, read when they are asked for, never with the project."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fixtures.whole_projects import DRIVE, MEASURE, WAY, whole_project
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


def test_what_nothing_refers_to_is_forgotten_after_a_month(file: Path) -> None:
    days = [0]

    def clock() -> datetime:
        return datetime(2026, 11, 1, tzinfo=UTC) + timedelta(days=days[0])

    store = ProjectStore.open(file, clock=clock)
    track, picture, unused = store.put_attachments([b"track", b"picture", b"unused"])
    project = replace(
        whole_project(),
        measures={WAY: replace(MEASURE, picture=picture)},
        drives={WAY: replace(DRIVE, track=track)},
    )
    days[0] = 30
    store.forget_attachments(project)
    assert store.attachment(unused) == b"unused"
    days[0] = 31
    store.forget_attachments(project)
    assert store.attachment(unused) is None
    assert (store.attachment(track), store.attachment(picture)) == (b"track", b"picture")
    store.close()


def test_what_an_undo_may_want_is_not_forgotten(file: Path) -> None:
    """A month counts from when the last drive went, or the same bytes came, not from the first."""
    days = [0]

    def clock() -> datetime:
        return datetime(2026, 11, 1, tzinfo=UTC) + timedelta(days=days[0])

    store = ProjectStore.open(file, clock=clock)
    empty = store.load()
    track, again = store.put_attachments([b"track", b"again"])
    driven = replace(whole_project(), measures={}, drives={WAY: replace(DRIVE, track=track)})
    store.save(empty, driven, "ana")
    days[0] = 100
    bare = replace(driven, drives={})
    store.save(driven, bare, "ana", "Delete the edge")
    days[0] = 130
    store.forget_attachments(bare)
    assert store.attachment(track) == b"track"
    assert store.put_attachments([b"again"]) == (again,)
    days[0] = 131
    store.forget_attachments(bare)
    assert (store.attachment(track), store.attachment(again)) == (None, b"again")
    store.close()


@given(st.lists(st.tuples(st.tuples(single, single, single), single), max_size=20))
def test_a_driven_path_comes_back(track) -> None:
    assert unpack_track(pack_track(track)) == tuple(track)


@pytest.mark.parametrize("data", [b"", b"no zlib", pack_track([((0, 0, 0), 0.0)])[:-1]])
def test_what_is_no_driven_path_is_said(data: bytes) -> None:
    with pytest.raises(ValueError, match="is no driven path"):
        unpack_track(data)
