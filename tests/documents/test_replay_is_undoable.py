from __future__ import annotations

import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from waypost.documents.project_document import ProjectDocument
from waypost.domain.causes.blind_marks import signed_mark
from waypost.domain.causes.failure import (
    Axis,
    Category,
    CauseKey,
    Taxonomy,
    clear_mark,
    set_mark,
    toggle_choice,
)
from waypost.domain.causes.replay_book import (
    EdgeVerdict,
    EdgeVerdictKey,
    ReplayBook,
    RouteVerdict,
    add_source,
    change_source,
    clear_edge_verdict,
    free_name,
    remove_source,
    save_taxonomy,
    set_causes,
    set_edge_verdict,
)
from waypost.domain.episode.run_source import RunSource
from waypost.domain.project import Project
from waypost.store.project_store import ProjectStore

pytestmark = [pytest.mark.heavy, pytest.mark.no_cover]

OWN = Taxonomy("own", "Ours", 1, (Axis("why", "Why", (Category("a", "A"), Category("b", "B"))),))
NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)
RUNS = st.sampled_from(["gpt", "msnav"])
PEOPLE = st.sampled_from(["ana", "ben"])


def _toggled(book: ReplayBook, run: str, analyst: str, choice: str, has_seen: bool) -> ReplayBook:
    key = CauseKey(run, "7_0", analyst, "own")
    causes = toggle_choice(book.causes, OWN, key, "why", choice)
    mark = signed_mark(causes.marks[key], book.causes.marks.get(key), NOON, has_seen=has_seen)
    return set_causes(book, set_mark(causes, OWN, mark))


def _sourced(book: ReplayBook, run: str) -> ReplayBook:
    if run in book.sources:
        return remove_source(book, run)
    return add_source(book, RunSource((Path(f"{run}.json"),), name=run))


def _renamed(book: ReplayBook, run: str) -> ReplayBook:
    if run not in book.sources:
        return book
    taken = {key.run for key in (*book.causes.marks, *book.edge_verdicts)}
    name = free_name({*book.sources, *taken}, f"{run} renamed")
    return change_source(book, run, replace(book.sources[run], name=name))


def _raised(book: ReplayBook) -> ReplayBook:
    return save_taxonomy(book, replace(OWN, version=len(book.taxonomies) + 1))


def _judged(book: ReplayBook, run: str, analyst: str, verdict: RouteVerdict) -> ReplayBook:
    key = EdgeVerdictKey(run, "7_0", "a", "b", analyst)
    if key in book.edge_verdicts and book.edge_verdicts[key].verdict is verdict:
        return clear_edge_verdict(book, key)
    return set_edge_verdict(book, EdgeVerdict(key, verdict))


def _cleared(book: ReplayBook, run: str, analyst: str) -> ReplayBook:
    return set_causes(book, clear_mark(book.causes, CauseKey(run, "7_0", analyst, "own")))


EDITS = st.one_of(
    st.tuples(
        st.just(_toggled), st.tuples(RUNS, PEOPLE, st.sampled_from(["a", "b"]), st.booleans())
    ),
    st.tuples(st.just(_sourced), st.tuples(RUNS)),
    st.tuples(st.just(_renamed), st.tuples(RUNS)),
    st.tuples(st.just(_raised), st.tuples()),
    st.tuples(st.just(_judged), st.tuples(RUNS, PEOPLE, st.sampled_from(RouteVerdict))),
    st.tuples(st.just(_cleared), st.tuples(RUNS, PEOPLE)),
)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(edits=st.lists(EDITS, min_size=1, max_size=8))
def test_every_edit_is_saved_undone_and_redone(qapp, edits) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "p.waypost"
        ProjectStore.create(file, Project("House"), "ana").close()
        document = ProjectDocument(ProjectStore.open(file), "ana")
        saved = ProjectStore.open(file)
        seen = [document.project]
        for edit, values in edits:
            after = edit(document.project.replay, *values)
            document.edit("Edit", replace(document.project, replay=after))
            if document.project is not seen[-1]:
                seen.append(document.project)
            assert saved.load() == document.project
        for before in reversed(seen[:-1]):
            document.undo()
            assert document.project is before
            assert saved.load() == before
        while document.undo_stack.canRedo():
            document.redo()
        assert saved.load() == document.project == seen[-1]
        saved.close()
        assert document.close()
