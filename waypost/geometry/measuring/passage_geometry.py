"""The geometric measure of one passage."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from waypost.domain.base.frames import Vec3
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.traversability import Passage, Reason, Verdict
from waypost.geometry.measuring.answers import Answers, both_answers, refusal, straight_answer
from waypost.geometry.measuring.body import MeasuredBody
from waypost.geometry.measuring.body_ground import let_go_of_others
from waypost.geometry.measuring.climbing import may_climb, with_climbing
from waypost.geometry.measuring.either_way import turning_room, widest_between
from waypost.geometry.measuring.flights import count_flights
from waypost.geometry.measuring.geometric_measure import (
    GeometricAnswer,
    GeometricMeasure,
    GeometricTurn,
    Pose,
)
from waypost.geometry.measuring.ground_flood import OTHER_STOREY_M
from waypost.geometry.measuring.height_field import Bools, Floats
from waypost.geometry.measuring.holes import contacts_over, near_path
from waypost.geometry.measuring.obstruction import Obstruction
from waypost.geometry.measuring.passage_view import PassageView, passage_view
from waypost.geometry.measuring.path_facts import PathFacts, along, path_facts
from waypost.geometry.measuring.path_shortening import length_between_m
from waypost.geometry.measuring.reversals import straight_poses
from waypost.geometry.measuring.rule import MeasuringRule
from waypost.geometry.measuring.scene_ground import CELL_M, Box, GroundWindow, SceneGround
from waypost.geometry.measuring.turning import turn_at
from waypost.geometry.measuring.widest_disc import WidestWay

_BESIDE_M = 0.5
"""A window is at least this much wider than what the body sweeps along the edge."""

_RIM_CELLS = 2


def measure_geometry(
    ground: SceneGround,
    graph: NavigationGraph,
    passage: Passage,
    profile: AgentProfile,
    rule: MeasuringRule | None = None,
) -> GeometricMeasure:
    """Measure whether a body gets from one node to another.

    Args:
        ground: Of the scene, made once.
        graph: With both nodes; the others bound the detour.
        passage: Which nodes, in this direction.
        profile: The body, its step, drive and contacts with the ground.
        rule: Limits and margins; the default ones if left out.

    Raises:
        KeyError: If the graph has no such node.
    """
    rule = rule or MeasuringRule()
    body = MeasuredBody.of(profile)
    let_go_of_others(ground.windows, body.height_m)
    allowed = rule.project.allows_furniture
    window_m = max(rule.window_m, body.reach_m + _BESIDE_M)
    work, answers, view = _Work(
        ground, graph, passage, body, rule, window_m, allowed
    ).judged_widely()
    if not allowed and may_climb(work.window, body, answers, work.edge):
        over = replace(
            work, on_furniture=True, asks_path=answers.any_path.verdict is Verdict.DOES_NOT
        )
        over, climbing, climbing_view = over.judged_widely()
        if not isinstance(climbing_view, Obstruction):
            answers, is_over = with_climbing(answers, climbing, climbing_view)
            if is_over:
                work, view = over, climbing_view
    if isinstance(view, Obstruction):
        return _refused(passage, answers)
    return work.measure(view, answers)


def _refused(passage: Passage, answers: Answers) -> GeometricMeasure:
    """The body cannot even stand at the start, so that nothing moves there."""
    return GeometricMeasure(passage, answers.straight, answers.any_path, clear_width_m=0.0)


@dataclass(frozen=True, eq=False, slots=True)
class _Work:
    """One passage in a window of one size."""

    ground: SceneGround
    graph: NavigationGraph
    passage: Passage
    body: MeasuredBody
    rule: MeasuringRule
    window_m: float
    on_furniture: bool
    """Whether furniture is ground."""

    asks_path: bool = True
    """Whether a path is looked for; without one its answer is left open."""

    @property
    def start(self) -> Vec3:
        return self.graph.nodes[self.passage.from_id].position_m

    @property
    def end(self) -> Vec3:
        return self.graph.nodes[self.passage.to_id].position_m

    @property
    def box(self) -> Box:
        a, b, m = self.start, self.end, self.window_m
        return (
            min(a[0], b[0]) - m,
            min(a[1], b[1]) - m,
            max(a[0], b[0]) + m,
            max(a[1], b[1]) + m,
        )

    @property
    def window(self) -> GroundWindow:
        low, high = sorted((self.start[2], self.end[2]))
        return self.ground.window(self.box, low, high)

    @property
    def others(self) -> Floats:
        """(N, 2) other nodes of the storeys between the two."""
        low, high = sorted((self.start[2], self.end[2]))
        ends = (self.passage.from_id, self.passage.to_id)
        places = [
            node.position_m[:2]
            for node in self.graph.nodes.values()
            if node.node_id not in ends and low - 0.5 <= node.position_m[2] <= high + 0.5
        ]
        return np.array(places, dtype=np.float64).reshape(-1, 2)

    @property
    def edge(self) -> Floats:
        """The straight edge as a path."""
        return straight_poses(self.start, self.end)

    def judged_widely(self) -> tuple[_Work, Answers, PassageView | Obstruction]:
        """Both answers; in a window twice as wide if the rim of this one may be the reason.

        If it still may be, nothing is known of ways that lead round farther away.
        """
        answers, view = self.judged()
        if not self.may_lead_out(answers, view):
            return self, answers, view
        if not answers.found and abs(self.start[2] - self.end[2]) > OTHER_STOREY_M:
            # Another storey that the ground does not lead to: a wider window costs a lot for it.
            return self, self.unknown_beyond(answers), view
        wider = replace(self, window_m=2 * self.window_m)
        again, wider_view = wider.judged()
        if again.any_path.verdict is not Verdict.DOES_NOT:
            return wider, again, wider_view
        if wider.may_lead_out(again, wider_view):
            return wider, wider.unknown_beyond(again), wider_view
        return self, answers, view

    def unknown_beyond(self, answers: Answers) -> Answers:
        """The answers where nothing is known of ways that lead farther round."""
        words = f"no way within {self.window_m:.1f} m of the edge; one may lead round beyond"
        return replace(
            answers, any_path=replace(answers.any_path, verdict=Verdict.UNCERTAIN, words=words)
        )

    def may_lead_out(self, answers: Answers, view: PassageView | Obstruction) -> bool:
        """Whether a way that is short enough may leave the window and come back."""
        if isinstance(view, Obstruction):
            return False
        if answers.found:
            return answers.found.touches_rim
        if answers.any_path.verdict is not Verdict.DOES_NOT:
            return False
        ground = view.reached.sheet.is_ground.copy()
        ground[_RIM_CELLS:-_RIM_CELLS, _RIM_CELLS:-_RIM_CELLS] = False
        places = view.reached.sheet.grid.centres(*np.nonzero(ground))
        ends = np.array([self.start[:2], self.end[:2]])
        detour = np.linalg.norm(places[:, None] - ends, axis=2).sum(axis=1)
        longest = self.rule.longest_path_m(_edge_m(self.start, self.end))
        return bool((detour <= longest).any())

    def judged(self) -> tuple[Answers, PassageView | Obstruction]:
        """Both answers; uncertain where a step is too near to its limit to tell."""
        answers, view = self._answers(self.body)
        if isinstance(view, Obstruction):
            return answers, view
        noise = view.reached.noise_m
        margin = max(self.rule.step_margin_m, self.rule.noise_sigmas * noise)
        for shift in self._doubtful_shifts(view, answers, margin):
            other, _ = self._answers(self._shifted(shift))
            answers = _doubted(answers, other, shift, noise)
        return answers, view

    def _doubtful_shifts(
        self, view: PassageView, answers: Answers, margin_m: float
    ) -> Iterator[float]:
        """Changes of the step limit that may change an answer.

        A higher step takes no way away, so that it can only refute a "does not", and a lower one
        a "travels". A step matters where the body comes, and a "no" by any path hangs on all
        steps that some path short enough can reach.
        """
        places = view.reached.sheet.close_xy_m[view.reached.sheet.close_m < margin_m]
        if not len(places):
            return
        straight, any_path = answers.straight.verdict, answers.any_path.verdict
        edge = self.edge
        on_edge = bool(self._comes_near(places, edge).any())
        path = edge if answers.path is None else answers.path
        on_path = on_edge if path is edge else bool(self._comes_near(places, path).any())
        if (any_path is Verdict.TRAVELS and on_path) or (straight is Verdict.TRAVELS and on_edge):
            yield -margin_m
        ends = np.array([self.start[:2], self.end[:2]])
        detour = np.linalg.norm(places[:, None] - ends, axis=2).sum(axis=1)
        longest = self.rule.longest_path_m(_edge_m(self.start, self.end))
        on_any_path = bool((detour <= longest + 2 * self.body.reach_m).any())
        is_refutable = any_path is Verdict.DOES_NOT and on_any_path
        if is_refutable or (straight is Verdict.DOES_NOT and on_edge):
            yield margin_m

    def _comes_near(self, places: Floats, path: Floats) -> Bools:
        reach = self.body.reach_m + self.rule.node_tolerance_m + 2 * CELL_M
        return near_path(places, path, reach)

    def _answers(self, body: MeasuredBody) -> tuple[Answers, PassageView | Obstruction]:
        ends = (self.start, self.end)
        view = passage_view(self.window, body, ends, self.rule, on_furniture=self.on_furniture)
        if isinstance(view, Obstruction):
            return refusal(view), view
        if not self.asks_path:
            straight = straight_answer(view, self.rule)
            return Answers(straight, replace(straight, verdict=Verdict.UNCERTAIN)), view
        return both_answers(view, self.rule, self.box, self.others), view

    def _shifted(self, shift_m: float) -> MeasuredBody:
        """The body with a little more or less of a step."""
        return replace(
            self.body,
            step_up_m=max(0.0, self.body.step_up_m + shift_m),
            step_down_m=max(0.0, self.body.step_down_m + shift_m),
        )

    def measure(self, view: PassageView, answers: Answers) -> GeometricMeasure:
        """The answers with all facts."""
        sheet, body = view.reached.sheet, self.body
        path = answers.path
        way = self._way(view, answers)
        facts, hole, detour = PathFacts(), None, None
        any_path = answers.any_path
        if path is not None and any_path.verdict is not Verdict.DOES_NOT:
            floor = max(self.start[2], self.end[2])
            facts = path_facts(self.window, sheet, path, body, floor)
            hole = _widest_under(view, path)
            length = length_between_m(path, self.start, self.end)
            detour = max(0.0, length - _edge_m(self.start, self.end))
            answers = self._doubted_by_ground(answers, facts)
            any_path = answers.any_path
        turns = self._turns(view)
        return GeometricMeasure(
            self.passage,
            answers.straight,
            any_path,
            path=_poses(view, path) if any_path.verdict is not Verdict.DOES_NOT else (),
            detour_m=detour,
            clear_width_m=min(way.width_m, 9.0),
            clear_width_at_m=view.tight_place(way),
            clear_width_length_m=way.length_m,
            step_up_m=facts.step_up_m,
            step_up_at_m=facts.step_up_at_m,
            step_down_m=facts.step_down_m,
            step_down_at_m=facts.step_down_at_m,
            flights=_flights_on(view, path),
            slope_deg=facts.slope_deg,
            head_room_m=facts.head_room_m,
            hole_m=hole,
            turn_needs_m=turns[0].needs_m,
            turn_has_m=min(turn.has_m for turn in turns),
            turns=turns,
            reversals=_reversals(answers, any_path),
            floor_noise_m=view.reached.noise_m,
        )

    def _way(self, view: PassageView, answers: Answers) -> WidestWay:
        """Of the widest disc; both directions over one ground share it."""
        if answers.found:
            return answers.found.way
        if view.fault:
            # The ground alone ends before the other node: nothing moves there, however narrow.
            return WidestWay(0.0)
        return widest_between(view, view.search(self.box, self.others, self.rule))

    def _doubted_by_ground(self, answers: Answers, facts: PathFacts) -> Answers:
        """Uncertain where the path is on furniture, or its ground leaps to another storey.

        The ground has one height at a place, so that nothing stands in a way that leads over the
        edge of an upper storey onto a lower one.
        """
        if max(facts.step_up_m, facts.step_down_m) > OTHER_STOREY_M:
            words, names = "leads over the edge of a storey", None
        elif facts.furniture and not self.rule.project.allows_furniture:
            words, names = f"climbs {', '.join(facts.furniture)}", facts.furniture
        else:
            return answers

        def doubted(answer: GeometricAnswer) -> GeometricAnswer:
            if answer.verdict is not Verdict.TRAVELS:
                return answer
            contacts = answer.contacts if names is None else names
            return replace(answer, verdict=Verdict.UNCERTAIN, words=words, contacts=contacts)

        is_same = answers.straight is answers.any_path
        any_path = doubted(answers.any_path)
        straight = doubted(answers.straight) if is_same else answers.straight
        return replace(answers, straight=straight, any_path=any_path)

    def _turns(self, view: PassageView) -> tuple[GeometricTurn, GeometricTurn]:
        heading = math.atan2(self.end[1] - self.start[1], self.end[0] - self.start[0])
        first, last = (
            turning_room(view, self.graph.nodes[node_id].position_m, self.rule)
            for node_id in (self.passage.from_id, self.passage.to_id)
        )
        return (
            turn_at(first, self.passage.from_id),
            turn_at(last, self.passage.to_id, heading, self._leaving(self.passage.to_id)),
        )

    def _leaving(self, node_id: str) -> tuple[tuple[str, float], ...]:
        """Other neighbours of a node, and the headings towards them."""
        place = self.graph.nodes[node_id].position_m
        found = []
        for edge in self.graph.edges.values():
            if node_id not in (edge.from_id, edge.to_id):
                continue
            other = edge.to_id if edge.from_id == node_id else edge.from_id
            if other == self.passage.from_id:
                continue
            x, y, _ = self.graph.nodes[other].position_m
            found.append((other, math.atan2(y - place[1], x - place[0])))
        return tuple(found)


def _doubted(answers: Answers, other: Answers, shift_m: float, noise_m: float) -> Answers:
    """Uncertain where a body with a little more or less of a step gets another answer."""
    words = f"a step is within {abs(shift_m) * 1000:.0f} mm of the limit"
    if noise_m > 0:
        words += f", the floor's own noise is {noise_m * 1000:.1f} mm"
    decided = (Verdict.TRAVELS, Verdict.DOES_NOT)

    def judged(own: GeometricAnswer, changed: GeometricAnswer) -> GeometricAnswer:
        if own.verdict in decided and own.verdict is not changed.verdict:
            return replace(
                own,
                verdict=Verdict.UNCERTAIN,
                words=words,
                reason=Reason.STEP_OR_SILL,
                margin_m=abs(shift_m),
            )
        return own

    return replace(
        answers,
        straight=judged(answers.straight, other.straight),
        any_path=judged(answers.any_path, other.any_path),
    )


def _edge_m(start: Vec3, end: Vec3) -> float:
    return math.hypot(end[0] - start[0], end[1] - start[1])


def _widest_under(view: PassageView, path: Floats) -> float | None:
    touched, under = contacts_over(view.holes, path, view.body)
    both = np.concatenate([touched, under])
    return float(view.holes.width_m[both].max()) if len(both) else None


def _flights_on(view: PassageView, path: Floats | None) -> int:
    if path is None:
        return 0
    sheet = view.reached.sheet
    cells = view.reached.flights
    column, row, _ = sheet.grid.cells(along(path))
    on_path = np.zeros_like(cells)
    on_path[row, column] = True
    return count_flights(cells & on_path)


def _reversals(answers: Answers, any_path: GeometricAnswer) -> int | None:
    if any_path.verdict is Verdict.DOES_NOT:
        return None
    return answers.found.reversals if answers.found else 0


def _poses(view: PassageView, path: Floats | None) -> tuple[Pose, ...]:
    if path is None:
        return ()
    sheet = view.reached.sheet
    column, row, _ = sheet.grid.cells(path)
    z = sheet.z_m[row, column]
    z = np.where(np.isfinite(z), z, view.start[2])
    return tuple(
        (float(x), float(y), float(h), float(t)) for (x, y, t), h in zip(path, z, strict=True)
    )
