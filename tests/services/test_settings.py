from __future__ import annotations

import math
import os
import tomllib
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.errors import InputError, WriteError
from waypost.services.settings import (
    Settings,
    SettingsFile,
    settings_path,
    with_recent_project,
)
from waypost.simulators.backends.cameras import CameraSettings
from waypost.simulators.engines import EngineChoice


@pytest.fixture
def file(tmp_path: Path) -> SettingsFile:
    return SettingsFile(tmp_path / "config" / "settings.toml")


def test_missing_file_means_defaults(file: SettingsFile) -> None:
    assert file.load() == (Settings(), "")


def test_only_what_differs_is_written(file: SettingsFile) -> None:
    changed = Settings(theme="light", shortcuts=MappingProxyType({"undo": "Ctrl+U"}))
    file.save(changed)
    written = tomllib.loads(file.path.read_text())
    assert written == {"theme": "light", "shortcuts": {"undo": "Ctrl+U"}}
    assert file.load() == (changed, "")


def test_a_value_back_at_its_default_leaves_the_file(file: SettingsFile) -> None:
    file.save(Settings(theme="light", annotator="ada"))
    file.save(Settings(annotator="ada"))
    assert tomllib.loads(file.path.read_text()) == {"annotator": "ada"}


def test_what_another_window_has_changed_stays(file: SettingsFile) -> None:
    other = SettingsFile(file.path)
    (ours, _), (theirs, _) = file.load(), other.load()
    other.save(replace(theirs, theme="light", annotator="ada"))
    file.save(replace(ours, recent_projects=("/a.waypost",)))
    other.save(replace(theirs, annotator="ada"))
    there = Settings(annotator="ada", recent_projects=("/a.waypost",))
    assert SettingsFile(file.path).load() == (there, "")


def test_what_could_not_be_written_is_written_with_the_next_change(file: SettingsFile) -> None:
    ours, _ = file.load()
    file.path.parent.touch()
    with pytest.raises(WriteError):
        file.save(replace(ours, theme="light"))
    file.path.parent.unlink()
    file.save(replace(ours, theme="light", annotator="ada"))
    assert SettingsFile(file.path).load() == (Settings(theme="light", annotator="ada"), "")


def test_unknown_keys_survive(file: SettingsFile) -> None:
    file.path.parent.mkdir()
    file.path.write_text("from_the_future = [1, 2]\n[panel]\nwidth = 3\n")
    file.save(Settings(theme="light"))
    assert tomllib.loads(file.path.read_text()) == {
        "from_the_future": [1, 2],
        "panel": {"width": 3},
        "theme": "light",
    }


def test_damaged_file_is_kept_aside(file: SettingsFile) -> None:
    file.path.parent.mkdir()
    file.path.write_bytes(b"theme = 'light\n\xff")
    settings, message = file.load()
    assert settings == Settings()
    assert "settings.toml.damaged" in message
    assert str(file.path) in message
    assert (file.path.parent / "settings.toml.damaged").read_bytes() == b"theme = 'light\n\xff"
    assert not file.path.exists()


@pytest.mark.parametrize(
    "line",
    [
        'theme = "pink"',
        "text_scale_percent = 900",
        'introduction_done = "yes"',
        "recent_projects = [1]",
        "shortcuts = {undo = 3}",
        "annotator = 7",
    ],
)
def test_one_bad_value_costs_only_itself(file: SettingsFile, line: str) -> None:
    file.path.parent.mkdir()
    file.path.write_text(f'engine = "other"\n{line}\n')
    settings, message = file.load()
    assert settings == Settings(engine="other")
    assert line.split(maxsplit=1)[0] in message
    file.save(settings)
    assert line.split(maxsplit=1)[0] in file.path.read_text()


def test_unreadable_file_means_defaults(tmp_path: Path) -> None:
    file = SettingsFile(tmp_path)
    settings, message = file.load()
    assert settings == Settings()
    assert "cannot be read" in message


