from __future__ import annotations

import logging
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.errors import ReadError
from waypost.domain.traverse.agent import AgentProfile, BodyShape, DriveType
from waypost.io.agent_files import agent_text, parse_agent, read_agent, shipped_agents, write_agent

GOOD = """
key = "cart"
name = "Cart"
shape = "box"
width_m = 0.5
depth_m = 1
height_m = 0.9
step_limit_m = 0.01
climbs_stairs = false
opens_doors = false
operates_elevators = true
"""


def test_shipped_agents_are_the_published_five() -> None:
    agents = shipped_agents()
    assert list(agents) == ["human", "wheelchair", "humanoid", "quadruped", "sweeper"]
    bodies = {
        key: (str(a.shape), a.width_m, a.depth_m, a.height_m, a.step_limit_m, a.climbs_stairs)
        for key, a in agents.items()
    }
    assert bodies == {
        "human": ("cylinder", 0.6, 0.6, 1.7, 0.30, True),
        "wheelchair": ("box", 0.7, 1.0, 1.2, 0.013, False),
        "humanoid": ("cylinder", 0.9, 0.9, 1.5, 0.4, False),
        "quadruped": ("box", 0.5, 1.1, 0.7, 0.30, True),
        "sweeper": ("cylinder", 0.4, 0.4, 0.15, 0.02, False),
    }
    assert all(key == agent.key for key, agent in agents.items())
    assert all("CapNav" in agent.description for agent in agents.values())
    assert len({agent.profile_hash for agent in agents.values()}) == 5


def test_integers_and_absent_optional_fields() -> None:
    agent = parse_agent(GOOD, "cart.toml")
    assert (agent.depth_m, agent.drive, agent.top_speed_mps) == (
        1.0,
        DriveType.DIFFERENTIAL,
        1.0,
    )
    assert isinstance(agent.depth_m, float)


def test_round_bodies_need_no_depth() -> None:
    text = GOOD.replace('"box"', '"cylinder"').replace("depth_m = 1\n", "")
    assert parse_agent(text, "cart.toml").depth_m == 0.5


