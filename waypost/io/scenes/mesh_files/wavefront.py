"""Wavefront OBJ with its MTL: trimesh decodes the geometry, the materials are read here.

trimesh forgets the material of faces without texture coordinates, so it is told other names of
materials, by which its parts are known again.

Source:
    Wavefront, Object Files (.obj) and Material Library File Format (.mtl).
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import trimesh.exchange.obj
from numpy.typing import NDArray

from waypost.domain.scene.scene import ABSENT, AssetKind, Material, MissingAsset
from waypost.io.file_reading import read_beginning
from waypost.io.scenes.asset_access import AssetAccess
from waypost.io.scenes.bounds import MAX_FILE_BYTES
from waypost.io.scenes.color_numbers import linear_of_srgb
from waypost.io.scenes.format import SourceMesh, SourceScene
from waypost.io.scenes.mesh_files.polygons import triangles_of
from waypost.io.scenes.textures import PictureRefused, TextureShelf

_USE: Final = re.compile(r"^[ \t]*usemtl[ \t]+(.+?)[ \t]*$", re.MULTILINE)
_LIBRARY: Final = re.compile(r"^[ \t]*mtllib[ \t]+(.+?)[ \t]*$", re.MULTILINE)
_PART: Final = re.compile(r"(?:^|_)waypost-(\d+)(?:_\d+)?$")
_UNSHOWN: Final = {
    "map_bump": "normal maps",
    "bump": "normal maps",
    "norm": "normal maps",
    "map_ks": "reflections (metal and gloss)",
    "map_ke": "emissive textures of OBJ",
    "map_d": "opacity textures of OBJ",
}


def add_wavefront(path: Path, access: AssetAccess, source: SourceScene) -> None:
    """Read an OBJ file into a source."""
    text = read_beginning(path, MAX_FILE_BYTES).decode("utf-8", errors="replace")
    names = list(dict.fromkeys(_USE.findall(text)))
    library: dict[str, dict[str, str]] = {}
    for stated in dict.fromkeys(_LIBRARY.findall(text)):
        library |= _library(path, access, source, stated)
    numbered = {name: number for number, name in enumerate(names)}
    text = _USE.sub(lambda found: f"usemtl waypost-{numbered[found[1]]}", text)
    text = "mtllib waypost.mtl\n" + _LIBRARY.sub("", text)
    loaded = trimesh.exchange.obj.load_obj(
        io.StringIO(text), resolver=_Names(len(names)), split_objects=True
    )
    shelf = TextureShelf(source.textures, source.texture_wraps)
    indices: dict[int, int] = {}
    for name, part in loaded.get("geometry", {}).items():
        found = _PART.search(name)
        index = None
        if found is not None:
            number = int(found[1])
            if number not in indices:
                look = library.get(names[number], {})
                indices[number] = _add_material(path, access, source, shelf, names[number], look)
            index = indices[number]
        shown = name[: found.start()] if found else name
        source.meshes.append(_mesh(shown or path.stem, part, index))
    if shelf.reduced_count:
        source.warnings.append(f"{shelf.reduced_count} large textures are shown reduced")


class _Names(Mapping[str, bytes]):
    """Answers trimesh with a library that only names materials; one more keeps it naming parts."""

    def __init__(self, count: int) -> None:
        self._text = "".join(f"newmtl waypost-{n}\nKd 1 1 1\n" for n in range(count + 2)).encode()

    def __getitem__(self, key: str) -> bytes:
        if not key.endswith(".mtl"):
            raise KeyError(key)
        return self._text

    def get(self, key: str, _: Any = None) -> bytes:
        """The same, as resolvers of trimesh are asked."""
        return self[key]

    def __iter__(self) -> Any:
        return iter(("waypost.mtl",))

    def __len__(self) -> int:
        return 1


def _mesh(name: str, part: dict[str, Any], material_index: int | None) -> SourceMesh:
    colors = part.get("vertex_colors")
    uvs = getattr(part.get("visual"), "uv", None)
    points = np.asarray(part["vertices"], dtype=np.float64)
    has_colors = colors is not None and len(colors) == len(points)
    return SourceMesh(
        name,
        points,
        triangles_of(points, part.get("faces")),
        None if uvs is None or len(uvs) != len(points) else np.asarray(uvs, dtype=np.float32),
        material_index,
        colors=_bytes_of(np.asarray(colors)) if has_colors else None,
    )


def _bytes_of(colors: NDArray[Any]) -> NDArray[np.uint8]:
    if colors.dtype.kind == "f":
        colors = np.rint(np.clip(colors, 0.0, 1.0) * 255.0)
    return colors[:, :3].astype(np.uint8)


def _library(
    path: Path, access: AssetAccess, source: SourceScene, stated: str
) -> dict[str, dict[str, str]]:
    """Material → its lines, by their key in lower case; what is missing is listed."""
    file = path.parent / stated.replace("\\", "/")
    if not source.permits(access, stated, file, path.name, AssetKind.TEXTURE):
        return {}
    text = read_beginning(file, MAX_FILE_BYTES).decode("utf-8", errors="replace")
    found: dict[str, dict[str, str]] = {}
    lines: dict[str, str] = {}
    for line in text.splitlines():
        key, _, value = line.strip().partition(" ")
        if key.lower() == "newmtl":
            lines = found.setdefault(value.strip(), {})
        elif value and not key.startswith("#"):
            lines[key.lower()] = value.strip()
    return found


def _add_material(
    path: Path,
    access: AssetAccess,
    source: SourceScene,
    shelf: TextureShelf,
    name: str,
    lines: dict[str, str],
) -> int:
    """Put a material into the source; colours of MTL are sRGB, as nearly all writers have it."""
    for key, what in _UNSHOWN.items():
        if key in lines:
            source.leave_out_look(what, name)
    texture = _texture(path, access, source, shelf, name, lines.get("map_kd"))
    kd = _numbers(lines.get("kd", ""), (0.8, 0.8, 0.8))
    if texture is not None and max(kd) <= 0:
        kd = (1.0, 1.0, 1.0)  # many writers leave it black beside a picture
    ke = _numbers(lines.get("ke", ""), (0.0, 0.0, 0.0))
    alpha = _numbers(lines.get("d", ""), (1.0,))[0]
    if "d" not in lines:
        alpha = 1.0 - _numbers(lines.get("tr", ""), (0.0,))[0]
    red, green, blue = linear_of_srgb(kd)
    source.materials.append(
        Material(
            name,
            (red, green, blue, min(max(alpha, 0.0), 1.0)),
            texture,
            emissive_color=linear_of_srgb(ke),
        )
    )
    return len(source.materials) - 1


def _texture(
    path: Path,
    access: AssetAccess,
    source: SourceScene,
    shelf: TextureShelf,
    name: str,
    stated: str | None,
) -> int | None:
    """Index of the picture of a material; options before the file name are passed over."""
    if stated is None:
        return None
    whole = path.parent / stated.replace("\\", "/")
    file = whole if whole.exists() else path.parent / stated.split()[-1].replace("\\", "/")
    if not source.permits(access, stated, file, name, AssetKind.TEXTURE):
        return None
    try:
        return shelf.add(read_beginning(file, MAX_FILE_BYTES), is_opaque=True)
    except PictureRefused as refusal:
        source.warnings.append(f"the picture {stated} {refusal}")
    except OSError:
        source.add_missing(MissingAsset(stated, name, AssetKind.TEXTURE, ABSENT))
    return None


def _numbers(text: str, default: tuple[float, ...]) -> tuple[float, ...]:
    try:
        found = tuple(float(part) for part in text.split()[: len(default)])
    except ValueError:
        return default
    return found if len(found) == len(default) else default
