"""Materials that a stage takes from MaterialX documents, which OpenUSD's wheel does not compose."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from pxr import Sdf, Usd

from waypost.domain.base.errors import ReadError
from waypost.io.file_reading import open_for_reading
from waypost.io.foreign_errors import reading
from waypost.io.scenes.asset_access import AssetAccess
from waypost.io.scenes.materialx import MaterialXBase
from waypost.io.scenes.materialx_documents import base_colors

_SUFFIX: Final = ".mtlx"
_BINDING: Final = "material:binding"
_MOST_BYTES: Final = 16 * 1024 * 1024


class MaterialXMaterial(NamedTuple):
    """A material of a document."""

    document: Path
    name: str
    base: MaterialXBase | None
    """``None`` if the base colour is made in a way that is not read."""

    @property
    def key(self) -> str:
        """Tells it from others."""
        return f"{self.document.name}</{self.name}>"


class MaterialXLooks:
    """Reads each document of a stage once.

    Args:
        access: Where files may lie.
    """

    def __init__(self, access: AssetAccess) -> None:
        self._access = access
        self._documents: dict[Path, dict[str, MaterialXBase] | None] = {}
        self.read_files: set[Path] = set()
        """Documents of which something is shown, or said not to be."""

    def bound_to(self, prim: Usd.Prim) -> MaterialXMaterial | None:
        """The material that a mesh or subset is bound to, if it comes from a document."""
        target = _bound_path(prim)
        if target is None:
            return None
        found = prim.GetStage().GetPrimAtPath(target)
        if found:
            return self.of_prim(found)
        # What a document would bring below the prim that names it is not composed.
        path = target.GetParentPath()
        while not path.IsAbsoluteRootPath():
            holder = prim.GetStage().GetPrimAtPath(path)
            if holder:
                return self._first(holder, target.name)
            path = path.GetParentPath()
        return None

    def of_prim(self, prim: Usd.Prim) -> MaterialXMaterial | None:
        """The material that a prim refers to in a document."""
        return self._first(prim, "")

    def _first(self, prim: Usd.Prim, name: str) -> MaterialXMaterial | None:
        for document, stated in _references(prim):
            materials = self._read(document)
            if materials is None:
                continue
            wanted = name or stated or next(iter(materials), "")
            self.read_files.add(document.resolve())
            return MaterialXMaterial(document, wanted, materials.get(wanted))
        return None

    def _read(self, document: Path) -> dict[str, MaterialXBase] | None:
        """The base colours of a document; ``None`` if it cannot be read."""
        if document not in self._documents:
            self._documents[document] = self._parsed(document)
        return self._documents[document]

    def _parsed(self, document: Path) -> dict[str, MaterialXBase] | None:
        if self._access.judge(str(document), document).reason:
            return None
        try:
            with reading(document), open_for_reading(document) as file:
                text = file.read(_MOST_BYTES + 1)
            return base_colors(text) if len(text) <= _MOST_BYTES else None
        except (ReadError, ValueError):
            return None


def _references(prim: Usd.Prim) -> Iterator[tuple[Path, str]]:
    """The documents that the layers of a prim refer to, and the material they name there."""
    for spec in prim.GetPrimStack():
        if not spec.HasInfo("references"):
            continue
        for arc in spec.GetInfo("references").GetAddedOrExplicitItems():
            if arc.assetPath.lower().endswith(_SUFFIX):
                named = arc.primPath.name if arc.primPath.pathElementCount > 2 else ""
                yield Path(spec.layer.ComputeAbsolutePath(arc.assetPath)), named


def _bound_path(prim: Usd.Prim) -> Sdf.Path | None:
    """What the nearest prim that is bound at all is bound to."""
    while prim and not prim.IsPseudoRoot():
        relation = prim.GetRelationship(_BINDING)
        targets = relation.GetTargets() if relation else []
        if targets:
            return targets[0]
        prim = prim.GetParent()
    return None
