"""A panorama strip as a picture for reports and films, painted as on the window."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from waypost.domain.base.progress import exhaust
from waypost.domain.replay.replay import Replay
from waypost.io.picture_sources.source import PictureSource
from waypost.services.appearance import LIGHT, ThemeTokens
from waypost.services.replay.picture_loading import StepWish, load_pictures
from waypost.services.replay.picture_tiles import PlacePictures, TileWish
from waypost.viewers.strip.content import arrival_after, row_title, strip_row
from waypost.viewers.strip.layout import BARE_ASPECT, GAP_PX, lay_out
from waypost.viewers.strip.painting import line_height, paint_strip

_MARGIN_PX: Final = 4.0
_NARROWEST_PX: Final = 240


def strip_image(
    replay: Replay,
    step: int,
    source: PictureSource | None,
    width_px: int,
    *,
    has_next: bool = False,
    tokens: ThemeTokens = LIGHT,
    text_px: int = 13,
) -> QImage:
    """Paint the strip of a step; waits for the pictures. Needs a Qt application, no window.

    A source that renders must be used on the window's thread.

    Args:
        replay: What is replayed.
        step: The step.
        source: Where pictures come from; bare tiles without.
        width_px: Of the result; at least 240.
        has_next: Whether the next viewpoint's panorama stands below.
        tokens: Colours.
        text_px: Height of the text.
    """
    width_px = max(width_px, _NARROWEST_PX)
    after = arrival_after(replay, step) if has_next else None
    font = QFont()
    font.setPixelSize(text_px)
    line = line_height(font)
    is_frame = source is not None and source.is_single
    tile_px = (width_px - 2 * _MARGIN_PX - 3 * GAP_PX) / 4
    tallest = tile_px * (2.0 if is_frame else 1.0)
    rows = [
        strip_row(
            replay, shown, _pictures(replay, shown, source, tile_px, tallest), is_frame=is_frame
        )
        for shown in ([step] if after is None else [step, after])
    ]
    # As high as the highest picture; tiles without are a little wider than high.
    wide = tile_px * 4 + 3 * GAP_PX if is_frame else tile_px
    height = max(min(tallest, wide / (row.aspect or BARE_ASPECT)) for row in rows)
    texts = line if len(rows) == 1 else 2 * line + GAP_PX / 2
    area = QRectF(_MARGIN_PX, _MARGIN_PX, width_px - 2 * _MARGIN_PX, len(rows) * (height + texts))
    image = QImage(width_px, round(area.height() + 2 * _MARGIN_PX), QImage.Format.Format_RGB888)
    image.fill(QColor(tokens.panel))
    painter = QPainter(image)
    painter.setFont(font)
    titles = [row_title(row, is_now=row.step == step) for row in rows]
    paint_strip(painter, rows, lay_out(rows, area, line), tokens, titles=titles)
    painter.end()
    return image


def _pictures(
    replay: Replay, step: int, source: PictureSource | None, width_px: float, height_px: float
) -> PlacePictures | None:
    if source is None:
        return None
    wish = TileWish(max(16, int(width_px)), max(16, int(height_px)))
    return exhaust(load_pictures(source, StepWish(replay, step, wish)))
