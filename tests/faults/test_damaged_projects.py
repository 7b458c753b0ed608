"""Whatever a project file holds, every command says one sentence and ends with exit code 2."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from fixtures.whole_projects import whole_project
from stored_rows import SET
from value_types import check_types

from waypost.app.main import main
from waypost.domain.base.errors import ReadError, StoreError
from waypost.domain.scene.graph import build_graph
from waypost.domain.score.sheet_edits import write_decision
from waypost.store.project_store import ProjectStore
from waypost.store.schema import METADATA

pytestmark = [pytest.mark.faults, pytest.mark.no_cover]

ENDLESS = """CREATE VIEW labels AS
    WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT * FROM mine, t"""
HOSTILE_VALUES = {
    "infinite": "9e999",
    "NULL": "NULL",
    "text": "'abc'",
    "number": "7",
    "fraction": "0.5",
    "negative": "-9223372036854775808",
    "bytes": "x'00ff'",
    "no UTF-8": "CAST(x'ff' AS TEXT)",
    "a line end": "'a' || char(10) || 'error: b' || char(27)",
    "JSON infinity": "'Infinity'",
    "JSON 1e999": "'[1e999]'",
    "JSON number": "'1'",
    "JSON list": "'[]'",
    "JSON list of lists": "'[[1], {\"a\": [NaN]}]'",
    "JSON object": '\'{"version": "x", "rows": []}\'',
    "JSON deep": f"'{'[' * 100_000}'",
    "JSON long": f"'{'7' * 5000}'",
    "a marked text": "char(64976) || '{'",
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("whole") / "house.waypost"
    project = whole_project()
    book = project.scoring
    begun = write_decision(book, next(iter(book.sheets.values())), "begun")
    ProjectStore.create(file, replace(project, scoring=begun), "ana").close()
    return file


@pytest.fixture
def file(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(whole, tmp_path / "house.waypost"))


def _changed(file: Path, *statements: str) -> bool:
    """Whether the database took the statements."""
    with closing(sqlite3.connect(file)) as connection:
        try:
            for statement in statements:
                connection.execute(statement)
            connection.commit()
        except sqlite3.IntegrityError:
            return False
        except sqlite3.OperationalError as error:
            if str(error) != "JSON cannot hold BLOB values":
                raise
            return False
    return True


def _fields(file: Path, table: str) -> list[str]:
    """The fields in the payload of a table's rows."""
    if "payload" not in METADATA.tables[table].c:
        return []
    with closing(sqlite3.connect(file)) as connection:
        (text,) = connection.execute(f"SELECT payload FROM {table}").fetchone()  # noqa: S608
    stored = json.loads(text)
    return list(stored) if isinstance(stored, dict) else []


@pytest.mark.parametrize("table", [table.name for table in METADATA.sorted_tables])
def test_any_value_in_any_column_is_read_as_its_type_or_refused_by_place(
    table: str, file: Path
) -> None:
    content = file.read_bytes()
    refused = 0
    places = [f"{column.name} = {{}}" for column in METADATA.tables[table].c]
    places += [f"payload = json_set(payload, '$.{name}', {{}})" for name in _fields(file, table)]
    pairs = [(place, value) for place in places for value in HOSTILE_VALUES.values()]
    # Every value in some places, every place with some values; each of them takes a while.
    for place, value in pairs[::5]:
        file.write_bytes(content)
        if not _changed(file, f"UPDATE {table} SET {place.format(value)}"):  # noqa: S608
            continue
        store = ProjectStore.open(file)
        failure: ReadError | StoreError | None = None
        try:
            check_types(store.load())
        except (ReadError, StoreError) as error:
            failure = error
        store.close()
        if failure is not None:
            refused += 1
            assert failure.file == str(file)
            assert failure.place not in {"", "file"}
            assert failure.reason
    # Nobody reads these with the project; tests/store/test_attachments.py damages the third, and
    # servers alone need the last.
    assert refused or table in {"changes", "history", "attachments", "dealt_items"}


def _replace(file: Path, content: bytes) -> None:
    file.write_bytes(content)


