"""A Python whose engine misbehaves: ``misbehaving_worker.py BOOTSTRAP BACKEND START``.

The worker is the real one; its engine is the fake one of the tests, with one fault. Options of the
start say which (``fault``: kill, hang, garbage, slow, memory) and where (``place``: start, load,
drive, close). A fault comes once.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from simulators import fake_worker

GARBAGE = b"\x00garbage that is no message\n" * 100
SLOW_S = 0.4


class Misbehaving:
    """Does one wrong thing, once, where it is told to."""

    def __init__(self, fault: str, place: str) -> None:
        self.fault, self.place = fault, place
        self.replies = None
        self.spoils_the_next_reply = False

    def at(self, place: str) -> None:
        """What happens when the engine comes here."""
        if place != self.place:
            return
        self.place = ""
        if self.fault == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        elif self.fault == "hang":
            time.sleep(3600)
        elif self.fault == "slow":
            time.sleep(SLOW_S)
        elif self.fault == "memory":
            np.ones(1 << 50)
        elif self.fault == "garbage":
            self.spoils_the_next_reply = True


def main() -> None:
    """Serve with that engine."""
    start = json.loads(sys.argv[3])
    options = start["options"]
    fault = Misbehaving(options["fault"], options["place"])
    sys.meta_path.append(fake_worker.FakeEngineFinder)
    del sys.argv[0]
    bootstrap = runpy.run_path(sys.argv[0])
    bootstrap["register_package"]()
    _misbehave(fault)
    sys.exit(bootstrap["main"](*sys.argv[1:]))


def _misbehave(fault: Misbehaving) -> None:
    from waypost.simulators.backends import fake
    from waypost.simulators.worker import serve

    class Engine(fake.FakeEngine):
        idle_every_s = 0.001  # shorter than any pause between two questions of a test
        idled = 0

        def open(self, start):
            start.tell("nearly there")
            fault.at("start")

        def load_scene(self, meshes):
            fault.at("load")
            return [*super().load_scene(meshes), f"idled {min(self.idled, 1)}"]

        def step(self):
            if any(self._velocity[:2]):  # to find its place, it steps where it stands
                fault.at("drive")
            super().step()

        def idle(self):
            self.idled += 1

        def close(self):
            fault.at("close")
            if fault.spoils_the_next_reply:
                fault.replies.write(GARBAGE)
                fault.replies.flush()

    write = serve.write_message

    def write_or_spoil(stream, message):
        fault.replies = stream
        if fault.spoils_the_next_reply:
            fault.spoils_the_next_reply = False
            stream.write(GARBAGE)
            stream.flush()
        else:
            write(stream, message)

    serve.write_message = write_or_spoil
    fake.build_engine = Engine


if __name__ == "__main__":
    main()
