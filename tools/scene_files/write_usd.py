"""Write a scene as OpenUSD with textures beside it, ready for Isaac Sim.

Source:
    UsdPreviewSurface specification and the UsdGeom, UsdShade and UsdPhysics schemas of OpenUSD.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Final

import numpy as np
from pxr import Gf, Kind, Sdf, Tf, Usd, UsdGeom, UsdPhysics, UsdShade, UsdUtils, Vt

from tools.scene_files.png import encode_png
from waypost.domain.base.errors import InputError, WriteError
from waypost.domain.scene.scene import Material, Mesh, Scene
from waypost.io.atomic import write_bytes_atomic

TEXTURE_FOLDER: Final = "textures"
_SUFFIXES = (".usd", ".usda", ".usdc")


def write_usd(scene: Scene, path: Path, metres_per_unit: float = 1.0) -> None:
    """Write a scene: Z up, one prim per mesh under the default prim, exact triangle colliders.

    Textures become PNG files in ``textures/`` beside the stage and are written first. Each mesh
    carries its name as display name and, without its part after a colon, as ``semantic:label``.
    The same scene gives the same bytes.

    Args:
        scene: Any scene.
        path: ``.usda`` is text, ``.usdc`` and ``.usd`` are binary.
        metres_per_unit: Length of one unit of the file, metres; 0.01 writes centimetres.

    Raises:
        InputError: If the suffix or the unit cannot be used.
        WriteError: If a file cannot be written; an old stage stays as it was.
    """
    if path.suffix.lower() not in _SUFFIXES:
        raise InputError(f"{path}: file: a USD stage ends in {', '.join(_SUFFIXES)}")
    if not metres_per_unit > 0:
        raise InputError(f"metres per unit: {metres_per_unit:g} is not above 0")
    files = _texture_files(scene, path.stem)
    for name, texture in zip(files, scene.textures, strict=True):
        write_bytes_atomic(path.parent / TEXTURE_FOLDER / name, encode_png(texture))
    # While it lives, OpenUSD does not write its diagnostics to standard error.
    diagnostics = UsdUtils.CoalescingDiagnosticDelegate()
    try:
        stage = _build_stage(scene, files, metres_per_unit)
        content = _encoded(stage, path.suffix.lower())
    except (Tf.ErrorException, OSError) as error:
        # What it says names the draft.
        raise WriteError(str(path), "OpenUSD cannot encode the stage") from error
    finally:
        del diagnostics
    write_bytes_atomic(path, content)


def _encoded(stage: Usd.Stage, suffix: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        draft = Path(folder) / f"stage{suffix}"
        stage.GetRootLayer().Export(str(draft))
        return draft.read_bytes()


def _texture_files(scene: Scene, stem: str) -> list[str]:
    """A file name per texture, told by the first material that uses it."""
    names = []
    for index in range(len(scene.textures)):
        users = (m.name for m in scene.materials if m.texture_index == index)
        word = re.sub(r"[^a-z0-9]+", "_", next(users, "").rsplit("/", 1)[-1].lower()).strip("_")
        names.append(f"{stem}_{index:02d}{'_' + word if word else ''}.png")
    return names


def _build_stage(scene: Scene, files: list[str], metres_per_unit: float) -> Usd.Stage:
    stage = Usd.Stage.CreateInMemory()
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    UsdGeom.SetStageMetersPerUnit(stage, metres_per_unit)
    root = UsdGeom.Xform.Define(stage, f"/{_identifier(scene.name or 'scene', set())}")
    Usd.ModelAPI(root).SetKind(Kind.Tokens.assembly)
    stage.SetDefaultPrim(root.GetPrim())
    if any(scene.origin_m):
        root.AddTranslateOp().Set(Gf.Vec3d(*(v / metres_per_unit for v in scene.origin_m)))
    base = root.GetPath()
    looks = base.AppendChild("Looks")
    UsdGeom.Scope.Define(stage, looks)
    taken: set[str] = set()
    materials = []
    for material in scene.materials:
        target = looks.AppendChild(_identifier(material.name, taken))
        file = None if material.texture_index is None else files[material.texture_index]
        materials.append(_define_material(stage, target, material, file))
    taken = {"Looks"}
    for mesh in scene.meshes:
        target = base.AppendChild(_identifier(mesh.name, taken))
        prim = _define_mesh(stage, target, mesh, metres_per_unit)
        if mesh.material_index is not None:
            UsdShade.MaterialBindingAPI.Apply(prim).Bind(materials[mesh.material_index])
    return stage


def _define_mesh(
    stage: Usd.Stage, target: Sdf.Path, mesh: Mesh, metres_per_unit: float
) -> Usd.Prim:
    shape = UsdGeom.Mesh.Define(stage, target)
    points = (mesh.vertices.astype(np.float64) / metres_per_unit).astype(np.float32)
    faces = np.ascontiguousarray(mesh.faces.reshape(-1), dtype=np.int32)
    shape.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    shape.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(points)))
    shape.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(faces))
    counts = np.full(len(mesh.faces), 3, dtype=np.int32)
    shape.CreateFaceVertexCountsAttr(Vt.IntArray.FromNumpy(counts))
    if len(points):
        low, high = points.min(axis=0), points.max(axis=0)
        extent = [Gf.Vec3f(*map(float, low)), Gf.Vec3f(*map(float, high))]
        shape.CreateExtentAttr(Vt.Vec3fArray(extent))
    if mesh.uvs is not None:
        primvar = UsdGeom.PrimvarsAPI(shape).CreatePrimvar(
            "st", Sdf.ValueTypeNames.TexCoord2fArray, UsdGeom.Tokens.vertex
        )
        primvar.Set(Vt.Vec2fArray.FromNumpy(np.ascontiguousarray(mesh.uvs)))
    prim = shape.GetPrim()
    prim.SetDisplayName(mesh.name)
    label = prim.CreateAttribute("semantic:label", Sdf.ValueTypeNames.String, custom=True)
    label.Set(mesh.name.rsplit("/", 1)[-1].split(":", 1)[0].strip().lower())
    if mesh.is_collider:
        UsdPhysics.CollisionAPI.Apply(prim)
        UsdPhysics.MeshCollisionAPI.Apply(prim).CreateApproximationAttr(UsdPhysics.Tokens.none)
    return prim


def _define_material(
    stage: Usd.Stage, target: Sdf.Path, material: Material, file: str | None
) -> UsdShade.Material:
    defined = UsdShade.Material.Define(stage, target)
    surface = UsdShade.Shader.Define(stage, target.AppendChild("Surface"))
    surface.CreateIdAttr("UsdPreviewSurface")
    surface.CreateInput("roughness", Sdf.ValueTypeNames.Float).Set(0.9)
    surface.CreateInput("metallic", Sdf.ValueTypeNames.Float).Set(0.0)
    red, green, blue, alpha = material.base_color
    if alpha < 1:
        surface.CreateInput("opacity", Sdf.ValueTypeNames.Float).Set(alpha)
    diffuse = surface.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f)
    if file is None:
        diffuse.Set(Gf.Vec3f(red, green, blue))
    else:
        texture = _define_texture(stage, target, file)
        texture.CreateInput("scale", Sdf.ValueTypeNames.Float4).Set(Gf.Vec4f(red, green, blue, 1))
        output = texture.CreateOutput("rgb", Sdf.ValueTypeNames.Float3)
        diffuse.ConnectToSource(output)
    surface_output = surface.CreateOutput("surface", Sdf.ValueTypeNames.Token)
    defined.CreateSurfaceOutput().ConnectToSource(surface_output)
    return defined


def _define_texture(stage: Usd.Stage, target: Sdf.Path, file: str) -> UsdShade.Shader:
    reader = UsdShade.Shader.Define(stage, target.AppendChild("Coordinates"))
    reader.CreateIdAttr("UsdPrimvarReader_float2")
    reader.CreateInput("varname", Sdf.ValueTypeNames.String).Set("st")
    texture = UsdShade.Shader.Define(stage, target.AppendChild("Texture"))
    texture.CreateIdAttr("UsdUVTexture")
    asset = Sdf.AssetPath(f"./{TEXTURE_FOLDER}/{file}")
    texture.CreateInput("file", Sdf.ValueTypeNames.Asset).Set(asset)
    texture.CreateInput("sourceColorSpace", Sdf.ValueTypeNames.Token).Set("sRGB")
    for wrap in ("wrapS", "wrapT"):
        texture.CreateInput(wrap, Sdf.ValueTypeNames.Token).Set("repeat")
    coordinates = reader.CreateOutput("result", Sdf.ValueTypeNames.Float2)
    texture.CreateInput("st", Sdf.ValueTypeNames.Float2).ConnectToSource(coordinates)
    return texture


def _identifier(name: str, taken: set[str]) -> str:
    """A valid prim name, unique among those taken so far; it is added to them."""
    base = re.sub(r"_+", "_", Tf.MakeValidIdentifier(name)).strip("_") or "mesh"
    if base[0].isdigit():
        base = f"_{base}"
    unique, number = base, 2
    while unique in taken:
        unique, number = f"{base}_{number}", number + 1
    taken.add(unique)
    return unique
