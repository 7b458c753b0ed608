"""What a navmesh is made for: a round agent, and how finely the scene is sampled."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from waypost.domain.base.errors import InputError
from waypost.domain.traverse.agent import AgentProfile

_LEAST_CELL_HEIGHT_M = 0.005


@dataclass(frozen=True, slots=True)
class NavmeshSettings:
    """Size of the agent and of the cells, with the defaults of habitat-sim.

    Raises:
        InputError: If a value is out of range; the message starts with the field's name.

    Source:
        facebookresearch/habitat-sim:src/esp/nav/PathFinder.h (``NavMeshSettings``).
    """

    cell_size_m: float = 0.05
    """Side of a cell in plan."""

    cell_height_m: float = 0.2
    """Height of a cell; heights and climbs are counted in whole cells."""

    height_m: float = 1.5
    """Of the agent."""

    radius_m: float = 0.1
    """Of the agent, a disc in plan."""

    climb_m: float = 0.2
    """Highest step."""

    slope_deg: float = 45.0
    """Steepest ground."""

    region_min_size: float = 20.0
    """Side, in cells, of the smallest part that stays."""

    region_merge_size: float = 20.0
    edge_length_m: float = 12.0
    edge_error: float = 1.3
    """In cells."""

    corners_per_polygon: int = 6
    detail_distance: float = 6.0
    """In cells."""

    detail_error: float = 1.0
    """In cell heights."""

    def __post_init__(self) -> None:
        for name, low, high in _RANGES:
            value = getattr(self, name)
            if not math.isfinite(value) or not low <= value <= high:
                raise InputError(f"{name}: {value:g} is outside {low:g} to {high:g}")

    @classmethod
    def of_agent(cls, profile: AgentProfile) -> NavmeshSettings:
        """For an agent: the disc of its smaller side, its height and step.

        A box that must turn needs more room than that disc, so a way over this navmesh is a lower
        bound for it. Cells are as low as Recast can count up to the agent's height, so that small
        steps are told apart.
        """
        return cls(
            cell_height_m=max(_LEAST_CELL_HEIGHT_M, math.ceil(profile.height_m / 255 * 1e3) / 1e3),
            height_m=profile.height_m,
            radius_m=min(profile.width_m, profile.depth_m) / 2,
            climb_m=profile.step_limit_m,
        )

    @property
    def config(self) -> dict[str, float]:
        """As Recast counts: in cells, rounded as habitat-sim rounds."""
        return {
            "cs": self.cell_size_m,
            "ch": self.cell_height_m,
            "walkableSlopeAngle": self.slope_deg,
            "walkableHeight": math.ceil(self.height_m / self.cell_height_m - 1e-6),
            "walkableClimb": math.floor(self.climb_m / self.cell_height_m + 1e-6),
            "walkableRadius": math.ceil(self.radius_m / self.cell_size_m - 1e-6),
            "maxEdgeLen": int(self.edge_length_m / self.cell_size_m),
            "maxSimplificationError": self.edge_error,
            "minRegionArea": self.region_min_size,
            "mergeRegionArea": self.region_merge_size,
            "maxVertsPerPoly": self.corners_per_polygon,
            "detailSampleDist": self.detail_distance,
            "detailSampleMaxError": self.detail_error,
        }

    @property
    def words(self) -> str:
        """For people, e.g. ``radius 0.1 m, height 1.5 m, climb 0.2 m, slope 45°``."""
        return (
            f"radius {self.radius_m:g} m, height {self.height_m:g} m, climb {self.climb_m:g} m,"
            f" slope {self.slope_deg:g}°, cells {self.cell_size_m:g} × {self.cell_height_m:g} m"
        )


_RANGES = (
    ("cell_size_m", 0.005, 5.0),
    ("cell_height_m", 0.001, 5.0),
    ("height_m", 0.01, 50.0),
    ("radius_m", 0.0, 50.0),
    ("climb_m", 0.0, 50.0),
    ("slope_deg", 0.0, 89.9),
    ("region_min_size", 0.0, 1e4),
    ("region_merge_size", 0.0, 1e4),
    ("edge_length_m", 0.0, 1e4),
    ("edge_error", 0.0, 1e4),
    ("corners_per_polygon", 3, 6),
    ("detail_distance", 0.0, 1e4),
    ("detail_error", 0.0, 1e4),
)
SETTING_NAMES = tuple(field.name for field in fields(NavmeshSettings))
