from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from given_labels import set_label
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.scene.graph import Edge, NavigationGraph, Node, build_graph, delete_items
from waypost.domain.traverse.traversability import (
    REASON_TITLES,
    Circumstances,
    Passage,
    Provenance,
    Reason,
    TraversabilityLabel,
    Verdict,
    clear_label,
)
from waypost.io.graphs.capnav_names import (
    agent_key_of,
    note_with_reason,
    section_of,
    split_note,
)
from waypost.io.json_reading import parse_json
from waypost.io.labels.capnav_traverse import (
    CapnavLabels,
    TraverseOptions,
    labels_from_capnav,
    labels_to_capnav,
    read_capnav_traverse,
    with_author,
    write_capnav_traverse,
)

IDS = ("node_1", "node_2", "node_3")
GRAPH = build_graph(
    [Node(key, key, (float(i), 0.0, 0.0)) for i, key in enumerate(IDS)],
    [Edge("edge_1", "node_1", "node_2"), Edge("edge_2", "node_3", "node_2")],
)


def entry(is_open: bool, note: str = "", **more: Any) -> dict[str, Any]:
    return {
        "traversable": is_open,
        "note": note,
        "timestamp": "2026-01-02T03:04:05.678Z",
        "question": "Can the agent …?",
        **more,
    }


FILE: dict[str, Any] = {
    "HUMAN": {
        "node_2|node_1": entry(True, "Auto approved"),
        "node_1|node_2": entry(True),
        "node_1|node_9": entry(False, "gone"),
        "endTask:node_2": entry(True),
        "node_2|node_3": entry(False, "stairs"),
    },
    "ROBOT": {"node_2|node_3": entry(False, "too narrow: armchair", mood="😊")},
    "QUADRUPEDAL": {},
    "_hallucinatedQuestions": ["Can it fly?"],
    "version": 2,
}


def read(file: Any, graph: NavigationGraph = GRAPH) -> CapnavLabels:
    return labels_from_capnav(parse_json(json.dumps(file), "t.json"), graph)


def written(result: CapnavLabels, labels: Any = None, **options: Any) -> dict[str, Any]:
    graph = NavigationGraph(GRAPH.nodes, GRAPH.edges, result.extra)
    kept = result.labels if labels is None else labels
    return labels_to_capnav(kept, graph, TraverseOptions(**options))


def test_labels_are_directed_and_the_rest_is_undecided() -> None:
    result = read(FILE)
    verdicts = {tuple(p): (x.verdict, x.reason, x.note) for p, x in result.labels.items()}
    assert verdicts == {
        ("node_2", "node_1", "human"): (Verdict.TRAVELS, None, "Auto approved"),
        ("node_1", "node_2", "human"): (Verdict.TRAVELS, None, ""),
        ("node_2", "node_3", "human"): (Verdict.DOES_NOT, Reason.STAIRS, ""),
        ("node_2", "node_3", "humanoid"): (Verdict.DOES_NOT, Reason.TOO_NARROW, "armchair"),
    }
    assert result.orphans == ('HUMAN["node_1|node_9"]', 'HUMAN["endTask:node_2"]')
    label = result.labels[Passage("node_2", "node_3", "humanoid")]
    assert label.time_utc == "2026-01-02T03:04:05.678Z"
    assert label.author == ""
    assert not label.is_stale(Circumstances(scene_hash="some scene"))


def test_an_untouched_file_comes_back_with_its_order_and_orphans() -> None:
    assert json.dumps(written(read(FILE))) == json.dumps(FILE)


plain = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
notes = st.text(max_size=8) | st.sampled_from(
    [*REASON_TITLES.values(), "door: ", "door: : x", "other: door", "other: ", "stairs:x"]
)

unknown_keys = st.text(max_size=4).filter(lambda key: key != "note")


