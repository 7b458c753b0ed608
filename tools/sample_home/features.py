"""Sizes of what the sample home is built to test: clear widths, steps and lower edges, metres."""

from __future__ import annotations

from typing import Final

DOOR_WIDE_M: Final = 0.90
DOOR_MIDDLE_M: Final = 0.80
DOOR_NARROW_M: Final = 0.68
SILL_M: Final = 0.02
THRESHOLD_M: Final = 0.012
PASSAGE_M: Final = 0.75
CORRIDOR_M: Final = 0.80
LAMP_M: Final = 1.5
TABLE_M: Final = 0.45
RAMP_RISE_M: Final = 0.15
RISER_M: Final = 0.17
