"""The user's settings: one readable file that holds only what differs from the defaults."""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

import platformdirs
import tomli_w

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.base.visible_text import one_line, with_whole_characters
from waypost.io.atomic import write_text_atomic
from waypost.io.confined.limits import DEFAULT_MINUTES, ReadingLimits, chosen_limits
from waypost.io.file_reading import read_plain_bytes
from waypost.io.foreign_errors import reading
from waypost.simulators.backends.cameras import CameraSettings
from waypost.simulators.engines import REFERENCE_ENGINE, EngineChoice

THEMES = ("dark", "light")
_HEADER = "# Settings of Waypost. Only what differs from the defaults is written here.\n"
_MAX_RECENT = 10
_MAX_FOLDERS = 10
MOST_FRAMES_MB = 100_000
CAMERA_SHOWS = ("nothing", "colours", "depth", "both")


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user has chosen; independent of any project.

    Raises:
        InputError: If a value is out of range; the message starts with the field's name.
    """

    annotator: str = ""
    """Name written on every label; empty asks for one."""

    theme: str = "dark"
    """``dark`` or ``light``."""

    text_scale_percent: int = 100
    """100 to 200."""

    shortcuts: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Action id → key, only where the user changed it."""

    simulator_python: str = ""
    """Path of the Python of the reference engine, where ``engine_pythons`` names none: older
    versions had no other engine."""

    engine: str = REFERENCE_ENGINE
    """Which engine drives."""

    engine_pythons: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Engine → path of its Python, or of a folder with one; others are looked for."""

    engine_window: bool = False
    """Whether an engine that has a window of its own shows it while it drives."""

    robot_usd: str = ""
    """USD file that such an engine shows instead of the body, or a folder with one for each agent;
    empty for a plain body."""

    camera_shows: str = "nothing"
    """``nothing``, ``colours``, ``depth`` or ``both``: what is drawn of what the agent sees."""

    camera_width_px: int = 640
    camera_height_px: int = 480
    camera_field_of_view_deg: float = 90.0
    """Horizontal."""

    camera_lens_m: float = 1.2
    """Of the lens above the feet."""

    camera_tilt_deg: float = 0.0
    """Above the horizon; negative looks down."""

    frames_kept_mb: int = 0
    """How much of the disk the frames of one take may have, up to 100,000; 0 keeps none."""

    recent_projects: tuple[str, ...] = ()
    """Absolute paths, newest first."""

    asset_folders: tuple[str, ...] = ()
    """Folders of assets that count as inside every scene, and that USD searches."""

    outside_assets: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Scene file → ``read`` or ``left out``: what to do with files outside its folder."""

    companion_folders: tuple[str, ...] = ()
    """Folders in which scenes, graphs and pictures that episodes name are looked for, newest
    first."""

    introduction_done: bool = False
    """Whether the introduction was finished or left; it begins by itself only before."""

    introduced: tuple[str, ...] = ()
    """Scopes of the workspaces whose own introduction was finished or left."""

    read_memory_gb: int = 0
    """Memory that the reading of one file may take, up to 4096; 0 goes by the size of the file."""

    read_minutes: int = round(DEFAULT_MINUTES)
    """How long the reading of one file may take, 1 to 1440."""

    def __post_init__(self) -> None:
        if not 0 <= self.read_memory_gb <= 4096:
            raise InputError(f"read_memory_gb: {self.read_memory_gb} is outside 0 to 4096")
        if not 1 <= self.read_minutes <= 1440:
            raise InputError(f"read_minutes: {self.read_minutes} is outside 1 to 1440")
        if self.theme not in THEMES:
            raise InputError(f"theme: {self.theme!r} is neither dark nor light")
        if not 0 <= self.frames_kept_mb <= MOST_FRAMES_MB:
            raise InputError(
                f"frames_kept_mb: {self.frames_kept_mb} is outside 0 to {MOST_FRAMES_MB}"
            )
        if self.camera_shows not in CAMERA_SHOWS:
            known = ", ".join(CAMERA_SHOWS)
            raise InputError(f"camera_shows: {self.camera_shows!r} is none of {known}")
        self._camera_of("both")
        if not 100 <= self.text_scale_percent <= 200:
            raise InputError(f"text_scale_percent: {self.text_scale_percent} is outside 100 to 200")

    @property
    def engine_choice(self) -> EngineChoice:
        """Which engine drives, and where its Python is."""
        return EngineChoice(self.engine, self.python_of(self.engine) or None)

    @property
    def camera(self) -> CameraSettings | None:
        """What draws what the agent sees; ``None`` where nothing is to be drawn."""
        return None if self.camera_shows == "nothing" else self._camera_of(self.camera_shows)

    def _camera_of(self, shows: str) -> CameraSettings:
        try:
            return CameraSettings(
                self.camera_width_px,
                self.camera_height_px,
                math.radians(self.camera_field_of_view_deg),
                self.camera_lens_m,
                math.radians(self.camera_tilt_deg),
                rgb=shows in {"colours", "both"},
                depth=shows in {"depth", "both"},
            )
        except ValueError as error:
            raise InputError(f"camera: {error}") from error

    @property
    def engine_options(self) -> dict[str, Any]:
        """What the engine that drives is started with."""
        return {"window": self.engine_window, "robot_usd": self.robot_usd}

    def python_of(self, engine: str) -> str:
        """The Python that was named for an engine; empty where it is looked for."""
        former = self.simulator_python if engine == REFERENCE_ENGINE else ""
        return self.engine_pythons.get(engine) or former

    @property
    def reading_limits(self) -> ReadingLimits:
        """What the reading of one file may take."""
        return chosen_limits(self.read_memory_gb or None, self.read_minutes)


