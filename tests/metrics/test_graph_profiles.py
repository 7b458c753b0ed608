"""Every profile on a graph against values computed by hand."""

import math
from dataclasses import replace
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds.vln_worlds import graph_episode, graph_run, line_graph, space_run

from waypost.domain.episode.episode import Goal, GoalObject
from waypost.domain.episode.route import EMPTY_ROUTE, Route
from waypost.domain.episode.run import Answer, Decision, Event, EventKind
from waypost.domain.scene.viewpoint_graph import ViewpointGraph
from waypost.metrics import efficiency
from waypost.metrics.profile import Scenery
from waypost.metrics.profiles.objects import contains
from waypost.metrics.registry import PROFILES, find_profile
from waypost.metrics.scoring import EpisodeScores, score_episode
from waypost.metrics.undefined import UndefinedScoreError

LINE = line_graph(2, 2, 2, 2)  # A B C D E at 0, 2, 4, 6, 8 m


def scores_of(profile_key, episode, run, graph: ViewpointGraph | None = LINE) -> EpisodeScores:
    return score_episode(find_profile(profile_key), episode, run, Scenery(graph))


def score(profile_key, episode, run, graph: ViewpointGraph | None = LINE):
    profile = PROFILES[profile_key]
    scores = scores_of(profile_key, episode, run, graph)
    return dict(zip([m.key for m in profile.metrics], scores.values, strict=True))


def reasons(profile_key, episode, run, graph: ViewpointGraph | None = LINE):
    profile = PROFILES[profile_key]
    scores = scores_of(profile_key, episode, run, graph)
    return dict(zip([m.key for m in profile.metrics], scores.reasons, strict=True))


@pytest.mark.parametrize("key", [key for key, one in PROFILES.items() if one.needs_graph])
def test_a_run_in_positions_has_no_viewpoints_and_no_empty_path(key):
    """An empty path is a fault of the results; that a profile does not fit them is none."""
    way = graph_episode("ABC")
    episode = replace(
        way, goals=(Goal("C"),), alternatives={"planner": way.reference, "player": way.reference}
    )
    scores = scores_of(key, episode, space_run([(0, 0, 0), (2, 0, 0)]))
    assert set(scores.reasons) == {"the run has no viewpoints"}
    assert not scores.is_invalid
    empty = scores_of(key, episode, graph_run(""))
    assert set(empty.reasons) == {"the path is empty"}
    assert empty.is_invalid


def test_back_and_forth_counts_every_move():
    """A-B-A-B-C over AB = BC = 2 m for the reference A-B-C: 8 m walked for 4 m."""
    found = score("r2r", graph_episode("ABC"), graph_run("ABABC"))
    assert found["TL"] == 8.0
    assert found["NE"] == 0.0
    assert found["SR"] == found["OSR"] == 1.0
    assert found["SPL"] == found["SPL_DUET"] == 0.5
    # The best warping pays 2 m once, for the second A against the B of the reference.
    assert found["nDTW"] == pytest.approx(math.exp(-2 / 9))
    # Coverage 1, expected 4 m, walked 8 m: 4 / (4 + 4).
    assert found["CLS"] == 0.5


def test_r2r_stop_short_and_pass_by():
    episode = graph_episode("ABCDE")
    short = score("r2r", episode, graph_run("ABC"))
    assert (short["NE"], short["SR"], short["OSR"], short["SPL"]) == (4.0, 0.0, 0.0, 0.0)
    near = score("r2r", episode, graph_run("ABCD"))
    assert (near["NE"], near["SR"]) == (2.0, 1.0)
    assert near["SPL"] == 1.0  # 8 / max(6, 8): stopping short of the goal costs nothing
    passed = score("r2r", episode, graph_run("ABCDEDCB"))
    assert (passed["NE"], passed["SR"], passed["OSR"]) == (6.0, 0.0, 1.0)


def test_exactly_three_metres_is_no_success_but_in_r4r():
    graph = line_graph(3)
    episode, run = graph_episode("AB"), graph_run("A")
    assert score("r2r", episode, run, graph)["SR"] == 0.0
    assert score("duet", episode, run, graph)["SR"] == 0.0
    assert score("r4r", episode, run, graph)["SR"] == 1.0


