"""The limits of reading are options of every command that reads scenes or runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from worlds.scene_files import cube_glb

from waypost.app.main import COMMANDS, main
from waypost.io.confined.limits import chosen_limits, limits_in_force


@pytest.fixture(autouse=True)
def own_limits(monkeypatch):
    """Limits of which nothing stays."""
    for name in ("MEMORY_GB", "MINUTES"):
        monkeypatch.setenv(f"WAYPOST_READ_{name}", "")
        monkeypatch.delenv(f"WAYPOST_READ_{name}")


@pytest.mark.parametrize("place", [0, 1, 2])
def test_they_may_stand_anywhere(place: int, tmp_path: Path, capsys) -> None:
    words = ["info", str(cube_glb().write(tmp_path / "a.glb"))]
    words[place:place] = ["--read-memory-gb", "2.5", "--read-minutes", "3"]
    assert main(["scene", *words]) == 0
    assert "12 in 1 mesh" in capsys.readouterr().out
    assert limits_in_force() == chosen_limits(2.5, 3)


def test_what_is_no_limit_is_refused(tmp_path: Path, capsys) -> None:
    path = str(cube_glb().write(tmp_path / "a.glb"))
    assert main(["scene", "info", path, "--read-memory-gb=-1"]) == 2
    assert capsys.readouterr().err == "error: read_memory_gb: -1 is not above 0\n"


def test_a_limit_that_is_reached_names_the_option(tmp_path: Path, capsys) -> None:
    path = str(cube_glb().write(tmp_path / "a.glb"))
    assert main(["scene", "info", path, "--read-minutes", "0.0001"]) == 2
    reason = "takes more than 0.0001 minutes to be read; raise it with --read-minutes"
    assert capsys.readouterr().err == f"error: {path}: file: {reason}\n"


@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - {"gui", "metrics", "sample"}))
def test_every_command_that_reads_has_them(name: str, capsys) -> None:
    with pytest.raises(SystemExit):
        main([name, "--help"])
    assert "--read-memory-gb" in capsys.readouterr().out
