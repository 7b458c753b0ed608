"""What is no regular file, whichever argument of whichever command it is given to."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from path_arguments import NO_PATHS, NOT_OPENED, READ, WRITTEN, arguments, write_world

from waypost.app.commands.arguments.path_types import ReadType, WriteType, file_to_write
from waypost.app.main import find_command, main
from waypost.app.window import startup

KINDS = ("pipe", "zero", "null", "socket", "folder", "missing", "unreadable", "long", "inside")
CASES = [
    (argument, kind)
    for argument, taken in READ.items()
    for kind in KINDS
    if not (taken.wants_folder and kind == "folder")
]
TYPES = {argument: action.type for argument, action in arguments()}
NOBODY = 65534
SHARED = "/tmp"  # noqa: S108 - TMPDIR may be a folder that other users cannot enter

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes"),
    pytest.mark.no_cover,
]


@pytest.fixture(scope="module")
def world() -> Iterator[dict[str, str]]:
    """Valid companions, where another user may look as well."""
    folder = Path(tempfile.mkdtemp(prefix="waypost-arguments-", dir=SHARED))
    folder.chmod(0o755)
    try:
        yield write_world(folder)
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder for what is bad and what is written, which anybody may use."""
    folder = Path(tempfile.mkdtemp(prefix="waypost-bad-", dir=SHARED))
    folder.chmod(0o777)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def _bad(kind: str, place: Path, stack: contextlib.ExitStack) -> Path:
    path = place / "bad"
    if kind == "pipe":
        os.mkfifo(path, 0o666)
    elif kind in {"zero", "null"}:
        path = Path(f"/dev/{kind}")
    elif kind == "socket":
        server = stack.enter_context(socket.socket(socket.AF_UNIX))
        server.bind(str(path))
    elif kind == "folder":
        path.mkdir()
    elif kind == "unreadable":
        path.write_text("secret")
        path.chmod(0)
        stack.enter_context(_as_nobody())
    elif kind == "long":
        path = place / ("x" * 300)
    elif kind == "inside":
        (place / "plain").write_text("no folder")
        path = place / "plain" / "bad"
    return path


@contextlib.contextmanager
def _as_nobody() -> Iterator[None]:
    """The rights of a user without any; root may read everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def _listing(folder: Path) -> list[tuple[str, int, int]]:
    return sorted(
        (str(path.relative_to(folder)), stat.S_IFMT(facts.st_mode), facts.st_size)
        for path in folder.rglob("*")
        for facts in [path.lstat()]
    )


@pytest.mark.timeout(60)
@pytest.mark.parametrize(("argument", "kind"), CASES)
def test_it_is_refused_in_one_line(
    argument: str,
    kind: str,
    world: dict[str, str],
    place: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(place / "cache"))
    monkeypatch.setattr(startup, "run_window", _no_window)
    out = place / "out"
    out.mkdir()
    out.chmod(0o777)
    with contextlib.ExitStack() as stack:
        bad = _bad(kind, place, stack)
        before = _listing(out), _listing(Path(world["project"]).parent)
        words = READ[argument].words.split()
        code = main([word.format(bad, out=out, **world) for word in words])
    err = capsys.readouterr().err
    taken = READ[argument]
    if (kind == "folder" and taken.takes_folder) or (kind == "missing" and taken.makes):
        if code in {0, 1}:
            return
        # What is wrong may be a file in it.
        err = err.replace(f"{bad}/", f"{bad}: ", 1)
    assert code == 2, err
    assert err.startswith(f"error: {bad}: "), err
    assert err.count("\n") == 1
    assert len(err.removeprefix(f"error: {bad}: ").split(": ", 1)) == 2, "has no place"
    assert (_listing(out), _listing(Path(world["project"]).parent)) == before


WRITTEN_CASES = [
    (argument, kind)
    for argument in WRITTEN
    for kind in ("pipe", "null", "folder", "long", "inside", "closed", "below")
    if kind != "folder" or TYPES[argument] is file_to_write
]


@pytest.mark.parametrize(("argument", "kind"), WRITTEN_CASES)
def test_what_cannot_be_written_is_refused_before_the_work(
    argument: str,
    kind: str,
    world: dict[str, str],
    place: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An hour of scoring is not to end with a folder that is not there to be written to."""
    words = WRITTEN[argument].split()
    monkeypatch.setattr(find_command(words[0]), "run", _must_not_run)
    with contextlib.ExitStack() as stack:
        bad = place / "closed" / "x" / "bad"
        if kind in {"closed", "below"}:
            (place / "closed").mkdir(mode=0o500)
            bad = bad if kind == "below" else place / "closed" / "bad"
            stack.enter_context(_as_nobody())
        else:
            bad = _bad(kind, place, stack)
        before = _listing(place)
        code = main([word.format(bad, out=place / "out", **world) for word in words])
        assert _listing(place) == before
    err = capsys.readouterr().err
    assert code == 2, err
    assert re.fullmatch(rf"error: {re.escape(str(bad))}: file: cannot be written: .+\n", err), err