def test_turns_in_place_cost_nothing_but_in_released_code():
    """The goal C lies 4 m from the end E, where the agent looks around twice more.

    Without turns the warping pays DC and EC: 2 + 4 = 6 m over 3 reference viewpoints of 3 m. The
    released code pays EC for each of the three E.
    """
    episode = graph_episode("ABC")
    plain, turning = graph_run("ABCDE"), graph_run("ABCDEEE")
    ours, theirs = score("r2r", episode, turning), score("duet", episode, turning)
    kept = {"nDTW_DUET", "SDTW_DUET"}
    assert {k: v for k, v in ours.items() if k not in kept} == {
        k: v for k, v in score("r2r", episode, plain).items() if k not in kept
    }
    assert ours["nDTW"] == pytest.approx(math.exp(-6 / 9))
    assert ours["nDTW_DUET"] == theirs["nDTW"] == pytest.approx(math.exp(-14 / 9))
    assert theirs["DTW"] == 14.0
    stays = score("r2r", episode, graph_run("AAABBC"))
    assert stays["nDTW"] == stays["nDTW_DUET"] == stays["SDTW_DUET"] == 1.0


def test_spl_reference_differs_between_r2r_and_duet():
    """R4R-like reference A-B-C-B-A-B: 10 m long for a goal 2 m away; the agent goes straight."""
    episode, run = graph_episode("ABCBAB"), graph_run("AB")
    assert score("r2r", episode, run)["SPL"] == 1.0
    assert score("duet", episode, run)["SPL"] == 1.0
    detour = graph_run("ABCB")
    assert score("r2r", episode, detour)["SPL"] == pytest.approx(2 / 6)
    assert score("duet", episode, detour)["SPL"] == 1.0


def test_start_is_goal():
    stay, leave = graph_run("A"), graph_run("AB")
    episode = graph_episode("A")
    assert score("r2r", episode, stay)["SPL"] is None
    assert "0/0" in reasons("r2r", episode, stay)["SPL"]
    assert score("r2r", episode, stay)["CLS"] is None
    assert score("r2r", episode, leave)["SPL"] == 0.0
    assert score("duet", episode, stay)["SPL"] == 0.0  # the 1 cm floor of its code
    cvdn = graph_episode("A", goals=(Goal("A"),))
    assert score("cvdn", cvdn, stay)["SPL"] == 1.0
    assert score("cvdn", cvdn, leave)["SPL"] == 0.0


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("AC", "no edge"),
        ("AX", "unknown"),
        ("BC", "does not begin"),
        ("", "empty"),
    ],
)
def test_invalid_runs(path, reason):
    scores = scores_of("r2r", graph_episode("ABC"), graph_run(path))
    assert scores.is_invalid
    assert set(scores.values) == {None}
    assert reason in scores.reasons[0]


def test_jumps_are_fine_in_duet_and_count_their_shortest_way():
    found = score("duet", graph_episode("ABCDE"), graph_run("ACE"))
    assert found["TL"] == 8.0
    assert found["SPL"] == 1.0


STAY = Event(EventKind.NO_MOVE, "names no valid move")
STOP = Event(EventKind.STOP, "stops")


@pytest.mark.parametrize(
    ("path", "decisions", "counts"),
    [
        ("ABCD", (), (3, 3)),
        ("ABBCD", (), (4, 4)),
        ("ABCD", (Decision(1, 3), Decision(3, 4)), (3, 2)),
        # An empty group of a result file is one of its entries all the same.
        ("ABCD", (Decision(1, 3), Decision(3, 3), Decision(3, 4)), (3, 3)),
        # NavGPT and MapGPT also log what led nowhere.
        (
            "ABCBA",
            (
                Decision(1, 2, action="B"),
                Decision(2, 2, action="X", events=(STAY,)),
                Decision(2, 3, action="C"),
                Decision(3, 5, action="A"),
                Decision(5, 5, action="0", events=(STOP,)),
            ),
            (4, 3),
        ),
        ("ABCD", (Decision(0, 0, action="analyse"),), (3, 3)),
    ],
)
def test_steps_are_counted_as_the_released_code_prints_them(path, decisions, counts):
    """VLN-DUET: trajectory_steps are viewpoints minus one, action_steps groups minus one."""
    episode = graph_episode("ABCD")
    for key in ("duet", "reverie", "soon"):
        goals = (Goal("D", target=GoalObject("7", visible_from=frozenset("D"))),)
        asked = graph_episode("ABCD", goals=goals) if key != "duet" else episode
        found = score(key, asked, graph_run(path, decisions=decisions))
        assert (found["trajectory_steps"], found["action_steps"]) == counts
        assert found["steps"] == found["action_steps"]


