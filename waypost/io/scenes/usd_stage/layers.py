"""Opens the layers of a USD stage one by one, so that no file is read unasked and nothing explodes.

What may not be read is taken out of the layers in memory before the stage is composed of them;
files stay as they are. Value clips and expressions in asset paths are treated the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from pxr import Ar, Sdf, Tf

from waypost.domain.base.errors import ReadError
from waypost.domain.scene.scene import AssetKind, MissingAsset
from waypost.io.scenes.asset_access import NETWORK, AssetAccess, is_address
from waypost.io.scenes.bounds import MAX_LAYERS
from waypost.io.scenes.format import SourceScene

_FRAME_NUMBER = re.compile("[#.]*#[#.]*")
_CLIPS: Final = "clips"


def package_file(resolved: str) -> Path:
    """The file on disk behind a resolved path, which may lead into a usdz package."""
    return Path(Ar.SplitPackageRelativePathOuter(resolved)[0])


class StageLayers:
    """The layers that a stage will be composed of, all open.

    Args:
        path: The scene file as the user named it.
        access: Where files may lie.
        source: Receives what is missing and what is outside.
    """

    def __init__(self, path: Path, access: AssetAccess, source: SourceScene) -> None:
        self._path, self._access, self._source = path, access, source
        folders = [str(path.parent.absolute()), *(str(folder) for folder in access.asset_folders)]
        self.context = Ar.DefaultResolverContext(folders)
        """How the stage is to resolve asset paths: exactly as they were checked."""

        self.by_identifier: dict[str, Sdf.Layer] = {}
        """All layers; they close when nobody holds them."""

        self.named: dict[tuple[str, str], Sdf.Layer] = {}
        """By the identifier of the layer that names one, and the path it states."""

    def open_all(self) -> Sdf.Layer:
        """Open the scene file and every layer it names, directly or not.

        Returns:
            The root layer.

        Raises:
            ReadError: If there are more layers than a stage may have.
            Tf.ErrorException: If the root layer cannot be read.
        """
        with Ar.ResolverContextBinder(self.context):
            root = Sdf.Layer.FindOrOpen(str(self._path))
            if root is None:
                raise ReadError(str(self._path), "file", "OpenUSD cannot open it")
            self.by_identifier[root.identifier] = root
            waiting = [(root, dict(root.expressionVariables))]
            while waiting:
                layer, variables = waiting.pop()
                for named in self._named_layers(layer, variables):
                    if named.identifier in self.by_identifier:
                        continue
                    if len(self.by_identifier) >= MAX_LAYERS:
                        reason = f"the stage is composed of more than {MAX_LAYERS:,} files"
                        raise ReadError(str(self._path), "layers", reason)
                    self.by_identifier[named.identifier] = named
                    waiting.append((named, {**named.expressionVariables, **variables}))
                self._check_clips(layer)
        return root

    def resolve(self, layer: Sdf.Layer, stated: str) -> str:
        """Where an asset path of a layer leads; empty if nothing is there."""
        anchored = Sdf.ComputeAssetPathRelativeToLayer(layer, stated)
        return str(Ar.GetResolver().Resolve(anchored))

    def _named_layers(self, layer: Sdf.Layer, variables: dict[str, Any]) -> Iterator[Sdf.Layer]:
        for authored in layer.GetCompositionAssetDependencies():
            stated = authored
            if Sdf.VariableExpression.IsExpression(authored):
                value = Sdf.VariableExpression(authored).Evaluate(variables).value
                stated = value if isinstance(value, str) else ""
                layer.UpdateCompositionAssetDependency(authored, stated)
            if not stated:
                continue
            file, arguments = Sdf.Layer.SplitIdentifier(stated)
            if not self._permits(layer, stated, file):
                layer.UpdateCompositionAssetDependency(stated, "")
                continue
            try:
                anchored = Sdf.ComputeAssetPathRelativeToLayer(layer, file)
                found = Sdf.Layer.FindOrOpen(anchored, arguments)
            except Tf.ErrorException:  # composition tells about it, with the prim that wants it
                continue
            if found is not None:
                self.named[layer.identifier, stated] = found
                yield found

    def _permits(self, layer: Sdf.Layer, stated: str, file: str) -> bool:
        """Whether a file may be opened; what may not is listed."""
        resolved = "" if is_address(file) else self.resolve(layer, file)
        if not resolved and not is_address(file):
            return True  # it is missing, and composition tells about it
        path = package_file(resolved)
        verdict = self._access.judge(file, path)
        if verdict.reason or verdict.is_outside:
            for wanted_by in _wanted_by(layer, stated):
                self._source.add_judged(verdict, stated, path, wanted_by, AssetKind.GEOMETRY)
        return not verdict.reason

    def _check_clips(self, layer: Sdf.Layer) -> None:
        """Take out value clips that name what may not be read; they open their files late."""
        for spec in prim_specs(layer):
            if not spec.HasInfo(_CLIPS):
                continue
            clips = spec.GetInfo(_CLIPS)
            if not all(self._permits_clip(layer, spec, path) for path in _clip_paths(clips)):
                spec.ClearInfo(_CLIPS)

    def _permits_clip(self, layer: Sdf.Layer, spec: Sdf.PrimSpec, stated: str) -> bool:
        wanted = (str(spec.path), AssetKind.GEOMETRY)
        if is_address(stated):
            self._source.add_missing(MissingAsset(stated, *wanted, NETWORK))
            return False
        files = self._clip_files(layer, stated)
        return all(self._source.permits(self._access, stated, file, *wanted) for file in files)

    def _clip_files(self, layer: Sdf.Layer, stated: str) -> list[Path]:
        """The files that a path of value clips stands for; ``#`` is a number."""
        anchored = Path(Sdf.ComputeAssetPathRelativeToLayer(layer, stated))
        if "#" not in anchored.name:
            resolved = self.resolve(layer, stated)
            return [package_file(resolved)] if resolved else []
        parts = (re.escape(part) for part in _FRAME_NUMBER.split(anchored.name))
        pattern = re.compile(r"[\d.]+".join(parts))
        found = anchored.parent.iterdir() if anchored.parent.is_dir() else ()
        return [file for file in found if pattern.fullmatch(file.name)]


