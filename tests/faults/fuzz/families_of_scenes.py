"""Scene files: glTF, GLB and OpenUSD, with what they name beside them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import DracoPy
import numpy as np
from faults.fuzz.family import Family, Sample, mutate_sample, samples_of
from faults.fuzz.file_mutation import mutate_file
from faults.fuzz.gltf_mutation import mutate_gltf
from faults.fuzz.invariants import check_scene
from pxr import Sdf, UsdUtils
from worlds.scene_files import CUBE_FACES, CUBE_POINTS, Gltf, cube_glb, png, usd_cube, usda

from waypost.io.scenes.open_scene import read_scene

_PIXELS = [[(255, 0, 0), (0, 255, 0)], [(0, 0, 255), (255, 255, 255)]]
_UVS = CUBE_POINTS[:, :2]


def _read(path: Path, rng: random.Random) -> None:
    options = {}
    if rng.random() < 0.1:
        options = {"up_axis": rng.choice(("Y", "Z")), "metres_per_unit": rng.choice((0.01, 1.0))}
    check_scene(read_scene(path, **options))


def _furnished() -> Gltf:
    """Textured, coloured, instanced and turned meshes in a small tree of nodes."""
    gltf = Gltf()
    picture = gltf.view(png(_PIXELS))
    gltf.header["images"] = [{"bufferView": picture, "mimeType": "image/png"}]
    gltf.header["samplers"] = [{"wrapS": 10497}]
    gltf.header["textures"] = [{"source": 0, "sampler": 0}]
    gltf.header["materials"] = [
        {
            "name": "wood",
            "pbrMetallicRoughness": {
                "baseColorTexture": {"index": 0},
                "baseColorFactor": [1, 0.5, 0.25, 1],
            },
        },
        {"name": "lamp", "emissiveFactor": [1, 1, 1]},
    ]
    attributes = {
        "POSITION": gltf.accessor(CUBE_POINTS, "f4"),
        "TEXCOORD_0": gltf.accessor(_UVS, "f4"),
    }
    indices = gltf.accessor(CUBE_FACES.reshape(-1), "u2")
    first = gltf.primitives([{"attributes": attributes, "indices": indices, "material": 0}])
    strip = gltf.accessor(CUBE_POINTS[[0, 1, 2, 3]], "f4")
    second = gltf.primitives([{"attributes": {"POSITION": strip}, "mode": 5, "material": 1}])
    leaf = gltf.node(mesh=second, name="leaf", scale=[2, 1, 1])
    turned = gltf.node(mesh=first, name="turned", rotation=[0, 0.7071068, 0, 0.7071068])
    gltf.scene(gltf.node(name="root", children=[leaf, turned], translation=[1, 0, 2]))
    return gltf


def _draco() -> Gltf:
    """A cube packed by Draco."""
    gltf = Gltf()
    faces = CUBE_FACES.astype(np.uint32)
    data = DracoPy.encode(CUBE_POINTS, faces, quantization_bits=14)
    ids = {a["attribute_type"]: a["unique_id"] for a in DracoPy.decode(data).attributes}
    view = gltf.view(data)
    name = "KHR_draco_mesh_compression"
    gltf.header["extensionsUsed"] = gltf.header["extensionsRequired"] = [name]
    gltf.header["accessors"] = [
        {"componentType": 5126, "count": 8, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1]},
        {"componentType": 5125, "count": 36, "type": "SCALAR"},
    ]
    position = ids[DracoPy.AttributeType.POSITION]
    packed = {"bufferView": view, "attributes": {"POSITION": position}}
    primitive = {"attributes": {"POSITION": 0}, "indices": 1, "extensions": {name: packed}}
    gltf.scene(gltf.node(mesh=gltf.primitives([primitive])))
    return gltf


def _gltf_samples(folder: Path) -> list[Sample]:
    samples = []
    for name, gltf in (("cube", cube_glb()), ("room", _furnished()), ("draco", _draco())):
        samples.append(Sample(f"{name}.glb", {f"{name}.glb": gltf.glb()}))
        beside = folder / name
        beside.mkdir()
        gltf.write_gltf(beside / f"{name}.gltf")
        samples.append(samples_of(beside, f"{name}.gltf"))
    return samples


def _mutate_gltf(rng: random.Random, sample: Sample, samples: Sequence[Sample]) -> Sample:
    if sample.target.endswith(".gltf") and rng.random() < 0.2:
        return mutate_sample(rng, sample, samples)
    files = dict(sample.files)
    others = tuple(files.values())
    files[sample.target] = mutate_file(rng, files[sample.target], others, mutate_gltf)
    return Sample(sample.target, files)


_LOOKS = """
def Material "Wood"
{
    token outputs:surface.connect = </Wood/Surface.outputs:surface>
    def Shader "Surface"
    {
        uniform token info:id = "UsdPreviewSurface"
        color3f inputs:diffuseColor.connect = </Wood/Picture.outputs:rgb>
        float inputs:opacity = 1
        token outputs:surface
    }
    def Shader "Picture"
    {
        uniform token info:id = "UsdUVTexture"
        asset inputs:file = @./wood.png@
        float2 inputs:st.connect = </Wood/Reader.outputs:result>
        float3 outputs:rgb
    }
    def Shader "Reader"
    {
        uniform token info:id = "UsdPrimvarReader_float2"
        string inputs:varname = "st"
        float2 outputs:result
    }
}
def Mesh "Floor" (prepend apiSchemas = ["MaterialBindingAPI"])
{
    int[] faceVertexCounts = [4, 3]
    int[] faceVertexIndices = [0, 1, 2, 3, 0, 1, 2]
    point3f[] points = [(0, 0, 0), (4, 0, 0), (4, 3, 0), (0, 3, 0)]
    texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] (interpolation = "vertex")
    color3f[] primvars:displayColor = [(1, 0.5, 0)]
    rel material:binding = </Wood>
    def GeomSubset "Half" (prepend apiSchemas = ["MaterialBindingAPI"])
    {
        uniform token elementType = "face"
        uniform token familyName = "materialBind"
        int[] indices = [1]
        rel material:binding = </Wood>
    }
}
"""
_CHAIRS = """
def "Chair%d" (
    instanceable = true
    references = @./chair.usda@</Chair>
)
{
    double3 xformOp:translate = (%d, 0, 0)
    float xformOp:rotateZ = 30
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateZ"]
}
"""
_ROWS = """
def PointInstancer "Rows"
{
    int64[] ids = [7, 8, 9]
    int64[] invisibleIds = [8]
    int[] protoIndices = [0, 0, 1]
    point3f[] positions = [(0, 0, 0), (0, 10, 0), (0, 20, 0)]
    quath[] orientations = [(1, 0, 0, 0), (1, 0, 0, 0), (0, 0, 0, 1)]
    float3[] scales = [(1, 1, 1), (1, 1, 1), (1, 1, 2)]
    rel prototypes = [</Rows/Seat>, </Rows/Row>]
    def Xform "Row"
    {
        %s
    }
    %s
}
"""
_VARIANTS = """
def Xform "Door" (
    variants = { string state = "open" }
    prepend variantSets = "state"
)
{
    variantSet "state" = {
        "open" {
            def Sphere "Knob"
            {
                double radius = 0.1
            }
        }
        "shut" {
            def Cube "Leaf"
            {
                double size = 2
            }
        }
    }
}
def Cylinder "Post"
{
    double radius = 0.2
    double height = 3
    uniform token axis = "Z"
}
def Xform "Hidden"
{
    token visibility = "invisible"
}
"""


def _usd_folder(folder: Path) -> Path:
    usda(folder / "chair.usda", f'def Xform "Chair"\n{{\n{usd_cube("C")}\n}}')
    (folder / "wood.png").write_bytes(png(_PIXELS))
    chairs = "".join(_CHAIRS % (n, 2 * n) for n in range(2))
    rows = _ROWS % (usd_cube("Back"), usd_cube("Seat"))
    return usda(folder / "room.usda", _LOOKS + chairs + rows + _VARIANTS + usd_cube("Box"))


def _usda_samples(folder: Path) -> list[Sample]:
    (folder / "plain").mkdir()
    plain = usda(folder / "plain" / "a.usda", usd_cube("C", size=(3, 2, 1)), up="Y", unit=0.01)
    (folder / "room").mkdir()
    _usd_folder(folder / "room")
    return [samples_of(plain.parent, "a.usda"), samples_of(folder / "room", "room.usda")]


def _usdc_samples(folder: Path) -> list[Sample]:
    """The same as binary files, alone and in a package."""
    text = _usd_folder(folder)
    layers = {}
    for name in ("chair", "room"):
        content = (folder / f"{name}.usda").read_text().replace("chair.usda", "chair.usdc")
        layer = Sdf.Layer.CreateAnonymous(".usda")
        layer.ImportFromString(content)
        layer.Export(str(folder / f"{name}.usdc"))
        layers[f"{name}.usdc"] = (folder / f"{name}.usdc").read_bytes()
    layers["wood.png"] = (folder / "wood.png").read_bytes()
    package = folder / "room.usdz"
    UsdUtils.CreateNewUsdzPackage(str(text), str(package))
    chair = Sample("chair.usdc", {"chair.usdc": layers["chair.usdc"]})
    return [chair, Sample("room.usdc", layers), Sample("a.usdz", {"a.usdz": package.read_bytes()})]


SCENES = (
    Family(
        "gltf", "Scenes: glTF and GLB", _gltf_samples, _read, _mutate_gltf, has_child=True, weight=3
    ),
    Family("usd-text", "Scenes: OpenUSD as text", _usda_samples, _read, has_child=True, weight=2),
    Family(
        "usd-binary",
        "Scenes: OpenUSD, binary and packed",
        _usdc_samples,
        _read,
        has_child=True,
        weight=2,
    ),
)
"""What the window and ``scene info`` open."""