def test_secret_splits_are_undefined_not_invalid():
    episode = graph_episode("A", has_ground_truth=False)
    scores = scores_of("r2r", episode, graph_run("AB"))
    assert not scores.is_invalid
    assert "no ground truth" in scores.reasons[0]
    nothing = graph_episode("", reference=EMPTY_ROUTE)
    assert "no reference" in scores_of("r2r", nothing, graph_run("A")).reasons[0]


def test_without_a_graph():
    assert "connectivity" in scores_of("r2r", graph_episode("AB"), graph_run("AB"), None).reasons[0]


def test_parts_that_no_way_joins():
    graph = line_graph(2, 2)
    apart = ViewpointGraph(
        **{
            **{name: getattr(graph, name) for name in graph.__dataclass_fields__},
            "geodesic_rows": [[0, 2, math.inf], [2, 0, math.inf], [math.inf, math.inf, 0]],
        }
    )
    found = reasons("duet", graph_episode("AC"), graph_run("AB"), apart)
    assert found["NE"] == found["OSR"] == "no way leads to the goal"
    assert "separate parts" in found["nDTW"]
    assert "separate parts" in found["DTW"]
    jump = reasons("duet", graph_episode("AB"), graph_run("ACB"), apart)
    assert "separate parts" in jump["TL"]


REVERIE = graph_episode(
    "ABC", goals=(Goal("C", target=GoalObject("42", visible_from=frozenset("CD"))),)
)


def test_reverie_success_is_seeing_the_object():
    found = score("reverie", REVERIE, graph_run("ABCD", answer=Answer(object_id="42")))
    assert found["SR"] == found["OSR"] == found["RGS"] == 1.0
    assert found["SPL"] == found["RGSPL"] == pytest.approx(4 / 6)
    beyond = score("reverie", REVERIE, graph_run("ABCDE", answer=Answer(object_id="7")))
    assert (beyond["SR"], beyond["OSR"], beyond["RGS"]) == (0.0, 1.0, 0.0)
    at_home = score("reverie", REVERIE, graph_run("A", answer=Answer(object_id="42")))
    assert (at_home["SR"], at_home["RGS"], at_home["RGSPL"]) == (0.0, 1.0, 1.0)


def test_reverie_has_both_public_readings_of_spl():
    """The reference A-B-A-B-C is 8 m for a goal 4 m away; the agent walks A-B-C-B-C, 8 m."""
    goals = (Goal("C", target=GoalObject("42", visible_from=frozenset("C"))),)
    episode = graph_episode("ABABC", goals=goals)
    found = score("reverie", episode, graph_run("ABCBC", answer=Answer(object_id="42")))
    assert found["SPL"] == found["RGSPL"] == 1.0
    assert found["SPL_REVERIE"] == found["RGSPL_REVERIE"] == 0.5
    stays = graph_episode("C", goals=goals)
    why = reasons("reverie", stays, graph_run("C", answer=Answer(object_id="42")))
    assert "0/0" in why["SPL_REVERIE"]
    assert score("reverie", stays, graph_run("C"))["SPL"] == 0.0


def test_reverie_without_boxes():
    episode = graph_episode("ABC", goals=(Goal("C", target=GoalObject("42")),))
    found = score("reverie", episode, graph_run("ABC", answer=Answer(object_id="42")))
    assert found["SR"] is None
    assert found["RGS"] == 1.0
    assert "no object" in reasons("reverie", graph_episode("AB"), graph_run("AB"))["RGS"]


SQUARE = ((1.0, -0.2), (1.4, -0.2), (1.4, 0.2), (1.0, 0.2))
SOON = graph_episode(
    "ABCD",
    goals=(Goal("D", target=GoalObject(polygons_rad=MappingProxyType({"B": SQUARE}))),),
)


def test_soon_moves_the_goal_to_a_last_viewpoint_with_a_box():
    found = score("soon", SOON, graph_run("AB", answer=Answer(heading_rad=1.2, elevation_rad=0.0)))
    assert (found["NE"], found["SR"], found["FSR"]) == (0.0, 1.0, 1.0)
    assert found["SPL"] == found["FSPL"] == 1.0  # 2 m from start to the goal that counts
    missed = score("soon", SOON, graph_run("AB", answer=Answer(heading_rad=1.5, elevation_rad=0.0)))
    assert (missed["SR"], missed["FSR"], missed["FSPL"]) == (1.0, 0.0, 0.0)


