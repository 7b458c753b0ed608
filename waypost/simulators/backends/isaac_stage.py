"""The strongest layer of a stage for Isaac Sim, as text: what is seen, over scene and agent."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from waypost.simulators.backends.engine import Collider, Pose

EYE = "/Eye"
"""Prim of the camera."""

LOOKS = "/Looks"
"""Prim of what is seen of the agent; it has no physics."""

ROBOT_ENDINGS: Final = (".usd", ".usda", ".usdc", ".usdz")
"""Of files that can be shown instead of the hull."""

_STAY = "matrix4d xformOp:transform = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))"
_PLACED = f'    {_STAY}\n    uniform token[] xformOpOrder = ["xformOp:transform"]\n'

_SEEN = f"""def DomeLight "Sky"
{{
    float inputs:intensity = 800
}}
def DistantLight "Sun"
{{
    float inputs:intensity = 800
    float inputs:angle = 1
    double3 xformOp:rotateXYZ = (35, 20, 0)
    uniform token[] xformOpOrder = ["xformOp:rotateXYZ"]
}}
def Camera "Eye"
{{
{_PLACED}    float2 clippingRange = (0.01, 1000)
    float focalLength = 18
    float horizontalAperture = 36
    float verticalAperture = 27
}}
"""


def robots_in(folder: Path) -> dict[str, str]:
    """Key of an agent → the USD file that is named by it; empty for what cannot be looked into."""
    found: dict[str, str] = {}
    with contextlib.suppress(OSError):
        for file in sorted(folder.iterdir()):
            if file.suffix.lower() in ROBOT_ENDINGS and file.is_file():
                found.setdefault(file.stem, str(file))
    return found


def robot_of(place: str, agent: str) -> str:
    """The file that is shown instead of the hull of an agent; empty for a plain body.

    Args:
        place: A USD file for every agent, or a folder in which files are named by agents' keys.
        agent: Key of its profile.
    """
    if not place or not Path(place).is_dir():
        return place
    return robots_in(Path(place)).get(agent, "")


def session_text(
    layers: Sequence[str],
    steps_hz: int,
    agent_at: Pose,
    collider: Collider | None = None,
    robot_usd: str = "",
) -> str:
    """The text of the layer that is opened.

    Args:
        layers: Files of scene and agent, strongest first.
        steps_hz: Steps of the solver per simulated second.
        agent_at: Where the agent waits until it is placed.
        collider: Its hull; ``None`` if there is no agent.
        robot_usd: A file that is shown instead of the hull; by default a plain body is.
    """
    names = ", ".join(f"@@@{Path(layer).as_posix()}@@@" for layer in layers)
    head = (
        f'#usda 1.0\n(\n    subLayers = [{names}]\n    defaultPrim = "World"\n'
        '    metersPerUnit = 1\n    upAxis = "Z"\n)\n'
    )
    scene = f'over "PhysicsScene"\n{{\n    uint physxScene:timeStepsPerSecond = {steps_hz}\n}}\n'
    return (
        head + scene + _SEEN + ("" if collider is None else _agent(agent_at, collider, robot_usd))
    )


def _agent(agent_at: Pose, collider: Collider, robot_usd: str) -> str:
    place = f"({agent_at.x_m}, {agent_at.y_m}, {agent_at.z_m})"
    # What collides is no sight: its lower end hangs in the air.
    hull = (
        f'over "Agent"\n{{\n    double3 xformOp:translate = {place}\n'
        '    uniform token purpose = "guide"\n}\n'
    )
    if robot_usd:
        asset = Path(robot_usd).as_posix()
        return f'{hull}def Xform "Looks" (references = @@@{asset}@@@)\n{{\n{_PLACED}}}\n'
    return f'{hull}def Xform "Looks"\n{{\n{_PLACED}{_plain_body(collider)}}}\n'


def _plain_body(collider: Collider) -> str:
    colour = "    color3f[] primvars:displayColor = [(0.2, 0.5, 0.9)]\n"
    middle = f"    double3 xformOp:translate = (0, 0, {collider.top_m / 2})\n"
    if collider.shape == "box":
        size = f"({collider.depth_m}, {collider.width_m}, {collider.top_m})"
        return (
            f'def Cube "Body"\n{{\n    double size = 1\n{middle}{colour}'
            f"    float3 xformOp:scale = {size}\n"
            '    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]\n}\n'
        )
    return (
        f'def Cylinder "Body"\n{{\n    uniform token axis = "Z"\n{middle}{colour}'
        f"    double radius = {collider.width_m / 2}\n    double height = {collider.top_m}\n"
        '    uniform token[] xformOpOrder = ["xformOp:translate"]\n}\n'
    )
