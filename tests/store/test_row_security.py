"""Processes of several people on one server, which hides what they may not see.

Runs where ``WAYPOST_TEST_POSTGRESQL`` is the URL of a database on a server.
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import stat
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import chdir, closing, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Engine, create_engine, make_url, text
from sqlalchemy.exc import DBAPIError
from team_examples import ALPHA, SAID, answers_file, cart_passages, row_of_nodes

from waypost.app.main import main
from waypost.documents.project_document import ProjectDocument
from waypost.documents.save_state import SaveKind
from waypost.domain.project import set_graph
from waypost.domain.scene.graph import delete_items
from waypost.store.project_store import ProjectStore

URL = os.environ.get("WAYPOST_TEST_POSTGRESQL", "")
pytestmark = pytest.mark.skipif(not URL, reason="WAYPOST_TEST_POSTGRESQL names no server")
DOCS = Path(__file__).parents[2] / "docs" / "team.md"
PEOPLE = ("ana", "ben", "rita", "lea")
WAYPOST = "from waypost.app.main import main; raise SystemExit(main())"
NOTE = "only ana knows"


class Server(NamedTuple):
    """A database of its own, set up as the docs say."""

    folder: Path
    name: str
    output: str
    """What the last command said."""

    def url(self, who: str) -> str:
        """Its address for somebody."""
        host = make_url(URL).query["host"]
        return f"postgresql://{who}@/{self.name}?host={host}"

    def engine(self, who: str) -> Engine:
        """Any program, as somebody."""
        return create_engine(self.url(who).replace("postgresql:", "postgresql+psycopg:"))


def as_owner(*statements: str) -> None:
    engine = create_engine(
        make_url(URL).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT"
    )
    with engine.connect() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own."""
    first = [sys.executable, "-c", WAYPOST] if words[0] == "waypost" else [words[0]]
    environment = {**os.environ, "PATH": f"{_programs()}:{os.environ['PATH']}"}
    return subprocess.run(
        [*first, *words[1:]], cwd=folder, capture_output=True, text=True, env=environment,
        check=False,
    )  # fmt: skip


