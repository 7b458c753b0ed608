"""Benchmarks that end at a thing: REVERIE, SOON, MSNav's lists and maps."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from waypost.domain.episode.episode import Episode, GoalObject
from waypost.domain.episode.run import EpisodeRun
from waypost.metrics import efficiency, object_lists
from waypost.metrics.graph_case import GraphCase, graph_of, jumping_case, within
from waypost.metrics.profile import Metric, Profile, Scenery
from waypost.metrics.profiles import r2r
from waypost.metrics.undefined import UndefinedScoreError

REVERIE_SOURCE: Final = "YuankaiQi/REVERIE:tasks/REVERIE/eval_release.py; DUET's reverie/env.py"
REVERIE_OWN: Final = "YuankaiQi/REVERIE:tasks/REVERIE/eval_release.py"
REVERIE_DUET: Final = "cshizhe/VLN-DUET:map_nav_src/reverie/env.py"
SOON_SOURCE: Final = "ZhuFengdaaa/SOON; cshizhe/VLN-DUET:map_nav_src/soon/env.py"
MSNAV_SOURCE: Final = "MSNav, arXiv:2508.16654"
MSNAV_LISTS: Final = "MrCapricornLiu/MSNav:Spatial/scripts/eval_obj_metrics.py"


def _target(episode: Episode) -> GoalObject:
    target = next((goal.target for goal in episode.goals if goal.target is not None), None)
    if target is None:
        raise UndefinedScoreError("the episode names no object")
    return target


def _visible_from(case: GraphCase) -> frozenset[str]:
    seen_from = _target(case.episode).visible_from
    if seen_from is None:
        raise UndefinedScoreError("the files of visible objects were not given")
    return seen_from


def _sees(case: GraphCase) -> float:
    return float(case.run.route.viewpoint_ids[-1] in _visible_from(case))


def _ever_sees(case: GraphCase) -> float:
    return float(not _visible_from(case).isdisjoint(case.run.route.viewpoint_ids))


def _grounds(case: GraphCase) -> float:
    return float(case.run.answer.object_id == _target(case.episode).object_id)


REVERIE: Final = Profile(
    "reverie",
    "REVERIE",
    (
        r2r.length(REVERIE_SOURCE),
        Metric(
            "OSR",
            "1 if the target object is visible from any visited viewpoint.",
            "fraction",
            REVERIE_SOURCE,
            _ever_sees,
        ),
        Metric(
            "SR",
            "1 if the target object is visible (within 3 m, by the box files) from the last"
            " viewpoint; distance to the end of the reference does not count.",
            "fraction",
            REVERIE_SOURCE,
            _sees,
        ),
        Metric(
            "SPL",
            "SR · L / max(TL, L, 0.01 m) with L the length of the reference path, as VLN-DUET reads"
            " it; SPL_REVERIE is the other public reading.",
            "fraction",
            REVERIE_DUET,
            lambda case: efficiency.spl_with_floor(_sees(case), case.reference_m, case.length_m),
        ),
        Metric(
            "SPL_REVERIE",
            "SR · d / max(TL, d) with d the shortest way from the start to the end of the reference"
            " along the graph, as the data set's own scorer reads it; 0/0 is undefined.",
            "fraction",
            REVERIE_OWN,
            lambda case: efficiency.spl(_sees(case), case.shortest_m, case.length_m),
        ),
        Metric(
            "RGS",
            "1 if the named object is the target, wherever the run ended; none named is 0.",
            "fraction",
            REVERIE_SOURCE,
            _grounds,
        ),
        Metric(
            "RGSPL",
            "RGS · L / max(TL, L, 0.01 m) with L the length of the reference path, as VLN-DUET"
            " reads it; RGSPL_REVERIE is the other public reading.",
            "fraction",
            REVERIE_DUET,
            lambda case: efficiency.spl_with_floor(_grounds(case), case.reference_m, case.length_m),
        ),
        Metric(
            "RGSPL_REVERIE",
            "RGS · d / max(TL, d) with d the shortest way from the start to the end of the"
            " reference along the graph, as the data set's own scorer reads it; 0/0 is undefined.",
            "fraction",
            REVERIE_OWN,
            lambda case: efficiency.spl(_grounds(case), case.shortest_m, case.length_m),
        ),
        *r2r.step_counts(REVERIE_DUET),
    ),
    jumping_case,
    needs_graph=True,
    notes=(
        "Published SPL and RGSPL have two readings: against the length of the reference (VLN-DUET)"
        " and against the shortest way (eval_release.py). They differ where the reference is no"
        " shortest way; both stand here."
    ),
)


class SoonCase(GraphCase):
    """A case whose goal is the last viewpoint itself when that viewpoint has a box."""

    def __init__(self, episode: Episode, run: EpisodeRun, scenery: Scenery) -> None:
        super().__init__(episode, run, graph_of(scenery))
        self.require_start()
        self.target = _target(episode)
        last = run.route.viewpoint_ids[-1]
        column = self.rows[self.goal]
        self.nearest = min(self.path, key=column.__getitem__)
        if last in self.target.polygons_rad:
            self.goal = self.final

    @cached_property
    def oracle_m(self) -> float:
        """From the viewpoint nearest to the original goal to the goal that counts, metres."""
        return self.to_goal(self.nearest)

    @cached_property
    def detection(self) -> float:
        """1 if the run points into the outline of the object at its last viewpoint."""
        outline = self.target.polygons_rad.get(self.run.route.viewpoint_ids[-1])
        answer = self.run.answer
        if outline is None or answer.heading_rad is None or answer.elevation_rad is None:
            return 0.0
        return float(contains(outline, answer.heading_rad, answer.elevation_rad))


def contains(outline: tuple[tuple[float, float], ...], x: float, y: float) -> bool:
    """Whether a point lies inside a polygon (even-odd rule).

    Headings do not wrap around, as in the public scorer.
    """
    inside = False
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            inside = not inside
    return inside


def _soon_success(case: SoonCase) -> float:
    return case.success(r2r.RADIUS_M)


SOON: Final = Profile(
    "soon",
    "SOON",
    (
        r2r.length(SOON_SOURCE),
        Metric(
            "NE",
            "Shortest way from the last viewpoint to the goal; 0 if that viewpoint has a box of the"
            " target, because it then becomes the goal.",
            "m",
            SOON_SOURCE,
            lambda case: case.error_m,
            False,
        ),
        Metric(
            "OSR",
            "1 if the visited viewpoint nearest to the original goal is less than 3 m (strictly)"
            " from the goal that counts.",
            "fraction",
            SOON_SOURCE,
            lambda case: case.oracle_success(r2r.RADIUS_M),
        ),
        Metric(
            "SR",
            "1 if NE is less than 3 m (strictly).",
            "fraction",
            SOON_SOURCE,
            _soon_success,
        ),
        Metric(
            "SPL",
            "SR · d / max(TL, d, 0.01 m) with d the shortest way from start to the goal that"
            " counts.",
            "fraction",
            SOON_SOURCE,
            lambda case: efficiency.spl_with_floor(
                _soon_success(case), case.shortest_m, case.length_m
            ),
        ),
        Metric(
            "FSR",
            "1 if the last viewpoint has a box of the target and the run points into it (finding"
            " success; headings do not wrap around, as in the public scorer).",
            "fraction",
            SOON_SOURCE,
            lambda case: case.detection,
        ),
        Metric(
            "FSPL",
            "FSR · d / max(TL, d, 0.01 m).",
            "fraction",
            SOON_SOURCE,
            lambda case: efficiency.spl_with_floor(case.detection, case.shortest_m, case.length_m),
        ),
        Metric(
            "OE",
            "Oracle error: from the visited viewpoint nearest to the original goal to the goal that"
            " counts, along the graph.",
            "m",
            SOON_SOURCE,
            lambda case: case.oracle_m,
            False,
        ),
        Metric(
            "GP",
            "Goal progress: how much nearer the last viewpoint is to the goal that counts than the"
            " start.",
            "m",
            SOON_SOURCE,
            lambda case: case.shortest_m - case.error_m,
        ),
        *r2r.step_counts(SOON_SOURCE),
    ),
    SoonCase,
    needs_graph=True,
)


def _named(case: GraphCase, kind: str) -> tuple[str, ...]:
    return case.run.answer.object_lists.get(kind, ())


def _wanted(case: GraphCase, kind: str) -> tuple[str, ...]:
    if not case.episode.object_lists:
        raise UndefinedScoreError("the episode lists no objects")
    return case.episode.object_lists.get(kind, ())


def _f1(case: GraphCase, *kinds: str) -> float:
    return object_lists.f1(
        [name for kind in kinds for name in _named(case, kind)],
        [name for kind in kinds for name in _wanted(case, kind)],
    )


def _ndcg(case: GraphCase) -> float:
    return object_lists.ndcg(
        _named(case, "direct"),
        _named(case, "inferred"),
        _wanted(case, "direct"),
        _wanted(case, "inferred"),
    )


def _map_efficiency(case: GraphCase) -> float:
    known = case.run.map_node_ids
    if known is None:
        raise UndefinedScoreError("the run does not log the nodes of its map")
    return efficiency.map_efficiency(
        case.run.route.viewpoint_ids, case.episode.reference.viewpoint_ids, known
    )


MSNAV: Final = Profile(
    "msnav",
    "MSNav",
    (
        r2r.length(MSNAV_SOURCE),
        r2r.error(MSNAV_SOURCE),
        r2r.oracle_success(MSNAV_SOURCE),
        Metric(
            "SR",
            "1 if NE is less than 3 m (strictly).",
            "fraction",
            "MrCapricornLiu/MSNav:vln/env.py",
            lambda case: within(case.error_m, r2r.RADIUS_M),
        ),
        r2r.duet_spl(),
        Metric(
            "ME",
            "Map efficiency, α · |visited ∩ map| / |map| + (1 − α) · |expert ∩ map| / |expert| with"
            " α = 0.25 over the viewpoints visited, of the reference and of the agent's map at the"
            " end. The paper names these ingredients; how they combine is our reading.",
            "fraction",
            MSNAV_SOURCE,
            _map_efficiency,
        ),
        Metric(
            "F1_direct",
            "F1 of the set of objects that the instruction names.",
            "fraction",
            MSNAV_LISTS,
            lambda case: _f1(case, "direct"),
        ),
        Metric(
            "F1_inferred",
            "F1 of the set of objects that the task implies.",
            "fraction",
            MSNAV_LISTS,
            lambda case: _f1(case, "inferred"),
        ),
        Metric(
            "F1_all",
            "F1 of both sets together.",
            "fraction",
            MSNAV_LISTS,
            lambda case: _f1(case, "direct", "inferred"),
        ),
        Metric(
            "NDCG",
            "Discounted gain of direct, then inferred objects in the order named (worth 2 and 1),"
            " over the best order. The public scorer walks over unordered sets.",
            "fraction",
            MSNAV_LISTS,
            _ndcg,
        ),
    ),
    jumping_case,
    needs_graph=True,
    notes="As in MapGPT's code base, SPL is measured against the length of the reference path.",
)
