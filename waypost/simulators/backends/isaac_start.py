"""Starts Isaac Sim in its own Python, and says in one sentence why it cannot.

Never accepts NVIDIA's licence for anybody: where that was not done, a person is told how.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import importlib.util
import os
import platform
import sys
import threading
import time
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any, Callable

from waypost.simulators.backends.engine import EngineMissingError, EngineStart

PYTHON_OF_VERSION = {"4.5": "3.10", "5": "3.11", "6": "3.12"}
"""Which Python each Isaac Sim brings."""

_TELL_EVERY_S = 5.0
_NVML = ("libnvidia-ml.so.1", "nvml.dll")

_SETTINGS = (
    # 6.x changes over to Newton by itself, which collides differently.
    "--/exts/isaacsim.core.simulation_manager/default_engine=physx",
    "--/exts/isaacsim.physics.newton/auto_switch_on_startup=false",
    # Poses are read and set as arrays; written into the stage, each step would cost milliseconds.
    "--/physics/updateToUsd=false",
    "--/physics/updateVelocitiesToUsd=false",
    "--/physics/autoPopupSimulationOutputWindow=false",
)

_EXTENSIONS = {
    "omni.usd": "omni.usd",
    "omni.physx": "omni.physx",
    "omni.physics.tensors": "omni.physics.tensors",
    "pxr.PhysicsSchemaTools": "omni.usd.schema.physx",
}
"""Module → extension that has it."""


def start_kit(start: EngineStart) -> Any:
    """Start Kit, the program that Isaac Sim runs in; a first start may take 15 minutes.

    Args:
        start: Its option ``window`` shows Isaac Sim's own window.

    Returns:
        The ``SimulationApp``.

    Raises:
        EngineMissingError: If Isaac Sim cannot run here.
    """
    problem = gpu_problem()
    if problem:
        raise EngineMissingError(problem)
    start.tell("Isaac Sim is being loaded")
    application = _application_class()
    # Kit reads the arguments of the process for its own.
    del sys.argv[1:]
    launch = {
        "headless": not start.options.get("window", False),
        "disable_viewport_updates": not start.options.get("window", False),
        "extra_args": list(_SETTINGS),
    }
    with _Progress(start.tell, "Isaac Sim is starting; a first start may take 15 minutes"):
        try:
            app = application(launch)
        except SystemExit as error:
            raise EngineMissingError(
                f"Isaac Sim did not start (exit code {error.code}); its log says why, "
                "by default in ~/.nvidia-omniverse/logs"
            ) from error
    start.tell("Isaac Sim has started and its extensions are being loaded")
    for module, extension in _EXTENSIONS.items():
        _load(module, extension)
    _force_physx()
    return app


def isaac_module(name: str) -> ModuleType:
    """A module of Isaac Sim, which can be imported only once Kit has started."""
    return importlib.import_module(name)


def optional_module(name: str, extension: str) -> ModuleType | None:
    """A module whose extension may be off or missing; it is turned on if it can be."""
    try:
        return isaac_module(name)
    except ImportError:
        manager = isaac_module("omni.kit.app").get_app().get_extension_manager()
        if not manager.set_extension_enabled_immediate(extension, True):
            return None
    try:
        return isaac_module(name)
    except ImportError:
        return None


def isaac_version() -> str:
    """Which Isaac Sim runs, as ``5.1.0``; empty if nothing says."""
    for name in ("isaacsim", "isaacsim-kernel"):
        with contextlib.suppress(metadata.PackageNotFoundError):
            return metadata.version(name)
    folder = os.environ.get("ISAAC_PATH", "")
    try:
        return Path(folder, "VERSION").read_text(encoding="utf-8").split("-")[0].strip()
    except (OSError, UnicodeDecodeError):
        return ""


def gpu_problem() -> str:
    """Why this computer cannot run Isaac Sim, which draws with a graphics card of NVIDIA only.

    Returns:
        One sentence; empty if there is a card and its driver.
    """
    library = _driver()
    if library is None:
        return "Isaac Sim needs a graphics card of NVIDIA, and this computer has no driver for one"
    count = ctypes.c_uint(0)
    if library.nvmlInit_v2() or library.nvmlDeviceGetCount_v2(ctypes.byref(count)):
        return "Isaac Sim needs a graphics card of NVIDIA, and its driver here does not answer"
    library.nvmlShutdown()
    if not count.value:
        return "Isaac Sim needs a graphics card of NVIDIA, and the driver here finds none"
    return ""


def _driver() -> Any:
    """The library of NVIDIA's driver that counts cards, without making use of one."""
    for name in _NVML:
        with contextlib.suppress(OSError):
            return ctypes.CDLL(name)
    return None


def _application_class() -> Any:
    if importlib.util.find_spec("isaacsim") is None:
        raise EngineMissingError(
            "this Python has no Isaac Sim; name the python.sh (on Windows python.bat) in its folder"
        )
    try:
        application = importlib.import_module("isaacsim").SimulationApp
    except (SystemExit, EOFError) as error:
        raise EngineMissingError(_refusal(str(error))) from error
    except ImportError as error:
        raise EngineMissingError(_import_problem(error)) from error
    except AttributeError:
        application = None
    if application is None:
        raise EngineMissingError(
            "this Isaac Sim lacks the extension isaacsim.simulation_app, which starts it; "
            "install it whole"
        )
    return application


def _refusal(said: str) -> str:
    if "EULA" in said or not said:
        return (
            "NVIDIA's licence of Isaac Sim has not been accepted for this Python; start Isaac Sim "
            "once by hand, or set OMNI_KIT_ACCEPT_EULA=YES, if you accept it"
        )
    return f"Isaac Sim is not complete: {said}"


def _import_problem(error: ImportError) -> str:
    version, own = isaac_version(), ".".join(platform.python_version_tuple()[:2])
    wanted = next((p for v, p in PYTHON_OF_VERSION.items() if version.startswith(v)), "")
    if wanted and wanted != own:
        return f"Isaac Sim {version} runs on Python {wanted}, and this is Python {own}"
    return f"Isaac Sim cannot be loaded in Python {own}: {error}"


def _load(module: str, extension: str) -> None:
    if optional_module(module, extension) is None:
        raise EngineMissingError(f"this Isaac Sim lacks the extension {extension}")


def _force_physx() -> None:
    """Go back to PhysX where 6.x has changed the engine of its physics all the same."""
    try:
        manager = isaac_module("isaacsim.core.simulation_manager").SimulationManager
    except ImportError:
        return
    if not hasattr(manager, "get_active_physics_engine"):
        return
    active = manager.get_active_physics_engine()
    if active != "physx" and not manager.switch_physics_engine("physx"):
        raise EngineMissingError(
            f"Isaac Sim simulates with {active} here and cannot change over to PhysX"
        )


class _Progress:
    """Tells every few seconds that something still goes on, from a thread of its own."""

    def __init__(self, tell: Callable[[str], None], sentence: str) -> None:
        self._tell, self._sentence = tell, sentence
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _run(self) -> None:
        begin_s = time.monotonic()
        self._tell(self._sentence)
        while not self._is_over.wait(_TELL_EVERY_S):
            self._tell(f"{self._sentence} ({time.monotonic() - begin_s:.0f} s so far)")
