"""Collect named objects and turn them into one scene."""

from __future__ import annotations

import numpy as np

from tools.sample_home.finishes import FINISHES
from tools.sample_home.pieces import Piece, Pieces
from tools.sample_home.solids import Solid, merged
from tools.sample_home.textures import paint
from waypost.domain.scene.scene import Material, Mesh, Scene


class SceneBuilder:
    """Gathers objects by name; same additions in the same order give the same scene."""

    def __init__(self) -> None:
        self._objects: dict[str, list[Piece]] = {}

    def add(self, name: str, pieces: Pieces) -> None:
        """Add pieces to an object; the object is made when its name is new."""
        self._objects.setdefault(name, []).extend(pieces)

    def build(self, name: str) -> Scene:
        """The scene so far: one mesh per object and finish, textures painted."""
        by_mesh = self._by_mesh()
        finishes = list(dict.fromkeys(finish for _, finish in by_mesh))
        used = (FINISHES[finish].texture for finish in finishes)
        textures = [key for key in dict.fromkeys(used) if key is not None]
        materials = tuple(
            Material(
                finish,
                FINISHES[finish].linear_rgba,
                textures.index(key) if (key := FINISHES[finish].texture) is not None else None,
            )
            for finish in finishes
        )
        meshes = tuple(
            _mesh(mesh_name, merged(solids), finish, finishes.index(finish))
            for (mesh_name, finish), solids in by_mesh.items()
        )
        pictures = tuple(paint(key) for key in textures)
        return Scene(name, "", "glb", meshes, materials, pictures, source_up_axis="Z")

    def _by_mesh(self) -> dict[tuple[str, str], list[Solid]]:
        grouped: dict[tuple[str, str], list[Solid]] = {}
        for name, pieces in self._objects.items():
            is_single = len({piece.finish for piece in pieces}) == 1
            for piece in pieces:
                mesh_name = name if is_single else f"{name}: {piece.finish}"
                grouped.setdefault((mesh_name, piece.finish), []).append(piece.solid)
        return grouped


def _mesh(name: str, solid: Solid, finish: str, material_index: int) -> Mesh:
    uvs = (solid.uvs / FINISHES[finish].tile_m).astype(np.float32)
    return Mesh(name, solid.vertices.astype(np.float32), solid.faces, uvs, material_index)