def _must_not_run(_: object) -> int:
    raise AssertionError("it was not refused")


def _no_window(*_: object) -> int:
    return 0


_RUN = "{results} --annotations {annotations} --connectivity {connectivity}"
_WRITTEN_OVER = {
    "navmesh --scene {scene} --out {scene}": "scene",
    "graph export --project {project} --out {project}": "project",
    "labels export --project {project} --out {project}": "project",
    "questions export --project {project} --out {project}": "project",
    "score export --project {project} --batch b --out {project}": "project",
    f"evaluate --profile r2r --results {_RUN} --per-episode {{annotations}}": "annotations",
    f"replay {_RUN} --episode 7_0 --png {{results}}": "results",
    f"report {_RUN} --out {{out}}/report --table {{annotations}}": "annotations",
    "tour --scene {scene} --graph {graph} --nodes n0,n1 --out {graph}": "graph",
    "convert {results} --to waypost --out {results}": "results",
}


@pytest.mark.parametrize("is_link", [False, True])
@pytest.mark.parametrize("words", _WRITTEN_OVER)
def test_what_is_read_is_not_written_over(
    words: str,
    is_link: bool,
    world: dict[str, str],
    place: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    source = Path(world[_WRITTEN_OVER[words]])
    before, target = source.read_bytes(), source
    if is_link:
        target = place / source.name
        target.symlink_to(source)
    head, _, last = words.rpartition(" ")
    given = [word.format(out=place, **world) for word in head.split()]
    assert main([*given, str(target)]) == 2, last
    said = f"error: {target}: file: cannot be written: it is what this command reads\n"
    assert capsys.readouterr().err == said
    assert source.read_bytes() == before


@pytest.mark.parametrize("word", ["", "-"])
def test_what_is_no_path_is_refused(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    """``--out "$NOT_SET"`` would write into the folder one is in, ``-`` a file of that name."""
    checked = 0
    for argument, action in arguments():
        if isinstance(action.type, WriteType) or (isinstance(action.type, ReadType) and not word):
            command, _, name = argument.rpartition(" ")
            given = f"{name}={word}" if name.startswith("--") else word
            with pytest.raises(SystemExit, match="2"):
                main([*command.split(), given])
            err = capsys.readouterr().err
            assert err.startswith(f"error: waypost {command}: argument "), err
            assert ("is empty" if not word else "standard output is not written to") in err
            checked += 1
    assert checked >= len(WRITTEN)


def test_a_project_is_not_written_over(
    world: dict[str, str], place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An export, a result and a report, each with the project of a study as its target."""
    target = Path(shutil.copy(world["study"], place))
    before = target.read_bytes()
    for words in (
        "graph export --project {project} --out {target}",
        "convert {results} --to waypost --out {target}",
        f"evaluate --profile r2r --results {_RUN} --per-episode {{target}}",
    ):
        assert main([word.format(target=target, **world) for word in words.split()]) == 2, words
        said = f"error: {target}: file: cannot be written: it is a project, whose place"
        assert capsys.readouterr().err.startswith(said)
    assert target.read_bytes() == before


def test_every_argument_is_in_the_table() -> None:
    """A new argument is told here what it takes; a path for reading gets companions."""
    known, unknown = set(), []
    for argument, action in arguments():
        if action.type in {int, float}:
            continue
        name = argument.rpartition(" ")[2]
        if argument in READ or argument in WRITTEN:
            known.add(argument)
        elif name in NOT_OPENED:
            continue
        elif isinstance(action.type, WriteType | ReadType) or name not in NO_PATHS:
            unknown.append(argument)
    assert unknown == []
    assert known == {*READ, *WRITTEN}
