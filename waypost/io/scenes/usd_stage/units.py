"""Files of a USD stage whose unit is not that of the file that refers to them.

Composition does not scale: a chair in metres is 100 times too small in a house in centimetres,
unless a transform makes up for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from pxr import Sdf, Usd, UsdGeom

from waypost.io.scenes.format import SourceScene
from waypost.io.scenes.usd_stage.layers import StageLayers, prim_specs

_KEY: Final = UsdGeom.Tokens.metersPerUnit
_TOLERANCE: Final = 0.1
"""A scale within this share of the factor makes up for it."""


def list_other_units(
    stage: Usd.Stage, layers: StageLayers, source: SourceScene, corrected: float | None
) -> None:
    """Say of each reference and payload to a file of another unit how much it is out.

    Args:
        stage: What the layers compose.
        layers: With the units that they state.
        source: Receives what is said.
        corrected: Metres per unit that a person gave the stage. A file that states these is right;
            so is one that states what the stage does, for both were wrong alike.
    """
    stated = {_stated_unit(layer) for layer in layers.by_identifier.values()} - {None}
    if len(stated) < 2:
        return
    here = float(UsdGeom.GetStageMetersPerUnit(stage))
    of_stage = {layer.identifier for layer in stage.GetLayerStack()}
    for layer in layers.by_identifier.values():
        as_stated = own = _stated_unit(layer) or here
        if corrected is not None and layer.identifier in of_stage:
            own = corrected
        for spec in prim_specs(layer):
            for asset in _asset_paths(spec):
                other = layers.named.get((layer.identifier, asset))
                unit = None if other is None else _stated_unit(other)
                if unit is not None and not (_is_same(unit, own) or _is_same(unit, as_stated)):
                    _list_reference(stage, spec, asset, unit / own, source)


def _is_same(unit: float, other: float) -> bool:
    return math.isclose(unit, other, rel_tol=1e-6)


def _list_reference(
    stage: Usd.Stage, spec: Sdf.PrimSpec, asset: str, factor: float, source: SourceScene
) -> None:
    scale = _scale_of(stage.GetPrimAtPath(spec.path))
    if scale and abs(scale / factor - 1.0) <= _TOLERANCE:
        return
    out, how = (factor, "small") if factor > 1 else (1 / factor, "large")
    source.warnings.append(
        f"{spec.path} refers to {asset}, which has another unit: it is {out:g} times too {how} here"
    )


def _stated_unit(layer: Sdf.Layer) -> float | None:
    """Metres per unit that a layer states; ``None`` if it states none that is a length."""
    root = layer.pseudoRoot
    if not root.HasInfo(_KEY):
        return None
    value = float(root.GetInfo(_KEY))
    return value if 0 < value < math.inf else None


def _asset_paths(spec: Sdf.PrimSpec) -> Iterator[str]:
    for key in ("references", "payload"):
        if spec.HasInfo(key):
            items: Any = spec.GetInfo(key).GetAddedOrExplicitItems()
            yield from (arc.assetPath for arc in items if arc.assetPath)


def _scale_of(prim: Usd.Prim) -> float:
    """How much the own transform of a prim scales, as one factor; 0 if that is nothing."""
    if not prim or not prim.IsA(UsdGeom.Xformable):
        return 1.0
    matrix = UsdGeom.Xformable(prim).GetLocalTransformation(Usd.TimeCode.EarliestTime())
    local = np.array(matrix, dtype=np.float64)[:3, :3]
    return float(abs(np.linalg.det(local)) ** (1 / 3))
