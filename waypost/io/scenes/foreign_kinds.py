"""What a file is that is no scene Waypost opens, and how it becomes one."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Final

from waypost.domain.base.errors import ReadError
from waypost.io.file_reading import open_for_reading

_BLENDER: Final = "open it in Blender and export it as glTF (.glb)"

_KINDS: Final[tuple[tuple[bytes, str, str], ...]] = (
    (b"version https://git-lfs", "a pointer of Git LFS, not the file itself", "run `git lfs pull`"),
    (b"BLENDER", "a Blender file", _BLENDER),
    (b"Kaydara FBX Binary", "an FBX file", _BLENDER),
    (b"; FBX", "an FBX file", _BLENDER),
    (b"ASTM-E57", "an E57 scan of points", "export it as PLY, e.g. from CloudCompare"),
    (b"LASF", "a LAS scan of points", "export it as PLY, e.g. from CloudCompare"),
    (b"ISO-10303-21", "a STEP or IFC file", "export it as glTF, e.g. with IfcConvert or FreeCAD"),
    (b"#VRML", "a VRML file", _BLENDER),
    (b"Ogawa", "an Alembic file", _BLENDER),
    (b"7z\xbc\xaf", "a 7z archive", "unpack it and open the scene inside"),
    (b"Rar!", "a RAR archive", "unpack it and open the scene inside"),
    (b"\x1f\x8b", "a gzip archive", "unpack it and open the scene inside"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive or a compressed Blender file", _BLENDER),
    (b"<!DOCTYPE html", "a web page", "download the file that the page offers"),
    (b"<html", "a web page", "download the file that the page offers"),
)
"""First bytes, what that is, and the way to a scene."""

_MARKUP: Final = (
    (b"<X3D", "an X3D file", _BLENDER),
    (b"<materialx", "a MaterialX file of materials alone", "open the stage that refers to it"),
)


def foreign_kind(path: Path, head: bytes) -> str:
    """What a file is and what to do, e.g. ``this is a zip archive; unpack it …``; else empty.

    Args:
        path: The file.
        head: Its first bytes.
    """
    for start, what, way in _KINDS:
        if head.lower().startswith(start.lower()):
            return f"this is {what}; {way}"
    for word, what, way in _MARKUP:
        if head.lstrip().startswith(b"<") and word in head:
            return f"this is {what}; {way}"
    if head.startswith(b"PK\x03\x04"):
        return _kind_of_zip(path)
    return ""


def _kind_of_zip(path: Path) -> str:
    """What a zip archive holds; empty for a package of USD."""
    try:
        with open_for_reading(path) as stream, zipfile.ZipFile(stream) as archive:
            names = archive.namelist()
    except (ReadError, OSError, zipfile.BadZipFile, ValueError, NotImplementedError):
        return "this is a damaged zip archive; fetch it again"
    if any(name.lower().endswith("3dmodel.model") for name in names):
        return f"this is a 3MF file; {_BLENDER}"
    if names and names[0].lower().endswith((".usd", ".usda", ".usdc")):
        return ""
    return "this is a zip archive; unpack it and open the scene inside"
