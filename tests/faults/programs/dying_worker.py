"""A Python for the engine whose worker is killed at the N-th request of a kind.

``dying_worker.py KIND N BOOTSTRAP BACKEND``; with ``raise:KIND`` the engine fails instead, and
whatever it says in its own words is hostile.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
from typing import Any

from waypost.simulators.worker.request_handler import RequestHandler

HOSTILE = "\x1b[2Jgone\nerror: forged: line: x"


def main() -> None:
    """Serve until then."""
    kind, last = sys.argv[1], int(sys.argv[2])
    answer = RequestHandler.answer
    seen = 0

    def answer_until(handler: RequestHandler, request: Any) -> Any:
        nonlocal seen
        seen += request.kind == kind.removeprefix("raise:")
        if seen == last:
            if kind.startswith("raise:"):
                raise RuntimeError(HOSTILE)
            sys.stderr.write(HOSTILE + "\n")
            sys.stderr.flush()
            os.kill(os.getpid(), signal.SIGKILL)
        return answer(handler, request)

    RequestHandler.answer = answer_until
    sys.argv = sys.argv[3:]
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
