"""What the composition of a USD stage did not find, each in its own words."""

from __future__ import annotations

import re
from collections.abc import Container
from pathlib import Path
from typing import Final

from pxr import Pcp, Usd, UsdShade

from waypost.domain.scene.scene import ABSENT, AssetKind, MissingAsset
from waypost.io.scenes.format import SourceScene

_ASSET = re.compile(r"@([^@]+)@")
_TARGET = re.compile(r"@<([^>]*)>")
_REASON = re.compile(r" -- (.*)", re.DOTALL)

_FOREIGN_FORMATS: Final = {
    ".mtlx": (
        AssetKind.TEXTURE,
        "is MaterialX of which no base colour could be read; its materials are shown plain",
    ),
    ".abc": (AssetKind.GEOMETRY, "is Alembic, which is not read"),
    ".vdb": (AssetKind.GEOMETRY, "is OpenVDB, which is not read"),
}
"""Suffix → what such a file would bring, and why it does not."""


def list_unresolved(
    path: Path, stage: Usd.Stage, source: SourceScene, read_otherwise: Container[Path]
) -> None:
    """List every layer, payload, reference and variant that composition did not find.

    Args:
        path: The scene file.
        stage: As it was composed.
        source: Receives what is missing.
        read_otherwise: Files, resolved, that composition cannot read and that were read anyway.
    """
    for error in stage.GetCompositionErrors():
        text = str(error)
        found = _ASSET.search(text)
        wanted_by = str(error.rootSite.path)
        asset = _short(path, found[1]) if found else wanted_by
        if error.errorType == Pcp.ErrorType_UnresolvedPrimPath:
            kind = _brought_to(stage.GetPrimAtPath(wanted_by))
            source.add_missing(_missing_prim(text, asset, wanted_by, kind))
        elif error.errorType == Pcp.ErrorType_ArcCycle:
            reason = "refers to itself in a circle, and that reference is left out"
            source.warnings.append(f"{wanted_by} {reason}")
        elif error.errorType == Pcp.ErrorType_InvalidAssetPath and found:
            if Path(found[1]).resolve() in read_otherwise:
                continue
            kind, reason = _fate_of_file(found[1], text)
            source.add_missing(MissingAsset(asset, wanted_by, kind, reason))
        else:
            source.warnings.append(f"{wanted_by} is composed with an error: {_one_line(text)}")


def list_wrong_variants(prim: Usd.Prim, source: SourceScene) -> None:
    """List the selected variants of a prim that do not exist, so that nothing of them is shown."""
    sets = prim.GetVariantSets()
    for name in sets.GetNames():
        chosen = sets.GetVariantSelection(name)
        known = sets.GetVariantSet(name).GetVariantNames()
        if chosen and chosen not in known:
            kind = _brought_to(prim)
            reason = f"is not among its variants ({', '.join(known) or 'it has none'})"
            wanted_by = str(prim.GetPath())
            source.add_missing(MissingAsset(f"variant {name}={chosen}", wanted_by, kind, reason))


def _missing_prim(text: str, asset: str, wanted_by: str, kind: AssetKind) -> MissingAsset:
    """What is missing is the prim: gaps are allowed by name, and another one has another."""
    if "<defaultPrim>" in text:
        return MissingAsset(f"default prim of {asset}", wanted_by, kind, "is not stated there")
    target = _TARGET.search(text)
    name = f"prim {target[1]} of {asset}" if target else f"a prim of {asset}"
    return MissingAsset(name, wanted_by, kind, "is not in that file")


def _brought_to(prim: Usd.Prim) -> AssetKind:
    """What a prim lacks to which something is not brought: materials have no geometry."""
    brings_looks = prim and (prim.IsA(UsdShade.Material) or prim.IsA(UsdShade.NodeGraph))
    return AssetKind.TEXTURE if brings_looks else AssetKind.GEOMETRY


def _fate_of_file(file: str, text: str) -> tuple[AssetKind, str]:
    """What a file that is not composed would bring, and why it is not."""
    inner = file.split(":SDF_FORMAT_ARGS:", maxsplit=1)[0]
    if not Path(inner).exists():
        return _FOREIGN_FORMATS.get(_suffix(inner), (AssetKind.GEOMETRY, ""))[0], ABSENT
    if _suffix(inner) in _FOREIGN_FORMATS:
        return _FOREIGN_FORMATS[_suffix(inner)]
    if "Cannot determine file format" in text:
        return AssetKind.GEOMETRY, "is of a format that is not read"
    told = _REASON.search(text)
    return AssetKind.GEOMETRY, f"cannot be read ({_one_line(told[1]) if told else 'no reason'})"


def _suffix(file: str) -> str:
    return Path(file).suffix.lower()


def _one_line(text: str) -> str:
    return " ".join(text.split())[:120]


def _short(path: Path, asset: str) -> str:
    """An asset path as a scene in the same folder would state it."""
    try:
        return Path(asset).relative_to(path.parent.resolve()).as_posix()
    except ValueError:
        return asset
