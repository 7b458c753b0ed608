"""Fake of ``omni.usd``: one context with one stage."""

from __future__ import annotations

from typing import Any

from kit_world import WORLD


class UsdContext:
    def open_stage(self, url: str) -> bool:
        return WORLD.open(url)

    def get_stage(self) -> Any:
        return WORLD.stage

    def get_stage_id(self) -> int:
        return WORLD.stage_id

    def get_stage_loading_status(self) -> tuple:
        return ("", 0, 0)


_CONTEXT = UsdContext()


def get_context(name: str = "") -> UsdContext:
    return _CONTEXT
