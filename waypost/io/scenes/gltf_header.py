"""What the header of a glTF file must look like: types, ranges and references, each with its place.

Only what is read is declared; the rest of a header may be anything. Names and extras are of any
type, because they do no harm.

Source:
    Khronos glTF 2.0 specification, sections 3 and 5.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from waypost.domain.base.errors import ReadError
from waypost.io.json_reading import parse_json

_Index = Annotated[int, Meta(ge=0, le=2**31 - 1)]
_Size = Annotated[int, Meta(ge=0, le=2**53)]
# far from the ends of float64, where products of transforms would be infinite
_Number = Annotated[float, Meta(ge=-1e30, le=1e30)]
_Pair = tuple[_Number, _Number]
_Triple = tuple[_Number, _Number, _Number]
_Quadruple = tuple[_Number, _Number, _Number, _Number]
_Matrix = Annotated[list[_Number], Meta(min_length=16, max_length=16)]
_Component = Literal[5120, 5121, 5122, 5123, 5125, 5126]


class _Part(msgspec.Struct, rename="camel"):
    """A piece of the header; keys that are not declared are let through."""


class _Buffer(_Part):
    byte_length: _Size = 0
    uri: str | UnsetType = UNSET


class _Meshopt(_Part):
    buffer: _Index
    byte_length: _Size
    byte_stride: Annotated[int, Meta(ge=1, le=256)]
    count: _Size
    mode: Literal["ATTRIBUTES", "TRIANGLES", "INDICES"]
    filter: Literal["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"] = "NONE"
    byte_offset: _Size = 0


class _ViewExtensions(_Part):
    meshopt: _Meshopt | UnsetType = msgspec.field(default=UNSET, name="EXT_meshopt_compression")
    meshopt_of_khronos: _Meshopt | UnsetType = msgspec.field(
        default=UNSET, name="KHR_meshopt_compression"
    )


class _View(_Part):
    buffer: _Index
    byte_length: _Size
    byte_offset: _Size = 0
    byte_stride: Annotated[int, Meta(ge=1, le=2**16)] | UnsetType = UNSET
    extensions: _ViewExtensions | UnsetType = UNSET


class _SparseIndices(_Part):
    buffer_view: _Index
    component_type: Literal[5121, 5123, 5125]
    byte_offset: _Size = 0


class _SparseValues(_Part):
    buffer_view: _Index
    byte_offset: _Size = 0


class _Sparse(_Part):
    count: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    indices: _SparseIndices
    values: _SparseValues


class _Accessor(_Part):
    component_type: _Component
    count: _Size
    type: Literal["SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"]
    buffer_view: _Index | UnsetType = UNSET
    byte_offset: _Size = 0
    normalized: bool = False
    sparse: _Sparse | UnsetType = UNSET


class _Draco(_Part):
    buffer_view: _Index
    attributes: dict[str, _Index]


class _PrimitiveExtensions(_Part):
    draco: _Draco | UnsetType = msgspec.field(default=UNSET, name="KHR_draco_mesh_compression")


class _Primitive(_Part):
    attributes: dict[str, _Index]
    indices: _Index | UnsetType = UNSET
    material: _Index | UnsetType = UNSET
    mode: _Index = 4
    targets: list[dict[str, _Index]] = []
    extensions: _PrimitiveExtensions | UnsetType = UNSET


class _Mesh(_Part):
    primitives: list[_Primitive]
    weights: list[_Number] = []


class _Visibility(_Part):
    visible: bool = True


class _Instances(_Part):
    attributes: dict[str, _Index] = {}


class _NodeExtensions(_Part):
    visibility: _Visibility | UnsetType = msgspec.field(default=UNSET, name="KHR_node_visibility")
    instances: _Instances | UnsetType = msgspec.field(default=UNSET, name="EXT_mesh_gpu_instancing")


class _Node(_Part):
    mesh: _Index | UnsetType = UNSET
    skin: _Index | UnsetType = UNSET
    children: list[_Index] = []
    matrix: _Matrix | UnsetType = UNSET
    rotation: _Quadruple | UnsetType = UNSET
    scale: _Triple | UnsetType = UNSET
    translation: _Triple | UnsetType = UNSET
    weights: list[_Number] = []
    extensions: _NodeExtensions | UnsetType = UNSET


class _Skin(_Part):
    joints: list[_Index] = []
    inverse_bind_matrices: _Index | UnsetType = UNSET


class _Scene(_Part):
    nodes: list[_Index] = []


class _TextureTransform(_Part):
    offset: _Pair = (0.0, 0.0)
    scale: _Pair = (1.0, 1.0)
    rotation: _Number = 0.0
    tex_coord: _Index | UnsetType = UNSET


class _TextureInfoExtensions(_Part):
    transform: _TextureTransform | UnsetType = msgspec.field(
        default=UNSET, name="KHR_texture_transform"
    )


class _TextureInfo(_Part):
    index: _Index
    tex_coord: _Index = 0
    extensions: _TextureInfoExtensions | UnsetType = UNSET


class _OcclusionInfo(_TextureInfo):
    strength: _Number = 1.0


class _Rough(_Part):
    base_color_factor: _Quadruple | UnsetType = UNSET
    metallic_factor: _Number = 1.0
    roughness_factor: _Number = 1.0
    base_color_texture: _TextureInfo | UnsetType = UNSET


class _Glossy(_Part):
    diffuse_factor: _Quadruple | UnsetType = UNSET
    diffuse_texture: _TextureInfo | UnsetType = UNSET


class _EmissiveStrength(_Part):
    emissive_strength: _Number = 1.0


class _MaterialExtensions(_Part):
    emissive_strength: _EmissiveStrength | UnsetType = msgspec.field(
        default=UNSET, name="KHR_materials_emissive_strength"
    )
    glossy: _Glossy | UnsetType = msgspec.field(
        default=UNSET, name="KHR_materials_pbrSpecularGlossiness"
    )


class _Material(_Part):
    pbr_metallic_roughness: _Rough | UnsetType = UNSET
    alpha_mode: str = "OPAQUE"
    alpha_cutoff: _Number = 0.5
    double_sided: bool = False
    emissive_factor: _Triple = (0.0, 0.0, 0.0)
    emissive_texture: _TextureInfo | UnsetType = UNSET
    occlusion_texture: _OcclusionInfo | UnsetType = UNSET
    extensions: _MaterialExtensions | UnsetType = UNSET


class _OtherSource(_Part):
    source: _Index | UnsetType = UNSET


class _TextureExtensions(_Part):
    webp: _OtherSource | UnsetType = msgspec.field(default=UNSET, name="EXT_texture_webp")
    basis: _OtherSource | UnsetType = msgspec.field(default=UNSET, name="KHR_texture_basisu")


class _Texture(_Part):
    source: _Index | UnsetType = UNSET
    sampler: _Index | UnsetType = UNSET
    extensions: _TextureExtensions | UnsetType = UNSET


class _Sampler(_Part):
    wrap_s: int = 10497
    wrap_t: int = 10497


class _Image(_Part):
    uri: str | UnsetType = UNSET
    buffer_view: _Index | UnsetType = UNSET


class _Header(_Part):
    asset: dict[str, Any]
    accessors: list[_Accessor] = []
    buffers: list[_Buffer] = []
    buffer_views: list[_View] = []
    images: list[_Image] = []
    materials: list[_Material] = []
    meshes: list[_Mesh] = []
    nodes: list[_Node] = []
    scenes: list[_Scene] = []
    samplers: list[_Sampler] = []
    skins: list[_Skin] = []
    textures: list[_Texture] = []
    scene: _Index | UnsetType = UNSET
    extensions_used: list[str] = []
    extensions_required: list[str] = []


_PLACE = re.compile(r"^(?P<reason>.*?) - at (?:`key` in )?`\$\.?(?P<place>.*)`$", re.DOTALL)
_WORDS: Final = {
    "`int`": "a whole number",
    "`float`": "a number",
    "`str`": "text",
    "`bool`": "true or false",
    "`object`": "an object",
    "`array`": "an array",
    "`null`": "null",
}


def parse_header(path: Path, text: bytes) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Read and check the JSON of a glTF file.

    Args:
        path: The file, for messages.
        text: The JSON chunk, or the whole file.

    Returns:
        The header, whose declared parts have the right types and name only what is there, and
        sentences about oddities.

    Raises:
        ReadError: If it is not JSON, not glTF, or something has the wrong type.
    """
    try:
        decoded = text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ReadError(str(path), "header", "the JSON text cannot be decoded") from error
    document = parse_json(decoded, str(path))
    header = document.root.value
    if not isinstance(header, dict) or not isinstance(header.get("asset"), dict):
        raise ReadError(str(path), "header", "this is JSON but not glTF: it has no “asset”")
    try:
        parsed = msgspec.convert(header, _Header)
    except msgspec.ValidationError as error:
        place, reason = _place_and_reason(str(error))
        raise ReadError(str(path), place, reason) from error
    for place, kind, index, amount in _references(parsed):
        if index >= amount:
            raise ReadError(str(path), place, f"names {kind}[{index}], and there are {amount}")
    return header, document.warnings


