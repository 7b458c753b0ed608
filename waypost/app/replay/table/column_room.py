"""Which columns of the episode table are shown in a width, and how wide they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from waypost.app.replay.table.episode_model import ColumnKind, EpisodeColumn

MARGIN_PX: Final = 14
"""Left and right of a text, together."""

LEAST_LETTERS: Final = {ColumnKind.ID: 4, ColumnKind.TAGS: 12, ColumnKind.INSTRUCTION: 16}
"""Width of columns that are made narrower rather than hidden."""

_KEPT: Final = ("SR", "SPL", "NE")
"""Metrics that give way last."""

_GIVE_WAY: Final = (
    ColumnKind.STEPS,
    ColumnKind.METRIC,
    ColumnKind.SCENE,
    ColumnKind.CHOSEN_METRIC,
)
"""Columns that hide where the table is too narrow for all, so that nothing scrolls sideways."""

_GIVE_WAY_LAST: Final = (
    ColumnKind.MARK,
    ColumnKind.INSTRUCTION,
    ColumnKind.TAGS,
    ColumnKind.TAG_MARKS,
    ColumnKind.METRIC,
    ColumnKind.SUCCESS,
)
"""Columns that hide where large text leaves no room even for these, as narrow as can be."""


def fitting_columns(
    columns: Sequence[EpisodeColumn],
    wanted_px: Mapping[int, int],
    least_px: Mapping[int, int],
    room_px: int,
) -> dict[int, int]:
    """Leave out columns, the last ones first, until the others have room.

    Args:
        columns: All of the table.
        wanted_px: Width of those that belong into it, by their place among all.
        least_px: The same for those that can be narrower.
        room_px: Width of the table.

    Returns:
        Place → width of those that stay.
    """
    shown = dict(wanted_px)
    kept = {n for n in shown if columns[n].kind is ColumnKind.METRIC and columns[n].metric in _KEPT}
    _leave_out(columns, shown, _GIVE_WAY, room_px, kept)
    narrowest = {number: least_px.get(number, width) for number, width in shown.items()}
    _leave_out(columns, narrowest, _GIVE_WAY_LAST, room_px)
    shown = {number: shown[number] for number in narrowest}
    excess_px = max(0, sum(shown.values()) + MARGIN_PX - room_px)
    for number in reversed(shown):
        width = max(narrowest[number], shown[number] - excess_px)
        excess_px -= shown[number] - width
        shown[number] = width
    return shown


def _leave_out(
    columns: Sequence[EpisodeColumn],
    widths_px: dict[int, int],
    kinds: Iterable[ColumnKind],
    room_px: int,
    kept: Iterable[int] = (),
) -> None:
    for kind in kinds:
        for number in sorted(set(widths_px).difference(kept), reverse=True):
            if columns[number].kind is kind and sum(widths_px.values()) > room_px:
                del widths_px[number]
