"""Every engine that Waypost knows, as data: how it is called, found, started and waited for.

A further engine is a module under ``simulators.backends`` and an entry of ``ENGINE_KINDS``. Nothing
here imports an engine; ``engine_search`` says which of them are there.
"""

from __future__ import annotations

from dataclasses import dataclass

from waypost.domain.base.errors import InputError


@dataclass(frozen=True, slots=True)
class EngineLimits:
    """How long an engine may take, in seconds of wall time; afterwards its worker is ended."""

    start_s: float = 120.0
    """Until it says hello, or, where it tells of its progress, until it says anything more."""

    load_s: float = 600.0
    """For loading a scene."""

    request_s: float = 60.0
    """For any other request."""

    close_s: float = 2.0
    """For ending by itself once its pipe is closed."""


@dataclass(frozen=True, slots=True)
class EngineKind:
    """One engine that can drive agents, whether or not it is on this machine."""

    name: str
    """Key in settings, commands, labels and takes; what a worker's hello must repeat."""

    title: str
    """For people."""

    modules: tuple[str, ...]
    """Top modules that its Python must have, without which it cannot be there."""

    distributions: tuple[str, ...]
    """Installed packages that may tell its version, the first one that is there."""

    install: str
    """What to do to have it, as the end of a sentence."""

    limits: EngineLimits = EngineLimits()
    backend: str = ""
    """Module under ``simulators.backends``; by default the name."""

    usual_places: tuple[str, ...] = ()
    """Where its Python usually is, as patterns of paths; ``~`` is the home of the user."""

    version_file: str = ""
    """Name of a file beside its Python whose first line is the version; empty if there is none."""

    has_own_python: bool = False
    """Whether it usually brings a Python of its own, so that people are asked for a path."""

    environment: tuple[tuple[str, str], ...] = ()
    """Variables that its worker needs, beside those of Waypost."""

    shows_scenes: bool = False
    """Whether a scene can be seen in it, so that it is also given colours and what stops nobody."""

    drives: bool = True
    """Whether it moves agents; one that does not answers other questions only."""

    caution: str = ""
    """One sentence that people must know before they trust its numbers; empty if there is none."""

    @property
    def module(self) -> str:
        """Module under ``simulators.backends``."""
        return self.backend or self.name

    @property
    def python_variable(self) -> str:
        """Variable of the environment that names its Python."""
        return f"WAYPOST_{self.name.upper()}_PYTHON"


REFERENCE_ENGINE = "physx"
"""What other engines are compared with, and the default."""

CAMERA_ENGINE = "isaac"
"""What draws frames of a camera, whichever engine drives."""


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """Which engine is to drive."""

    name: str = REFERENCE_ENGINE
    python: str | None = None
    """Its Python, as a person named it; by default it is looked for."""


ENGINE_KINDS: dict[str, EngineKind] = {
    kind.name: kind
    for kind in (
        EngineKind(
            "physx",
            "PhysX through SAPIEN",
            modules=("sapien",),
            distributions=("sapien",),
            install="install it with: pip install sapien",
        ),
        EngineKind(
            "ovphysx",
            "Omniverse PhysX without Kit",
            modules=("ovphysx",),
            distributions=("ovphysx",),
            install=(
                "install it with: pip install 'waypost[ovphysx]', or name a Python that has it "
                "in WAYPOST_OVPHYSX_PYTHON"
            ),
            usual_places=(
                "~/ovphysx*/bin/python",
                "~/ovphysx*/Scripts/python.exe",
            ),
            shows_scenes=True,
        ),
        EngineKind(
            "isaac",
            "NVIDIA Isaac Sim",
            modules=("isaacsim",),
            distributions=("isaacsim", "isaacsim-kernel"),
            install="name the folder of Isaac Sim, or its python.sh",
            # A first start compiles shaders for up to 15 minutes.
            limits=EngineLimits(start_s=1200.0, load_s=1800.0, request_s=120.0, close_s=10.0),
            usual_places=(
                "~/isaacsim/python.sh",
                "~/isaac-sim*/python.sh",
                "~/.local/share/ov/pkg/isaac-sim-*/python.sh",
                "~/.local/share/ov/pkg/isaac_sim-*/python.sh",
                "/isaac-sim/python.sh",
                "~/env_isaac*/bin/python",
                "~/miniconda3/envs/*isaac*/bin/python",
                "~/anaconda3/envs/*isaac*/bin/python",
                "~/miniforge3/envs/*isaac*/bin/python",
                "C:/isaacsim/python.bat",
                "C:/isaac-sim*/python.bat",
            ),
            version_file="VERSION",
            has_own_python=True,
            shows_scenes=True,
            caution="never run by us: nobody has sent its conformance yet",
        ),
        EngineKind(
            "habitat",
            "habitat-sim",
            modules=("habitat_sim",),
            distributions=("habitat-sim", "habitat_sim"),
            install="name the Python of a conda environment that has habitat-sim",
            limits=EngineLimits(close_s=5.0),
            usual_places=(
                "~/miniconda3/envs/*/bin/python",
                "~/anaconda3/envs/*/bin/python",
                "~/miniforge3/envs/*/bin/python",
                "~/mambaforge/envs/*/bin/python",
                "~/micromamba/envs/*/bin/python",
                "/opt/conda/envs/*/bin/python",
            ),
            has_own_python=True,
            shows_scenes=True,
            drives=False,
            caution=(
                "it drives nobody: it answers for shortest ways and steps over a navmesh, and for "
                "pictures that were never seen by us"
            ),
        ),
    )
}
"""By name, in the order in which people see them."""


def driving_kind(name: str) -> EngineKind:
    """The engine of that name, which moves agents.

    Raises:
        InputError: If there is none, or it moves nobody.
    """
    kind = engine_kind(name)
    if not kind.drives:
        able = ", ".join(one.name for one in ENGINE_KINDS.values() if one.drives)
        raise InputError(f"{name}: engine: it drives nobody; these do: {able}")
    return kind


def engine_kind(name: str) -> EngineKind:
    """The engine of that name.

    Raises:
        InputError: If there is none.
    """
    kind = ENGINE_KINDS.get(name)
    if kind is None:
        known = ", ".join(ENGINE_KINDS)
        raise InputError(f"{name}: engine: there is no such engine; known: {known}")
    return kind
