"""Starts the worker in any Python: run by path, it makes only the ``waypost`` package importable.

Waypost need not be installed there, and none of the libraries beside it become visible, so
an engine keeps the versions that it brought.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path

EXIT_UNAVAILABLE = 3
"""This Python cannot run the worker at all; the last line on standard error says why."""

_PACKAGE = Path(__file__).resolve().parents[2]


def register_package() -> None:
    """Make ``import waypost`` find this checkout and nothing else beside it."""
    folder = str(Path(__file__).resolve().parent)
    sys.path[:] = [entry for entry in sys.path if str(Path(entry or ".").resolve()) != folder]
    spec = importlib.util.spec_from_file_location(
        "waypost", _PACKAGE / "__init__.py", submodule_search_locations=[str(_PACKAGE)]
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"no package at {_PACKAGE}")
    module = importlib.util.module_from_spec(spec)
    sys.modules["waypost"] = module
    spec.loader.exec_module(module)


def main(backend: str, start: str = "{}") -> int:
    """Take the pipes for ourselves, then serve.

    An engine may print to standard output or read standard input; it gets standard error and
    an empty input instead.

    Args:
        backend: Module name under ``simulators.backends``.
        start: JSON: the ``protocols`` that the client speaks, and ``options`` for the engine.
    """
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    register_package()
    try:
        from waypost.simulators.worker.serve import serve  # noqa: PLC0415 - needs the package
    except ImportError as error:
        sys.stderr.write(f"{error}; the worker needs numpy\n")
        return EXIT_UNAVAILABLE
    given = json.loads(start)
    try:
        return serve(
            requests, replies, backend, given.get("options"), given.get("protocols", (2, 2))
        )
    except BrokenPipeError:
        # The client is gone; there is nobody left to tell.
        return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
