"""Fake of ``isaacsim``: names and signatures as in the published wheels, physics by SAPIEN.

``FAKE_ISAAC_FAULT`` makes it fail as the real one does.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

_FAULT = os.environ.get("FAKE_ISAAC_FAULT", "")
# What an installation says of itself; nobody can take a result of the fakes for a real one.
os.environ["ISAAC_PATH"] = str(Path(__file__).with_name("of_fakes"))
_EXTENSIONS = Path(__file__).parents[1] / "exts"

if _FAULT == "licence":
    sys.exit(
        "Unable to bootstrap inner kit kernel: EULA not accepted. Set OMNI_KIT_ACCEPT_EULA=YES to "
        "accept the EULA non-interactively."
    )
if _FAULT == "other python":
    # A kernel of another Python: its bindings are not found.
    os.environ["ISAAC_PATH"] = str(Path(__file__).with_name("of_4_5"))
    raise ImportError("No module named 'carb._carb'")
if _FAULT == "no kernel":
    sys.exit("Unable to find 'omniverse-kit' package")


class _SimulationApp:
    """Starts the fake Kit; ``omni`` can be imported only afterwards."""

    def __init__(self, launch_config: dict = None, experience: str = "") -> None:  # noqa: RUF013
        if len(sys.argv) > 1:
            raise RuntimeError(f"Kit takes these arguments for its own: {sys.argv[1:]}")
        if any(name.split(".")[0] in {"omni", "pxr"} for name in sys.modules):
            raise RuntimeError("omni or pxr were imported before Kit was started")
        self.config = dict(launch_config or {})
        if _FAULT == "slow":
            for _ in range(3):
                time.sleep(0.3)
        if _FAULT == "no start":
            sys.exit(1)
        print("[Info] a Kit prints whatever it likes")  # noqa: T201
        sys.path.insert(0, str(_EXTENSIONS))
        import pxr

        pxr.__path__.append(str(_EXTENSIONS / "schemas"))
        from kit_world import WORLD

        self._world: Any = WORLD
        # Since 6.x Kit changes over to Newton unless it is told not to.
        settings = self.config.get("extra_args", [])
        stays = "--/exts/isaacsim.physics.newton/auto_switch_on_startup=false" in settings
        WORLD.engine = "physx" if stays and "newton" not in _FAULT else "newton"

    def update(self) -> None:
        self._world.updates += 1

    def is_running(self) -> bool:
        # Somebody closes the window after a while.
        return _FAULT != "closed window" or self._world.updates < 5

    def close(
        self, wait_for_replicator: bool = True, skip_cleanup: bool = False, exit_code: int = 0
    ) -> None:
        # As with the fast shutdown of the real one: what is not written yet is lost.
        os._exit(exit_code)


SimulationApp = None if _FAULT == "no app" else _SimulationApp