def _cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def _make_newer(file: Path) -> None:
    _changed(file, "UPDATE alembic_version SET version_num = '0999'")


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "cut in the middle": (_cut, "file: the file is damaged"),
    "a damaged header": (lambda f: _replace(f, f.read_bytes()[:18] + b"\xff" * 90), "file: "),
    "no database": (lambda f: _replace(f, b"hello " * 999), "file: the file is not a Waypost"),
    "another database": (
        lambda f: (f.unlink(), _changed(f, "CREATE TABLE a (b)")),
        "file: is a database, but not a Waypost project",
    ),
    "a newer version": (_make_newer, "version: version 999 is from a newer Waypost"),
    "an unknown version": (
        lambda f: _changed(f, "UPDATE alembic_version SET version_num = 'f00\x1b[2J'"),
        "version: 'f00\\x1b[2J' is not known to this Waypost",
    ),
    "version zero": (
        lambda f: _changed(f, "UPDATE alembic_version SET version_num = '0000'"),
        "version: '0000' is not known",
    ),
    "no version": (lambda f: _changed(f, "DELETE FROM alembic_version"), "version: no version"),
    "an old version that it is not": (
        lambda f: _changed(f, "UPDATE alembic_version SET version_num = '0002'"),
        "version: version 2 cannot be brought up to date: ",
    ),
    "a table that is missing": (lambda f: _changed(f, "DROP TABLE takes"), "takes: no such table"),
    "a column that is missing": (
        lambda f: _changed(f, "ALTER TABLE nodes DROP COLUMN payload"),
        "nodes: no such column",
    ),
    "an endless view": (
        lambda f: _changed(f, "ALTER TABLE labels RENAME TO mine", ENDLESS),
        "labels: is a view, a trigger or something else that acts by itself",
    ),
    "a trigger": (
        lambda f: _changed(
            f, "CREATE TRIGGER x AFTER INSERT ON changes BEGIN DELETE FROM labels; END"
        ),
        "x: is a view, a trigger",
    ),
    "an index that computes": (
        lambda f: _changed(f, "CREATE INDEX x ON nodes (length(hex(zeroblob(400000000))))"),
        "x: is a view, a trigger",
    ),
    "a column that computes": (
        lambda f: _changed(f, "ALTER TABLE nodes ADD COLUMN x AS (zeroblob(400000000))"),
        "nodes: is a view, a trigger",
    ),
    "an infinite place": (
        lambda f: _changed(f, SET.format("nodes", "position_m[0]", "json('9e999')")),
        "nodes, row 1: position_m: ",
    ),
    "an infinite seed": (
        lambda f: _changed(f, SET.format("participants", "order_seed", "json('9e999')")),
        "participants, row 1: order_seed: ",
    ),
    "an infinite unit": (
        lambda f: _changed(f, "UPDATE facts SET payload='Infinity' WHERE fact LIKE '%unit'"),
        "facts: scene_metres_per_unit: inf is no finite number",
    ),
    "a text for a number": (
        lambda f: _changed(f, SET.format("agents", "width_m", "'wide'")),
        "agents, row 1: width_m: expected a number, found str 'wide'",
    ),
    "a name that steers": (
        lambda f: _changed(
            f, SET.format("edges", "kind", "char(27) || '[2J' || char(10) || 'error: '")
        ),
        "edges, row 1: kind: '",
    ),
}
COMMANDS = {
    "graph check": ("graph", "check", "FILE"),
    "graph import": ("graph", "import", "graph.json", "--project", "FILE", "--json"),
    "graph export": ("graph", "export", "--project", "FILE", "--out", "out.json"),
    "labels import": ("labels", "import", "labels.json", "--project", "FILE"),
    "labels export": ("labels", "export", "--project", "FILE", "--out", "out.json"),
    "study progress": ("study", "progress", "--project", "FILE", "--json"),
    "study assign": ("study", "assign", "--project", "FILE"),
    "study export": ("study", "export", "--project", "FILE", "--out", "out"),
    "tour": ("tour", "--project", "FILE", "--out", "a.mp4", "--nodes", "a,b"),
    "panoramas": ("panoramas", "--project", "FILE", "--out", "out"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_every_command_refuses_a_damaged_project_in_one_line(
    damage: str, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    harm, sentence = DAMAGES[damage]
    harm(file)
    # The file is named as the user named it.
    monkeypatch.chdir(file.parent)
    (file.parent / "graph.json").write_text(
        '{"nodes": [{"id": "a", "name": "a", "position": {"x": 0, "y": 0, "z": 0}}], "edges": []}'
    )
    (file.parent / "labels.json").write_text("[]")
    before = sorted(file.parent.iterdir())
    content = file.read_bytes()
    for command in COMMANDS.values():
        code = main([{"FILE": file.name}.get(word, word) for word in command])
        said = capsys.readouterr()
        assert (code, said.out) == (2, ""), command
        assert re.fullmatch(f"error: {file.name}: {re.escape(sentence)}.*\n", said.err), command
        assert "\x1b" not in said.err
        assert sorted(file.parent.iterdir()) == before
    assert file.read_bytes() == content


@pytest.fixture
def locked(file: Path) -> Iterator[Path]:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        yield file


def test_a_locked_project_is_said_by_every_command(
    locked: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(locked.parent)
    for name in ("graph check", "study progress", "labels export"):
        assert main([{"FILE": locked.name}.get(word, word) for word in COMMANDS[name]]) == 2
        said = capsys.readouterr()
        assert said.err == f"error: {locked.name}: file: another program is using the file\n"
        assert said.out == ""


def test_a_project_that_cannot_be_made_is_named_and_not_its_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError) as refused:
        ProjectStore.create(Path("missing") / "a.waypost", whole_project(), "ana")
    assert str(refused.value) == "missing/a.waypost: file: the file or its folder cannot be written"


def test_what_cannot_be_stored_is_named_and_the_file_stays(file: Path) -> None:
    store = ProjectStore.open(file)
    project = store.load()
    graph = build_graph(
        [replace(node, extra={"odd": object()}) for node in project.graph.nodes.values()],
        project.graph.edges.values(),
    )
    content = file.read_bytes()
    with pytest.raises(StoreError, match=r"nodes: node “Kitchen” .* cannot be stored: object"):
        store.save(project, replace(project, graph=graph), "ana")
    store.close()
    assert file.read_bytes() == content