@given(
    annotator=st.text(),
    theme=st.sampled_from(["dark", "light"]),
    scale=st.integers(100, 200),
    is_introduced=st.booleans(),
    shortcuts=st.dictionaries(st.text(), st.text()),
    recent=st.lists(st.text()),
)
def test_read_after_write_is_identity(
    tmp_path_factory: pytest.TempPathFactory,
    annotator: str,
    theme: str,
    scale: int,
    is_introduced: bool,
    shortcuts: dict[str, str],
    recent: list[str],
) -> None:
    file = SettingsFile(tmp_path_factory.mktemp("settings") / "settings.toml")
    settings = Settings(
        annotator,
        theme,
        scale,
        MappingProxyType(shortcuts),
        recent_projects=tuple(recent),
        introduction_done=is_introduced,
    )
    file.save(settings)
    assert file.load() == (settings, "")


def test_out_of_range_is_refused() -> None:
    with pytest.raises(InputError, match="text_scale_percent: 99"):
        Settings(text_scale_percent=99)


def test_a_path_that_is_no_utf_8_does_not_keep_the_others_from_being_kept(
    file: SettingsFile,
) -> None:
    odd = os.fsdecode(b"/h\xf6me.waypost")
    file.save(Settings(recent_projects=("/a", odd), outside_assets={odd: "read", "/b": "read"}))
    kept, told = file.load()
    assert (kept.recent_projects, dict(kept.outside_assets), told) == (("/a",), {"/b": "read"}, "")


def test_recent_projects_move_to_the_front() -> None:
    recent = tuple(f"/p{i}" for i in range(10))
    assert with_recent_project(recent, "/p3")[:2] == ("/p3", "/p0")
    assert len(with_recent_project(recent, "/new")) == 10


@pytest.mark.parametrize(
    ("engine", "pythons", "python"),
    [
        ("physx", {}, "/old"),
        ("physx", {"physx": "/new"}, "/new"),
        ("isaac", {}, None),
        ("isaac", {"isaac": "/isaac-sim"}, "/isaac-sim"),
    ],
)
def test_the_python_of_older_settings_is_that_of_the_reference_engine(
    engine: str, pythons: dict[str, str], python: str | None
) -> None:
    settings = Settings(simulator_python="/old", engine=engine, engine_pythons=pythons)
    assert settings.engine_choice == EngineChoice(engine, python)


def test_settings_live_in_the_users_configuration() -> None:
    assert settings_path().name == "settings.toml"
    assert settings_path().parent.name == "waypost"


def test_the_camera_of_the_engine_is_kept_and_an_impossible_one_is_refused(tmp_path: Path) -> None:
    settings = Settings(
        camera_shows="both",
        camera_width_px=320,
        camera_height_px=200,
        camera_field_of_view_deg=60.0,
        camera_lens_m=0.4,
        camera_tilt_deg=-15.0,
        robot_usd="/robots/spot.usd",
        engine_window=True,
        frames_kept_mb=20,
    )
    file = SettingsFile(tmp_path / "settings.toml")
    file.save(settings)
    assert file.load() == (settings, "")
    assert settings.camera == CameraSettings(
        320, 200, math.radians(60.0), 0.4, math.radians(-15.0), rgb=True, depth=True
    )
    assert settings.engine_options == {"window": True, "robot_usd": "/robots/spot.usd"}
    assert Settings().camera is None
    # A whole number stands for a decimal one.
    file.path.write_text('camera_tilt_deg = 5\ncamera_shows = "depth"\ncamera_width_px = 0\n')
    read, problem = file.load()
    assert read.camera == CameraSettings(tilt_rad=math.radians(5.0), rgb=False)
    assert problem.endswith("camera: width_px: 0 is outside 1 to 4096; the default is used")
    with pytest.raises(InputError, match="camera_shows: 'sound' is none of nothing, colours"):
        Settings(camera_shows="sound")
    with pytest.raises(InputError, match="frames_kept_mb: -1 is outside 0 to 100000"):
        Settings(frames_kept_mb=-1)
