from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fixtures.project_strategies import ODD_TEXTS, projects
from hypothesis import HealthCheck, example, given, settings
from stored_rows import stored_rows

from waypost.domain.project import Project
from waypost.domain.scene.graph import Node, build_graph
from waypost.store.project_store import ProjectStore

pytestmark = [pytest.mark.heavy, pytest.mark.no_cover]

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
ODD = Project(
    name=ODD_TEXTS[-2],
    graph=build_graph(
        [Node(f"n{i}{text}", text + "x", (i, 0.1, -0.2), text) for i, text in enumerate(ODD_TEXTS)],
        [],
    ),
)
ITEM_TABLES = ("facts", "nodes", "edges", "agents", "labels", "tasks")
STUDY_TABLES = (
    "study_settings",
    "consent_texts",
    "study_episodes",
    "participants",
    "assignments",
    "takes",
)
SCORE_TABLES = ("rubrics", "batches", "batch_items", "sheets", "comparisons")
REPLAY_TABLES = ("run_sources", "taxonomies", "cause_marks", "edge_verdicts")


def in_order(project: Project) -> tuple[object, ...]:
    """Equality of mappings ignores their order; this does not."""
    graph, study, replay = project.graph, project.study, project.replay
    parts = (graph.nodes, graph.edges, project.labels, project.agents)
    parts += (study.episodes, study.participants, study.assignments, study.takes)
    parts += (replay.sources, replay.taxonomies, replay.causes.marks, replay.edge_verdicts)
    own = project.scoring
    parts += (own.rubrics, own.batches, own.items, own.sheets, own.comparisons)
    return (project, *(list(part) for part in parts))


def item_rows(file: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row without its stamps, in the stored order."""
    rows = {}
    for table in (*ITEM_TABLES, *STUDY_TABLES, *REPLAY_TABLES, *SCORE_TABLES):
        columns = [
            row[1]
            for row in stored_rows(file, f"PRAGMA table_info({table})")
            if row[1] not in {"ordinal", "row_version", "changed_by", "changed_utc"}
        ]
        names = ", ".join(columns)
        query = f"SELECT {names} FROM {table} ORDER BY ordinal, {columns[0]}"  # noqa: S608
        rows[table] = stored_rows(file, query)
    return rows


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(project=projects())
@example(project=ODD)
def test_a_created_project_loads_equal_and_in_order(project: Project) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "p.waypost"
        ProjectStore.create(file, project, "ana").close()
        store = ProjectStore.open(file)
        loaded = store.load()
        store.close()
    assert in_order(loaded) == in_order(project)


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(before=projects(), after=projects(), last=projects())
def test_saving_differences_leaves_the_file_a_fresh_one_would_be(
    before: Project, after: Project, last: Project
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file, fresh = Path(folder) / "p.waypost", Path(folder) / "fresh.waypost"
        store = ProjectStore.create(file, before, "ana", clock=lambda: NOON)
        for old, new in ((before, after), (after, before), (before, last)):
            store.save(old, new, "ana")
            assert in_order(store.load()) == in_order(new)
        store.close()
        ProjectStore.create(fresh, last, "ana", clock=lambda: NOON).close()
        assert item_rows(file) == item_rows(fresh)
