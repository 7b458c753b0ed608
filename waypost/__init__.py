"""Waypost: the desktop workbench of vision-and-language navigation benchmark teams."""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_FOR_NOTEBOOKS = (
    "read_episodes",
    "read_graph",
    "read_labels",
    "read_recording",
    "read_runs",
    "read_scores",
    "read_study",
    "score",
)


def __getattr__(name: str) -> Any:
    """What notebooks read with (docs/python.md), imported when it is first asked for."""
    if name in _FOR_NOTEBOOKS:
        return getattr(import_module("waypost.notebook"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Its names for completion."""
    return sorted([*globals(), *_FOR_NOTEBOOKS])
