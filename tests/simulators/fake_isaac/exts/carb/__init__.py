"""Fake of ``carb``: its triple of numbers."""

from __future__ import annotations

from collections.abc import Iterator


class Float3:
    def __init__(self, x: float, y: float, z: float) -> None:
        # The binding converts nothing but Python's own numbers.
        if not all(type(value) is float for value in (x, y, z)):
            raise TypeError("carb.Float3 takes Python floats")
        self.x, self.y, self.z = x, y, z

    def __getitem__(self, index: int) -> float:
        return (self.x, self.y, self.z)[index]

    def __iter__(self) -> Iterator[float]:
        return iter((self.x, self.y, self.z))

    def __len__(self) -> int:
        return 3
