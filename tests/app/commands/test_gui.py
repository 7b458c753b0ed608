"""``waypost PATH`` and ``waypost gui --run``: what opens, and what is refused before a window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fixtures.replay_files import RunFiles, write_run
from worlds.scene_files import cube_glb

from waypost.app.main import main
from waypost.app.window import startup
from waypost.store.sqlite_header import SQLITE_HEADER


@pytest.fixture
def line(tmp_path: Path) -> RunFiles:
    """Results, annotations and graphs of one run."""
    return write_run(tmp_path, {"7_0": "ABC"})


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, Any]]:
    """What the window is asked to open, instead of the window."""
    asked: list[tuple[Any, Any]] = []

    def run_window(location: str | None, run: Any = None, project: str | None = None) -> int:
        asked.append((location, run) if project is None else (location, project))
        return 0

    monkeypatch.setattr(startup, "run_window", run_window)
    return asked


def test_results_alone_are_replayed(line: RunFiles, opened: list[tuple[Any, Any]]) -> None:
    for arguments in ([str(line.results)], ["gui", "--run", str(line.results)]):
        assert main(arguments) == 0
        location, run = opened.pop()
        assert location is None
        assert (run.results, run.annotations, run.connectivity, run.pictures) == (
            (line.results,), (), None, None,
        )  # fmt: skip


def test_a_scene_goes_with_the_project_that_is_named(
    tmp_path: Path, opened: list[tuple[Any, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    scene, place = cube_glb().write(tmp_path / "room.glb"), tmp_path / "mine.waypost"
    assert main([str(scene), "--project", str(place)]) == 0
    assert opened.pop() == (str(scene), str(place))
    assert main(["--project", str(place)]) == 2
    assert "mine.waypost" in capsys.readouterr().err
    assert not opened


def test_what_is_no_project_is_refused_as_one(
    tmp_path: Path, opened: list[tuple[Any, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    scene, other = cube_glb().write(tmp_path / "room.glb"), tmp_path / "mine.waypost"
    other.write_text("text")
    for words in (["--project", str(other)], [str(scene), "--project", str(other)], [str(other)]):
        assert main(words) == 2
        said = f"error: {other}: header: this is no Waypost project\n"
        assert capsys.readouterr().err == said
    assert not opened


def test_everything_may_be_given(
    line: RunFiles, opened: list[tuple[Any, Any]], tmp_path: Path
) -> None:
    project = tmp_path / "home.waypost"
    project.write_bytes(SQLITE_HEADER)
    given = ["--run", *line.options(), "--pictures", str(tmp_path)]
    assert main(["gui", str(project), *given]) == 0
    location, run = opened.pop()
    assert location == str(project)
    assert run.annotations == (line.annotations,)
    assert (run.connectivity, run.pictures) == (line.connectivity, tmp_path)
    assert main(["gui", str(line.results), "--project", str(project)]) == 0
    assert opened.pop() == (str(project), run.__class__((line.results,)))


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["gui", "--run", "{gone}"], "gone.json"),
        (["{gone}"], "gone.json"),
        (["gui", "--run", "{text}"], "notes.json"),
    ],
)
def test_what_is_no_run_is_refused_in_one_line(
    arguments: list[str],
    reason: str,
    tmp_path: Path,
    opened: list[tuple[Any, Any]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "notes.json").write_text('{"a": 1}')
    places = {"gone": tmp_path / "gone.json", "text": tmp_path / "notes.json"}
    assert main([argument.format(**places) for argument in arguments]) == 2
    told = capsys.readouterr().err.strip()
    assert reason in told.splitlines()[-1]
    assert "Traceback" not in told
    assert not opened


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gui", "--run"], "argument --run: expected one argument"),
        (["gui", "--annotations"], "argument --annotations: expected at least one argument"),
    ],
)
def test_bad_usage_is_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert message in capsys.readouterr().err


def test_two_runs_or_two_projects_at_once_are_refused(
    line: RunFiles, tmp_path: Path, opened: list[tuple[Any, Any]]
) -> None:
    project = tmp_path / "home.waypost"
    project.write_bytes(SQLITE_HEADER)
    assert main(["gui", str(line.results), "--run", str(line.results)]) == 2
    assert main(["gui", str(project), "--project", str(project)]) == 2
    assert not opened


@pytest.mark.parametrize(
    ("option", "name"),
    [("--annotations", "gone.json"), ("--connectivity", "gone"), ("--pictures", "gone")],
)
def test_companions_that_are_not_there_are_refused(
    option: str,
    name: str,
    line: RunFiles,
    tmp_path: Path,
    opened: list[tuple[Any, Any]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    gone = str(tmp_path / name)
    assert main(["gui", "--run", str(line.results), option, gone]) == 2
    assert gone in capsys.readouterr().err
    assert not opened


def test_companions_without_a_run_are_refused(
    line: RunFiles, opened: list[tuple[Any, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["gui", "--connectivity", str(line.connectivity)]) == 2
    assert "--run" in capsys.readouterr().err
    assert not opened