@st.composite
def traverse_files(draw: st.DrawFn) -> dict[str, Any]:
    keys = [f"{a}|{b}" for a in IDS for b in IDS] + ["x", "node_1|node_2|node_3", ""]
    names = ["HUMAN", "ROBOT", "HUMANOID", "robot", "SWEEPER", "QUADRUPEDAL", "CART", "My cart"]
    file: dict[str, Any] = {}
    for name in draw(st.lists(st.sampled_from(names), unique=True)):
        file[name] = {}
        for key in draw(st.lists(st.sampled_from(keys), unique=True)):
            value = {"traversable": draw(st.booleans())}
            value |= draw(st.fixed_dictionaries({}, optional={"note": notes | st.none()}))
            value |= draw(st.fixed_dictionaries({}, optional={"timestamp": st.text(max_size=4)}))
            value |= draw(st.dictionaries(unknown_keys, plain, max_size=2))
            if draw(st.booleans()):
                value["waypost_verdict"] = draw(st.sampled_from(["uncertain", "x", 1]))
            file[name][key] = dict(draw(st.permutations(list(value.items()))))
    more = draw(st.dictionaries(st.text(max_size=5), plain | st.lists(plain), max_size=2))
    more = {key: value for key, value in more.items() if key not in {"nodes", "questions"}}
    return dict(draw(st.permutations(list({**more, **file}.items()))))


@given(traverse_files())
def test_every_untouched_file_comes_back_to_the_byte(file: dict[str, Any]) -> None:
    for agent in file.values():
        for value in agent.values() if isinstance(agent, dict) else ():
            if value["traversable"]:
                value.pop("waypost_verdict", None)
    assert json.dumps(written(read(file))) == json.dumps(file)


def test_a_changed_label_changes_only_its_own_words() -> None:
    result = read(FILE)
    passage = Passage("node_2", "node_3", "humanoid")
    old = result.labels[passage]
    new = TraversabilityLabel(
        passage, Verdict.TRAVELS, None, "fits", "ann", "2026-11-28T00:00:00+00:00", extra=old.extra
    )
    file = written(result, set_label(result.labels, new))
    expected = json.loads(json.dumps(FILE))
    expected["ROBOT"]["node_2|node_3"] |= {
        "traversable": True,
        "note": "fits",
        "timestamp": "2026-11-28T00:00:00+00:00",
    }
    assert json.dumps(file) == json.dumps(expected)


def test_what_a_file_calls_final_is_not_once_it_is_changed() -> None:
    result = read({"HUMAN": {"node_1|node_2": entry(True, waypost_label="final")}})
    assert written(result)["HUMAN"]["node_1|node_2"]["waypost_label"] == "final"
    (label,) = result.labels.values()
    changed = set_label(result.labels, replace(label, verdict=Verdict.DOES_NOT, reason=Reason.DOOR))
    assert "waypost_label" not in written(result, changed)["HUMAN"]["node_1|node_2"]


def test_cleared_labels_are_gone_and_orphans_stay() -> None:
    result = read(FILE)
    labels = clear_label(result.labels, Passage("node_1", "node_2", "human"))
    assert list(written(result, labels)["HUMAN"]) == [
        "node_2|node_1",
        "node_1|node_9",
        "endTask:node_2",
        "node_2|node_3",
    ]


def test_a_place_that_takes_the_ids_of_an_orphan_does_not_get_its_label() -> None:
    result = read(FILE)
    nodes = (*GRAPH.nodes.values(), Node("node_9", "Cellar", (50.0, 0.0, 0.0)))
    edges = (*GRAPH.edges.values(), Edge("edge_3", "node_9", "node_1"))
    graph = build_graph(nodes, edges, result.extra)
    assert Passage("node_1", "node_9", "human") not in result.labels
    found = labels_to_capnav(result.labels, graph)
    assert list(found["HUMAN"]) == [k for k in FILE["HUMAN"] if k != "node_1|node_9"]


def test_two_agents_never_share_a_section() -> None:
    labels = {
        p: TraversabilityLabel(p, Verdict.TRAVELS)
        for p in (Passage("node_1", "node_2", key) for key in ("humanoid", "robot"))
    }
    with pytest.raises(InputError, match="one ROBOT, and so another agent beside 'robot'"):
        labels_to_capnav(labels, GRAPH)


