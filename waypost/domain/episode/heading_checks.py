"""Whether the headings of a data set mean what its reader takes them for.

A start heading that disagrees with the first step by more than 90° proves nothing by itself:
R2R starts agents in any direction. If many episodes disagree as stated, though, and nearly all
agree when read another way (degrees, another sense, another quaternion order), the reading is
doubtful and is said so before the data is used.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
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

DOUBTFUL_SHARE = 0.5
"""Share of episodes that agree as stated, below which other readings are considered."""

DOUBTFUL_SHARE_OF_MANY = 0.75
"""The same from ``MANY`` episodes on: read a quarter turn off, or the other way round, headings
that are right agree in about half of them by chance."""

MANY = 20

CONVINCING_SHARE = 0.9
"""Share that must agree under another reading before it is proposed."""

MOST_RADIANS = 4 * math.pi
"""Beyond two turns an angle in radians is taken for degrees."""


@dataclass(slots=True)
class HeadingCheck:
    """Collects start headings and first steps; bounded in memory."""

    count: int = 0
    agreeing: Counter[str] = field(default_factory=Counter)
    """Reading → episodes that agree; empty text: as stated."""

    deviations_rad: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    """Reading → sum of angles to the first steps, which decides between equal shares."""

    first_id: str = ""
    """An episode that disagrees as stated."""

    def add(
        self,
        episode_id: str,
        yaw_rad: float,
        step_yaw_rad: float,
        readings: Mapping[str, float] = MappingProxyType({}),
    ) -> None:
        """Take one episode into account.

        Args:
            episode_id: To name in the finding.
            yaw_rad: Start yaw as the reader takes it.
            step_yaw_rad: Direction of the first step of the reference, scene yaw.
            readings: Yaw by further readings that only the reader knows, e.g. quaternion orders.
        """
        self.count += 1
        others = {name: read(yaw_rad) for name, read in OTHER_READINGS.items()}
        for name, other in {**others, **readings, "": yaw_rad}.items():
            deviation = abs(wrap_to_pi(other - step_yaw_rad))
            self.deviations_rad[name] += deviation
            if deviation <= math.pi / 2:
                self.agreeing[name] += 1
            elif not name and not self.first_id:
                self.first_id = episode_id

    def finding(self) -> ImportFinding | None:
        """What to say, if anything."""
        doubtful = DOUBTFUL_SHARE_OF_MANY if self.count >= MANY else DOUBTFUL_SHARE
        if not self.count or self.agreeing[""] / self.count >= doubtful:
            return None
        name = max(
            (reading for reading in self.deviations_rad if reading),
            key=lambda reading: (self.agreeing[reading], -self.deviations_rad[reading]),
        )
        most = self.agreeing[name]
        if most / self.count < CONVINCING_SHARE:
            return None
        return ImportFinding(
            ImportKind.HEADING_MISMATCH,
            self.first_id,
            0,
            name,
            f"start heading and first step disagree by more than 90° in"
            f" {self.count - self.agreeing['']} of {self.count} episodes, but agree in {most} if"
            f" headings are read as: {name}",
        )


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
