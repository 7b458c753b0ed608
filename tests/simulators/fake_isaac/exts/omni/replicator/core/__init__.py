"""Fake of ``omni.replicator.core``: pictures of a camera prim, one ray for each pixel."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from kit_world import WORLD
from pxr import Gf, UsdGeom

if os.environ.get("FAKE_ISAAC_FAULT") == "no omni.replicator.core":
    raise ImportError("No module named 'omni.replicator.core'")

_FAR_M = 100.0


class _RenderProduct:
    def __init__(self, camera: str, resolution: tuple[int, int]) -> None:
        self.path = f"/Render/{len(_PRODUCTS)}"
        self._camera, self._resolution = camera, resolution
        self._frames: dict[str, np.ndarray] = {}
        _PRODUCTS[self.path] = self

    def destroy(self) -> None:
        _PRODUCTS.pop(self.path, None)


class create:  # noqa: N801 - its name
    @staticmethod
    def render_product(camera: str, resolution: tuple[int, int]) -> _RenderProduct:
        return _RenderProduct(camera, resolution)


class _Annotator:
    def __init__(self, name: str) -> None:
        self._name = name
        self._product = ""

    def attach(self, render_products: list[str]) -> None:
        (self._product,) = render_products

    def detach(self) -> None:
        self._product = ""

    def get_data(self) -> np.ndarray:
        # Nothing has been rendered yet: an empty array, as the real one gives.
        return _PRODUCTS[self._product]._frames.get(self._name, np.zeros(0, np.uint8))


class AnnotatorRegistry:
    @staticmethod
    def get_annotator(name: str) -> _Annotator:
        if name not in {"rgb", "distance_to_image_plane"}:
            raise ValueError(f"the fake has no annotator {name}")
        return _Annotator(name)


class orchestrator:  # noqa: N801 - its name
    @staticmethod
    def set_capture_on_play(value: bool) -> None: ...

    @staticmethod
    def step(
        rt_subframes: int = -1, pause_timeline: bool = True, delta_time: float | None = None
    ) -> None:
        with WORLD.only_what_is_seen():
            for product in _PRODUCTS.values():
                product._frames = _rendered(product)


def _rendered(product: _RenderProduct) -> dict[str, Any]:
    width, height = product._resolution
    prim = WORLD.stage.GetPrimAtPath(product._camera)
    pose = UsdGeom.XformCache().GetLocalToWorldTransform(prim)
    focal = prim.GetAttribute("focalLength").Get() / prim.GetAttribute("horizontalAperture").Get()
    right, up, back = (np.array(pose.TransformDir(Gf.Vec3d(*axis))) for axis in np.eye(3).tolist())
    eye = np.array(pose.ExtractTranslation())
    depth = np.full((height, width), np.inf, np.float32)
    rgba = np.zeros((height, width, 4), np.uint8)
    for row in range(height):
        for column in range(width):
            across = ((column + 0.5) / width - 0.5) / focal
            rise = (0.5 - (row + 0.5) / height) * height / width / focal
            ray = across * right + rise * up - back
            length = float(np.linalg.norm(ray))
            hit = WORLD.raycast(eye, ray / length, _FAR_M)
            if hit is not None:
                depth[row, column] = hit.distance / length
                rgba[row, column, :3] = np.abs(np.array(hit.normal)) * 255
            rgba[row, column, 3] = 255
    return {"rgb": rgba, "distance_to_image_plane": depth}


_PRODUCTS: dict[str, _RenderProduct] = {}
