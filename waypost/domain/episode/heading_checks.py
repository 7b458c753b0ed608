"""Whether the headings of a data set mean what its reader takes them for.

A start heading that disagrees with the first step proves nothing by itself: R2R turns agents in
any direction, so that one heading in two disagrees by more than 90° however it is read. Another
reading is proposed only where it explains the starts far better than chance and than the stated
one: its likelihood must exceed both ``CONVINCING`` times. By Markov's inequality, data that is
right is then doubted in at most one file of so many (an e-value; Vovk and Wang, E-values:
calibration, combination and applications, Annals of Statistics 2021).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from waypost.domain.base.frames import wrap_to_pi
from waypost.domain.episode.import_report import ImportFinding, ImportKind

Reading = Callable[[float], float]
"""The scene yaw that a stated yaw would be if it followed another convention."""

OTHER_READINGS: Final[Mapping[str, Reading]] = MappingProxyType(
    {
        "turning the other way": lambda yaw: -yaw,
        "pointing backwards": lambda yaw: yaw + math.pi,
        "zero a quarter turn to the left": lambda yaw: yaw + math.pi / 2,
        "zero a quarter turn to the right": lambda yaw: yaw - math.pi / 2,
        "zero at +Y and clockwise, as in R2R": lambda yaw: math.pi / 2 - yaw,
    }
)
"""What else a yaw may mean, by name."""

CONVINCING: Final = 1e6
"""How many times likelier the starts must be under another reading than by chance, and than as
stated."""

WIDTHS_RAD: Final = tuple(math.radians(width) for width in (90.0, 45.0, 15.0, 3.0))
"""How near to the first step agents may be turned that are meant to face it; each is a model."""

STRAY_SHARE: Final = 0.1
"""Share of starts that may point anywhere even where agents are meant to face their first step."""

GRID_RAD: Final = math.radians(15.0)
GRID_WIDTH_RAD: Final = math.radians(45.0)
"""First steps along a grid and headings of a grid meet by chance: such starts count as near only
within this width, which chance cannot favour for headings in quarter turns."""

_ON_GRID_RAD: Final = math.radians(1.0)

MOST_STARTS: Final = 20_000
"""Different starts that are looked at; more tell nothing new and take memory."""

MOST_RADIANS: Final = 4 * math.pi
"""Beyond two turns an angle in radians is taken for degrees."""


@dataclass(slots=True)
class _Reading:
    """What the starts so far say about one way to read headings."""

    count: int = 0
    """Starts that can be read so."""

    agreeing: int = 0
    """Starts of these that are turned to within 90° of the first step."""

    log_ratios: list[float] = field(default_factory=lambda: [0.0] * len(WIDTHS_RAD))
    """Per width: how much likelier these starts are than if headings pointed anywhere."""

    def add(self, deviation_rad: float, least_width_rad: float) -> None:
        """Take the angle between a heading, read so, and its first step into account."""
        self.count += 1
        self.agreeing += deviation_rad <= WIDTHS_RAD[0]
        for at, model_width in enumerate(WIDTHS_RAD):
            width = max(model_width, least_width_rad)
            is_near = deviation_rad < width
            ratio = STRAY_SHARE + ((1 - STRAY_SHARE) * math.pi / width if is_near else 0.0)
            self.log_ratios[at] += math.log(ratio)

    def log_likelihood(self, count: int) -> float:
        """Of all starts, in relation to headings that point anywhere; the mean over the models.

        Args:
            count: All starts; those that cannot be read so speak against the reading.
        """
        most = max(self.log_ratios)
        mean = sum(math.exp(one - most) for one in self.log_ratios) / len(self.log_ratios)
        return most + math.log(mean) + (count - self.count) * math.log(STRAY_SHARE)


@dataclass(slots=True)
class HeadingCheck:
    """Collects start headings and first steps; bounded in memory."""

    first_id: str = ""
    """An episode that disagrees as stated."""

    _readings: defaultdict[str, _Reading] = field(default_factory=lambda: defaultdict(_Reading))
    """By name; empty text: as stated."""

    _starts: set[tuple[float, float]] = field(default_factory=set)

    @property
    def count(self) -> int:
        """Different starts so far."""
        return len(self._starts)

    def add(
        self,
        episode_id: str,
        yaw_rad: float,
        step_yaw_rad: float,
        readings: Mapping[str, float] = MappingProxyType({}),
    ) -> None:
        """Take one episode into account; further ones of the same start tell nothing new.

        Args:
            episode_id: To name in the finding.
            yaw_rad: Start yaw as the reader takes it.
            step_yaw_rad: Direction of the first step of the reference, scene yaw.
            readings: Yaw by further readings that only the reader knows, e.g. quaternion orders.
        """
        start = round(yaw_rad, 6), round(step_yaw_rad, 6)
        if start in self._starts or self.count >= MOST_STARTS:
            return
        self._starts.add(start)
        least_width_rad = GRID_WIDTH_RAD if _is_on_grid(step_yaw_rad) else 0.0
        others = {name: read(yaw_rad) for name, read in OTHER_READINGS.items()}
        for name, other in {**others, **readings, "": yaw_rad}.items():
            deviation = abs(wrap_to_pi(other - step_yaw_rad))
            self._readings[name].add(deviation, least_width_rad)
            if not name and deviation > WIDTHS_RAD[0] and not self.first_id:
                self.first_id = episode_id

    def finding(self) -> ImportFinding | None:
        """What to say, if anything."""
        if not self._starts:
            return None
        found = {name: one.log_likelihood(self.count) for name, one in self._readings.items()}
        known = max(0.0, found.pop(""))
        best = max(found, key=lambda name: found[name])
        if found[best] - math.log(len(found)) < known + math.log(CONVINCING):
            return None
        return ImportFinding(
            ImportKind.HEADING_MISMATCH,
            self.first_id,
            0,
            best,
            "start heading and first step disagree by more than 90° in"
            f" {self.count - self._readings[''].agreeing} of {self.count} different starts, but"
            f" agree in {self._readings[best].agreeing} if headings are read as: {best}",
        )


def _is_on_grid(yaw_rad: float) -> bool:
    return abs(math.remainder(yaw_rad, GRID_RAD)) < _ON_GRID_RAD


def degrees_finding(item_id: str, largest_rad: float, name: str) -> ImportFinding | None:
    """A notice that a field of angles in radians holds degrees.

    Args:
        item_id: Where the largest angle stands.
        largest_rad: The largest absolute value of the field in the file, as stated.
        name: Of the field.
    """
    if largest_rad <= MOST_RADIANS:
        return None
    return ImportFinding(
        ImportKind.DEGREES_FOR_RADIANS,
        item_id,
        None,
        f"{largest_rad:g}",
        f"{name} goes up to {largest_rad:g}, which looks like degrees; it is read as radians",
    )
