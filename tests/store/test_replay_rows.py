"""Runs, taxonomies, marks and verdicts in the file: several analysts at once, rows that are bad."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from stored_rows import SET, change_rows, stored_rows

from waypost.domain.base.errors import ConflictError, ReadError
from waypost.domain.causes.failure import (
    Axis,
    Category,
    CauseBook,
    CauseKey,
    CauseMark,
    Taxonomy,
    set_mark,
    toggle_choice,
)
from waypost.domain.causes.replay_book import (
    EdgeVerdict,
    EdgeVerdictKey,
    ReplayBook,
    RouteVerdict,
    add_source,
    save_taxonomy,
    set_causes,
    set_edge_verdict,
)
from waypost.domain.episode.run_source import RunSource
from waypost.domain.project import Project
from waypost.store.project_store import ProjectStore

NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)
OWN = Taxonomy(
    "own",
    "Ours",
    1,
    (Axis("why", "Why", (Category("room", "Room", "which?", "a"), Category("stair", "Stair"))),),
    "us",
    "notes",
)
ANA = CauseKey("gpt", "7_0", "ana", "own")
BEN = ANA._replace(analyst="ben")


def book() -> ReplayBook:
    source = RunSource(
        (Path("runs/gpt.json"),),
        (Path("val.json"), Path("more.json")),
        Path("graphs"),
        pictures=Path("views"),
        name="gpt",
        profile_key="r2r",
    )
    kept = save_taxonomy(add_source(ReplayBook(), source), OWN)
    mark = CauseMark(ANA, 1, {"why": ("room",)}, 3, "at the door", NOON)
    kept = set_causes(kept, set_mark(CauseBook(), OWN, mark))
    edge = EdgeVerdictKey("gpt", "7_0", "a", "b", "ana")
    return set_edge_verdict(kept, EdgeVerdict(edge, RouteVerdict.INVALID, "a sill", NOON))


PROJECT = Project("House", replay=book())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "house.waypost"
    ProjectStore.create(file, PROJECT, "ana").close()
    return file


def marked(project: Project, key: CauseKey, choice: str) -> Project:
    causes = toggle_choice(project.replay.causes, OWN, key, "why", choice)
    return replace(project, replay=set_causes(project.replay, causes))


def test_everything_survives_reopening(file: Path) -> None:
    loaded = ProjectStore.open(file).load()
    assert loaded == PROJECT
    mark = loaded.replay.causes.marks[ANA]
    assert (mark.step, mark.note, mark.marked_at) == (3, "at the door", NOON)
    assert loaded.replay.taxonomies["own", 1].axes[0].categories[0].shortcut == "a"


def test_one_mark_writes_one_row(file: Path) -> None:
    store = ProjectStore.open(file)
    project = store.load()
    store.save(project, marked(project, BEN, "stair"), "ben", "Mark cause")
    store.close()
    assert stored_rows(file, "SELECT kind, item, action FROM history WHERE change_id > 1") == [
        ("cause mark", '["gpt", "7_0", "ben", "own"]', "added")
    ]
    assert stored_rows(file, "SELECT analyst, changed_by FROM cause_marks ORDER BY ordinal") == [
        ("ana", "ana"),
        ("ben", "ben"),
    ]


def test_analysts_mark_one_episode_at_once_but_not_in_one_name(file: Path) -> None:
    one, two = ProjectStore.open(file), ProjectStore.open(file)
    first, second = one.load(), two.load()
    one.save(first, marked(first, ANA, "stair"), "ana")
    two.save(second, marked(second, BEN, "stair"), "ben")
    both = ProjectStore.open(file).load().replay.causes
    assert {key.analyst: mark.choices["why"] for key, mark in both.marks.items()} == {
        "ana": ("stair",),
        "ben": ("stair",),
    }
    stale = marked(second, BEN, "stair")
    message = "the cause that ana marked for episode 7_0 of gpt was changed by ana"
    with pytest.raises(ConflictError, match=message):
        two.save(stale, marked(stale, ANA, "stair"), "ben")
    one.close()
    two.close()


def test_two_people_cannot_give_one_version_two_meanings(file: Path) -> None:
    one, two = ProjectStore.open(file), ProjectStore.open(file)
    first, second = one.load(), two.load()
    for store, project, title in ((one, first, "By ana"), (two, second, "By ben")):
        kept = save_taxonomy(project.replay, replace(OWN, version=2, title=title))
        if store is two:
            with pytest.raises(ConflictError, match="version 2 of the taxonomy “By ben” was added"):
                store.save(project, replace(project, replay=kept), "ben")
        else:
            store.save(project, replace(project, replay=kept), "ana")
    one.close()
    two.close()
    assert ProjectStore.open(file).load().replay.taxonomies["own", 2].title == "By ana"


@pytest.mark.parametrize(
    ("change", "place", "reason"),
    [
        (
            SET.format("cause_marks", "choices", "json('[]')"),
            "cause_marks, row 1",
            "choices: must be an object",
        ),
        (SET.format("cause_marks", "marked_at", "'noon'"), "cause_marks, row 1", "noon"),
        (SET.format("taxonomies", "axes", "json('[{}]')"), "taxonomies, row 1", "categories"),
        (SET.format("edge_verdicts", "verdict", "'maybe'"), "edge_verdicts, row 1", "maybe"),
        ("UPDATE run_sources SET payload = '{'", "run_sources, row 1", "Expecting"),
        (SET.format("run_sources", "results", "json('[]')"), "run_sources", "one file or folder"),
        (SET.format("run_sources", "results", "json('[7]')"), "run_sources, row 1", "a text"),
        (SET.format("run_sources", "pictures", "7"), "run_sources, row 1", "pictures: expected"),
    ],
)
def test_a_bad_row_is_named(file: Path, change: str, place: str, reason: str) -> None:
    change_rows(file, change)
    with pytest.raises(ReadError) as caught:
        ProjectStore.open(file).load()
    assert caught.value.place == place
    assert reason in caught.value.reason
