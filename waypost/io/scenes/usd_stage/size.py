"""How many prims a stage would have, told from its layers before it is composed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pxr import Sdf

from waypost.domain.base.errors import ReadError
from waypost.io.scenes.bounds import MAX_PRIMS
from waypost.io.scenes.usd_stage.layers import children, variant_sets

_INTERNAL = ("inheritPaths", "specializes")
_ARCS = ("references", "payload")


class _Arc(NamedTuple):
    """A reference, payload, inherit or specialize."""

    stack: Sdf.Layer
    """Root of the layer stack it leads to."""

    prim: Sdf.Path


class StageSize:
    """Counts prims from above: what a stage says twice of one prim may count twice.

    Args:
        path: The scene file as the user named it.
        root: Its layer.
        named: Layers by the identifier of the layer that names one, and the path it states.
    """

    def __init__(
        self, path: Path, root: Sdf.Layer, named: Mapping[tuple[str, str], Sdf.Layer]
    ) -> None:
        self._path, self._root, self._named = path, root, named
        self._stacks: dict[str, list[Sdf.Layer]] = {}
        self._known: dict[_Arc, int] = {}

    def require_bound(self) -> None:
        """Refuse a stage of more prims than one may have.

        Raises:
            ReadError: Naming the prim at the top with which there are too many.
        """
        total = 0
        roots = [layer.pseudoRoot for layer in self._stack(self._root)]
        for name, specs in _children(roots).items():
            total += self._tree(self._root, specs)
            if total > MAX_PRIMS:
                reason = f"the stage would have more than {MAX_PRIMS:,} prims"
                raise ReadError(str(self._path), f"/{name}", reason)

    def _tree(self, stack: Sdf.Layer, specs: Sequence[Sdf.PrimSpec]) -> int:
        """Prims of a subtree with all that it refers to.

        Args:
            stack: Root of the layer stack that speaks.
            specs: All that it says of the prim at the top.
        """
        total = 1 + sum(self._tree(stack, below) for below in _children(specs).values())
        for arc in dict.fromkeys(arc for spec in specs for arc in self._arcs(stack, spec)):
            total += self._entered(arc)
        for spec in specs:
            for variant_set in variant_sets(spec):
                variants = (variant.primSpec for variant in variant_set.variants)
                total += max((self._tree(stack, [one]) - 1 for one in variants), default=0)
        return total

    def _size(self, at: _Arc) -> int:
        if at not in self._known:
            self._known[at] = 0  # in a circle, which composition refuses
            self._known[at] = self._tree(at.stack, self._specs(at))
        return self._known[at]

    def _specs(self, at: _Arc) -> list[Sdf.PrimSpec]:
        found = (layer.GetPrimAtPath(at.prim) for layer in self._stack(at.stack))
        return [spec for spec in found if spec]

    def _entered(self, at: _Arc) -> int:
        """Prims that an arc brings: its target, and what the target's ancestors refer to there."""
        total = self._size(at)
        for ancestor in at.prim.GetPrefixes()[:-1]:
            for spec in self._specs(_Arc(at.stack, ancestor)):
                for arc in self._arcs(at.stack, spec):
                    target = _Arc(arc.stack, at.prim.ReplacePrefix(ancestor, arc.prim))
                    total += 0 if target == at else self._size(target)
        return total

    def _arcs(self, stack: Sdf.Layer, spec: Sdf.PrimSpec) -> Iterator[_Arc]:
        for key in _INTERNAL:
            if spec.HasInfo(key):
                for target in spec.GetInfo(key).GetAddedOrExplicitItems():
                    yield _Arc(stack, target)
                    if stack is not self._root:
                        yield _Arc(self._root, target)
        for key in _ARCS:
            if spec.HasInfo(key):
                for arc in spec.GetInfo(key).GetAddedOrExplicitItems():
                    layer = self._layer(spec.layer, arc.assetPath) if arc.assetPath else stack
                    prim = arc.primPath or (layer and layer.GetDefaultPrimAsPath())
                    if layer and prim:
                        yield _Arc(layer, prim)

    def _stack(self, root: Sdf.Layer) -> list[Sdf.Layer]:
        """A layer and all its sublayers."""
        if root.identifier not in self._stacks:
            found: dict[str, Sdf.Layer] = {}
            waiting = [root]
            while waiting:
                layer = waiting.pop()
                if layer.identifier not in found:
                    found[layer.identifier] = layer
                    named = (self._layer(layer, stated) for stated in layer.subLayerPaths)
                    waiting += [each for each in named if each]
            self._stacks[root.identifier] = list(found.values())
        return self._stacks[root.identifier]

    def _layer(self, layer: Sdf.Layer, stated: str) -> Sdf.Layer | None:
        return self._named.get((layer.identifier, stated))


def _children(specs: Sequence[Sdf.PrimSpec]) -> dict[str, list[Sdf.PrimSpec]]:
    """What several layers say of the prims below one, by their names."""
    found: dict[str, list[Sdf.PrimSpec]] = {}
    for spec in specs:
        for child in children(spec):
            found.setdefault(child.name, []).append(child)
    return found
