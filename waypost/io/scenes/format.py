"""What a scene reader is, and what every reader hands on before the scene frame is applied."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.progress import Progress
from waypost.domain.scene.scene import (
    AssetKind,
    LeftOutObject,
    Material,
    MissingAsset,
    OutsideAsset,
)
from waypost.domain.scene.texture_wrap import TextureWrap
from waypost.io.scenes.asset_access import AssetAccess, Permission


@dataclass(frozen=True, eq=False, slots=True)
class SourceMesh:
    """One object with one material, still in the axes and units of its file."""

    name: str
    points: NDArray[np.float64]
    """(V, 3) after all transforms of the file."""

    faces: NDArray[np.int32]
    """(F, 3) counter-clockwise seen from outside, mirrored transforms allowed for."""

    uvs: NDArray[np.float32] | None = None
    """(V, 2), v = 0 at the bottom row."""

    material_index: int | None = None
    is_collider: bool = True
    colors: NDArray[np.uint8] | None = None
    """(V, 3) sRGB."""

    light_uvs: NDArray[np.float32] | None = None
    """As `uvs`, of the emissive and the occlusion texture where they have their own."""

    is_flat: bool = False
    is_stray: bool = False


@dataclass(slots=True)
class SourceScene:
    """All that a reader found in a file."""

    format: str
    up_axis: str
    """``Y`` or ``Z`` as the file says."""

    metres_per_unit: float
    is_up_axis_stated: bool = True
    """False where ``up_axis`` is only the fallback of the format."""

    is_unit_stated: bool = True
    """False where ``metres_per_unit`` is only the fallback of the format."""

    meshes: list[SourceMesh] = field(default_factory=list)
    materials: list[Material] = field(default_factory=list)
    textures: list[NDArray[np.uint8]] = field(default_factory=list)
    texture_wraps: list[TextureWrap] = field(default_factory=list)
    """One for each texture, as far as the reader knows."""

    missing_assets: list[MissingAsset] = field(default_factory=list)
    left_out: list[LeftOutObject] = field(default_factory=list)
    outside_assets: list[OutsideAsset] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    not_shown: dict[str, dict[str, None]] = field(default_factory=dict)
    """What is not drawn, e.g. ``normal maps``, and the materials or meshes that ask for it."""

    def leave_out_look(self, what: str, wanted_by: str) -> None:
        """Remember that a material or mesh asks for what is not drawn.

        Args:
            what: In the plural, such as ``normal maps``.
            wanted_by: Its name.
        """
        self.not_shown.setdefault(what, {})[wanted_by] = None

    def leave_out(self, name: str, reason: str) -> None:
        """List an object that cannot be shown, once.

        Args:
            name: As meshes are named.
            reason: A clause such as ``a vertex is not a finite number``.
        """
        entry = LeftOutObject(name, reason)
        if entry not in self.left_out:
            self.left_out.append(entry)

    def add_missing(self, asset: MissingAsset) -> None:
        """List a missing file once per thing that wants it."""
        if asset not in self.missing_assets:
            self.missing_assets.append(asset)

    def add_outside(self, asset: OutsideAsset) -> None:
        """List a file outside the scene's folder once per thing that wants it."""
        if asset not in self.outside_assets:
            self.outside_assets.append(asset)

    def permits(
        self, access: AssetAccess, stated: str, path: Path, wanted_by: str, kind: AssetKind
    ) -> bool:
        """Whether a file that the scene names may be opened; what may not is listed.

        Args:
            access: Where files may lie.
            stated: The path as the scene states it.
            path: Where that is.
            wanted_by: The prim, node or material that asks for it.
            kind: What it would bring.
        """
        verdict = access.judge(stated, path)
        self.add_judged(verdict, stated, path, wanted_by, kind)
        return not verdict.reason

    def add_judged(
        self, verdict: Permission, stated: str, path: Path, wanted_by: str, kind: AssetKind
    ) -> None:
        """List what a verdict says is missing or outside; arguments as for `permits`."""
        if verdict.is_outside:
            is_followed = not verdict.reason
            self.add_outside(OutsideAsset(stated, wanted_by, str(path), is_followed))
        if verdict.reason:
            self.add_missing(MissingAsset(stated, wanted_by, kind, verdict.reason))


Reading = Generator[Progress, None, SourceScene]
"""A read in steps; closing the generator between two of them cancels it."""


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of scene file."""

    name: str
    """For people, e.g. ``glTF``."""

    suffixes: tuple[str, ...]
    """Lower case, with the dot."""

    can_read: Callable[[bytes], bool]
    """Whether the first bytes of a file (up to 4 KiB) look like this format."""

    is_told_by_name: bool = False
    """Whether the end of the name tells it where no first bytes do."""
