"""NVIDIA Isaac Sim 4.5, 5.x and 6.x as an engine, in Isaac Sim's own Python.

The scene is made of the same triangles as on every other engine, so that what collides does not
depend on how Isaac Sim imports a file. We have never run it: its code runs in our tests on fakes of
Isaac Sim's modules over SAPIEN (docs/isaac.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from waypost.simulators.backends.cameras import CameraPicture, CameraSettings
from waypost.simulators.backends.engine import (
    Collider,
    EngineMissingError,
    EngineStart,
    Pose,
    SceneMesh,
)
from waypost.simulators.backends.isaac_display import IsaacDisplay
from waypost.simulators.backends.isaac_session import IsaacSession
from waypost.simulators.backends.isaac_stage import robot_of, session_text
from waypost.simulators.backends.isaac_start import isaac_version, start_kit
from waypost.simulators.backends.omniverse_physx import PARAMETERS, OmniversePhysx
from waypost.simulators.backends.usd_text import agent_text, looks_text, scene_text
from waypost.simulators.protocol import EngineInfo, MoverSettings

_AWAY = Pose(0.0, 0.0, -5000.0, 0.0)
"""Making an agent anew opens the stage again."""

_WINDOW_EVERY_S = 1 / 30
_HEADLESS_EVERY_S = 1.0


class IsaacEngine(OmniversePhysx):
    """One Isaac Sim; see ``Engine`` for what its methods promise."""

    def __init__(self, settings: MoverSettings) -> None:
        super().__init__(settings, _AWAY)
        self.info = EngineInfo("isaac", "", "NVIDIA Isaac Sim")
        self.idle_every_s = _HEADLESS_EVERY_S
        self._session: IsaacSession | None = None
        self._display: IsaacDisplay | None = None
        self._scene_layer = ""
        self._robot_usd = ""

    def open(self, start: EngineStart) -> None:
        """Start Kit.

        Args:
            start: Options: ``window`` shows Isaac Sim's window, ``robot_usd`` is a file that is
                shown where the agent is, or a folder with one for each agent.

        Raises:
            EngineMissingError: If Isaac Sim cannot run here, in one sentence.
        """
        self._robot_usd = _robot_in(start)
        self._session = IsaacSession(start_kit(start))
        self._display = IsaacDisplay()
        if start.options.get("window", False):
            self.idle_every_s = _WINDOW_EVERY_S
        version = isaac_version() or "of unknown version"
        self.info = EngineInfo("isaac", version, f"NVIDIA Isaac Sim {version} (PhysX)", PARAMETERS)

    def load_scene(self, meshes: Sequence[SceneMesh]) -> list[str]:
        """Replace the scene; one static collider of exact triangles per object."""
        usable, problems = self._named(meshes)
        text = scene_text(
            usable, self._settings.contact_offset_m, self._world.write_layer(looks_text(usable))
        )
        self._scene_layer = self._world.write_layer(text)
        self._open(None)
        return problems

    def spawn_agent(self, collider: Collider, pose: Pose) -> None:
        """Replace the agent; its body's origin is its feet."""
        if collider != self._collider:
            self._open(collider)
        self._rest_at(pose)

    def idle(self) -> None:
        """Let Kit go on: its window answers and is drawn; the timeline stands still."""
        if self._pose != _AWAY:
            self._shown.show_agent(self._pose)
        self._world.update()

    def open_camera(self, settings: CameraSettings) -> None:
        """Have pictures of a camera on the agent from now on."""
        self._shown.open_camera(settings)

    def close_camera(self) -> None:
        """Make no more pictures."""
        self._shown.close_camera()

    def picture(self, pose: Pose, tilt_rad: float) -> CameraPicture:
        """What the camera sees from an agent with these feet."""
        return self._shown.picture(pose, tilt_rad)

    def close(self) -> None:
        """End Kit, and with it the process."""
        if self._session is not None:
            self._session.close()

    @property
    def _world(self) -> IsaacSession:
        if self._session is None:
            raise RuntimeError("Isaac Sim has not been started")
        return self._session

    @property
    def _shown(self) -> IsaacDisplay:
        if self._display is None:
            raise RuntimeError("Isaac Sim has not been started")
        return self._display

    def _open(self, collider: Collider | None) -> None:
        layers = [self._scene_layer]
        if collider is not None:
            layers.insert(0, self._world.write_layer(agent_text(collider)))
        solves = 1 if collider is None else collider.solves_per_step
        steps_hz = self._settings.physics_hz * solves
        robot = "" if collider is None else robot_of(self._robot_usd, collider.agent)
        session = session_text(layers, steps_hz, _AWAY, collider, robot)
        path = self._world.write_layer(session)
        self._world.open(path, self._shown.renew, has_agent=collider is not None)
        self._collider, self._pose = collider, _AWAY
        self._touching = []


def _robot_in(start: EngineStart) -> str:
    robot = str(start.options.get("robot_usd", ""))
    is_there = Path(robot).is_file() or Path(robot).is_dir()
    if robot and (not is_there or "@@@" in robot):
        raise EngineMissingError(f"the robot {robot} is no file; name another USD file")
    # The stage lies in a folder of its own.
    return str(Path(robot).absolute()) if robot else ""


def build_engine(settings: MoverSettings) -> IsaacEngine:
    """The engine behind the backend key ``isaac``."""
    return IsaacEngine(settings)
