"""Reads each scene of the tests in a child once in a session; windows share what came of it."""

from __future__ import annotations

import hashlib
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from waypost.domain.base.progress import Progress
from waypost.domain.scene.scene import Scene
from waypost.io.confined.limits import limits_in_force
from waypost.io.scenes.open_scene import open_scene

_KNOWN: Final = frozenset({"house.glb", "home.glb"})
"""Whole in one file: what it holds says what comes of it."""


class ScenesOnce:
    """Opens scenes like ``open_scene``; nothing in a ``Scene`` changes, and its arrays cannot."""

    def __init__(self) -> None:
        self._read: dict[tuple[object, ...], Scene] = {}

    def open_scene(self, path: Path, **options: Any) -> Generator[Progress, None, Scene]:
        """See ``waypost.io.scenes.open_scene``."""
        if path.name not in _KNOWN or not path.is_file():
            return (yield from open_scene(path, **options))
        digest = hashlib.sha256(path.read_bytes()).digest()
        key = (path.name, digest, limits_in_force(), *map(str, sorted(options.items())))
        if key not in self._read:
            self._read[key] = yield from open_scene(path, **options)
        return replace(self._read[key], path=str(path))
