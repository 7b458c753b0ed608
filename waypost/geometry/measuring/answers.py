"""The two answers about a passage, by one body."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from waypost.domain.traverse.traversability import Reason, Verdict
from waypost.geometry.measuring.any_path import AnyPath, Search
from waypost.geometry.measuring.either_way import path_between
from waypost.geometry.measuring.geometric_measure import GeometricAnswer
from waypost.geometry.measuring.height_field import Floats
from waypost.geometry.measuring.holes import contacts_over
from waypost.geometry.measuring.obstruction import Obstruction
from waypost.geometry.measuring.passage_view import PassageView
from waypost.geometry.measuring.reversals import MOST_REVERSALS, straight_poses
from waypost.geometry.measuring.rule import MeasuringRule
from waypost.geometry.measuring.scene_ground import Box
from waypost.geometry.measuring.straight_way import swept_distance


@dataclass(frozen=True, eq=False, slots=True)
class Answers:
    """Both answers, and the path of the second."""

    straight: GeometricAnswer
    any_path: GeometricAnswer
    found: AnyPath | None = None
    path: Floats | None = None


def refusal(cause: Obstruction) -> Answers:
    """Both answers where the body cannot even stand."""
    answer = GeometricAnswer(
        Verdict.DOES_NOT, cause.words, cause.reason, cause.at_m, cause.margin_m, cause.names
    )
    return Answers(answer, answer)


def both_answers(view: PassageView, rule: MeasuringRule, box: Box, others: Floats) -> Answers:
    """Judge the straight edge, and any path if that is not surely free."""
    straight = straight_answer(view, rule)
    if straight.verdict is Verdict.TRAVELS:
        return Answers(straight, straight, None, straight_poses(view.start, view.end))
    if view.fault:
        unreached = _unreached(view, straight)
        if straight.verdict is Verdict.UNCERTAIN:
            straight = unreached
        return Answers(straight, unreached)
    search = view.search(box, others, rule)
    found = path_between(view, search)
    if found.verdict is not Verdict.TRAVELS and len(view.holes.xy_m):
        return _with_holes(view, straight, search, found)
    return Answers(straight, _path_answer(view, found, rule), found, found.path)


def straight_answer(view: PassageView, rule: MeasuringRule) -> GeometricAnswer:
    """Whether the body passes along the edge and touches nothing."""
    if view.fault:
        return _first_in_way(view)
    distance = swept_distance(view.points, view.start, view.end, view.body)
    least = float(distance.min()) if len(distance) else math.inf
    margin = None if math.isinf(least) else 2 * least
    poses = straight_poses(view.start, view.end)
    touched, under = contacts_over(view.holes, poses, view.body)
    if margin is not None and margin <= -rule.width_margin_m:
        return _first_in_way(view)
    if len(touched):
        return _answer(Verdict.DOES_NOT, view.hole(int(touched[0])))
    if margin is not None and margin < rule.width_margin_m:
        cause = view.obstruction(int(np.argmin(distance)))
        words = f"{abs(least) * 100:.1f} cm {'beside' if least >= 0 else 'into'} {_name(cause)}"
        return _answer(Verdict.UNCERTAIN, replace(cause, words=words, margin_m=margin))
    if len(under):
        cause = view.hole(int(under[0]))
        return _answer(Verdict.UNCERTAIN, replace(cause, words=f"under the body: {cause.words}"))
    return _free(view, least)


def _free(view: PassageView, least_m: float) -> GeometricAnswer:
    """Free along the edge; an edge of a hole counts as in the clear width."""
    words = "free along the edge"
    to_holes = swept_distance(view.rim_points(), view.start, view.end, view.body)
    least_m = max(0.0, float(np.min(to_holes, initial=least_m)))
    if math.isinf(least_m):
        return GeometricAnswer(Verdict.TRAVELS, words)
    words = f"{words}, {least_m * 100:.0f} cm beside it"
    return GeometricAnswer(Verdict.TRAVELS, words, margin_m=2 * least_m)


def _name(cause: Obstruction) -> str:
    return ", ".join(cause.names) or cause.words


def _answer(verdict: Verdict, cause: Obstruction) -> GeometricAnswer:
    return GeometricAnswer(
        verdict, cause.words, cause.reason, cause.at_m, cause.margin_m, cause.names
    )


def _first_in_way(view: PassageView) -> GeometricAnswer:
    """What the body meets first on the straight edge, and the objects after it."""
    direction = np.array(view.end[:2]) - np.array(view.start[:2])
    direction = direction / max(float(np.hypot(*direction)), 1e-9)
    distance = swept_distance(view.points, view.start, view.end, view.body)
    inside = np.flatnonzero(distance < 0)
    order = inside[np.argsort((view.points[inside] - view.start[:2]) @ direction)]
    cause, reach = None, math.inf
    if len(order):
        cause = view.obstruction(int(order[0]))
        reach = float((view.points[order[0]] - view.start[:2]) @ direction)
    touched, _ = contacts_over(view.holes, straight_poses(view.start, view.end), view.body)
    if len(touched):
        along = (view.holes.xy_m[touched] - view.start[:2]) @ direction
        if float(along.min()) < reach:
            cause = view.hole(int(touched[np.argmin(along)]))
    if cause is None:
        return GeometricAnswer(Verdict.DOES_NOT, view.fault, Reason.OBSTACLE, view.end)
    names = [view.name(int(k)) for k in order[:: max(1, len(order) // 40)]]
    least = float(distance.min()) if len(distance) else 0.0
    margin = cause.margin_m if cause.margin_m is not None else min(0.0, 2 * least)
    return _answer(
        Verdict.DOES_NOT,
        replace(cause, names=tuple(dict.fromkeys((*cause.names, *names))), margin_m=margin),
    )


def _unreached(view: PassageView, straight: GeometricAnswer) -> GeometricAnswer:
    """The answer by any path where the ground does not lead to the end at all."""
    words = view.fault
    if straight.words and straight.words != words:
        words = f"{words}: {straight.words}"
    return replace(straight, verdict=Verdict.DOES_NOT, words=words)


def _with_holes(
    view: PassageView, straight: GeometricAnswer, search: Search, found: AnyPath
) -> Answers:
    """No path around the holes: certain only if a wheel cannot pass beside them either."""
    bare = path_between(view, replace(search, points=view.points))
    if bare.verdict is Verdict.DOES_NOT:
        return Answers(straight, _path_answer(view, bare, search.rule), bare, bare.path)
    bare = replace(bare, touches_rim=found.touches_rim)
    path = bare.path if bare.path is not None else straight_poses(view.start, view.end)
    touched, under = contacts_over(view.holes, path, view.body)
    index = int(touched[0]) if len(touched) else int(under[0]) if len(under) else 0
    cause = view.hole(index)
    closed = found.way.width_m <= view.body.contact.width_m + search.rule.width_margin_m
    verdict = Verdict.DOES_NOT if len(touched) and closed else Verdict.UNCERTAIN
    return Answers(straight, _answer(verdict, cause), bare, path)


def _path_answer(view: PassageView, found: AnyPath, rule: MeasuringRule) -> GeometricAnswer:
    body = view.body
    if found.verdict is Verdict.DOES_NOT:
        return _no_path(view, found)
    spare = found.way.width_m - body.narrow_m
    room = found.clearance_m if found.clearance_m and found.clearance_m > 0 else None
    margin = spare if body.is_round else (2 * room if room else min(spare, rule.width_margin_m))
    at = view.tight_place(found.way)
    if found.path is not None and at is not None:
        # The place on the path that is driven: the widest way may lead elsewhere.
        away = np.hypot(found.path[:, 0] - at[0], found.path[:, 1] - at[1])
        beside = found.path[int(np.argmin(away))] if found.tight is None else found.tight
        at = view.on_ground((float(beside[0]), float(beside[1])))
    if found.verdict is Verdict.UNCERTAIN:
        words = f"too close to tell: needs {body.narrow_m:.2f} m, has {found.way.width_m:.3f} m"
        if not body.is_round and spare >= rule.width_margin_m:
            words = f"too close to tell whether it turns in {found.way.width_m:.2f} m"
            return GeometricAnswer(Verdict.UNCERTAIN, words, Reason.NO_ROOM_TO_TURN, at, None)
        return GeometricAnswer(Verdict.UNCERTAIN, words, Reason.TOO_NARROW, at, margin)
    if found.leaves_edge:
        words = "there is a way, but it is too long for this edge or passes another node"
        return GeometricAnswer(Verdict.UNCERTAIN, words, None, at, margin)
    words, is_sure = _driven_words(found, rule)
    if is_sure:
        return GeometricAnswer(Verdict.TRAVELS, words, None, at, margin)
    return GeometricAnswer(Verdict.UNCERTAIN, words, Reason.NO_ROOM_TO_TURN, at, margin)


def _driven_words(found: AnyPath, rule: MeasuringRule) -> tuple[str, bool]:
    """How the drive gets along the path, and whether it surely does."""
    if found.reversals is None or found.reversals > MOST_REVERSALS:
        words = (
            f"a way around, but none found that its drive follows with at most {MOST_REVERSALS} "
            "changes between forward and backward"
        )
        return words, False
    if found.reversals <= 1:
        return "a way around, free all along", True
    words = f"with manoeuvres: {found.reversals} changes between forward and backward"
    if found.clearance_m is not None and found.clearance_m >= rule.width_margin_m:
        return words, True
    return f"{words}, with less than {rule.width_margin_m * 100:.0f} cm of clearance", False


def _no_path(view: PassageView, found: AnyPath) -> GeometricAnswer:
    body, at = view.body, view.tight_place(found.way)
    if not found.is_width:
        words = (
            f"fits straight, cannot turn the bend: the way is {found.way.width_m:.2f} m wide, "
            f"the agent {body.width_m:.2f} × {body.length_m:.2f} m"
        )
        return GeometricAnswer(Verdict.DOES_NOT, words, Reason.NO_ROOM_TO_TURN, at)
    causes = [
        view.obstruction(k)
        if k < len(view.points)
        else view.hole(int(np.flatnonzero(view.holes.is_rim)[k - len(view.points)]))
        for k in found.way.nearest
        if k >= 0
    ]
    names = tuple(dict.fromkeys(name for cause in causes for name in cause.names))
    for cause in causes:
        if cause.reason is not Reason.OBSTACLE:
            return _answer(Verdict.DOES_NOT, replace(cause, names=names))
    words = f"needs {body.narrow_m:.2f} m, has {found.way.width_m:.2f} m"
    margin = found.way.width_m - body.narrow_m
    return GeometricAnswer(Verdict.DOES_NOT, words, Reason.TOO_NARROW, at, margin, names)