def test_round_bodies_need_a_width() -> None:
    text = GOOD.replace('"box"', '"capsule"').replace("width_m = 0.5\ndepth_m = 1\n", "")
    with pytest.raises(ReadError, match=r"a\.toml: width_m: is missing"):
        parse_agent(text, "a.toml")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("width_m = 0.5", "width_m = 0", "a.toml: width_m: 0 is outside 0.01 to 10"),
        ("width_m = 0.5", "width_m = -1", "a.toml: width_m: -1 is outside 0.01 to 10"),
        ("width_m = 0.5", "width_m = nan", "a.toml: width_m: nan is outside 0.01 to 10"),
        ("width_m = 0.5", 'width_m = "wide"', "a.toml: width_m: 'wide' is not a number"),
        ("width_m = 0.5", "width_m = true", "a.toml: width_m: True is not a number"),
        ("width_m = 0.5", f"width_m = {'9' * 400}", "a.toml: width_m: is too large a number"),
        ("width_m = 0.5\n", "", "a.toml: width_m: is missing"),
        ("depth_m = 1\n", "", "a.toml: depth_m: is missing"),
        ('"box"', '"ball"', "a.toml: shape: 'ball' is none of box, cylinder, capsule"),
        ('"box"', "[1]", "a.toml: shape: [1] is none of box, cylinder, capsule"),
        ('"cart"', '"my cart"', "a.toml: key: must be letters, digits, - or _"),
        ('"Cart"', "3", "a.toml: name: 3 is not text"),
        ("doors = false", "doors = 0", "a.toml: opens_doors: 0 is not true or false"),
        ("0.01", "0.9", "a.toml: step_limit_m: must be less than the height"),
        (
            "width_m = 0.5",
            "width_m = 0.5\ncontact_places_m = [[0.1]]",
            "a.toml: contact_places_m: expected pairs of numbers, such as [[0.2, 0.25]]",
        ),
        (
            "width_m = 0.5",
            "width_m = 0.5\ncontact_places_m = [[0.1, true]]",
            "a.toml: contact_places_m: expected pairs of numbers, such as [[0.2, 0.25]]",
        ),
        (
            'key = "cart"',
            'key = "cart',
            "a.toml: line 2, column 12: is not TOML: Illegal character '\\n'",
        ),
        (
            'key = "cart"',
            'schema_version = 2\nkey = "cart"',
            "a.toml: schema_version: 2 is newer than this Waypost reads (1); update Waypost",
        ),
        (
            'key = "cart"',
            'schema_version = "1"\nkey = "cart"',
            "a.toml: schema_version: '1' is not a version number",
        ),
    ],
)
def test_bad_values_name_the_field(old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(ReadError) as caught:
        parse_agent(GOOD.replace(old, new), "a.toml")
    assert str(caught.value) == message


def test_files_that_are_no_agents(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    with pytest.raises(ReadError, match=r"a\.toml: file: does not exist"):
        read_agent(path)
    path.write_bytes(b"")
    with pytest.raises(ReadError, match=r"a\.toml: file: is empty"):
        read_agent(path)
    path.write_bytes(b"name = 'x'\nkey = '\xff'")
    with pytest.raises(ReadError, match=r"a\.toml: line 2: is not utf-8 text \(byte 18\)"):
        read_agent(path)
    with pytest.raises(ReadError, match=r": file: is a folder"):
        read_agent(tmp_path)


def test_byte_order_mark_is_no_obstacle(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(GOOD, encoding="utf-8-sig")
    assert read_agent(path).key == "cart"


def test_of_a_file_that_is_refused_only_the_refusal_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "cart.toml"
    path.write_text("mass_kg = 12.5\n")
    with caplog.at_level(logging.WARNING), pytest.raises(ReadError, match="is missing"):
        read_agent(path)
    assert caplog.records == []


def test_unknown_keys_are_reported_and_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "cart.toml"
    path.write_text(GOOD + "mass_kg = 12.5\n[origin]\nlab = 'ours'\n")
    with caplog.at_level(logging.WARNING):
        agent = read_agent(path)
    assert [r.message.partition(": ")[2] for r in caplog.records] == [
        "mass_kg: is not a field of an agent; ignored",
        "origin: is not a field of an agent; ignored",
    ]
    write_agent(path, agent)
    assert "mass_kg = 12.5" in path.read_text()
    assert "[origin]\nlab = " in path.read_text()
    assert read_agent(path) == agent


def test_a_new_file(tmp_path: Path) -> None:
    for agent in shipped_agents().values():
        write_agent(tmp_path / f"{agent.key}.toml", agent)
        assert read_agent(tmp_path / f"{agent.key}.toml") == agent


def test_a_file_that_is_no_agent_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "notes.toml"
    path.write_text("this is not toml")
    with pytest.raises(ReadError):
        write_agent(path, shipped_agents()["human"])
    assert path.read_text() == "this is not toml"


lengths = st.floats(0.01, 10.0)


@st.composite
def profiles(draw: st.DrawFn) -> AgentProfile:
    shape = draw(st.sampled_from(BodyShape))
    width = draw(lengths)
    height = draw(st.floats(width, 10.0)) if shape is BodyShape.CAPSULE else draw(lengths)
    drive = draw(st.sampled_from(DriveType))
    radius = draw(st.floats(0.01, 50.0)) if drive is DriveType.CAR_LIKE else 0.0
    return AgentProfile(
        key=draw(st.from_regex(r"[a-z0-9_-]{0,8}[a-z]", fullmatch=True)),
        name=draw(st.text(max_size=20)),
        shape=shape,
        width_m=width,
        depth_m=draw(lengths) if shape is BodyShape.BOX else width,
        height_m=height,
        step_limit_m=draw(st.floats(0.0, min(2.0, height), exclude_max=height <= 2.0)),
        climbs_stairs=draw(st.booleans()),
        opens_doors=draw(st.booleans()),
        operates_elevators=draw(st.booleans()),
        drive=drive,
        min_turning_radius_m=radius,
        top_speed_mps=draw(st.floats(0.01, 20.0)),
        description=draw(st.text(max_size=40)),
        colour=draw(st.just("") | st.from_regex(r"#[0-9a-fA-F]{6}", fullmatch=True)),
    )


@given(profiles())
def test_writing_and_reading_gives_the_same_profile(profile: AgentProfile) -> None:
    again = parse_agent(agent_text(profile), "a.toml")
    assert again == profile
    assert again.profile_hash == profile.profile_hash


def test_a_colour_is_written_where_there_is_one() -> None:
    agent = parse_agent(GOOD, "cart.toml")
    assert "colour" not in agent_text(agent)
    red = parse_agent(GOOD + 'colour = "#aa0011"', "cart.toml")
    assert red.colour == "#aa0011"
    assert parse_agent(agent_text(red), "again.toml") == red
    with pytest.raises(ReadError, match="colour: 'red' is not #rrggbb"):
        parse_agent(GOOD + 'colour = "red"', "cart.toml")


def test_what_is_not_stated_of_wheels_is_not_written() -> None:
    agent = parse_agent(GOOD, "cart.toml")
    assert "contact" not in agent_text(agent)
    stated = parse_agent(GOOD + "contact_places_m = [[1, 0.25], [-0.2, 0.0]]", "cart.toml")
    assert stated.contact_places_m == ((1.0, 0.25), (-0.2, 0.0))
    assert parse_agent(agent_text(stated), "again.toml") == stated


def test_shipped_agents_state_what_they_stand_on() -> None:
    agents = shipped_agents()
    gaps = {key: agent.passable_gap_m for key, agent in agents.items()}
    assert gaps == {
        "human": 0.1,
        "wheelchair": 0.076,
        "humanoid": 0.1,
        "quadruped": 0.1,
        "sweeper": 0.064,
    }
    for agent in agents.values():
        assert agent.contact_width_m > 0
        for forward_m, left_m in agent.contact_places_m:
            assert abs(forward_m) <= agent.depth_m / 2
            assert abs(left_m) <= agent.width_m / 2