def _programs() -> str:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return str(found[-1]) if found else ""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The five commands of docs/team.md, on a project of four passages that two label."""
    folder, name = tmp_path_factory.mktemp("team"), f"waypost_test_{uuid.uuid4().hex}"
    project = row_of_nodes(3)
    ProjectStore.create(folder / "home.waypost", project, "lea").close()
    as_owner("CREATE ROLE lea LOGIN CREATEDB CREATEROLE")
    host = str(make_url(URL).query["host"])
    block = DOCS.read_text().split("## On a server")[1].split("```")[1]
    commands = block.strip().splitlines()
    assert len(commands) == 5
    said = ""
    try:
        for line in commands:
            here = line.replace("@HOST/house", f"@/{name}?host={host}").replace("0.2", "1")
            here = here.replace("HOST", host).replace("lea house", f"lea {name}")
            program, *words = shlex.split(here)
            if program == "waypost":
                # Here, as five starts of Python would take most of the time of these tests.
                with chdir(folder), redirect_stdout(io.StringIO()) as out:
                    assert main(words) == 0
                said = out.getvalue()
            else:
                done = run(folder, program, *words)
                assert done.returncode == 0, done.stderr
        yield Server(folder, name, said)
    finally:
        as_owner(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        for person in PEOPLE:
            as_owner(f"DROP ROLE IF EXISTS {person}")


def test_five_commands_set_a_server_up(server: Server) -> None:
    assert "4 passages labelled by two" in server.output
    logins = server.folder / "logins.csv"
    assert stat.S_IMODE(logins.stat().st_mode) == 0o600
    rows = [line.split(",")[:2] for line in logins.read_text().splitlines()]
    assert rows == [
        ["name", "role"], ["ana", "annotator"], ["ben", "annotator"], ["rita", "reviewer"],
    ]  # fmt: skip


@pytest.fixture(scope="module")
def half(server: Server) -> Server:
    """Ana has labelled everything, in a process of hers."""
    file = answers_file(server.folder / "ana.csv", row_of_nodes(3), "ana", SAID["ana"], NOTE)
    words = ("labels", "import", file.name, "--project", server.url("ana"))
    done = run(server.folder, "waypost", *words)
    assert done.returncode == 0, done.stderr
    return server


SHOWING = (
    "labels export --out {out}/l.csv --author rita",
    "labels export --out {out}/l.json --author ana",
    "questions list --author lea",
    "team progress",
    "team disagreements --author rita",
    "team agreement --author rita",
    "team export --out {out}/t.csv --author ana",
    "graph export --out {out}/g.json",
)


def test_no_command_shows_ben_what_ana_says(
    half: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in SHOWING:
        given = words.format(out=tmp_path).split()
        assert main([*given, "--project", half.url("ben"), "--json"]) == 0
    found = capsys.readouterr().out + "".join(file.read_text() for file in tmp_path.iterdir())
    assert NOTE not in found
    assert "too_narrow" not in found
    rows = (tmp_path / "t.csv").read_text(encoding="utf-8-sig").splitlines()
    assert len(rows) == 1


@pytest.mark.parametrize(
    "words",
    [
        "SELECT * FROM double_labels",
        "SELECT count(*) FROM double_labels",
        "UPDATE double_labels SET ordinal = 0 RETURNING payload",
        "DELETE FROM double_labels RETURNING payload",
        "SELECT text FROM changes",
        "SELECT * FROM history",
        "SELECT * FROM final_labels",
        "SELECT * FROM labels",
    ],
)
def test_no_statement_shows_ben_what_ana_says(half: Server, words: str) -> None:
    engine = half.engine("ben")
    with engine.begin() as connection:
        found = str(connection.execute(text(words)).all())
    engine.dispose()
    assert NOTE not in found
    assert "door" not in found
    assert "travels" not in found
    if "double_labels" in words:
        assert found in ("[]", "[(0,)]")


@pytest.mark.parametrize(
    "words",
    [
        "UPDATE people SET role = 'lead' WHERE name = 'ben'",
        "DELETE FROM double_passages",
        "UPDATE double_passages SET second_annotator = 'cem', first_annotator = 'dan'",
        "ALTER TABLE double_labels DISABLE ROW LEVEL SECURITY",
        "SET ROLE lea",
        "SET SESSION AUTHORIZATION rita",
        "DELETE FROM changes",
        "INSERT INTO final_labels VALUES ('node_1', 'node_2', 'cart', '{}', 1, 1, 'ben', '')",
        (
            "INSERT INTO double_labels VALUES"
            " ('node_1', 'node_2', 'cart', 'ana', 2, 'submitted', '{}', 1, 1, 'ana', '')"
        ),
        "CREATE TABLE people (name text, role text)",
    ],
)
def test_nobody_gives_themselves_more_than_is_theirs(half: Server, words: str) -> None:
    engine = half.engine("ben")
    with pytest.raises(DBAPIError), engine.begin() as connection:
        connection.execute(text(words))
    engine.dispose()


def test_a_table_of_ones_own_makes_nobody_a_lead(half: Server) -> None:
    engine = half.engine("ben")
    with engine.begin() as connection:
        connection.execute(text("CREATE TEMP TABLE people AS SELECT 'ben' AS name, 'lead' AS role"))
        connection.execute(text("SET search_path = pg_temp, public"))
        assert connection.execute(text("SELECT payload FROM public.double_labels")).all() == []
        assert connection.execute(text("SELECT public.waypost_role()")).scalar() == "annotator"
    engine.dispose()


@pytest.mark.parametrize("who", ["ben", "rita"])
def test_an_edge_that_two_label_stays_and_what_to_do_is_said(
    half: Server, who: str, qapp: object
) -> None:
    document = ProjectDocument(ProjectStore.open(half.url(who), viewer=who), who)
    with closing(document):
        before = document.project
        assert len(before.team.doubles) == 4
        less = delete_items(before.graph, edge_ids=["edge_1"])
        document.edit("Delete", set_graph(before, less))
        state = document.save_state
        assert (state.kind, state.is_conflict) == (SaveKind.NOT_SAVED, True)
        assert re.fullmatch(
            "two label node_[12] → node_[12] of cart, so that only a lead deletes its edge;"
            " undo your change to it, or reload",
            state.reason,
        )
        document.undo()
        assert document.save_state.kind is SaveKind.SAVED
        assert document.project == before


def test_then_ben_labels_and_rita_decides(
    half: Server, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def say(who: str, *words: str, code: int = 0) -> Any:
        assert main([*words, "--project", half.url(who), "--json"]) == code
        out, err = capsys.readouterr()
        return err if code else json.loads(out)

    theirs = answers_file(half.folder / "ben.csv", row_of_nodes(3), "ben", SAID["ben"], "")
    assert say("ben", "labels", "import", str(theirs))["imported"] == 4
    third, fourth = cart_passages(row_of_nodes(3))[2:]
    for who in ("ana", "ben", "rita", "lea"):
        rows = {r["about"]: r for r in say(who, "team", "agreement")["rows"] if r["agent"]}
        assert (rows["answer"]["n"], rows["answer"]["percentage"]["value"]) == (4, 0.75)
        assert rows["answer"]["alpha_nominal"]["value"] == pytest.approx(ALPHA)
    assert len(say("rita", "team", "disagreements")["disagreements"]) == 2
    say("rita", "team", "decide", *third, "--verdict", "does_not", "--reason", "step_or_sill")
    say("rita", "team", "decide", *fourth, "--return", "ben", "--comment", "no stairs")
    assert "only a reviewer" in say("ana", "team", "decide", *fourth, "--accept", "ana", code=2)
    file = answers_file(half.folder / "again.csv", row_of_nodes(3), "ben", SAID["ana"], "")
    lines = file.read_text(encoding="utf-8-sig").splitlines()
    file.write_text("\n".join([lines[0], lines[4]]))
    say("ben", "labels", "import", str(file), "--on-conflict", "replace")
    say("rita", "team", "decide", *fourth, "--accept", "ben")
    for who in ("ana", "ben", "rita", "lea"):
        report = say(who, "labels", "export", "--out", str(tmp_path / f"{who}.csv"))
        assert report["written"] == 4
        text_of = (tmp_path / f"{who}.csv").read_text(encoding="utf-8-sig")
        assert text_of.count("final") == 2
        assert "step_or_sill" in text_of


def test_a_label_that_both_have_seen_is_changed_by_no_program(half: Server) -> None:
    engine = half.engine("ana")
    with engine.begin() as connection:
        done = connection.execute(text("UPDATE double_labels SET ordinal = 7"))
        assert done.rowcount == 0
        assert connection.execute(text("DELETE FROM double_labels")).rowcount == 0
    engine.dispose()


def test_who_left_sees_nothing_any_more(half: Server) -> None:
    people = "ana:annotator,ben:annotator,lea:lead"
    words = ["team", "set", "--project", half.url("lea"), "--people", people]
    assert main(words) == 0
    again = ["team", "secure", "--project", half.url("lea")]
    assert main([*again, "--logins", str(half.folder / "again-logins.csv")]) == 0
    engine = half.engine("rita")
    with pytest.raises(DBAPIError, match="permission denied"), engine.begin() as connection:
        connection.execute(text("SELECT * FROM double_labels"))
    engine.dispose()