def test_labels_given_here() -> None:
    labels: Any = MappingProxyType({})
    for passage, verdict, reason, note in (
        (Passage("node_1", "node_2", "humanoid"), Verdict.DOES_NOT, Reason.DOOR, "locked"),
        (Passage("node_2", "node_1", "humanoid"), Verdict.DOES_NOT, Reason.OTHER, "a cat"),
        (Passage("node_2", "node_3", "my_cart"), Verdict.TRAVELS, None, ""),
        (Passage("node_3", "node_2", "my_cart"), Verdict.UNCERTAIN, None, "dark"),
        (Passage("node_1", "node_3", "my_cart"), Verdict.TRAVELS, None, "no such edge"),
    ):
        label = TraversabilityLabel(passage, verdict, reason, note, "ann", "2026-11-28T00:00:00Z")
        labels = set_label(labels, label)
    common = {"timestamp": "2026-11-28T00:00:00Z", "question": ""}
    expected: dict[str, Any] = {
        "ROBOT": {
            "node_1|node_2": {"traversable": False, "note": "door: locked", **common},
            "node_2|node_1": {"traversable": False, "note": "a cat", **common},
        },
        "MY_CART": {"node_2|node_3": {"traversable": True, "note": "", **common}},
    }
    assert labels_to_capnav(labels, GRAPH) == expected
    as_asked = labels_to_capnav(
        labels, GRAPH, TraverseOptions(humanoid="HUMANOID", uncertain_as_blocked=True)
    )
    assert list(as_asked) == ["HUMANOID", "MY_CART"]
    assert as_asked["MY_CART"]["node_3|node_2"] == {
        "traversable": False,
        "note": "dark",
        **common,
        "waypost_verdict": "uncertain",
    }
    again = read(as_asked).labels
    assert again[Passage("node_3", "node_2", "my_cart")].verdict is Verdict.UNCERTAIN
    left_out = TraverseOptions(left_out=frozenset({Passage("node_2", "node_3", "my_cart")}))
    assert list(labels_to_capnav(labels, GRAPH, left_out)) == ["ROBOT"]


def test_labels_of_a_scene_with_gaps_say_so() -> None:
    passage = Passage("node_1", "node_2", "human")
    origin = Provenance(scene_gaps=("plant.usd", "/Bad"))
    label = TraversabilityLabel(passage, Verdict.TRAVELS, provenance=origin)
    written = labels_to_capnav({passage: label}, GRAPH)
    assert written["HUMAN"]["node_1|node_2"]["waypost_scene_gaps"] == ["plant.usd", "/Bad"]
    again = read(written).labels
    assert again[passage].provenance == origin
    anew = replace(again[passage], provenance=Provenance())
    cleared = labels_to_capnav({passage: anew}, GRAPH)
    assert "waypost_scene_gaps" not in cleared["HUMAN"]["node_1|node_2"]


def test_uncertain_that_came_from_a_file_goes_back_and_can_be_decided() -> None:
    file = {"HUMAN": {"node_1|node_2": entry(False, "dark", waypost_verdict="uncertain")}}
    result = read(file)
    passage = Passage("node_1", "node_2", "human")
    assert result.labels[passage].verdict is Verdict.UNCERTAIN
    assert written(result) == file
    decided = TraversabilityLabel(
        passage, Verdict.TRAVELS, note="lit", extra=result.labels[passage].extra
    )
    rewritten = written(result, {passage: decided})["HUMAN"]["node_1|node_2"]
    assert rewritten == {
        "traversable": True,
        "note": "lit",
        "timestamp": "",
        "question": "Can the agent …?",
    }