def _place_and_reason(said: str) -> tuple[str, str]:
    """What msgspec says, as a place of the file and a plain sentence."""
    found = _PLACE.match(said)
    place, reason = (found["place"] or "header", found["reason"]) if found else ("header", said)
    for word, plain in _WORDS.items():
        reason = reason.replace(word, plain)
    return place, (reason[:1].lower() + reason[1:]).replace("`", "“", 1).replace("`", "”", 1)


def _references(header: _Header) -> Iterator[tuple[str, str, int, int]]:
    """Place, kind, index and amount of everything that one part of a header says of another."""
    yield from _stored_references(header)
    meshes, nodes = len(header.meshes), len(header.nodes)
    for at, mesh in enumerate(header.meshes):
        for number, primitive in enumerate(mesh.primitives):
            yield from _primitive_references(
                header, primitive, f"meshes[{at}].primitives[{number}]"
            )
    for at, node in enumerate(header.nodes):
        if node.mesh is not UNSET:
            yield f"nodes[{at}].mesh", "meshes", node.mesh, meshes
        if node.extensions is not UNSET and node.extensions.instances is not UNSET:
            for name, index in node.extensions.instances.attributes.items():
                yield f"nodes[{at}].extensions.{name}", "accessors", index, len(header.accessors)
        for number, child in enumerate(node.children):
            yield f"nodes[{at}].children[{number}]", "nodes", child, nodes
    for at, scene in enumerate(header.scenes):
        for number, root in enumerate(scene.nodes):
            yield f"scenes[{at}].nodes[{number}]", "nodes", root, nodes
    if header.scene is not UNSET and header.scenes:
        yield "scene", "scenes", header.scene, len(header.scenes)
    yield from _skin_references(header)
    yield from _look_references(header)


