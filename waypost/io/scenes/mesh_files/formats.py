"""The registry's entries of files of triangles or points alone, and how each is told."""

from __future__ import annotations

from waypost.io.scenes.format import Format


def _is_ply(head: bytes) -> bool:
    return head.startswith((b"ply\n", b"ply\r"))


def _is_collada(head: bytes) -> bool:
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<") and b"<COLLADA" in head


def _is_off(head: bytes) -> bool:
    return head.lstrip()[:6].split(b"\n")[0].strip() in (b"OFF", b"COFF", b"NOFF", b"CNOFF")


def _is_text_stl(head: bytes) -> bool:
    return head.lstrip().startswith(b"solid") and b"facet" in head


PLY = Format("PLY", (".ply",), _is_ply)
OFF = Format("OFF", (".off",), _is_off)
STL = Format("STL", (".stl",), _is_text_stl, is_told_by_name=True)
OBJ = Format("Wavefront OBJ", (".obj",), lambda _: False, is_told_by_name=True)

DAE = Format("COLLADA", (".dae",), _is_collada)

MESH_FORMATS = (DAE, PLY, OFF, STL, OBJ)