def test_both_spellings_of_the_humanoid() -> None:
    file = {
        "ROBOT": {"node_1|node_2": entry(True)},
        "HUMANOID": {"node_1|node_2": entry(False, "door")},
    }
    result = read(file)
    assert list(result.labels) == [Passage("node_1", "node_2", "humanoid")]
    assert result.labels[Passage("node_1", "node_2", "humanoid")].reason is Reason.DOOR
    assert result.warnings == (
        "t.json: ROBOT: another section of the same agent is read; kept as it is",
    )
    assert json.dumps(written(result)) == json.dumps(file)
    assert json.dumps(written(result, humanoid="ROBOT")) == json.dumps(file)
    only = {"HUMANOID": {"node_1|node_2": entry(True)}}
    assert list(written(read(only))) == ["HUMANOID"]
    assert list(written(read(only), humanoid="ROBOT")) == ["ROBOT"]


def test_labels_of_deleted_edges_are_not_written() -> None:
    result = read(FILE)
    graph = delete_items(NavigationGraph(GRAPH.nodes, GRAPH.edges, result.extra), [], ["edge_2"])
    file = labels_to_capnav(result.labels, graph)
    assert file["ROBOT"] == {}
    assert "node_2|node_3" not in file["HUMAN"]


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ([], "top level: is an array, not an object"),
        ({"nodes": []}, "top level: this is a CapNav graph or task file, not a traverse file"),
        (
            {"HUMAN": {"node_1|node_2": {"note": ""}}},
            'HUMAN["node_1|node_2"].traversable: is missing',
        ),
        (
            {"HUMAN": {"node_1|node_2": {"traversable": "yes"}}},
            'HUMAN["node_1|node_2"].traversable: is text, not true or false',
        ),
        ({"HUMAN": {"node_1|node_2": True}}, 'HUMAN["node_1|node_2"]: is true or false, not an'),
        (
            {"HUMAN": {"node_1|node_2": {"traversable": True, "note": 3}}},
            'HUMAN["node_1|node_2"].note: is a number, not text',
        ),
    ],
)
def test_bad_files_name_the_place(file: Any, message: str) -> None:
    with pytest.raises(ReadError) as caught:
        read(file)
    assert str(caught.value).startswith(f"t.json: {message}")


def test_ids_with_the_separator_in_them() -> None:
    nodes = [Node("a|b", "x", (0.0, 0.0, 0.0)), Node("c", "y", (1.0, 0.0, 0.0))]
    graph = build_graph(nodes, [Edge("e", "a|b", "c")])
    labels = read({"HUMAN": {"a|b|c": entry(True), "c|a|b": entry(True)}}, graph).labels
    assert [(p.from_id, p.to_id) for p in labels] == [("a|b", "c"), ("c", "a|b")]


def test_files_on_disk_and_authors(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(json.dumps(FILE))
    result = read_capnav_traverse(path, GRAPH)
    assert {label.author for label in with_author(result.labels, "ann").values()} == {"ann"}
    graph = NavigationGraph(GRAPH.nodes, GRAPH.edges, result.extra)
    write_capnav_traverse(tmp_path / "out.json", result.labels, graph)
    assert json.loads((tmp_path / "out.json").read_text()) == FILE


@given(st.sampled_from(Reason), notes)
def test_reason_and_note_share_one_text(reason: Reason, note: str) -> None:
    assert split_note(note_with_reason(reason, note)) == (reason, note)


def test_notes_for_people() -> None:
    assert note_with_reason(Reason.TOO_NARROW, "armchair") == "too narrow: armchair"
    assert note_with_reason(Reason.STAIRS, "") == "stairs"
    assert note_with_reason(Reason.OTHER, "a cat") == "a cat"
    assert note_with_reason(Reason.OTHER, "door: locked") == "other: door: locked"
    assert note_with_reason(Reason.OTHER, "") == "other"


def test_names_of_agents() -> None:
    for key in ("human", "wheelchair", "humanoid", "sweeper", "quadruped"):
        assert agent_key_of(section_of(key)) == key
    assert section_of("humanoid") == "ROBOT"
    assert section_of("humanoid", humanoid="HUMANOID") == "HUMANOID"
    assert [agent_key_of(name) for name in ("Robot", "HUMANOID", "quadruped", "My Cart", "")] == [
        "humanoid",
        "humanoid",
        "quadruped",
        "my_cart",
        "_",
    ]
