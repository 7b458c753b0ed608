"""Benchmarks that end at a thing or in a room: REVERIE, SOON, CVDN, MSNav's lists and maps."""

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
SOON_SOURCE: Final = "ZhuFengdaaa/SOON; cshizhe/VLN-DUET:map_nav_src/soon/env.py"
CVDN_SOURCE: Final = "mmurray/cvdn:tasks/NDH/eval.py"
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
            "SR · L / max(TL, L, 0.01 m) with L the length of the reference path.",
            "fraction",
            REVERIE_SOURCE,
            lambda case: efficiency.spl_with_floor(_sees(case), case.reference_m, case.length_m),
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
            "RGS · L / max(TL, L, 0.01 m) with L the length of the reference path.",
            "fraction",
            REVERIE_SOURCE,
            lambda case: efficiency.spl_with_floor(_grounds(case), case.reference_m, case.length_m),
        ),
    ),
    jumping_case,
    needs_graph=True,
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
    ),
    SoonCase,
    needs_graph=True,
)


class NdhCase(GraphCase):
    """A case with the rooms or viewpoints of which one has to be reached."""

    def __init__(self, episode: Episode, run: EpisodeRun, scenery: Scenery) -> None:
        super().__init__(episode, run, graph_of(scenery))
        self.require_start()
        self.require_edges()
        index = self.graph.index
        names = [goal.viewpoint_id for goal in episode.goals if goal.viewpoint_id]
        self.ends = [index[name] for name in names if name in index]
        if not self.ends:
            raise UndefinedScoreError("the episode names no end viewpoints")

    def to_ends(self, place: int) -> float:
        """Shortest way from a viewpoint to the nearest end, metres."""
        nearest = min(self.rows[place][end] for end in self.ends)
        if nearest == float("inf"):
            raise UndefinedScoreError("no way leads to the goal")
        return nearest


def _ndh_spl(case: NdhCase) -> float:
    if case.shortest_m == 0:
        return case.success(r2r.RADIUS_M) * float(case.length_m == 0)
    return efficiency.spl(case.success(r2r.RADIUS_M), case.shortest_m, case.length_m)


CVDN: Final = Profile(
    "cvdn",
    "CVDN, navigation from dialogue history",
    (
        r2r.length(CVDN_SOURCE),
        Metric(
            "GP",
            "Goal progress: how much nearer the last viewpoint is to the nearest end viewpoint than"
            " the start; negative where the agent went away.",
            "m",
            CVDN_SOURCE,
            lambda case: case.to_ends(case.start) - case.to_ends(case.final),
        ),
        r2r.error(CVDN_SOURCE),
        Metric(
            "SR",
            "1 if the last viewpoint is less than 3 m (strictly) from the end of the reference"
            " path.",
            "fraction",
            CVDN_SOURCE,
            lambda case: case.success(r2r.RADIUS_M),
        ),
        r2r.oracle_success(CVDN_SOURCE),
        Metric(
            "SPL",
            "SR · d / max(TL, d); where start is goal, 1 if the agent stayed and 0 if it moved.",
            "fraction",
            CVDN_SOURCE,
            _ndh_spl,
        ),
        Metric(
            "SR_room",
            "1 if the last viewpoint is one of the end viewpoints (no 3 m).",
            "fraction",
            "cshizhe/VLN-HAMT:finetune_src/cvdn/env.py",
            lambda case: float(case.final in case.ends),
        ),
        Metric(
            "OSR_room",
            "1 if any visited viewpoint is one of the end viewpoints.",
            "fraction",
            "cshizhe/VLN-HAMT:finetune_src/cvdn/env.py",
            lambda case: float(not set(case.path).isdisjoint(case.ends)),
        ),
    ),
    NdhCase,
    needs_graph=True,
    notes="The reference path is the one the reader chose: planner, player or trusted.",
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
