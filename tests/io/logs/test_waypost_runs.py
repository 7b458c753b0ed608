"""The open run form: schema, example writer, and nothing left behind of any run."""

import itertools
import json
import math
import runpy
import sys
from importlib import resources
from pathlib import Path

import jsonschema
import pytest
from fixtures.run_samples import SAMPLES, WAYPOST, lines
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import route
from waypost.domain.episode.run import (
    Answer,
    Decision,
    EpisodeRun,
    Event,
    EventKind,
    Option,
    RunEnd,
)
from waypost.io.known_formats import RUN_FORMATS
from waypost.io.logs import waypost_runs
from waypost.io.read_log import ReadLog

SCHEMA = json.loads(
    (resources.files("waypost") / "resources" / "schemas" / "run.schema.json").read_text()
)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
EXAMPLE = Path(__file__).parents[3] / "examples" / "write_runs.py"


def read(path):
    log = ReadLog()
    return list(RUN_FORMATS.read(path, log)), log


def test_the_schema_is_one_and_the_samples_fit_it():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for record in WAYPOST:
        VALIDATOR.validate(record)
    for bad in ({}, {"waypost_run": 2, "episode_id": "1"}, WAYPOST[0] | {"frame": "moon"}):
        assert not VALIDATOR.is_valid(bad)


def test_the_schema_names_what_the_reader_knows():
    known = waypost_runs._KNOWN
    assert SCHEMA["properties"].keys() == known
    assert set(SCHEMA["properties"]["frame"]["enum"]) == waypost_runs._FRAMES.keys()
    assert set(SCHEMA["properties"]["heading_convention"]["enum"]) == waypost_runs._HEADINGS.keys()
    assert SCHEMA["$defs"]["event"]["properties"]["kind"]["enum"] == [k.value for k in EventKind]
    text = (EXAMPLE.parents[1] / "docs" / "run-schema.md").read_text()
    parts = ("decision", "option")
    names = known | {name for part in parts for name in SCHEMA["$defs"][part]["properties"]}
    assert [name for name in names if f"`{name}`" not in text] == []


def test_the_example_writes_it_in_thirty_lines(tmp_path, monkeypatch):
    assert len(EXAMPLE.read_text().splitlines()) <= 30
    path = tmp_path / "runs.jsonl"
    monkeypatch.setattr(sys, "argv", [str(EXAMPLE), str(path)])
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    for line in path.read_text().splitlines():
        VALIDATOR.validate(json.loads(line))
    (run,), log = read(path)
    assert RUN_FORMATS.find(path) is waypost_runs.FORMAT
    assert run.route.positions_m.tolist() == [[0.0, 0.0, 0.0], [0.0, 2.0, 0.0]]
    assert run.route.yaws_rad.tolist() == [math.pi / 2] * 2
    assert run.decisions == (Decision(1, 2, thought="the door is ahead", action="b"),)
    assert log.document == {"model": "my-agent"}


def test_frames_and_headings_are_converted(tmp_path):
    path = tmp_path / "runs.jsonl"
    path.write_text(lines(WAYPOST))
    (first, second), log = read(path)
    assert first.route.positions_m.tolist() == [[1.0, 2.0, 0.5], [1.0, 4.0, 0.5]]
    assert first.route.yaws_rad[0] == math.pi / 2
    assert math.isnan(first.route.yaws_rad[1])
    option = first.decisions[0].options[0]
    assert option.position_m == (0.0, 1.0, 0.0)
    assert option.yaw_rad == pytest.approx(math.pi / 2 - 0.5)
    assert first.decisions[0].extra == {"seconds": 2}
    assert first.decisions[0].events == (Event(EventKind.COLLISION, "wall"),)
    assert first.extra == {"temperature": 0.5}
    assert first.reported == {"spl": 0.5, "ne": None}
    assert (second.episode_id, len(second.route)) == ("8", 0)
    assert log.findings == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"waypost_run": 2}, "is 2; this program reads version 1"),
        ({"waypost_run": True}, "is True"),
        ({"frame": "moon"}, "'moon' is none of scene, gltf"),
        ({"heading_convention": "north"}, "'north' is none of scene, r2r, habitat"),
        ({"headings": [1.0]}, "different lengths: [1, 2]"),
        ({"decisions": [{"first_pose": 1, "end_pose": 3}]}, "is 3.0; the route has 2 poses"),
        ({"decisions": [{"first_pose": 2, "end_pose": 1}]}, "is 1, before first_pose 2"),
        ({"decisions": [{"first_pose": 0}]}, "end_pose: is missing"),
        ({"samples": [2]}, "the route has poses 0 to 1"),
        ({"times": [0.0]}, "times: has 1 times for 2 poses"),
        ({"times": [0.5, 0.0]}, "times[1]: is 0.0, earlier than the pose before"),
        ({"end": {"action_count": 1.5}}, "is 1.5, not a count"),
        ({"end": {"called_stop": "yes"}}, "is text, not true or false"),
        ({"positions": [[0, 0, 0], [0, 0]]}, "positions[1]: has 2 numbers, not 3"),
        (
            {"decisions": [{"first_pose": 0, "end_pose": 0, "events": [{"kind": "boom"}]}]},
            "'boom' is none of no_move",
        ),
    ],
)
def test_a_line_that_cannot_be_used_costs_only_its_run(tmp_path, change, reason):
    path = tmp_path / "runs.jsonl"
    path.write_text(lines([WAYPOST[0] | change, WAYPOST[1]]))
    runs, log = read(path)
    assert [run.episode_id for run in runs] == ["8"]
    assert log.findings[0].kind is ImportKind.UNREADABLE
    assert log.findings[0].item_id == "7"
    assert reason in log.findings[0].message
    assert f"{path}: " in log.findings[0].message


NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=64)
METRES = st.floats(-1e8, 1e8)
WORDS = st.text(max_size=8)
EXTRAS = st.dictionaries(WORDS, st.none() | st.booleans() | NUMBERS | WORDS, max_size=2)


@st.composite
def any_runs(draw):
    count = draw(st.integers(0, 4))
    walked = route()
    if count:
        has_names = draw(st.booleans())
        has_places = draw(st.booleans()) or not has_names
        walked = route(
            draw(st.lists(WORDS, min_size=count, max_size=count)) if has_names else (),
            [[draw(METRES) for _ in range(3)] for _ in range(count)] if has_places else None,
            draw(st.none() | st.lists(NUMBERS | st.just(math.nan), min_size=count, max_size=count)),
            draw(st.none() | st.lists(NUMBERS | st.just(math.nan), min_size=count, max_size=count)),
        )
    ends = sorted(draw(st.lists(st.integers(0, count), max_size=4)))
    decisions = tuple(
        Decision(
            a,
            b,
            at_viewpoint_id=draw(WORDS),
            thought=draw(WORDS),
            raw_text=draw(WORDS),
            options=(Option(draw(WORDS), position_m=(1.0, 2.0, draw(METRES)), yaw_rad=0.5),),
            events=(Event(draw(st.sampled_from(EventKind)), draw(WORDS)),),
            extra=draw(EXTRAS),
        )
        for a, b in itertools.pairwise(ends)
    )
    flags = st.none() | st.booleans()
    counts = st.none() | st.integers(0, 9)
    return EpisodeRun(
        episode_id=draw(st.text(min_size=1, max_size=8).map(str.strip)),
        route=walked,
        is_frame_stated=walked.positions_m is None or draw(st.booleans()),
        decisions=decisions,
        end=RunEnd(draw(flags), draw(WORDS), draw(counts), draw(counts), draw(flags), draw(flags)),
        answer=Answer(
            draw(st.none() | st.just("12")),
            draw(st.none() | NUMBERS),
            None,
            {"direct": ("sofa",)},
            draw(WORDS),
            draw(st.none() | WORDS),
            draw(WORDS),
        ),
        map_node_ids=draw(st.none() | st.just(()) | st.just(("a", "b"))),
        samples=draw(st.none() | st.just(tuple(range(count)))),
        times_s=draw(st.none() | st.just(tuple(0.05 * pose for pose in range(count)))),
        reported=draw(st.dictionaries(WORDS, st.none() | NUMBERS, max_size=3)),
        scene_id=draw(WORDS),
        instruction=draw(WORDS),
        extra=draw(EXTRAS),
    )


@settings(deadline=None, max_examples=120)
@given(runs=st.lists(any_runs(), min_size=1, max_size=3))
def test_every_run_survives_writing_and_reading(tmp_path_factory, runs):
    path = tmp_path_factory.mktemp("runs") / "runs.jsonl.gz"
    waypost_runs.write(path, runs, ReadLog())
    again, log = read(path)
    assert again == runs
    assert log.findings == []
    for run in again:
        VALIDATOR.validate(run.record)


@pytest.mark.parametrize("name", SAMPLES)
def test_runs_of_every_other_form_survive_in_this_one(tmp_path, name):
    file, text = SAMPLES[name]
    (tmp_path / file).write_text(text)
    runs, _ = read(tmp_path / file)
    bare = [run for run in runs if run.record is None or "waypost_run" not in run.record]
    waypost_runs.write(tmp_path / "all.jsonl", bare, ReadLog())
    if bare:
        again, _ = read(tmp_path / "all.jsonl")
        assert again == bare
        for run in again:
            VALIDATOR.validate(run.record)
