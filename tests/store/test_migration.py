from __future__ import annotations

import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from fixtures.older_projects import rows_of_version_4, rows_of_version_9, tables_of_version
from fixtures.study_examples import assigned, study_of
from fixtures.whole_projects import WAY, whole_project
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateTable
from stored_rows import SET, change_rows, stored_rows
from value_types import check_types

from waypost.domain.base.errors import ReadError, StoreError
from waypost.domain.causes.failure import CauseBook
from waypost.domain.causes.replay_book import (
    ReplayBook,
    RouteVerdict,
    add_source,
    set_causes,
)
from waypost.domain.episode.run_source import RunSource
from waypost.domain.project import Project
from waypost.domain.record.study import Study
from waypost.domain.record.take_rules import EARLIER_RULES, Feedback, TakeRules
from waypost.domain.score.batch import BatchItemKey
from waypost.domain.score.score_book import NO_SCORES
from waypost.domain.traverse.team import NO_TEAM
from waypost.metrics.agreement.label_agreement import label_agreement
from waypost.store import project_database
from waypost.store.database import sqlite_engine
from waypost.store.migration import MIGRATIONS, latest_version
from waypost.store.project_store import ProjectStore
from waypost.store.schema import METADATA

NOW = latest_version()
NEXT_REVISION = '''"""One more version, as the next Waypost might ship."""

import sqlalchemy as sa
from alembic import op

revision = "{next:04}"
down_revision = "{now:04}"


def upgrade():
    op.add_column("nodes", sa.Column("colour", sa.Text()))
    {last}
'''


def migrations_with(folder: Path, last: str) -> Path:
    """The shipped migrations and one more."""
    shutil.copytree(MIGRATIONS, folder)
    text = NEXT_REVISION.format(last=last, now=NOW, next=NOW + 1)
    (folder / "versions" / f"{NOW + 1:04}_next.py").write_text(text)
    return folder


def file_of_version(version: int, folder: Path) -> Path:
    """A project as an earlier Waypost left it: without the tables that came later."""
    file = tables_of_version(version, folder)
    for fact, value in OLD_FACTS.items():
        change_rows(file, "INSERT INTO facts VALUES (?,?,?,?,?,?)", (fact, value, *STAMPS))
    return file


def version_of(file: Path) -> int:
    ((number,),) = stored_rows(file, "SELECT version_num FROM alembic_version")
    return int(str(number))


def columns(file: Path, table: str) -> list[str]:
    return [str(row[1]) for row in stored_rows(file, f"PRAGMA table_info({table})")]