def test_soon_oracle_measures_from_the_place_nearest_to_the_old_goal():
    """A-B-C-D-C-B: D is nearest to the old goal D, 4 m from the new one, B."""
    found = score("soon", SOON, graph_run("ABCDCB"))
    assert found["NE"] == 0.0
    assert (found["OE"], found["OSR"]) == (4.0, 0.0)
    assert (found["GP"], found["SR"]) == (2.0, 1.0)


def test_polygon():
    assert contains(SQUARE, 1.2, 0.1)
    assert not contains(SQUARE, 1.2, 0.3)
    assert not contains(SQUARE, 0.9, 0.0)


def test_cvdn_progress_and_rooms():
    episode = graph_episode("ABCD", goals=(Goal("D"), Goal("E")))
    found = score("cvdn", episode, graph_run("AB"))
    assert found["GP"] == 2.0
    assert (found["NE"], found["SR"], found["SR_room"]) == (4.0, 0.0, 0.0)
    near = score("cvdn", episode, graph_run("ABC"))
    assert (near["GP"], near["SR"], near["SR_room"]) == (4.0, 1.0, 0.0)
    passed = score("cvdn", episode, graph_run("ABCDC"))
    assert (passed["SR_room"], passed["OSR_room"]) == (0.0, 1.0)
    back = score("cvdn", graph_episode("BCD", goals=(Goal("D"),)), graph_run("BA"))
    assert back["GP"] == -2.0
    nowhere = graph_episode("AB", goals=())
    assert "end viewpoints" in reasons("cvdn", nowhere, graph_run("AB"))["GP"]


def test_cvdn_compares_with_each_of_its_paths():
    """Planner A-B-C-D, player A-B, trusted the planner's; the agent goes A-B-C, ends are D, E."""
    ways = MappingProxyType({"planner": Route(tuple("ABCD")), "player": Route(tuple("AB"))})
    episode = graph_episode("ABCD", goals=(Goal("D"), Goal("E")), alternatives=ways)
    run = graph_run("ABC")
    planner, player = score("cvdn-planner", episode, run), score("cvdn-player", episode, run)
    assert planner == score("cvdn", episode, run)
    assert (planner["NE"], planner["SPL"], planner["OPSR"]) == (2.0, 1.0, 1.0)
    assert (player["NE"], player["SR"], player["OPSR"], player["GP"]) == (2.0, 1.0, 1.0, 4.0)
    assert player["SPL"] == 0.5
    there = score("cvdn", episode, graph_run("ABCDCD"))
    assert (there["SR_room"], there["SPL_room"], there["steps"]) == (1.0, 0.6, 5.0)
    bare = reasons("cvdn-player", graph_episode("AB", goals=(Goal("B"),)), graph_run("AB"))
    assert bare["NE"] == "the episode has no player's path"
    assert "planner" in reasons("cvdn", graph_episode("AB", goals=(Goal("B"),)), run)["OPSR"]


def test_navbench_has_one_and_a_half_metres():
    graph = line_graph(2, 1)
    found = score("navbench", graph_episode("ABC"), graph_run("AB"), graph)
    assert (found["NE"], found["SR"], found["DTS"]) == (1.0, 1.0, 0.0)
    away = score("navbench", graph_episode("ABC"), graph_run("A"), graph)
    assert (away["SR"], away["DTS"], away["OSR"]) == (0.0, 1.5, 0.0)


LISTS = MappingProxyType({"direct": ("sink", "table"), "inferred": ("towel",)})


def test_msnav_lists_and_map():
    episode = graph_episode("ABC", object_lists=LISTS)
    run = graph_run(
        "ABCD",
        answer=Answer(object_lists=MappingProxyType({"direct": ("sink", "lamp")})),
        map_node_ids=("A", "B", "C", "D", "E", "X", "Y", "Z"),
    )
    found = score("msnav", episode, run)
    assert found["F1_direct"] == 0.5
    assert found["F1_inferred"] == 0.0
    assert found["F1_all"] == pytest.approx(2 * 0.5 * (1 / 3) / (0.5 + 1 / 3))
    best = 2 / math.log2(2) + 2 / math.log2(3) + 1 / math.log2(4)
    assert found["NDCG"] == pytest.approx(2 / best)
    assert found["ME"] == pytest.approx(0.25 * 4 / 8 + 0.75)
    assert score("msnav", graph_episode("ABC"), graph_run("ABC"))["ME"] is None
    assert score("msnav", graph_episode("ABC"), graph_run("ABC"))["NDCG"] is None


