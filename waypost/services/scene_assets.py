"""Whether files outside the folder of a scene are read, as a person once answered."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypedDict

from waypost.services.settings import Settings

READ: Final = "read"
LEFT_OUT: Final = "left out"


class AssetKeywords(TypedDict):
    """Keywords of ``open_scene`` and all that calls it."""

    allow_outside: bool
    asset_folders: Sequence[Path]


def asset_keywords(settings: Settings, scene: Path) -> AssetKeywords:
    """How a scene is to be opened after what the settings say of it."""
    return {
        "allow_outside": settings.outside_assets.get(_key(scene)) == READ,
        "asset_folders": [Path(folder) for folder in settings.asset_folders],
    }


def is_answered(settings: Settings, scene: Path) -> bool:
    """Whether a person was asked about this scene."""
    return _key(scene) in settings.outside_assets


def with_answer(settings: Settings, scene: Path, *, is_read: bool) -> Settings:
    """The settings that remember an answer for this scene."""
    answers = {**settings.outside_assets, _key(scene): READ if is_read else LEFT_OUT}
    return replace(settings, outside_assets=MappingProxyType(answers))


def _key(scene: Path) -> str:
    return os.path.realpath(scene)