def prim_specs(layer: Sdf.Layer) -> Iterator[Sdf.PrimSpec]:
    """Every prim that a layer speaks of, those inside variants included."""
    waiting = list(layer.rootPrims)
    while waiting:
        spec = waiting.pop()
        yield spec
        waiting += children(spec)
        for variant_set in variant_sets(spec):
            waiting += [variant.primSpec for variant in variant_set.variants]


def children(spec: Sdf.PrimSpec) -> Iterable[Sdf.PrimSpec]:
    """What a layer says of the prims below one; asking first is ten times quicker for none."""
    below: Sequence[Sdf.PrimSpec] = spec.nameChildren
    return below if len(below) else ()


def variant_sets(spec: Sdf.PrimSpec) -> Iterable[Sdf.VariantSetSpec]:
    """The variant sets that a layer says a prim has; asking first is quicker as well."""
    return spec.variantSets if spec.HasInfo("variantSetNames") else ()


def _wanted_by(layer: Sdf.Layer, stated: str) -> list[str]:
    """The prims of a layer that refer to a path; the layer itself where it is a sublayer."""
    found = [
        str(spec.path)
        for spec in prim_specs(layer)
        for key in ("references", "payload")
        if spec.HasInfo(key)
        and any(arc.assetPath == stated for arc in spec.GetInfo(key).GetAddedOrExplicitItems())
    ]
    return found or [layer.GetDisplayName()]


def _clip_paths(clips: Any) -> Iterator[str]:
    """Every file that the clip sets of a prim name."""
    for entry in clips.values() if isinstance(clips, dict) else ():
        if not isinstance(entry, dict):
            continue
        for asset in entry.get("assetPaths", ()):
            yield asset.path if isinstance(asset, Sdf.AssetPath) else str(asset)
        manifest = entry.get("manifestAssetPath")
        if isinstance(manifest, Sdf.AssetPath):
            yield manifest.path
        template = entry.get("templateAssetPath")
        if isinstance(template, str):
            yield template