def _skin_references(header: _Header) -> Iterator[tuple[str, str, int, int]]:
    for at, node in enumerate(header.nodes):
        if node.skin is not UNSET:
            yield f"nodes[{at}].skin", "skins", node.skin, len(header.skins)
    for at, skin in enumerate(header.skins):
        for number, joint in enumerate(skin.joints):
            yield f"skins[{at}].joints[{number}]", "nodes", joint, len(header.nodes)
        if skin.inverse_bind_matrices is not UNSET:
            place = f"skins[{at}].inverseBindMatrices"
            yield place, "accessors", skin.inverse_bind_matrices, len(header.accessors)


def _stored_references(header: _Header) -> Iterator[tuple[str, str, int, int]]:
    views = len(header.buffer_views)
    for at, view in enumerate(header.buffer_views):
        yield f"bufferViews[{at}].buffer", "buffers", view.buffer, len(header.buffers)
    for at, accessor in enumerate(header.accessors):
        place = f"accessors[{at}]"
        if accessor.buffer_view is not UNSET:
            yield f"{place}.bufferView", "bufferViews", accessor.buffer_view, views
        if accessor.sparse is not UNSET:
            for key in ("indices", "values"):
                named = getattr(accessor.sparse, key).buffer_view
                yield f"{place}.sparse.{key}.bufferView", "bufferViews", named, views
    for at, image in enumerate(header.images):
        if image.buffer_view is not UNSET:
            yield f"images[{at}].bufferView", "bufferViews", image.buffer_view, views


def _primitive_references(
    header: _Header, primitive: _Primitive, place: str
) -> Iterator[tuple[str, str, int, int]]:
    accessors = len(header.accessors)
    for name, index in primitive.attributes.items():
        if name in ("POSITION", "COLOR_0") or name.startswith("TEXCOORD_"):
            yield f"{place}.attributes.{name}", "accessors", index, accessors
    for number, target in enumerate(primitive.targets):
        if "POSITION" in target:
            index = target["POSITION"]
            yield f"{place}.targets[{number}].POSITION", "accessors", index, accessors
    if primitive.indices is not UNSET:
        yield f"{place}.indices", "accessors", primitive.indices, accessors
    if primitive.material is not UNSET:
        yield f"{place}.material", "materials", primitive.material, len(header.materials)
    if primitive.extensions is not UNSET and primitive.extensions.draco is not UNSET:
        named = primitive.extensions.draco.buffer_view
        yield f"{place}.extensions", "bufferViews", named, len(header.buffer_views)


def _look_references(header: _Header) -> Iterator[tuple[str, str, int, int]]:
    for at, texture in enumerate(header.textures):
        sources = [texture.source]
        if texture.extensions is not UNSET:
            others = (texture.extensions.webp, texture.extensions.basis)
            sources += [other.source for other in others if other is not UNSET]
        if texture.sampler is not UNSET:
            yield f"textures[{at}].sampler", "samplers", texture.sampler, len(header.samplers)
        for source in sources:
            if source is not UNSET:
                yield f"textures[{at}].source", "images", source, len(header.images)
    for at, material in enumerate(header.materials):
        named: list[_TextureInfo | UnsetType] = [
            material.emissive_texture,
            material.occlusion_texture,
        ]
        if material.pbr_metallic_roughness is not UNSET:
            named.append(material.pbr_metallic_roughness.base_color_texture)
        if material.extensions is not UNSET and material.extensions.glossy is not UNSET:
            named.append(material.extensions.glossy.diffuse_texture)
        for entry in named:
            if entry is not UNSET:
                yield f"materials[{at}]", "textures", entry.index, len(header.textures)
