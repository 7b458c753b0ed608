"""Measuring a passage: every failure of the raster that was found while it was made."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from worlds import measuring_rooms as rooms
from worlds.measuring_cases import END, FURNITURE, NO, OPEN, START, YES, ask
from worlds.measuring_rooms import block, room

from waypost.domain.scene.graph import Edge, Node, build_graph
from waypost.domain.traverse.agent import DriveType
from waypost.domain.traverse.passage_rule import PassageRule
from waypost.domain.traverse.traversability import Passage, Reason
from waypost.geometry.measuring.geometric_measure import Pose
from waypost.geometry.measuring.passage_geometry import measure_geometry
from waypost.geometry.measuring.rule import MeasuringRule
from waypost.io.agent_files import shipped_agents

pytestmark = pytest.mark.heavy

AGENTS = shipped_agents()
WHEELCHAIR, HUMAN, SWEEPER = AGENTS["wheelchair"], AGENTS["human"], AGENTS["sweeper"]
QUADRUPED, HUMANOID = AGENTS["quadruped"], AGENTS["humanoid"]


@pytest.mark.parametrize("width", [0.5, 0.65, 0.8, 0.95, 1.1, 1.2])
def test_the_clear_width_of_a_door_is_exact(width: float) -> None:
    found = ask(rooms.door(width + 0.00137), SWEEPER)
    assert found.clear_width_m == pytest.approx(width + 0.00137, abs=1e-4)


def test_a_slot_is_bridged_up_to_the_gap_of_the_agent() -> None:
    assert ask(rooms.slot(0.04), WHEELCHAIR).straight.verdict is YES
    found = ask(rooms.slot(0.12), WHEELCHAIR)
    assert found.any_path.verdict is NO
    assert found.any_path.reason is Reason.FLOOR_HOLE


def test_a_hole_of_sixty_centimetres_is_not_lost() -> None:
    found = ask(rooms.slot(0.6, 0.3), HUMAN, end=(3.4, 0.0, 0.0))
    assert found.straight.verdict is NO
    assert found.straight.reason is Reason.FLOOR_HOLE
    assert found.clear_width_m == pytest.approx(0.7, abs=0.01)
    assert found.any_path.verdict is YES


def test_a_hole_under_the_body_alone_is_uncertain() -> None:
    """The wheels of 0.7 m stand 0.56 m apart, a hole of 0.4 m lies between them."""
    found = ask(rooms.slot(0.4, 0.2), WHEELCHAIR, end=(3.4, 0.0, 0.0))
    assert found.straight.verdict is OPEN
    beside = ask(rooms.slot(0.4, 0.2, off=0.25), WHEELCHAIR, end=(3.4, 0.0, 0.0))
    assert beside.straight.verdict is NO
    assert beside.straight.reason is Reason.FLOOR_HOLE


def test_the_margin_counts_the_hole_beside_the_body_as_the_clear_width_does() -> None:
    """The body of 0.6 m goes along y = 0, the hole begins at y = 0.5, the walls stand at 1."""
    found = ask(rooms.slot(0.4, 0.15, off=0.65), HUMAN)
    assert found.straight.verdict is YES
    assert found.straight.margin_m == pytest.approx(0.4, abs=0.01)
    assert found.clear_width_m == pytest.approx(1.5, abs=0.01)
    bare = ask(room(), HUMAN)
    assert bare.straight.margin_m == pytest.approx(1.0, abs=1e-4)


def test_what_is_tight_at_a_node_is_said_to_be_there() -> None:
    """A node 0.15 m before a wall: within 0.1 m of it the widest disc is 0.5 m."""
    found = ask(room(), HUMAN, start=(0.15, 0.0, 0.0))
    assert found.any_path.verdict is NO
    assert found.clear_width_m == pytest.approx(0.5, abs=2e-3)
    assert found.any_path.at_m == pytest.approx((0.25, 0.0, 0.0), abs=0.01)
    assert found.clear_width_at_m == found.any_path.at_m
    assert found.clear_width_length_m is None


def test_the_narrowest_place_is_on_the_ground_from_both_ends() -> None:
    rise = 1.5 * math.tan(math.radians(5))
    post = block(1.74, 1.76, -0.01, 0.01, -0.1, 1)
    ends = ((0.6, 0.0, 0.0), (3.2, 0.0, rise))
    scene = np.concatenate([rooms.ramp(5), post])
    for start, end in (ends, ends[::-1]):
        at = ask(scene, SWEEPER, start=start, end=end).clear_width_at_m
        assert at is not None
        assert at[2] == pytest.approx((at[0] - 1.0) * math.tan(math.radians(5)), abs=0.003)


def test_shelves_without_room_above_are_no_ladder() -> None:
    shelves = [block(1.9, 2.3, -1, 1, z, z + 0.01) for z in (0.12, 0.24, 0.36)]
    assert ask(room(*shelves), HUMAN).any_path.verdict is NO


def test_the_edge_of_the_window_is_no_void() -> None:
    wide = np.concatenate([block(-9, 9, -9, 9, -0.1, 0)])
    assert ask(wide, WHEELCHAIR).straight.verdict is YES
    assert ask(wide, WHEELCHAIR).hole_m is None


@pytest.mark.parametrize(("width", "answer"), [(0.088, YES), (0.112, NO)])
def test_a_hole_is_judged_to_a_centimetre(width: float, answer: object) -> None:
    assert ask(rooms.slot(width), HUMAN).any_path.verdict is answer


def test_head_room_counts_from_the_higher_ground_of_a_step() -> None:
    step = [block(2, 3.9, -1, 1, 0, 0.2), block(1.9, 2.4, -1, 1, 1.75, 2.6)]
    found = ask(room(*step), HUMAN, end=(3.2, 0.0, 0.2))
    assert found.any_path.verdict is NO


@pytest.mark.parametrize("key", AGENTS)
def test_a_floor_with_a_millimetre_of_noise_is_a_floor(key: str) -> None:
    floor = np.concatenate([rooms.noisy_floor(0.001), rooms.walls()])
    assert ask(floor, AGENTS[key]).any_path.verdict is YES


@pytest.mark.parametrize(("key", "sigma"), [("wheelchair", 0.005), ("sweeper", 0.01)])
def test_noise_near_the_step_limit_is_uncertain(key: str, sigma: float) -> None:
    floor = np.concatenate([rooms.noisy_floor(sigma), rooms.walls()])
    found = ask(floor, AGENTS[key])
    assert found.floor_noise_m == pytest.approx(sigma, rel=0.35)
    assert found.any_path.verdict is OPEN


def test_carpets_pass_up_to_the_step() -> None:
    carpet = lambda height: room(block(1.6, 2.6, -1, 1, 0, height))  # noqa: E731
    assert ask(carpet(0.010), WHEELCHAIR).any_path.verdict is YES
    found = ask(carpet(0.0155), WHEELCHAIR)
    assert found.any_path.verdict is NO
    assert found.any_path.reason is Reason.STEP_OR_SILL


def test_a_double_floor_and_a_doubled_wall_do_no_harm() -> None:
    double = np.concatenate([rooms.door(0.8), block(0, 4, -1, 1, -0.105, -0.005)])
    assert ask(double, WHEELCHAIR).clear_width_m == pytest.approx(0.8, abs=1e-4)
    wall = np.concatenate([rooms.door(0.8), block(1.99, 2.1, -1, -0.398, 0, 2.6)])
    assert ask(wall, WHEELCHAIR).clear_width_m == pytest.approx(0.798, abs=1e-4)


def test_a_thin_post_is_seen() -> None:
    found = ask(room(block(2, 2.02, -0.01, 0.01, 0, 1)), SWEEPER)
    assert found.straight.verdict is NO
    assert found.clear_width_m == pytest.approx(0.99, abs=1e-4)
    assert found.any_path.verdict is YES
    assert found.detour_m is not None
    assert 0 <= found.detour_m < 0.3


def test_walls_on_the_lines_of_a_grid_do_not_matter() -> None:
    widths = [ask(rooms.door(0.8, off=off), SWEEPER).clear_width_m for off in (0, 0.01, 0.02)]
    assert widths == pytest.approx([0.8, 0.8, 0.8], abs=1e-4)


def test_a_sill_of_three_centimetres_is_passed_downwards_only() -> None:
    down = ask(rooms.drop(0.03), WHEELCHAIR, end=(3.2, 0.0, -0.03))
    up = ask(rooms.drop(0.03), WHEELCHAIR, start=(3.2, 0.0, -0.03), end=START)
    assert (down.any_path.verdict, up.any_path.verdict) == (YES, NO)
    assert down.step_down_m == pytest.approx(0.03, abs=1e-3)
    assert up.any_path.reason is Reason.STEP_OR_SILL


def test_what_is_too_shallow_for_a_foot_makes_no_stairs_of_a_sill() -> None:
    skirting = block(0, 4, 0.985, 1, 0, 0.12)
    door_rail = block(2.04, 2.08, -1, -0.5, 0.02, 0.18)
    found = ask(room(block(2, 2.12, -1, 1, 0, 0.02), skirting, door_rail), WHEELCHAIR)
    assert found.any_path.verdict is NO
    assert found.any_path.reason is Reason.STEP_OR_SILL


@pytest.mark.parametrize("height", [0.15, 0.34, 0.7, 1.2, 1.5])
def test_a_low_partition_stops_who_cannot_step_over(height: float) -> None:
    found = ask(room(block(2, 2.1, -1, 1, 0, height)), SWEEPER)
    assert found.any_path.verdict is NO


def test_stairs_are_for_climbers() -> None:
    end = (3.4, 0.0, 0.68)
    answers = {key: ask(rooms.stairs(4), agent, end=end) for key, agent in AGENTS.items()}
    climbers = {key for key, found in answers.items() if found.any_path.verdict is YES}
    assert climbers == {"human", "quadruped"}
    assert answers["human"].flights == 1
    assert answers["human"].step_up_m == pytest.approx(0.17, abs=1e-3)
    assert {answers[key].any_path.reason for key in ("wheelchair", "humanoid", "sweeper")} == {
        Reason.STAIRS
    }


def test_a_ramp_is_a_slope_and_no_step() -> None:
    end = (3.2, 0.0, 1.5 * math.tan(math.radians(5)))
    found = ask(rooms.ramp(5), WHEELCHAIR, end=end)
    assert found.any_path.verdict is YES
    assert found.slope_deg == pytest.approx(5, abs=0.5)


def test_starting_inside_something_and_without_floor_are_answers() -> None:
    inside = ask(room(block(0.8, 1.2, -0.4, 0.4, 0, 1.5)), HUMAN)
    assert inside.any_path.verdict is NO
    assert "inside something" in inside.any_path.words
    nowhere = ask(rooms.room(), HUMAN, start=(1.0, 5.0, 0.0))
    assert "no floor" in nowhere.any_path.words
    above = np.concatenate([room(), block(0, 4, -1, 1, 2.9, 3.0)])
    other = ask(above, HUMAN, end=(3.2, 0.0, 3.0))
    assert "another storey" in other.any_path.words


def test_what_stands_under_a_storey_that_can_be_reached_is_seen() -> None:
    """A climber gets to the floor above; a lamp that hangs below it is in the way all the same."""
    flight = [block(0.2 + k * 0.28, 3.3, 1.0, 2.0, k * 0.25, (k + 1) * 0.25) for k in range(10)]
    lamp = block(1.9, 2.1, -0.9, 0.9, 1.5, 1.6)
    parts = np.concatenate([room(lamp, half=2.0), block(0, 4, -2, 0.9, 2.4, 2.5), *flight])
    found = ask(parts, HUMAN)
    assert found.straight.verdict is NO
    assert found.straight.reason is Reason.LOW_CLEARANCE
    below = ask(parts, HUMAN, start=(1.0, -1.5, 0.0), end=(3.2, -1.5, 0.0))
    assert below.straight.verdict is YES


def test_furniture_underfoot_is_said_by_name() -> None:
    parts = (("floor", room()), ("Bed_01", block(1.8, 2.4, -1, 1, 0, 0.25)))
    graph = build_graph([Node("a", "a", START), Node("b", "b", END)], [Edge("e", "a", "b")])
    passage = Passage("a", "b", "human")
    found = measure_geometry(rooms.ground(*parts), graph, passage, HUMAN)
    assert found.any_path.verdict is OPEN
    assert found.any_path.contacts == ("Bed_01",)
    allowed = measure_geometry(rooms.ground(*parts), graph, passage, HUMAN, FURNITURE)
    assert allowed.any_path.verdict is YES


def test_furniture_lower_than_the_step_is_walked_round_not_over() -> None:
    """The humanoid steps 0.40 m; on both sides of the table are 1.7 m of floor."""
    parts = (("floor", room(half=2.0)), ("CoffeeTable_01", block(1.8, 2.4, -0.3, 0.3, 0, 0.36)))
    graph = build_graph([Node("a", "a", START), Node("b", "b", (3.4, 0.0, 0.0))], [])
    there, back = (
        measure_geometry(rooms.ground(*parts), graph, Passage(*ends, "humanoid"), HUMANOID)
        for ends in (("a", "b"), ("b", "a"))
    )
    for found in (there, back):
        assert found.straight.verdict is OPEN
        assert found.straight.words == "climbs CoffeeTable_01"
        assert found.any_path.verdict is YES
        assert found.step_up_m == 0
        assert found.detour_m is not None
        assert 0.1 < found.detour_m < 1.0


def test_furniture_that_nobody_steps_on_is_no_stairs() -> None:
    """A shelf of two boards beside the way, for one who climbs no stairs."""
    shelf = np.concatenate([block(1.8, 2.4, 0.6, 0.9, 0, 0.12), block(1.8, 2.4, 0.7, 0.9, 0, 0.3)])
    graph = build_graph([Node("a", "a", START), Node("b", "b", END)], [])
    ground = rooms.ground(("floor", room(half=2.0)), ("thing", shelf))
    found = measure_geometry(ground, graph, Passage("a", "b", "humanoid"), HUMANOID)
    assert found.straight.verdict is YES


def test_no_way_leads_over_the_edge_of_a_storey() -> None:
    """A gallery without a railing; beside it seven blocks, 0.34 m each, lead down to the floor."""
    blocks = [block(3.72 - 0.28 * k, 4 - 0.28 * k, 1, 1.5, 0, 2.38 - 0.34 * k) for k in range(7)]
    gallery = block(2, 4, -1, 1, 2.62, 2.72)
    parts = np.concatenate([block(-1, 4, -1.5, 1.5, -0.1, 0), gallery, *blocks])
    found = ask(parts, HUMANOID, start=(3.2, 0.0, 2.72), end=(0.6, 0.0, 0.0))
    assert found.step_down_m == pytest.approx(2.72, abs=1e-3)
    assert (found.straight.verdict, found.any_path.verdict) == (OPEN, OPEN)
    assert found.any_path.words == "leads over the edge of a storey"


def test_the_clear_width_is_known_where_nothing_passes() -> None:
    assert ask(room(block(2, 2.1, -1, 1, 0, 2)), HUMAN).clear_width_m == 0
    assert ask(room(block(0.8, 1.2, -0.4, 0.4, 0, 1.5)), HUMAN).clear_width_m == 0


def test_no_part_of_a_body_leaves_what_was_looked_at() -> None:
    """A gap of 63 cm ends at a wall that stands 1 cm beyond the window."""
    floor, wall = block(-1, 5, -4, 4, -0.1, 0), block(-1, 5, 1.51, 1.6, 0, 2)
    found = ask(np.concatenate([floor, wall, block(1.9, 2.1, -4, 0.88, 0, 2)]), HUMAN)
    assert found.any_path.verdict is YES
    assert max(y for _, y, _, _ in found.path) + 0.3 < 1.51


@pytest.mark.parametrize(
    ("edge_m", "half_m", "answer"), [(4.0, 1.7, YES), (4.0, 3.2, NO), (6.0, 3.1, OPEN)]
)
def test_a_wall_across_the_window_is_not_known_to_have_no_end(
    edge_m: float, half_m: float, answer: object
) -> None:
    # The shortest ways round are 5.8, 8.0 and 9.1 m long; 7, 7 and 10 m are allowed.
    ground = rooms.block(-6.0, edge_m + 6.0, -7.0, 7.0, -0.1, 0.0)
    wall = rooms.block(edge_m / 2 - 0.05, edge_m / 2 + 0.05, -half_m, half_m, 0.0, 2.0)
    ends = ((0.0, 0.0, 0.0), (edge_m, 0.0, 0.0))
    measure = ask(np.concatenate([ground, wall]), AGENTS["human"], *ends)
    assert measure.straight.verdict is NO
    assert measure.any_path.verdict is answer


def test_a_floor_beyond_what_was_looked_at_says_nothing_of_a_table_on_the_edge() -> None:
    """A table 1 cm higher than the step; the floor is uneven from 3.1 m around the edge on."""
    floor = rooms.noisy_floor(0.012, length=19.2, half=6.4, cell=0.2) - (6.6, 0.0, 0.0)
    near = (np.abs(floor[..., 0] - 3.0) < 6.1) & (np.abs(floor[..., 1]) < 3.1)
    floor[near, 2] = 0.0
    table = ("CoffeeTable_01", block(2.8, 3.2, -3.1, 3.1, 0, 0.31))
    graph = build_graph([Node("a", "a", (0.0, 0.0, 0.0)), Node("b", "b", (6.0, 0.0, 0.0))], [])
    ground = rooms.ground(("floor", floor), table)
    found = measure_geometry(ground, graph, Passage("a", "b", "human"), HUMAN)
    assert found.straight.verdict is NO
    assert found.any_path.verdict is OPEN
    assert found.any_path.words == "no way within 3.0 m of the edge; one may lead round beyond"


def test_nothing_is_kept_of_a_body_of_another_height_however_wide_it_was_looked_at() -> None:
    """A beam across the window, which a sweeper drives under: nobody looks wider for it."""
    beam = block(2.95, 3.05, -3.1, 3.1, 0.5, 2.0)
    ground = rooms.ground(("floor", block(-6, 12, -7, 7, -0.1, 0)), ("beam", beam))
    graph = build_graph([Node("a", "a", (0.0, 0.0, 0.0)), Node("b", "b", (6.0, 0.0, 0.0))], [])
    measure_geometry(ground, graph, Passage("a", "b", "human"), HUMAN)
    of_human = [found for window in ground.windows for found in window.kept.values()]
    assert [bool(window.kept) for window in ground.windows] == [True, True]
    measure_geometry(ground, graph, Passage("a", "b", "sweeper"), SWEEPER)
    kept = [found for window in ground.windows for found in window.kept.values()]
    assert kept
    assert not {id(found) for found in of_human} & {id(found) for found in kept}


FAR_ROUND = MeasuringRule(PassageRule(detour_factor=4.0, allows_furniture=True))


def off_heading(poses: Iterable[Pose]) -> float:
    """How far a path leads off its headings, forward or backward, at most."""
    return max(
        abs(math.remainder(math.atan2(b[1] - a[1], b[0] - a[0]) - heading, math.pi))
        for a, b in itertools.pairwise(poses)
        for heading in (a[3], b[3])
        if math.dist(a[:2], b[:2]) > 1e-6
    )


def test_a_wheelchair_turns_on_the_spot_and_drives_along_its_heading() -> None:
    """The gap beside the block is 1.05 m wide, in which it passes but does not turn."""
    found = ask(room(block(2, 2.3, -1, -0.05, 0, 2)), WHEELCHAIR)
    assert (found.straight.verdict, found.any_path.verdict) == (NO, YES)
    assert len(found.path) > 2
    assert off_heading(found.path) < 0.01


@pytest.mark.parametrize("number", [1, 2, 5, 6])
def test_a_wheelchair_reverses_at_each_switchback(number: int) -> None:
    """0.80 m: no room for √(1.0² + 0.7²), nor for half a metre past corners that are 0.46 m off."""
    parts, start, end = rooms.switchbacks(number, 0.8)
    found = ask(parts, WHEELCHAIR, start, end, rule=FAR_ROUND)
    answer, words = found.any_path.verdict, found.any_path.words
    if number > 5:
        assert (answer, found.reversals) == (OPEN, None)
        assert "none found that its drive follows with at most 5 changes" in words
        return
    said = f"with manoeuvres: {number} changes between forward and backward"
    assert (answer, found.reversals) == (YES, number)
    assert words == (said if number > 1 else "a way around, free all along")
    assert off_heading(found.path) < 0.03


@pytest.mark.parametrize("width", [0.715, 0.695])
def test_manoeuvres_with_less_than_a_centimetre_of_clearance_are_never_certain(
    width: float,
) -> None:
    parts, start, end = rooms.switchbacks(2, width)
    found = ask(parts, WHEELCHAIR, start, end, rule=FAR_ROUND)
    assert found.any_path.verdict is OPEN


def test_a_way_of_the_drive_that_is_too_long_for_the_edge_is_not_certain() -> None:
    """Six legs are 4.2 m longer than the edge of 4.1 m; 1.5 × 4.1 m + 1 m allow 3.1 m more."""
    parts, start, end = rooms.switchbacks(5, 0.8)
    assert ask(parts, WHEELCHAIR, start, end).any_path.verdict is not YES


@pytest.mark.parametrize("above_m", [0.03, 0.1])
def test_round_a_bend_a_wheelchair_has_a_way_that_it_drives_or_is_uncertain(above_m: float) -> None:
    """No planar motion leads round a right angle narrower than (a / 2 + b) / √2 = 0.849 m."""
    width = (1.0 / 2 + 0.7) / math.sqrt(2) + above_m
    found = ask(rooms.corner(width), WHEELCHAIR, (1.9, width / 2, 0.0), (width / 2, 1.9, 0.0))
    assert found.any_path.verdict is (YES if above_m > 0.06 else OPEN)
    if found.any_path.verdict is YES:
        assert off_heading(found.path) < 0.03


def test_round_a_bend_a_car_takes_arcs_no_tighter_than_its_radius() -> None:
    """About a place 0.1 m beyond the inner corner its sides are 0.15 m away, its front √0.97 m."""
    car = replace(WHEELCHAIR, drive=DriveType.CAR_LIKE, min_turning_radius_m=0.5)
    found = ask(rooms.corner(1.1), car, (1.9, 0.55, 0.0), (0.55, 1.9, 0.0))
    assert (found.any_path.verdict, found.reversals) == (YES, 0)
    for a, b in itertools.pairwise(found.path):
        assert abs(b[3] - a[3]) <= 2 * math.asin(math.dist(a[:2], b[:2]) / 2 / 0.5) + 1e-9


def test_a_path_begins_where_the_body_stands() -> None:
    """A lamp reaches 3 cm into the humanoid at the node, which may stand 10 cm beside it."""
    lamp = block(0.9, 1.1, 0.42, 0.6, 1.0, 2.0)
    found = ask(room(lamp, half=2.0), HUMANOID)
    assert (found.straight.verdict, found.any_path.verdict) == (NO, YES)
    x, y = found.path[0][:2]
    assert 0.02 < math.hypot(x - 1.0, y) <= 0.1 + 1e-6
    assert 0.42 - y >= 0.45


def test_a_path_past_another_node_is_not_this_edge() -> None:
    parts = room(block(2, 2.1, -1, 0.2, 0, 2))
    nodes = [Node("a", "a", START), Node("b", "b", END), Node("c", "c", (2.05, 0.6, 0.0))]
    graph = build_graph(nodes, [Edge("e", "a", "b")])
    ground = rooms.ground(("room", parts))
    found = measure_geometry(ground, graph, Passage("a", "b", "human"), HUMAN)
    assert (found.straight.verdict, found.any_path.verdict) == (NO, OPEN)
    alone = ask(parts, HUMAN)
    assert alone.any_path.verdict is YES


@pytest.mark.parametrize(("width", "fits"), [(1.19, NO), (1.25, YES)])
def test_a_full_turn_needs_the_diagonal(width: float, fits: object) -> None:
    """√(1.0² + 0.7²) = 1.2207 m."""
    found = ask(room(half=width / 2), WHEELCHAIR, rule=MeasuringRule(node_tolerance_m=0.02))
    turn = found.turns[1]
    assert turn.needs_m == pytest.approx(1.2207, abs=1e-4)
    assert turn.has_m == pytest.approx(width, abs=2e-3)
    assert turn.turns_fully is fits
    assert found.any_path.verdict is YES


@pytest.mark.parametrize("angle", [0.0, 0.7, math.pi / 2])
@pytest.mark.parametrize("mirror", [False, True])
def test_a_turned_or_mirrored_room_has_the_same_answer(angle: float, mirror: bool) -> None:
    def moved(place: tuple[float, float, float]) -> tuple[float, float, float]:
        x, y, z = place[0], -place[1] if mirror else place[1], place[2]
        cos, sin = math.cos(angle), math.sin(angle)
        return (x * cos - y * sin, x * sin + y * cos, z)

    parts = np.concatenate([rooms.door(0.93, off=0.2), block(1.2, 1.3, 0.3, 0.5, 0, 0.5)])
    made = rooms.turned(parts, angle, mirror)
    for agent in (HUMAN, QUADRUPED, HUMANOID):
        found = ask(made, agent, moved(START), moved(END))
        plain = ask(parts, agent)
        assert found.straight.verdict is plain.straight.verdict
        assert found.any_path.verdict is plain.any_path.verdict
        assert found.clear_width_m == pytest.approx(plain.clear_width_m, abs=2e-3)