def test_the_same_list_is_perfect():
    episode = graph_episode("ABC", object_lists=LISTS)
    found = score("msnav", episode, graph_run("ABC", answer=Answer(object_lists=LISTS)))
    assert [found[key] for key in ("F1_direct", "F1_inferred", "F1_all", "NDCG")] == [1.0] * 4


WALKS = st.lists(st.sampled_from([-1, 0, 1]), max_size=14)


def _walk(start: int, steps: list[int]) -> str:
    place, names = start, [start]
    for step in steps:
        place = min(4, max(0, place + step))
        names.append(place)
    return "".join("ABCDE"[n] for n in names)


@given(WALKS, WALKS)
def test_scores_stay_in_their_ranges(reference_steps, steps):
    reference = _walk(1, reference_steps)
    for key in ("r2r", "duet", "r4r", "navbench"):
        found = score(key, graph_episode(reference), graph_run(_walk(1, steps)))
        for name in ("SPL", "SPL_DUET"):
            if found.get(name) is not None:
                assert 0 <= found[name] <= found["SR"]
        assert found["SR"] <= found.get("OSR", 1.0) or key == "r4r"
        if "nDTW" in found:
            assert 0 < found["nDTW"] <= 1
            assert 0 <= found["SDTW"] <= found["nDTW"]
        if found.get("CLS") is not None:
            assert 0 <= found["CLS"] <= 1
        assert found["TL"] >= 0


@given(WALKS)
def test_following_the_reference_is_perfect(steps):
    path = _walk(1, steps)
    found = score("duet", graph_episode(path), graph_run(path))
    assert found["NE"] == 0
    assert found["SR"] == 1
    if found["TL"] > 0:
        assert found["SPL"] == 1
    moves = [a for i, a in enumerate(path) if i == 0 or path[i - 1] != a]
    if len(moves) == len(path):
        assert found["nDTW"] == 1


@given(WALKS)
def test_reversing_path_and_reference_keeps_lengths_and_dtw(steps):
    path, reference = _walk(1, steps), "BCDE"
    forth = score("duet", graph_episode(reference), graph_run(path))
    episode = graph_episode(reference[::-1])
    back = score("duet", episode, graph_run("E" + path[::-1]))
    assert back["TL"] >= forth["TL"]
    if path[-1] == "E":
        assert back["TL"] == forth["TL"]
        assert back["nDTW"] == pytest.approx(forth["nDTW"])


def test_every_metric_is_described():
    for profile in PROFILES.values():
        keys = [metric.key for metric in profile.metrics]
        assert len(set(keys)) == len(keys)
        for metric in profile.metrics:
            assert metric.definition.endswith((".", "undefined."))
            assert metric.source
            assert metric.unit in {"m", "fraction", "count"}


def test_unknown_profile():
    with pytest.raises(Exception, match="no metric profile"):
        find_profile("best")


def test_scores_without_a_path_are_no_invalid_run():
    bare = graph_run("", reported=MappingProxyType({"sr": 1.0}))
    scores = scores_of("duet", graph_episode("AB"), bare)
    assert not scores.is_invalid
    assert "scores without a path" in scores.reasons[0]


def test_excluded_viewpoints_make_a_run_invalid():
    graph = line_graph(2, 2)
    ghosted = ViewpointGraph(
        **{
            **{name: getattr(graph, name) for name in graph.__dataclass_fields__},
            "is_included_list": [True, True, False],
        }
    )
    scores = scores_of("r2r", graph_episode("AB"), graph_run("ABC"), ghosted)
    assert scores.is_invalid
    assert "excluded" in scores.reasons[0]


def test_ends_that_no_way_leads_to():
    graph = line_graph(2, 2)
    far = math.inf
    apart = ViewpointGraph(
        **{
            **{name: getattr(graph, name) for name in graph.__dataclass_fields__},
            "geodesic_rows": [[0, 2, far], [2, 0, far], [far, far, 0]],
        }
    )
    found = reasons("cvdn", graph_episode("AB", goals=(Goal("C"),)), graph_run("AB"), apart)
    assert found["GP"] == "no way leads to the goal"
    assert found["SR"] == ""
    soon = graph_episode("AB", goals=(Goal("B", target=GoalObject()),))
    assert score("soon", soon, graph_run("AB"))["FSR"] == 0.0


def test_elementary_edges():
    assert efficiency.spl(0.0, 0.0, 0.0) == 0.0
    with pytest.raises(UndefinedScoreError, match="no nodes"):
        efficiency.map_efficiency((), ("A",), ())
