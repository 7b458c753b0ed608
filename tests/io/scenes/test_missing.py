"""What a scene lacks is said in true words, once with a count; one bad object is left out alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from worlds.scene_files import CUBE_POINTS, Gltf, cube_glb, usd_cube, usda

from waypost.app.main import main
from waypost.domain.scene.gaps import geometry_gaps, grouped, refusal_to_drive
from waypost.domain.scene.scene import AssetKind, Scene
from waypost.io.scenes.decode_scene import decode_at_once as read_scene


def stage(folder: Path, more: str) -> Scene:
    """A sound cube ``/C`` with more beside it."""
    return read_scene(usda(folder / "a.usda", usd_cube("C") + more))


def names(scene: Scene) -> list[str]:
    return [mesh.name for mesh in scene.meshes]


def test_a_prim_that_is_not_there_is_not_a_missing_file(tmp_path: Path) -> None:
    usda(tmp_path / "lib.usda", usd_cube("Chair"))
    scene = stage(tmp_path, 'def "A" (references = @./lib.usda@</Stool>) {}')
    (missing,) = scene.missing_assets
    assert (missing.asset, missing.wanted_by, missing.kind, missing.reason) == (
        "prim /Stool of lib.usda",
        "/A",
        AssetKind.GEOMETRY,
        "is not in that file",
    )
    # Who drives without it has not allowed to drive without another one.
    assert refusal_to_drive(scene, {"prim /Table of lib.usda", "lib.usda"})


def test_a_prim_that_is_not_there_in_the_same_file(tmp_path: Path) -> None:
    (missing,) = stage(tmp_path, 'def "A" (references = </Stool>) {}').missing_assets
    assert (missing.asset, missing.reason) == ("prim /Stool of a.usda", "is not in that file")


def test_a_reference_without_default_prim_brings_what_it_was_to_bring_no_more(
    tmp_path: Path,
) -> None:
    usda(tmp_path / "lib.usda", usd_cube("Chair"))
    scene = stage(tmp_path, 'def "A" (references = @./lib.usda@) {}')
    assert geometry_gaps(scene) == ("default prim of lib.usda",)
    looks = stage(tmp_path, 'def Material "M" (references = @./lib.usda@</Oak>) {}')
    assert [asset.kind for asset in looks.missing_assets] == [AssetKind.TEXTURE]
    assert not refusal_to_drive(looks)


def test_a_format_that_is_not_read_is_not_missing_and_brings_no_geometry(tmp_path: Path) -> None:
    (tmp_path / "oak.mtlx").write_text("<materialx/>")
    asking = "".join(
        f'def "A{n}" (references = @./oak.mtlx@</MaterialX>) {{}}\n' for n in range(548)
    )
    scene = stage(tmp_path, asking)
    assert len(scene.missing_assets) == 548
    (group,) = grouped(scene.missing_assets)
    assert group.askers == 548
    assert group.wanted_by.endswith(" and 547 more")
    assert group.first.kind is AssetKind.TEXTURE
    assert "MaterialX of which no base colour" in group.first.reason
    assert not refusal_to_drive(scene)


def test_a_damaged_layer_is_not_missing(tmp_path: Path) -> None:
    (tmp_path / "lib.usda").write_text("#usda 1.0\ndef (")
    (missing,) = stage(tmp_path, 'def "A" (references = @./lib.usda@) {}').missing_assets
    assert missing.reason.startswith("cannot be read (")


def test_a_circle_of_references_is_said(tmp_path: Path) -> None:
    scene = stage(tmp_path, 'def "A" (references = </A>) {}')
    assert not scene.missing_assets
    assert any("/A refers to itself in a circle" in text for text in scene.warnings)


def test_a_variant_that_does_not_exist_is_named(tmp_path: Path) -> None:
    chosen = """def Xform "Sofa" (
        variants = { string shape = "huge" }
        prepend variantSets = "shape"
    ) {
        variantSet "shape" = { "big" { CUBE } "small" { } }
    }""".replace("CUBE", usd_cube("S"))
    scene = stage(tmp_path, chosen)
    (missing,) = scene.missing_assets
    assert (missing.asset, missing.wanted_by) == ("variant shape=huge", "/Sofa")
    assert missing.reason == "is not among its variants (big, small)"
    assert not stage(tmp_path, chosen.replace('"huge"', '"big"')).missing_assets


@pytest.mark.parametrize("purpose", ["proxy", "guide"])
def test_what_is_only_there_for_another_purpose_is_said(purpose: str, tmp_path: Path) -> None:
    more = usd_cube("X", more=f'uniform token purpose = "{purpose}"')
    scene = stage(tmp_path, more)
    assert names(scene) == ["/C"]
    assert f"prims of purpose {purpose} are not shown (/X)" in scene.not_shown


def test_a_proxy_of_something_that_is_drawn_is_no_loss(tmp_path: Path) -> None:
    proxy = usd_cube("P", more='uniform token purpose = "proxy"')
    drawn = usd_cube("R", more='uniform token purpose = "render"')
    scene = stage(tmp_path, f'def Xform "X" {{ {proxy} {drawn} }}')
    assert names(scene) == ["/C", "/X/R"]
    assert not scene.not_shown


def test_nothing_but_proxies_says_so(tmp_path: Path) -> None:
    path = usda(tmp_path / "a.usda", usd_cube("X", more='uniform token purpose = "proxy"'))
    with pytest.raises(Exception, match="prims of purpose proxy are not shown"):
        read_scene(path)


_BAD = """
def Mesh "Bad" {{
    int[] faceVertexCounts = {counts}
    int[] faceVertexIndices = [0, 1, 2]
    {points}
    {more}
}}
"""
_POINTS = "point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0)]"
_SQUASH = """matrix4d xformOp:transform = ((1, 0, 0, 0), (1, 0, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
    uniform token[] xformOpOrder = ["xformOp:transform"]"""


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (_BAD.format(counts="[3]", points="int[] points = [0, 4, 6, 1, 2, 3]", more=""), "int[]"),
        (_BAD.format(counts="[3]", points="int3[] points = [(0, 4, 6)]", more=""), "int3[]"),
        (_BAD.format(counts="[4]", points=_POINTS, more=""), "points that are not there"),
        (_BAD.format(counts="[-3]", points=_POINTS, more=""), "points that are not there"),
        (_BAD.format(counts="[3.0]", points=_POINTS, more="").replace("int[] f", "float[] f", 1),
         "not whole numbers"),
        (_BAD.format(counts="[3]", points=_POINTS.replace("(1, 0", "(nan, 0"), more=""), "finite"),
        (_BAD.format(counts="[3]", points=_POINTS, more=_SQUASH), "squashes"),
    ],
)  # fmt: skip
def test_one_bad_mesh_is_left_out_by_name(bad: str, words: str, tmp_path: Path) -> None:
    scene = stage(tmp_path, bad)
    assert names(scene) == ["/C"]
    (left_out,) = scene.left_out
    assert left_out.name == "/Bad"
    assert words in left_out.reason


def test_one_bad_mesh_of_a_gltf_is_left_out_by_name(tmp_path: Path) -> None:
    gltf = cube_glb()
    wrong = CUBE_POINTS.copy()
    wrong[3, 1] = np.nan
    odd = gltf.node(mesh=gltf.mesh(wrong), name="odd")
    beyond = gltf.node(mesh=gltf.mesh(faces=[[0, 1, 8]]), name="beyond")
    flat = gltf.node(mesh=0, name="flat", scale=[1, 0, 1])
    gone = gltf.node(mesh=0, name="gone", scale=[0, 0, 0])
    gltf.header["scenes"][0]["nodes"] += [odd, beyond, flat, gone]
    scene = read_scene(gltf.write(tmp_path / "a.glb"))
    assert names(scene) == ["cube"]
    assert {part.name for part in scene.left_out} == {"odd", "beyond", "flat"}
    assert "objects scaled to nothing are not shown (gone)" in scene.not_shown


def test_a_flat_mesh_in_the_plane_of_a_flat_transform_stays(tmp_path: Path) -> None:
    gltf = cube_glb()
    sheet = gltf.mesh([[0, 0, 0], [1, 0, 0], [0, 0, 1]], [[0, 1, 2]])
    gltf.header["scenes"][0]["nodes"].append(gltf.node(mesh=sheet, name="s", scale=[2, 0, 2]))
    scene = read_scene(gltf.write(tmp_path / "a.glb"))
    assert names(scene) == ["cube", "s"]
    assert not scene.left_out


def test_missing_geometry_forbids_driving_and_missing_textures_do_not(tmp_path: Path) -> None:
    assert geometry_gaps(stage(tmp_path, 'def "A" (references = @./gone.usd@) {}')) == ("gone.usd",)
    gltf = cube_glb()
    gltf.header["images"] = [{"uri": "gone.png"}]
    gltf.header["textures"] = [{"source": 0}]
    gltf.header["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    gltf.header["meshes"][0]["primitives"][0]["material"] = 0
    scene = read_scene(gltf.write(tmp_path / "a.glb"))
    assert len(scene.missing_assets) == 1
    assert refusal_to_drive(scene) == ""


def test_gaps_that_a_person_allowed_do_not_forbid_driving_and_others_do(tmp_path: Path) -> None:
    body = 'def "A" (references = @./gone.usd@) {}\ndef "B" (references = @./lost.usd@) {}'
    scene = stage(tmp_path, body)
    assert geometry_gaps(scene) == ("gone.usd", "lost.usd")
    assert "1 part of the geometry is missing (lost.usd)" in refusal_to_drive(scene, ["gone.usd"])
    assert refusal_to_drive(scene, geometry_gaps(scene)) == ""


def test_commands_refuse_to_drive_where_geometry_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = _BAD.format(counts="[4]", points=_POINTS, more="")
    path = usda(tmp_path / "a.usda", usd_cube("C", size=(4, 4, 0.1)) + bad)
    way = ["--agent", "human", "--from", "1,1,0.1", "--to", "2,1,0.1"]
    assert main(["drive", "--scene", str(path), *way]) == 2
    said = capsys.readouterr().err
    assert "1 part of the geometry is missing (/Bad)" in said
    assert "--allow-gaps" in said
    assert main(["scene", "info", str(path)]) == 0
    assert "Left out   /Bad" in capsys.readouterr().out
    assert "Traceback" not in said


def test_a_gltf_without_a_scene_of_its_own_is_no_gap() -> None:
    assert geometry_gaps(Scene("s", "", "glb", ())) == ()
    assert Gltf().header["nodes"] == []
