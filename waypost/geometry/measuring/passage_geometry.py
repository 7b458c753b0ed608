"""The geometric measure of one passage."""

from __future__ import annotations

import math

from waypost.domain.base.frames import Vec3
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.traversability import Passage, Reason, Verdict
from waypost.geometry.measuring.body import GroundContact, MeasuredBody
from waypost.geometry.measuring.geometric_measure import GeometricAnswer, GeometricMeasure
from waypost.geometry.measuring.ground_flood import StepLimits, Surfaces, flood, surface_at
from waypost.geometry.measuring.obstacles import find_obstacles
from waypost.geometry.measuring.rule import MeasuringRule
from waypost.geometry.measuring.scene_ground import Box, SceneGround
from waypost.geometry.measuring.straight_way import straight_clearance


def measure_geometry(
    ground: SceneGround,
    graph: NavigationGraph,
    passage: Passage,
    profile: AgentProfile,
    rule: MeasuringRule | None = None,
    contact: GroundContact | None = None,
) -> GeometricMeasure:
    """Measure whether a body gets from one node to another.

    Args:
        ground: Of the scene, made once.
        graph: With both nodes; the others bound the detour.
        passage: Which nodes, in this direction.
        profile: The body, its step and drive.
        rule: Limits and margins; the default ones if left out.
        contact: What touches the ground; by the kind of body if left out.

    Raises:
        KeyError: If the graph has no such node.
    """
    rule = rule or MeasuringRule()
    body = MeasuredBody.of(profile, contact)
    start, end = graph.nodes[passage.from_id].position_m, graph.nodes[passage.to_id].position_m
    window = ground.window(_box(start, end, rule.window_m), *sorted((start[2], end[2])))
    limits = StepLimits(body.step_up_m, body.step_down_m, body.height_m, body.contact.largest_gap_m)
    surfaces = Surfaces.of(window.field, body.height_m)
    first, fault = surface_at(surfaces, window.field, start, limits, rule.node_tolerance_m)
    if fault:
        answer = GeometricAnswer(Verdict.DOES_NOT, fault, Reason.OTHER, start)
        return GeometricMeasure(passage, answer, answer)
    sheet = flood(surfaces, window.field, first, limits)
    points = find_obstacles(window.triangles_m, sheet, body)
    clearance = straight_clearance(points.xy_m, start, end, body)
    margin = 2 * clearance.distance_m
    at: Vec3 | None = None
    contacts: tuple[str, ...] = ()
    if clearance.nearest >= 0:
        x, y = points.xy_m[clearance.nearest]
        at = (float(x), float(y), float(points.z_m[clearance.nearest]))
        contacts = (window.name_of(int(points.triangle[clearance.nearest])),)
    if margin >= rule.width_margin_m:
        verdict = Verdict.TRAVELS
    elif margin <= -rule.width_margin_m:
        verdict = Verdict.DOES_NOT
    else:
        verdict = Verdict.UNCERTAIN
    reason = None if verdict is Verdict.TRAVELS else Reason.OTHER
    words = "free along the edge" if verdict is Verdict.TRAVELS else "something is on the edge"
    answer = GeometricAnswer(
        verdict, words, reason, at, margin if math.isfinite(margin) else None, contacts
    )
    return GeometricMeasure(passage, answer, answer, detour_m=0.0)


def _box(start: Vec3, end: Vec3, margin_m: float) -> Box:
    return (
        min(start[0], end[0]) - margin_m,
        min(start[1], end[1]) - margin_m,
        max(start[0], end[0]) + margin_m,
        max(start[1], end[1]) + margin_m,
    )
