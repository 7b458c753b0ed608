"""On a server with people it is the login that works, whatever name the settings have."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from fixtures.server_schemas import needs_server, server_schema
from gui.house import graph
from gui.user import User

from waypost.app.score.workspace import ScoreWorkspace
from waypost.app.shell.project_address import project_place
from waypost.domain.project import Project, set_graph
from waypost.domain.record.study import Participant, Study, StudyRules
from waypost.domain.scene.graph import describe_node
from waypost.domain.traverse.team import Person, Role, Team
from waypost.store.project_store import ProjectStore

pytestmark = [pytest.mark.gui, needs_server]

LOGIN = "waypost"
"""Of the tests' server."""

CODE = "P01"
JOINED_UTC = "2026-01-01T00:00:00+00:00"


@pytest.fixture
def place() -> Iterator[str]:
    """The address of a project of which the login is one of the people."""
    with server_schema() as place:
        team = Team(people={LOGIN: Person(LOGIN, Role.LEAD)}, viewer=LOGIN)
        study = Study(StudyRules("walk", 1), participants={CODE: Participant(CODE, JOINED_UTC, 1)})
        project = Project("shared", graph=graph(), team=team, study=study)
        ProjectStore.create(place, project, LOGIN).close()
        yield place


def test_every_part_of_the_window_names_the_login(user: User, place: str) -> None:
    window = user.window
    named = window.bench.annotator
    assert named != LOGIN
    window.bench.open_path(project_place(place))
    user.wait(lambda: window.bench.document)
    assert window.bench.annotator == named
    assert window._status._annotator.full_text == f"annotator {LOGIN}"
    assert window.replay.causes.sight.analyst == LOGIN
    window.show_workspace("score")
    user.wait(lambda: window.workspaces.shown.scope == "score")
    scoring = window.workspaces.current
    assert isinstance(scoring, ScoreWorkspace)
    assert scoring.desk.viewer == LOGIN


def test_what_follows_a_participants_session_is_of_the_login_again(user: User, place: str) -> None:
    window = user.window
    window.bench.open_path(project_place(place))
    user.wait(lambda: window.bench.document)
    session = window.record.session
    session.start(CODE)
    assert user.document.author == CODE
    session.leave()
    assert user.document.author == LOGIN
    renamed = describe_node(user.graph, "node_1", name="Hall")
    user.document.edit("Rename node", set_graph(user.project, renamed))
    user.wait(lambda: user.document.save_state.is_safe)
    with closing(ProjectStore.open(place)) as store:
        assert store.changes_since(0)[-1].author == LOGIN
