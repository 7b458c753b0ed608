"""How a passage is measured: by which rule, how exactly, and when it is too close to call."""

from __future__ import annotations

from dataclasses import dataclass

from waypost.domain.traverse.passage_rule import DEFAULT_PASSAGE_RULE, PassageRule


@dataclass(frozen=True, slots=True)
class MeasuringRule:
    """Limits of the measuring; lengths in metres."""

    project: PassageRule = DEFAULT_PASSAGE_RULE
    """Says how long a path may be, and whether ground that is furniture counts as floor."""

    other_node_m: float = 0.3
    """A path that comes this near to another node belongs to other edges."""

    node_tolerance_m: float = 0.10
    """How far from a node the body may stand, at both ends and for both opinions."""

    window_m: float = 1.5
    """How far around the edge is searched; a "no" that may hang on its rim, twice as far."""

    width_margin_m: float = 0.01
    step_margin_m: float = 0.002
    turn_margin_m: float = 0.02
    noise_sigmas: float = 3.0
    """Below these margins an answer is uncertain."""

    def longest_path_m(self, edge_m: float) -> float:
        """How long a path may be that still is this edge."""
        return self.project.detour_factor * edge_m + self.project.detour_extra_m
