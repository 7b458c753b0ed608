"""What a scene lacks, told once per thing however many ask for it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final, NamedTuple

from waypost.domain.base.counted_words import counted
from waypost.domain.scene.scene import AssetKind, MissingAsset, Scene

WAY_PAST: Final = "see Drive despite missing geometry, under Edit"
"""Where a person at the window allows it, for behind a refusal to drive."""

_SHOWN = 3


class MissingGroup(NamedTuple):
    """One missing thing and everybody who asks for it."""

    first: MissingAsset
    askers: int

    @property
    def wanted_by(self) -> str:
        """The first that asks for it, and how many more do."""
        others = f" and {self.askers - 1:,} more" if self.askers > 1 else ""
        return f"{self.first.wanted_by}{others}"


def grouped(missing: Iterable[MissingAsset]) -> tuple[MissingGroup, ...]:
    """The same asset, missing for the same reason, once; geometry first."""
    groups: dict[MissingAsset, list[MissingAsset]] = {}
    for asset in missing:
        groups.setdefault(replace(asset, wanted_by=""), []).append(asset)
    found = [MissingGroup(assets[0], len(assets)) for assets in groups.values()]
    return tuple(sorted(found, key=lambda group: group.first.kind is not AssetKind.GEOMETRY))


def geometry_gaps(scene: Scene) -> tuple[str, ...]:
    """What an agent could drive through because it is not there, e.g. ``sofa.usd``."""
    missing = [group.first.asset for group in _missing_geometry(scene)]
    return (*missing, *(part.name for part in scene.left_out))


def gap_lines(scene: Scene) -> tuple[str, ...]:
    """Each gap with who asks for it and why it is missing: ``sofa.usd, wanted by /A: …``."""
    missing = [
        f"{group.first.asset}, wanted by {group.wanted_by}: {group.first.reason}"
        for group in _missing_geometry(scene)
    ]
    return (*missing, *(f"{part.name}: {part.reason}" for part in scene.left_out))


def refusal_to_drive(scene: Scene, allowed: Collection[str] = ()) -> str:
    """Why nobody may drive in a scene; empty if nothing of its geometry is missing.

    Args:
        scene: The scene.
        allowed: Gaps despite which a person allowed it.
    """
    gaps = tuple(gap for gap in geometry_gaps(scene) if gap not in allowed)
    if not gaps:
        return ""
    more = ", …" if len(gaps) > _SHOWN else ""
    what = counted(len(gaps), "part of the geometry is", "parts of the geometry are")
    return (
        f"{what} missing ({', '.join(gaps[:_SHOWN])}{more}), so an agent could go where it cannot"
    )


def _missing_geometry(scene: Scene) -> tuple[MissingGroup, ...]:
    # Of a thousand missing textures nothing is grouped: this is asked at every answer and drive.
    return grouped(a for a in scene.missing_assets if a.kind is AssetKind.GEOMETRY)