def with_recent_project(recent: tuple[str, ...], path: str) -> tuple[str, ...]:
    """Put a project first in the list of recent ones; at most ten stay."""
    return (path, *(p for p in recent if p != path))[:_MAX_RECENT]


def with_companion_folder(folders: tuple[str, ...], path: str) -> tuple[str, ...]:
    """Put a folder first in the list of those that are looked into; at most ten stay."""
    return (path, *(known for known in folders if known != path))[:_MAX_FOLDERS]


def settings_path() -> Path:
    """Where the settings of this user live."""
    return Path(platformdirs.user_config_dir("waypost", appauthor=False)) / "settings.toml"


@dataclass(slots=True)
class SettingsFile:
    """The file of the settings; reading never fails, writing is atomic.

    Several windows share it: what was not changed here is left as another one has written it.
    """

    path: Path
    _kept: Settings | None = field(default=None, init=False)
    """As they were read or written here last."""

    def load(self) -> tuple[Settings, str]:
        """Read the settings.

        A file that is no TOML is kept aside and the defaults are used; a single value that
        cannot be used is left in the file and its default is used.

        Returns:
            The settings, and one sentence for the user; empty if all was well.
        """
        self._kept, problem = self._read()
        return self._kept, problem

    def _read(self) -> tuple[Settings, str]:
        if not os.path.lexists(self.path):
            return Settings(), ""
        try:
            data = read_plain_bytes(self.path)
        except ReadError as error:
            return Settings(), f"{self.path}: the settings cannot be read ({error.reason})"
        try:
            raw = tomllib.loads(data.decode())
        except Exception as error:  # of whatever kind: text, numbers or nesting that is no TOML
            return Settings(), self._keep_aside(one_line(str(error)))
        good, problems = _usable(raw)
        if not problems:
            return Settings(**good), ""
        return Settings(**good), f"{self.path}: {problems[0]}; the default is used"

    def save(self, settings: Settings) -> None:
        """Write what differs from the defaults; keys this version does not know survive.

        Raises:
            WriteError: If the file cannot be written.
        """
        before = self._kept
        try:
            with reading(self.path):
                raw = tomllib.loads(read_plain_bytes(self.path).decode())
        except ReadError:
            raw, before = {}, None
        good, _ = _usable(raw)
        defaults = Settings()
        for spec in fields(Settings):
            value = getattr(settings, spec.name)
            if before is not None and value == getattr(before, spec.name):
                continue
            if value != getattr(defaults, spec.name):
                raw[spec.name] = _plain(value)
            elif spec.name in good:
                del raw[spec.name]
        write_text_atomic(self.path, _HEADER + tomli_w.dumps(raw))
        self._kept = settings

    def _keep_aside(self, reason: str) -> str:
        aside = self.path.with_name(self.path.name + ".damaged")
        try:
            self.path.replace(aside)
        except OSError:
            return f"{self.path}: the settings are damaged ({reason}); the defaults are used"
        return (
            f"{self.path}: the settings were damaged ({reason}); "
            f"the defaults are used and the old file is kept as {aside.name}"
        )


def _usable(raw: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    good: dict[str, Any] = {}
    problems: list[str] = []
    for spec in fields(Settings):
        if spec.name not in raw:
            continue
        try:
            value = _typed(spec.name, raw[spec.name])
            Settings(**{spec.name: value})
        except InputError as error:
            problems.append(str(error))
        else:
            good[spec.name] = value
    return good, problems


def _typed(name: str, value: Any) -> Any:
    default = getattr(Settings(), name)
    if isinstance(default, Mapping):
        is_text = isinstance(value, dict) and all(isinstance(v, str) for v in value.values())
        if is_text:
            return MappingProxyType(dict(value))
    elif isinstance(default, tuple):
        if isinstance(value, list) and all(isinstance(v, str) for v in value):
            return tuple(value)
    elif isinstance(default, float) and type(value) is int:
        return float(value)
    elif type(value) is type(default):
        return value
    raise InputError(f"{name}: {value!r} cannot be used")


def _plain(value: Any) -> Any:
    """A value as TOML has it; of several, those whose name is no UTF-8 are left out."""
    if isinstance(value, Mapping):
        return {key: told for key, told in value.items() if _is_whole(f"{key}{told}")}
    return list(filter(_is_whole, value)) if isinstance(value, tuple) else value


def _is_whole(text: str) -> bool:
    return with_whole_characters(text) == text
