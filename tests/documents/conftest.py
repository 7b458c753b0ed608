"""A project of a team on a PostgreSQL server, and documents of it over a line that can break."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from fixtures.server_documents import RETRY_MS
from fixtures.server_lines import ServerLine, server_line
from fixtures.server_schemas import server_schema
from fixtures.team_examples import cart_passages, row_of_nodes

from waypost.documents.project_document import ProjectDocument
from waypost.domain.team_labels import with_team
from waypost.domain.traverse.team import Person, Role
from waypost.domain.traverse.team_edits import deal_second_labels, with_people
from waypost.store.project_store import ProjectStore


@pytest.fixture
def place() -> Iterator[str]:
    """The address of a project in a schema of its own, over no line."""
    project = row_of_nodes(3)
    people = (Person("ana", Role.ANNOTATOR), Person("ben", Role.ANNOTATOR))
    team = with_people(project.team, people)
    team = deal_second_labels(team, cart_passages(project), project.labels, 1.0, 0)
    with server_schema() as place:
        ProjectStore.create(place, with_team(project, team), "lea").close()
        yield place


@pytest.fixture
def line(place: str) -> Iterator[ServerLine]:
    with server_line(place) as line:
        yield line


@pytest.fixture
def sit(qapp, line: ServerLine) -> Iterator[Callable[[str], ProjectDocument]]:
    """Opens the project over the line as somebody."""
    opened = []

    def as_somebody(who: str) -> ProjectDocument:
        store = ProjectStore.open(line.address, viewer=who)
        opened.append(ProjectDocument(store, who, retry_interval_ms=RETRY_MS))
        return opened[-1]

    yield as_somebody
    line.mend()
    line.release()
    for document in opened:
        document.close()


@pytest.fixture
def document(sit: Callable[[str], ProjectDocument]) -> ProjectDocument:
    return sit("ana")