def statements(file: Path) -> set[str]:
    """What a database says was done to make it, white space evened out."""
    found = stored_rows(file, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {" ".join(str(sql).split()).replace("( ", "(").replace(" )", ")") for (sql,) in found}


OLD_FACTS = {
    "name": '"Old house"',
    "scene_path": '"house.glb"',
    "scene_up_axis": "null",
    "scene_metres_per_unit": "null",
    "graph_extra": "{}",
}
STAMPS = (1, 1, "ana", "then")
"""Ordinal, change, who and when of a row."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "house.waypost"
    ProjectStore.create(file, Project("House"), "ana").close()
    return file


def test_the_migrations_make_exactly_the_tables_the_code_uses(tmp_path: Path) -> None:
    engine = sqlite_engine(file_of_version(NOW, tmp_path), "ro")
    with engine.connect() as connection:
        found = compare_metadata(MigrationContext.configure(connection), METADATA)
    engine.dispose()
    assert found == []


def test_a_new_project_has_the_tables_of_the_migrations_word_for_word(
    file: Path, tmp_path: Path
) -> None:
    made, migrated = statements(file), statements(file_of_version(NOW, tmp_path))
    assert made == migrated
    assert len(made) > 10
    assert stored_rows(file, "SELECT * FROM alembic_version") == [(f"{NOW:04}",)]


@pytest.mark.parametrize("table", METADATA.sorted_tables, ids=lambda table: table.name)
def test_every_column_type_exists_in_both_databases(table) -> None:
    words = {"TEXT", "INTEGER", "BIGINT", "BOOLEAN", "FLOAT", "DOUBLE PRECISION", "SERIAL"}
    words |= {"BLOB", "BYTEA"}
    for dialect in (sqlite.dialect(), postgresql.dialect()):
        assert {column.type.compile(dialect).split("(")[0] for column in table.c} <= words
        assert str(CreateTable(table).compile(dialect=dialect)).startswith("\nCREATE TABLE")


def test_the_version_is_a_number(file: Path) -> None:
    assert version_of(file) == NOW == 10


def test_a_project_from_before_studies_opens_without_one(tmp_path: Path) -> None:
    file = file_of_version(1, tmp_path)
    assert columns(file, "participants") == []
    store = ProjectStore.open(file)
    project = store.load()
    assert (project.name, project.scene_path, project.study) == ("Old house", "house.glb", Study())
    after = replace(project, study=assigned(study_of([1, 1], 2)))
    store.save(project, after, "ana", "Make the study")
    assert store.load() == after
    store.close()
    assert (tmp_path / "old.version-1.waypost").exists()


def test_a_project_from_before_replays_opens_without_runs(tmp_path: Path) -> None:
    file = file_of_version(2, tmp_path)
    assert columns(file, "participants") != []
    assert columns(file, "cause_marks") == []
    store = ProjectStore.open(file)
    project = store.load()
    assert (project.name, project.replay) == ("Old house", ReplayBook())
    after = replace(
        project, replay=add_source(project.replay, RunSource((Path("gpt.json"),), name="gpt"))
    )
    store.save(project, after, "ana", "Add run")
    assert store.load() == after
    store.close()
    assert columns(tmp_path / "old.version-2.waypost", "cause_marks") == []


def test_of_marks_from_before_blindness_was_kept_it_is_unknown(tmp_path: Path) -> None:
    file = file_of_version(3, tmp_path)
    mark = ("gpt", "7_0", "ana", "own", 1, '{"why": ["room"]}', 3, "dark", None, *STAMPS)
    verdict = ("gpt", "7_0", "a", "b", "ana", "valid", "", None, *STAMPS)
    change_rows(file, "INSERT INTO cause_marks VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)", mark)
    change_rows(file, "INSERT INTO edge_verdicts VALUES (?,?,?,?,?,?,?,?,?,?,?,?)", verdict)
    store = ProjectStore.open(file)
    project = store.load()
    (kept,) = project.replay.causes.marks.values()
    (judged,) = project.replay.edge_verdicts.values()
    assert (kept.choices, kept.step, kept.is_blind) == ({"why": ("room",)}, 3, None)
    assert (judged.verdict, judged.is_blind) == (RouteVerdict.VALID, None)
    marks = MappingProxyType({kept.key: replace(kept, is_blind=False)})
    after = replace(project, replay=set_causes(project.replay, CauseBook(marks)))
    store.save(project, after, "ana")
    assert store.load() == after
    store.close()
    assert "is_blind" not in columns(tmp_path / "old.version-3.waypost", "cause_marks")


def test_a_project_from_before_evidence_opens_without_any(tmp_path: Path) -> None:
    file = file_of_version(6, tmp_path)
    store = ProjectStore.open(file)
    project = store.load()
    assert (dict(project.measures), dict(project.drives)) == ({}, {})
    after = replace(project, measures=whole_project().measures, drives=whole_project().drives)
    store.save(project, after, "ana", "Measure")
    assert store.load() == after
    store.close()
    assert columns(tmp_path / "old.version-6.waypost", "measures") == []


def test_every_kind_of_item_of_version_4_opens_as_it_was(tmp_path: Path) -> None:
    file = rows_of_version_4(tmp_path)
    change_rows(file, "UPDATE edge_verdicts SET is_blind = 1")
    change_rows(file, "UPDATE tasks SET question = char(64976) || '\"a\\u0000b \\ud800\"'")
    store = ProjectStore.open(file)
    loaded, expected = store.load(), whole_project()
    (verdict,) = expected.replay.edge_verdicts.values()
    blind = MappingProxyType({verdict.key: replace(verdict, is_blind=True)})
    earlier = TakeRules(Feedback.AFTER_EACH, questions=())
    assert earlier == EARLIER_RULES
    study = expected.study
    assert study.rules is not None
    (take,) = study.takes.values()
    label = expected.labels[WAY]
    judged = replace(label.provenance, from_m=None, to_m=None)
    assert loaded == replace(
        expected,
        study=replace(
            study,
            rules=replace(study.rules, of_takes=earlier),
            takes=MappingProxyType({take.key: replace(take, rules=earlier)}),
        ),
        tasks=(replace(expected.tasks[0], question="a\0b \ud800"),),
        replay=replace(expected.replay, edge_verdicts=blind),
        scoring=NO_SCORES,
        labels={WAY: replace(label, provenance=judged)},
        team=NO_TEAM,
        measures={},
        drives={},
    )
    check_types(loaded)
    numbers = stored_rows(file, "SELECT node_id, ordinal, row_version, changed_by FROM nodes")
    assert numbers == [("node_1", 1 << 20, 1, "ana"), ("node_2", 2 << 20, 1, "ana")]
    store.save(loaded, replace(loaded, tasks=(), labels={}), "ben", "Go on")
    assert store.load() == replace(loaded, tasks=(), labels={})
    store.close()
    assert "x_m" in columns(tmp_path / "old.version-4.waypost", "nodes")


def test_a_gaze_that_was_free_stays_free_for_the_study_and_its_takes(tmp_path: Path) -> None:
    file = rows_of_version_4(tmp_path)
    change_rows(file, "UPDATE study_settings SET value = 'true' WHERE setting = 'can_look'")
    study = ProjectStore.open(file).load().study
    rules = replace(EARLIER_RULES, can_look=True)
    assert study.rules is not None
    assert study.rules.of_takes == rules
    assert [take.rules for take in study.takes.values()] == [rules]


def test_a_study_from_before_the_gaze_was_a_rule_looks_ahead(tmp_path: Path) -> None:
    file = rows_of_version_4(tmp_path)
    change_rows(file, "DELETE FROM study_settings WHERE setting = 'can_look'")
    rules = ProjectStore.open(file).load().study.rules
    assert rules is not None
    assert rules.of_takes == EARLIER_RULES


def test_scores_of_version_9_open_with_what_a_server_hides_them_by(tmp_path: Path) -> None:
    file = rows_of_version_9(tmp_path)
    store = ProjectStore.open(file, viewer="lea")
    project = store.load()
    check_types(project)
    book, odd = project.scoring, "i\0\ud800"
    assert {key[1:]: str(sheet.state) for key, sheet in book.sheets.items()} == {
        ("i0", "ana", 1): "returned",
        ("i0", "ana", 2): "open",
        (odd, "ana", 1): "skipped",
        ("i0", "ben", 1): "open",
    }
    assert book.sheet("demo", "i0", "ben").scores == {"clarity": 2}
    said = {key.rater: entry.is_settled for key, entry in book.comparisons.items()}
    assert said == {"ana": True, "ben": False}
    check = book.items[BatchItemKey("demo", odd)]
    assert (check.instruction.source, check.expected) == ("model A", {"clarity": (5,)})
    assert book.batches["demo"].assigned == {"ana": ("i0", odd), "ben": (odd, "i0")}
    assert stored_rows(file, "SELECT count(*), count(DISTINCT item) FROM dealt_items") == [(6, 3)]
    assert stored_rows(file, "SELECT payload FROM batch_items WHERE payload LIKE '%model A%'") == []
    assert stored_rows(file, "SELECT count(*) FROM item_origins") == [(4,)]
    assert stored_rows(file, "SELECT rater, state FROM comparisons ORDER BY rater") == [
        ("ana", "submitted"),
        ("ben", "open"),
    ]
    # Two passages had a label for all to see before they were dealt; the other two are blind.
    had = {key[:2]: entry.had_label for key, entry in project.team.doubles.items()}
    assert had == {
        ("node_3", "node_2"): False,
        ("node_2", "node_3"): False,
        ("node_1", "node_2"): True,
        ("node_2", "node_1"): True,
    }
    assert {row.n for row in label_agreement(project.team)} == {2}
    left = {
        part: {key: item for key, item in getattr(book, part).items() if key[0] != "demo"}
        for part in ("items", "sheets", "comparisons")
    }
    batches = {key: batch for key, batch in book.batches.items() if key != "demo"}
    after = replace(project, scoring=replace(book, batches=batches, **left))
    store.save(project, after, "lea", "Remove the batch")
    assert store.load() == after
    assert stored_rows(file, "SELECT DISTINCT batch FROM dealt_items") == [("pairs",)]
    store.save(after, project, "lea", "Undo")
    assert store.load() == project
    store.close()
    assert columns(tmp_path / "old.version-9.waypost", "dealt_items") == []


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ("UPDATE nodes SET extra = '[' WHERE node_id = 'node_2'", "nodes, row 2: Expecting value"),
        ("UPDATE agents SET name = x'ff'", "agents, row 1: .*bytes"),
    ],
)
def test_an_older_file_that_cannot_be_brought_up_to_date_stays(
    damage: str, reason: str, tmp_path: Path
) -> None:
    file = rows_of_version_4(tmp_path)
    change_rows(file, damage)
    content = file.read_bytes()
    message = f"old.waypost: version: version 4 cannot be brought up to date: {reason}"
    with pytest.raises(StoreError, match=message):
        ProjectStore.open(file)
    assert file.read_bytes() == content
    assert not list(tmp_path.glob("*version-*"))


def test_a_wrong_value_of_an_older_file_is_named_by_its_field(tmp_path: Path) -> None:
    file = rows_of_version_4(tmp_path)
    change_rows(file, "UPDATE agents SET width_m = 'wide', climbs_stairs = 7")
    store = ProjectStore.open(file)
    with pytest.raises(ReadError, match="agents, row 1: width_m: expected a number, found str"):
        store.load()
    change_rows(file, SET.format("agents", "width_m", "1.0"))
    with pytest.raises(ReadError, match="agents, row 1: climbs_stairs: expected true or false"):
        store.load()
    store.close()


def test_an_older_file_is_copied_then_brought_up_to_date(file: Path, tmp_path: Path) -> None:
    newer = migrations_with(tmp_path / "migrations", last="pass")
    store = ProjectStore.open(file, migrations=newer)
    assert version_of(file) == NOW + 1
    assert store.load() == Project("House")
    store.close()
    copy = tmp_path / f"house.version-{NOW}.waypost"
    assert "colour" in columns(file, "nodes")
    assert "colour" not in columns(copy, "nodes")
    assert ProjectStore.open(copy).load() == Project("House")


def test_an_older_read_only_file_is_read_from_memory_and_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = rows_of_version_4(tmp_path)
    content, names = file.read_bytes(), sorted(tmp_path.iterdir())
    monkeypatch.setattr(project_database, "can_write", lambda _: False)
    with closing(ProjectStore.open(file)) as store:
        project = store.load()
        assert store.is_read_only
        with pytest.raises(StoreError, match="read-only and of an older version; open it again"):
            store.save(project, replace(project, name="Other"), "ana")
        assert store.load() == project
    assert file.read_bytes() == content
    assert sorted(tmp_path.iterdir()) == names
    monkeypatch.undo()
    with closing(ProjectStore.open(file)) as store:
        assert store.load() == project
        assert not store.is_read_only


def test_an_earlier_copy_is_not_overwritten(file: Path, tmp_path: Path) -> None:
    (tmp_path / f"house.version-{NOW}.waypost").write_text("mine")
    ProjectStore.open(file, migrations=migrations_with(tmp_path / "m", last="pass")).close()
    assert (tmp_path / f"house.version-{NOW}.waypost").read_text() == "mine"
    assert ProjectStore.open(tmp_path / f"house.version-{NOW}-2.waypost").load().name == "House"


def test_a_migration_that_fails_changes_nothing(file: Path, tmp_path: Path) -> None:
    broken = migrations_with(tmp_path / "m", last="raise RuntimeError('broken')")
    message = f"version: version {NOW} cannot be brought up to date: RuntimeError: broken$"
    with pytest.raises(StoreError, match=message):
        ProjectStore.open(file, migrations=broken)
    assert not list(tmp_path.glob("*version-*"))
    assert "colour" not in columns(file, "nodes")
    assert ProjectStore.open(file).load() == Project("House")


def test_a_file_of_a_newer_waypost_is_refused_untouched(file: Path, tmp_path: Path) -> None:
    ProjectStore.open(file, migrations=migrations_with(tmp_path / "m", last="pass")).close()
    content = file.read_bytes()
    message = f"version {NOW + 1} is from a newer Waypost; this one reads up to {NOW}"
    with pytest.raises(ReadError, match=message):
        ProjectStore.open(file)
    assert file.read_bytes() == content


def test_a_name_too_long_for_a_copy_is_said_and_nothing_is_changed(tmp_path: Path) -> None:
    file = file_of_version(1, tmp_path)
    file = file.rename(file.with_name("a" * 247 + ".waypost"))
    content = file.read_bytes()
    with pytest.raises(StoreError, match="no copy of the older project could be kept"):
        ProjectStore.open(file)
    assert file.read_bytes() == content


def test_without_room_for_the_copy_nothing_is_changed(file: Path, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource", reason="needs RLIMIT_FSIZE")
    newer = migrations_with(tmp_path / "m", last="pass")
    content = file.read_bytes()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, before[1]))
    try:
        with pytest.raises(StoreError, match="no copy of the older project could be kept"):
            ProjectStore.open(file, migrations=newer)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert file.read_bytes() == content
    assert not list(tmp_path.glob("*version-*"))
