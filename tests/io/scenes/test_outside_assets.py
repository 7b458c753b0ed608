"""What a scene names: files inside its folder are read, all else is listed with a reason."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from worlds.scene_files import CUBE_POINTS, Gltf, cube_glb, png, read_failure, usd_cube, usda

from waypost.domain.scene.scene import OUTSIDE_PLACE, Scene
from waypost.io.scenes.asset_access import AssetAccess
from waypost.io.scenes.open_scene import read_scene

pytestmark = [pytest.mark.heavy, pytest.mark.no_cover]

OUTSIDE = "is outside the scene's folder"
ADDRESS = "is an address, and only files are read"
FOLDER = "is a folder, not a file"
SPECIAL = "is a pipe, a socket or a device, not a file"


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A folder for a scene, with room outside it."""
    (tmp_path / "house").mkdir()
    return tmp_path / "house"


def _make_pipe(path: Path) -> None:
    os.mkfifo(path)


def _make_socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # their names are short
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(path.name)
    finally:
        os.chdir(here)


def _link_to_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def test_what_may_not_be_read_is_missing(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture of somebody else kept the rooms of an OBJ or COLLADA file from being shown."""
    picture = house / "wood.png"
    picture.write_bytes(b"")
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    verdict = AssetAccess.of(house / "a.obj").judge(picture.name, picture)
    assert verdict.reason == "may not be read"


SPECIALS: tuple[tuple[Callable[[Path], None], str], ...] = (
    (Path.mkdir, FOLDER),
    (_make_pipe, SPECIAL),
    (_make_socket, SPECIAL),
    (_link_to_device, SPECIAL),
)
ADDRESSES = (
    "http://example.org/a.usda",
    "https://example.org/a.usda",
    "file:///etc/hostname",
    "//server/share/a.usda",
    "\\\\server\\share\\a.usda",
    "omniverse://server/a.usda",
    "%5C%5Cserver%5Cshare%5Ca.usda",
)


def _gltf_with_picture(house: Path, uri: str) -> Path:
    gltf = Gltf()
    mesh = gltf.mesh(material=0)
    attributes = gltf.header["meshes"][mesh]["primitives"][0]["attributes"]
    attributes["TEXCOORD_0"] = gltf.accessor(CUBE_POINTS[:, :2], "f4")
    gltf.header["images"] = [{"uri": uri}]
    gltf.header["textures"] = [{"source": 0}]
    gltf.header["materials"] = [
        {"name": "paint", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}
    ]
    gltf.scene(gltf.node(mesh=mesh, name="cube"))
    return gltf.write(house / "a.glb")


def _gltf_with_buffer(house: Path, uri: str) -> Path:
    """Two cubes, one of them in a buffer of its own."""
    gltf = cube_glb()
    path = gltf.write_gltf(house / "a.gltf", "own.bin")
    header = json.loads(path.read_text())
    header["buffers"].append({"byteLength": 96, "uri": uri})
    header["bufferViews"].append({"buffer": 1, "byteLength": 96})
    header["accessors"].append({**header["accessors"][0], "bufferView": 2})
    primitive = {"attributes": {"POSITION": 2}, "indices": 1}
    header["meshes"].append({"name": "far", "primitives": [primitive]})
    header["nodes"].append({"mesh": 1})
    header["scenes"][0]["nodes"].append(1)
    path.write_text(json.dumps(header))
    return path


def _usd_with(house: Path, arc: str, uri: str) -> Path:
    head = f"@{uri}@" if arc == "subLayers" else ""
    body = usd_cube("C")
    if arc == "texture":
        body = usd_cube("C", more="rel material:binding = </Paint>") + _paint(uri)
    elif arc == "clips":
        body += (
            f'def Xform "F" (clips = {{ dictionary default = {{ asset[] assetPaths = [@{uri}@]\n'
            'string primPath = "/C" } }) {\n}\n'
        )
    elif arc != "subLayers":
        body += f'def "F" ({arc} = @{uri}@</C>) {{\n}}\n'
    path = usda(house / "a.usda", body)
    if head:
        path.write_text(path.read_text().replace("(\n", f"(\n    subLayers = [{head}]\n", 1))
    return path


def _paint(uri: str) -> str:
    return f"""
def Material "Paint" {{
    token outputs:surface.connect = </Paint/S.outputs:surface>
    def Shader "S" {{
        uniform token info:id = "UsdPreviewSurface"
        color3f inputs:diffuseColor.connect = </Paint/T.outputs:rgb>
        token outputs:surface
    }}
    def Shader "T" {{
        uniform token info:id = "UsdUVTexture"
        asset inputs:file = @{uri}@
        float3 outputs:rgb
    }}
}}
"""


ARCS = ("references", "payload", "subLayers", "texture", "clips")
WRITERS: dict[str, Callable[[Path, str], Path]] = {
    "buffer": _gltf_with_buffer,
    "picture": _gltf_with_picture,
    **{arc: lambda house, uri, arc=arc: _usd_with(house, arc, uri) for arc in ARCS},  # type: ignore[misc]
}


EVERY_WAY_OF: tuple[str, ...] = ("picture", "references")
"""One of each format: what checks the names is the same for all that a format may name."""


def _by_kind(values: tuple[str, ...], shared: int) -> list[tuple[str, str]]:
    """Kind and value: all values of one kind per format, the first ones of the others."""
    return [
        (kind, value)
        for kind in WRITERS
        for value in (values if kind in EVERY_WAY_OF else values[:shared])
    ]


def _reasons(scene: Scene) -> set[str]:
    return {asset.reason for asset in scene.missing_assets}


@pytest.mark.timeout(60)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize(("make", "reason"), SPECIALS)
def test_no_regular_file_is_never_opened(
    kind: str, make: Callable[[Path], None], reason: str, house: Path
) -> None:
    make(house / "odd.usda")
    scene = read_scene(WRITERS[kind](house, "./odd.usda"), allow_outside=True)
    assert scene.triangle_count == 12
    assert _reasons(scene) == {reason}


@pytest.mark.parametrize(("kind", "address"), _by_kind(ADDRESSES, 1))
def test_no_address_is_ever_asked(kind: str, address: str, house: Path) -> None:
    quoted = address.replace("\\", "\\\\") if kind in ARCS else address
    scene = read_scene(WRITERS[kind](house, quoted), allow_outside=True)
    assert scene.triangle_count == 12
    assert _reasons(scene) == {ADDRESS}


@pytest.mark.parametrize(("kind", "way"), _by_kind(("up", "link", "absolute", "folder link"), 2))
def test_a_file_outside_is_listed_and_read_when_allowed(kind: str, way: str, house: Path) -> None:
    far = house.parent / "far"
    far.mkdir()
    content = {
        "buffer": CUBE_POINTS.tobytes(),
        "picture": png(np.full((2, 2, 3), 9)),
        "texture": png(np.full((2, 2, 3), 9)),
    }.get(kind)
    if content is None:
        usda(far / "odd.usda", usd_cube("C") + usd_cube("D"))
    else:
        (far / "odd.usda").write_bytes(content)
    if way == "link":
        (house / "odd.usda").symlink_to(far / "odd.usda")
    elif way == "folder link":
        (house / "models").symlink_to(far)
    uri = {
        "up": "../far/odd.usda",
        "absolute": str(far / "odd.usda"),
        "link": "./odd.usda",
        "folder link": "./models/odd.usda",
    }[way]
    path = WRITERS[kind](house, uri)
    closed = read_scene(path)
    assert closed.triangle_count == 12
    assert _reasons(closed) == {OUTSIDE}
    assert {(a.asset, a.is_followed) for a in closed.outside_assets} == {(uri, False)}
    assert all(a.wanted_by for a in closed.outside_assets)
    allowed = read_scene(path, allow_outside=True)
    known = read_scene(path, asset_folders=[far])
    for scene in (allowed, known):
        assert scene.missing_assets == ()
        assert scene.triangle_count == {"texture": 12, "picture": 12, "clips": 12}.get(kind, 24)
        assert len(scene.textures) == (kind in {"texture", "picture"})
    assert {a.is_followed for a in allowed.outside_assets} == {True}
    assert known.outside_assets == ()


def test_a_layer_may_reach_up_inside_the_folder_of_the_scene(house: Path) -> None:
    (house / "models").mkdir()
    (house / "textures").mkdir()
    (house / "textures" / "wood.png").write_bytes(png(np.full((2, 2, 3), 9)))
    body = usd_cube("C", more="rel material:binding = </C/Paint>").rstrip().removesuffix("}")
    inner = _paint("../textures/wood.png").replace("</Paint", "</C/Paint")
    usda(house / "models" / "chair.usda", body + inner + "}\n")
    path = usda(house / "a.usda", 'def "F" (references = @./models/chair.usda@</C>) {\n}\n')
    scene = read_scene(path)
    assert (scene.missing_assets, scene.outside_assets) == ((), ())
    assert len(scene.textures) == 1


def test_nothing_but_files_outside_is_said_as_such(house: Path) -> None:
    usda(house.parent / "far.usda", usd_cube("C"))
    path = usda(house / "a.usda", 'def "F" (references = @../far.usda@</C>) {\n}\n')
    error = read_failure(path)
    assert error.place == OUTSIDE_PLACE
    assert "without 1 file there (../far.usda)" in error.reason
    assert "--allow-outside" in error.reason
    assert read_scene(path, allow_outside=True).triangle_count == 12


def test_what_a_layer_outside_names_is_listed_too(house: Path) -> None:
    usda(house.parent / "further.usda", usd_cube("C"))
    usda(house.parent / "far.usda", 'def "C" (references = @./further.usda@</C>) {\n}\n')
    path = usda(house / "a.usda", usd_cube("O") + 'def "F" (payload = @../far.usda@</C>) {\n}\n')
    followed = read_scene(path, allow_outside=True)
    assert [a.asset for a in followed.outside_assets] == ["../far.usda", "./further.usda"]
    assert [a.wanted_by for a in followed.outside_assets] == ["/F", "/C"]


def test_a_search_path_of_the_environment_is_outside(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = house.parent / "shelf"
    shelf.mkdir()
    usda(shelf / "chair.usda", usd_cube("C"))
    path = usda(house / "a.usda", usd_cube("O") + 'def "F" (payload = @chair.usda@</C>) {\n}\n')
    assert read_scene(path, asset_folders=[shelf]).triangle_count == 24
    assert read_scene(path).triangle_count == 12


def test_asset_paths_with_expressions_are_checked_as_they_come_out(house: Path) -> None:
    usda(house.parent / "far.usda", usd_cube("C"))
    usda(house / "near.usda", usd_cube("C"))
    body = usd_cube("O")
    for name, variable in (("F", "FAR"), ("N", "NEAR")):
        body += f'def "{name}" (payload = @`"${{{variable}}}.usda"`@</C>) {{\n}}\n'
    path = usda(house / "a.usda", body)
    variables = '(\n expressionVariables = { string FAR = "../far"\n string NEAR = "./near" }\n'
    path.write_text(path.read_text().replace("(\n", variables, 1))
    scene = read_scene(path)
    assert scene.triangle_count == 24
    assert [a.asset for a in scene.outside_assets] == ["../far.usda"]


def test_a_template_of_clips_is_followed_to_its_files(house: Path) -> None:
    (house / "clips").mkdir()
    _make_pipe(house / "clips" / "c.3.usda")
    body = usd_cube("C") + (
        'def Xform "F" (clips = { dictionary default = {\n'
        'string templateAssetPath = "./clips/c.#.usda"\n double templateStartTime = 0\n'
        "double templateEndTime = 5\n double templateStride = 1\n"
        'string primPath = "/C" } }) {\n}\n'
    )
    scene = read_scene(usda(house / "a.usda", body))
    assert _reasons(scene) == {SPECIAL}


def test_files_of_a_scene_that_is_a_link_are_beside_what_it_leads_to(house: Path) -> None:
    """A cache of data sets holds links into one folder of contents."""
    blobs = house.parent / "blobs"
    blobs.mkdir()
    usda(blobs / "scene.usda", usd_cube("O") + 'def "F" (payload = @./chair.usda@</C>) {\n}\n')
    usda(blobs / "chair.usda", usd_cube("C"))
    for name in ("scene.usda", "chair.usda"):
        (house / name).symlink_to(blobs / name)
    scene = read_scene(house / "scene.usda")
    assert scene.triangle_count == 24
    assert scene.outside_assets == ()
