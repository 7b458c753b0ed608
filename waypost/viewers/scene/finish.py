"""How the triangles of a draw call go beyond a colour and a texture: glow, occlusion and alpha."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from waypost.domain.scene.scene import Material
from waypost.viewers.scene.mipmaps import Picture

_USUAL_ALPHA: Final = 0.4
"""Texels of less alpha are holes where a picture has hardly any alpha between none and full."""

_OPAQUE: Final = 255
_FULL_ALPHA: Final = 0.98
_NO_ALPHA: Final = 0.02
_ABOVE_ALL: Final = 2.0
_GRADED_SHARE: Final = 0.02
"""A picture with more texels of alpha in between than that is blended."""

_LOOKED_AT_EVERY: Final = 4


class Finish(NamedTuple):
    """What a draw call does besides colour and texture."""

    glow: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """sRGB in [0, 1], multiplied with the glow texture."""

    glow_texture: int = -1
    """Index into ``Scene.textures``; below 0 there is none."""

    occlusion_texture: int = -1
    """Index into ``Scene.textures``; below 0 there is none."""

    least_alpha: float = _USUAL_ALPHA
    """Texels of less alpha are left out."""

    below_alpha: float = _ABOVE_ALL
    """Texels of this alpha and more are left out, because another call draws them."""

    is_blended: bool = False
    """Whether the alpha of the texture blends with what is behind."""

    is_one_sided: bool = False
    """Whether only triangles that face the eye are drawn."""

    @property
    def textures(self) -> tuple[int, ...]:
        """Indices of the textures that it needs beside the one of the colour."""
        return tuple(index for index in (self.glow_texture, self.occlusion_texture) if index >= 0)


PLAIN: Final = Finish()
"""Nothing beyond colour and texture; drawn by the quickest program."""


def finishes_of(
    material: Material,
    picture: Picture | None,
    opacity: float,
    *,
    has_uvs: bool,
    has_black_beyond: bool = False,
) -> tuple[Finish, ...]:
    """The finish of a material; two where a picture has opaque and blended parts.

    The opaque part of a picture writes depth, so that leaves hide what is behind them; only their
    seams are blended.

    Args:
        material: Whose triangles are drawn.
        picture: Its base texture.
        opacity: Of the base colour.
        has_uvs: Whether the triangles have coordinates for textures.
        has_black_beyond: Whether there is nothing beyond the edges of the base texture.
    """
    finish = Finish(is_one_sided=material.is_one_sided)
    if any(material.emissive_color):
        glow = material.emissive_texture_index if has_uvs else None
        finish = finish._replace(
            glow=_srgb(material.emissive_color), glow_texture=-1 if glow is None else glow
        )
    if has_uvs and material.occlusion_texture_index is not None:
        finish = finish._replace(occlusion_texture=material.occlusion_texture_index)
    if picture is None:
        return (finish,)
    if material.alpha_cutoff is not None:
        return (finish._replace(least_alpha=round(material.alpha_cutoff, 3)),)
    if not _is_graded(picture):
        if has_black_beyond and picture[..., 3].min() == _OPAQUE:
            # What is read there has no alpha, and yet the surface has no hole.
            finish = finish._replace(least_alpha=-1.0)
        return (finish,)
    if opacity < 1.0:
        return (finish._replace(least_alpha=_NO_ALPHA, is_blended=True),)
    seam = finish._replace(least_alpha=_NO_ALPHA, below_alpha=_FULL_ALPHA, is_blended=True)
    return (finish._replace(least_alpha=_FULL_ALPHA), seam)


def _is_graded(picture: Picture) -> bool:
    """Whether a picture has alpha between none and full in more than single texels."""
    alpha = picture[::_LOOKED_AT_EVERY, ::_LOOKED_AT_EVERY, 3]
    is_between = (alpha > 255 * _NO_ALPHA) & (alpha < 255 * _FULL_ALPHA)
    return bool(np.count_nonzero(is_between) > _GRADED_SHARE * alpha.size)


def _srgb(linear: tuple[float, float, float]) -> tuple[float, float, float]:
    """Rounded to bytes, so that equal glows share a call."""
    parts = np.clip(np.asarray(linear, dtype=np.float64), 0.0, 1.0)
    srgb = np.where(parts <= 0.0031308, parts * 12.92, 1.055 * parts ** (1 / 2.4) - 0.055)
    red, green, blue = (float(part) for part in np.rint(srgb * 255.0) / 255.0)
    return (red, green, blue)
