from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from given_labels import set_label
from stored_rows import stored_rows
from worlds.vln_worlds import connectivity_entries

from waypost.app.main import main
from waypost.domain.base.frames import FRAMES
from waypost.domain.project import Project, set_agent
from waypost.domain.traverse.traversability import (
    Passage,
    Provenance,
    Reason,
    TraversabilityLabel,
    Verdict,
)
from waypost.io.agent_files import shipped_agents
from waypost.io.labels.labels_csv import labels_csv_text, write_labels_csv
from waypost.services.capnav_export import export_capnav
from waypost.services.label_report import scorer_words
from waypost.store.project_store import ProjectStore

NODES = ((1.0, -1.0, 1.2), (5.0, -1.0, 1.2), (5.0, -7.0, 1.2))
"""Scene frame; a house from (0, -8, 0) to (6, 0, 3)."""

Say = Callable[..., tuple[int, str, str]]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    def run(*words: object) -> tuple[int, str, str]:
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a one-room house, Y up as glTF wants it, and five agents."""
    house = trimesh.creation.box(bounds=[[0.0, 0.0, 0.0], [6.0, 3.0, 8.0]])
    floor = trimesh.creation.box(bounds=[[0.0, -0.1, 0.0], [6.0, 0.0, 8.0]])
    trimesh.Scene([house, floor]).export(tmp_path / "house.glb")
    path = tmp_path / "house.waypost"
    value = Project("house", scene_path="house.glb", agents=shipped_agents())
    ProjectStore.create(path, value, "test").close()
    return path


def graph_file(folder: Path, frame: str = "capnav", nodes: Any = NODES) -> Path:
    positions = FRAMES[frame].from_scene(np.array(nodes)).tolist()
    value = {
        "nodes": [
            {
                "id": f"node_{i}",
                "name": f"place {i}",
                "description": "",
                "position": dict(zip("xyz", position, strict=True)),
            }
            for i, position in enumerate(positions)
        ],
        "edges": [
            {"id": "edge_1", "from": "node_0", "to": "node_1", "width": 0.8},
            {"id": "edge_2", "from": "node_2", "to": "node_1"},
        ],
        "made_by": "tests",
    }
    path = folder / f"{frame}-graph.json"
    path.write_text(json.dumps(value, indent=2))
    return path


def loaded(path: Path) -> Project:
    store = ProjectStore.open(path)
    try:
        return store.load()
    finally:
        store.close()


def edit(path: Path, change: Callable[[Project], Project]) -> None:
    store = ProjectStore.open(path)
    before = store.load()
    store.save(before, change(before), "test")
    store.close()


@pytest.mark.parametrize("frame", list(FRAMES))
def test_import_finds_the_frame_and_export_gives_the_file_back(
    say: Say, project: Path, tmp_path: Path, frame: str
) -> None:
    file = graph_file(tmp_path, frame)
    code, out, err = say("graph", "import", file, "--project", project, "--to-floor", "--json")
    report = json.loads(out)
    assert (code, report["frame"], report["frame_given"]) == (0, frame, False)
    assert report["proposals"][0]["score"] == 1.0
    assert err.startswith(f"note: read as --frame {frame}: ")
    node = loaded(project).graph.nodes["node_2"]
    assert node.position_m == pytest.approx((5.0, -7.0, 0.0), abs=1e-6)
    code, out, _ = say("graph", "export", "--project", project, "--out", tmp_path / "out.json")
    assert (code, out) == (
        0,
        f"wrote 3 nodes and 2 edges in the frame {frame} to {tmp_path / 'out.json'}\n",
    )
    assert (tmp_path / "out.json").read_bytes() == file.read_bytes()


def test_a_frame_that_the_scene_does_not_settle_is_asked_for(
    say: Say, project: Path, tmp_path: Path
) -> None:
    file = graph_file(tmp_path, nodes=np.array(NODES) + 50.0)
    before = loaded(project)
    code, out, err = say("graph", "import", file, "--project", project)
    assert (code, out) == (2, "")
    lines = err.splitlines()
    assert [line.split(":")[1] for line in lines[:4]] == [
        " --frame capnav fits 0%",
        " --frame capnav-swapped fits 0%",
        " --frame gltf fits 0%",
        " --frame scene fits 0%",
    ]
    assert "; say which with --frame (scene, gltf, capnav, capnav-swapped)" in lines[4]
    assert lines[4].startswith(f"error: {file}: positions: the scene does not settle their frame")
    assert len(lines) == 5
    assert loaded(project) == before
    code, _, err = say("graph", "import", file, "--project", project, "--frame", "gltf")
    assert code == 0
    assert err.startswith("note: --frame gltf hardly fits this scene: ")
    code, _, err = say("graph", "import", file, "--project", project, "--frame", "gltf")
    assert code == 2
    assert (
        "it has 3 nodes already; --replace puts the file's graph in their place, --add adds it"
        in err
    )
    moved = graph_file(tmp_path, nodes=np.array([(0.0, 0.0, 9.0), *NODES[1:]]) + 50.0)
    words = ("--project", project, "--frame", "capnav", "--add")
    code, out, _ = say("graph", "import", moved, *words, "--json")
    report = json.loads(out)
    assert code == 0
    assert (report["nodes"], report["added_nodes"], report["added_edges"]) == (3, 3, 2)
    assert report["new_ids"] == {"node_0": "node_3", "node_1": "node_4", "node_2": "node_5"}
    assert len(loaded(project).graph.nodes) == 6
    code, out, _ = say("graph", "import", moved, *words)
    assert out.startswith("Added 0 nodes and 0 edges from capnav-graph.json; 3 nodes and 2 edges ")
    assert len(loaded(project).graph.nodes) == 6


def test_nodes_without_floor_are_named(say: Say, project: Path, tmp_path: Path) -> None:
    file = graph_file(tmp_path, nodes=[NODES[0], NODES[1], (90.0, -7.0, 1.2)])
    words = ("--project", project, "--frame", "capnav", "--to-floor")
    code, out, err = say("graph", "import", file, *words)
    assert code == 1
    assert out == "imported 3 nodes and 2 edges in the frame capnav\n"
    doubt, without_floor = err.splitlines()
    assert doubt.startswith("note: --frame capnav hardly fits this scene: ")
    assert "2 of 3 nodes inside the scene, 2 above a floor, 1 of 2 edges free" in doubt
    assert without_floor == "note: no floor under node_2; left where they are"


def test_bad_files_are_one_sentence(say: Say, project: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"nodes": [], "edges": [{"id": "e", "from": "node_1", "to": "node_1"}]}')
    for words in (("graph", "check", bad), ("graph", "import", bad, "--project", project)):
        code, out, err = say(*words)
        assert (code, out) == (2, "")
        assert err == f"error: {bad}: edges[0].from: there is no node 'node_1'\n"
    code, _, err = say(
        "graph", "import", graph_file(tmp_path), "--project", tmp_path / "no.waypost"
    )
    assert code == 2
    assert err.startswith("error: ")
    assert "no.waypost" in err
    out_path = tmp_path / "house.glb" / "out.json"
    code, _, err = say("graph", "export", "--project", project, "--out", out_path)
    reason = f"{out_path.parent} is a file, not a folder"
    assert (code, err) == (2, f"error: {out_path}: file: cannot be written: {reason}\n")


def test_check_of_a_file_and_of_a_project(say: Say, project: Path, tmp_path: Path) -> None:
    file = graph_file(tmp_path)
    code, out, err = say("graph", "check", file)
    assert (code, out) == (0, "3 nodes, 2 edges, 0 findings\n")
    assert err == "note: no scene: floors and walls are not checked\n"
    code, out, _ = say("graph", "check", file, "--scene", tmp_path / "house.glb")
    assert (code, out) == (0, "3 nodes, 2 edges, 0 findings\n")
    value = json.loads(file.read_text())
    value["edges"].pop()
    value["nodes"][2]["name"] = "place 0"
    file.write_text(json.dumps(value))
    say("graph", "import", file, "--project", project, "--frame", "capnav")
    code, out, err = say("graph", "check", project, "--frame", "capnav")
    assert (code, out) == (2, "")
    assert err == "error: --frame: the graph of a project is in the frame of its scene\n"
    code, out, _ = say("graph", "check", project, "--json")
    report = json.loads(out)
    assert code == 1
    assert (report["nodes"], report["edges"]) == (3, 1)
    kinds = [finding["kind"] for finding in report["findings"]]
    # Imported without --to-floor, all three nodes float at 1.2 m.
    assert kinds == ["isolated_part", "duplicate_name", "no_floor", "no_floor", "no_floor"]
    assert report["findings"][0]["nodes"] == ["node_2"]


def traverse_file(folder: Path) -> Path:
    def entry(is_open: bool, note: str) -> dict[str, Any]:
        time = "2026-01-02T03:04:05.678Z"
        return {"traversable": is_open, "note": note, "timestamp": time, "question": "?"}

    value = {
        "HUMAN": {"node_0|node_1": entry(True, ""), "node_0|node_7": entry(True, "")},
        "ROBOT": {"node_2|node_1": entry(False, "a cat"), "node_1|node_2": entry(False, "stairs")},
        "_hallucinatedQuestions": ["Can it fly?"],
    }
    path = folder / "t-traverse.json"
    path.write_text(json.dumps(value, indent=2))
    return path


@pytest.fixture
def labelled(say: Say, project: Path, tmp_path: Path) -> Path:
    say("graph", "import", graph_file(tmp_path), "--project", project, "--frame", "capnav")
    say("labels", "import", traverse_file(tmp_path), "--project", project, "--labelled-by", "ann")
    return project


def test_labels_go_in_and_come_out_the_same(
    say: Say, project: Path, labelled: Path, tmp_path: Path
) -> None:
    label = loaded(project).labels[Passage("node_1", "node_2", "humanoid")]
    assert (label.verdict, label.reason, label.author) == (
        Verdict.DOES_NOT,
        Reason.STAIRS,
        "ann",
    )
    out_path = tmp_path / "out.json"
    named = tmp_path / "out.xlsx"
    code, _, err = say("labels", "export", "--project", project, "--out", named)
    assert (code, err) == (2, f"error: {named}: name: ends with none of .csv, .json\n")
    say("labels", "export", "--project", project, "--out", tmp_path / "OUT.CSV")
    say("labels", "export", "--project", project, "--out", tmp_path / "house.csv.json")
    assert (tmp_path / "house.csv.json").read_bytes().startswith(b"{")
    assert "from_id,from_name" in (tmp_path / "OUT.CSV").read_text(encoding="utf-8-sig")
    code, out, err = say("labels", "export", "--project", project, "--out", out_path, "--json")
    assert code == 0
    assert out_path.read_bytes() == (tmp_path / "t-traverse.json").read_bytes()
    report = json.loads(out)
    assert (report["format"], report["written"]) == ("capnav", 3)
    assert report["left_out"] == {"stale": 0, "uncertain": 0, "not_in_graph": 0}
    assert report["agents"][0] == {
        "agent": "human",
        "passages": 4,
        "labelled": 1,
        "undecided": 3,
        "travels": 1,
        "does_not": 0,
        "uncertain": 0,
        "stale": 0,
        "contradicting": 0,
        "written": 1,
        "uncertain_left_out": 0,
        "edges_read_as_blocked": 1,
        "passages_read_as_other_way": 1,
    }
    assert [agent["agent"] for agent in report["agents"]] == list(shipped_agents())
    read_as = "1 edge without a label as blocked and 1 passage without one as the other direction"
    told = f"note: human: 3 of 4 passages are undecided; CapNav's scorer reads {read_as}\n"
    assert told in err
    export = export_capnav(loaded(project), "", tmp_path)
    lines = [line for line in err.splitlines() if "CapNav's scorer reads" in line]
    assert f"{sum(int(line.split()[2]) for line in lines)} passages are undecided." in (
        export.sentence
    )
    blocked, others = (
        sum(agent[name] for agent in report["agents"])
        for name in ("edges_read_as_blocked", "passages_read_as_other_way")
    )
    assert export.sentence.endswith(f"CapNav's scorer reads {scorer_words(blocked, others)}.")


def test_a_second_import_refuses_to_overwrite(
    say: Say, project: Path, labelled: Path, tmp_path: Path
) -> None:
    file = tmp_path / "t-traverse.json"
    code, out, _ = say("labels", "import", file, "--project", project, "--json")
    assert (code, json.loads(out)["imported"], json.loads(out)["conflicts"]) == (1, 0, 0)
    assert json.loads(out)["orphans"] == ['HUMAN["node_0|node_7"]']
    value = json.loads(file.read_text())
    value["HUMAN"]["node_0|node_1"]["traversable"] = False
    file.write_text(json.dumps(value))
    code, _, err = say("labels", "import", file, "--project", project)
    assert code == 2
    assert "1 say otherwise than the project, e.g. human node_0|node_1; choose" in err
    say("labels", "import", file, "--project", project, "--on-conflict", "keep")
    passage = Passage("node_0", "node_1", "human")
    assert loaded(project).labels[passage].verdict is Verdict.TRAVELS
    say("labels", "import", file, "--project", project, "--on-conflict", "replace")
    assert loaded(project).labels[passage].verdict is Verdict.DOES_NOT


def test_a_new_graph_keeps_the_labels_of_places_that_stayed(
    say: Say, project: Path, labelled: Path, tmp_path: Path
) -> None:
    moved = graph_file(tmp_path, nodes=[*NODES[:2], (4.0, -6.0, 1.2)])
    words = ("--project", project, "--frame", "capnav", "--replace", "--json")
    _, out, err = say("graph", "import", moved, *words)
    assert (json.loads(out)["labels_kept"], json.loads(out)["labels_dropped"]) == (1, 2)
    assert "2 labels of places that changed were dropped" in err
    say("labels", "export", "--project", project, "--out", tmp_path / "out.json")
    written = json.loads((tmp_path / "out.json").read_text())
    assert written["ROBOT"] == {}
    assert written["_hallucinatedQuestions"] == ["Can it fly?"]


def test_stale_and_uncertain_labels_stay_out_unless_asked(
    say: Say, project: Path, labelled: Path, tmp_path: Path
) -> None:
    human = Passage("node_1", "node_0", "human")
    chair = Passage("node_1", "node_0", "wheelchair")
    profile = shipped_agents()["human"]

    def change(before: Project) -> Project:
        origin = Provenance(scene_hash="of another scene", profile_hash=profile.profile_hash)
        labels = set_label(
            before.labels, TraversabilityLabel(human, Verdict.TRAVELS, provenance=origin)
        )
        labels = set_label(labels, TraversabilityLabel(chair, Verdict.UNCERTAIN, note="dark"))
        return replace(before, labels=labels)

    edit(project, change)
    out_path = tmp_path / "out.json"
    words = ("labels", "export", "--project", project, "--out", out_path, "--json")
    _, out, err = say(*words)
    assert json.loads(out)["left_out"] == {"stale": 1, "uncertain": 1, "not_in_graph": 0}
    assert "1 stale label left out; --include-stale writes them" in err
    written = json.loads(out_path.read_text())
    assert list(written["HUMAN"]) == ["node_0|node_1", "node_0|node_7"]
    assert "WHEELCHAIR" not in written
    counts = {agent["agent"]: agent for agent in json.loads(out)["agents"]}
    read_as = {key: counts[key]["passages_read_as_other_way"] for key in ("human", "wheelchair")}
    assert read_as == {"human": 1, "wheelchair": 0}, "the stale one is read as its other direction"
    _, out, _ = say(*words, "--include-stale", "--uncertain-as-blocked", "--humanoid", "HUMANOID")
    assert json.loads(out)["left_out"] == {"stale": 0, "uncertain": 0, "not_in_graph": 0}
    written = json.loads(out_path.read_text())
    assert written["HUMAN"]["node_1|node_0"]["traversable"] is True
    assert written["WHEELCHAIR"]["node_1|node_0"]["waypost_verdict"] == "uncertain"
    assert list(written) == ["HUMAN", "HUMANOID", "_hallucinatedQuestions", "WHEELCHAIR"]
    edit(project, lambda before: set_agent(before, replace(profile, width_m=0.7, depth_m=0.7)))
    _, out, _ = say(*words)
    assert json.loads(out)["agents"][0]["stale"] == 1


def test_labels_travel_as_csv(say: Say, project: Path, labelled: Path, tmp_path: Path) -> None:
    table = tmp_path / "labels.csv"
    code, out, err = say("labels", "export", "--project", project, "--out", table, "--json")
    report = json.loads(out)
    assert (code, err, report["format"], report["written"]) == (0, "", "csv", 3)
    assert len(table.read_text(encoding="utf-8-sig").splitlines()) == 1 + 5 * 4
    before = loaded(project)
    edit(project, lambda value: replace(value, labels={}))
    code, out, _ = say("labels", "import", table, "--project", project)
    assert (code, out) == (0, "imported 3 of 3 labels\n")
    after = loaded(project)
    plain = {p: replace(label, extra={}) for p, label in before.labels.items()}
    assert {p: replace(label, extra={}) for p, label in after.labels.items()} == plain
    lines = table.read_text(encoding="utf-8-sig")
    table.write_text(lines.replace("node_2", "node_8"), encoding="utf-8")
    code, _, err = say("labels", "import", table, "--project", project)
    assert code == 1
    assert "2 labels of passages that the graph does not have: humanoid node_" in err


def test_a_stale_label_is_told_and_gives_way_to_one_that_holds(
    say: Say, project: Path, labelled: Path, tmp_path: Path
) -> None:
    words = ("labels", "import", tmp_path / "l.csv", "--project", project)

    def write(profile_hash: Callable[[Passage], str]) -> None:
        labels = {
            p: replace(label, provenance=Provenance(profile_hash=profile_hash(p)))
            for p, label in before.labels.items()
        }
        write_labels_csv(words[2], labels_csv_text(labels, before.graph, before.agents))

    before = loaded(project)
    edit(project, lambda value: replace(value, labels={}))
    write(lambda _: "of before")
    assert "note: 3 labels were given on another scene or agent, or other pla" in say(*words)[2]
    write(lambda _: "")
    assert say(*words)[1] == "imported 0 of 3 labels\n", "it does not say on what"
    write(lambda p: before.agents[p.agent_key].profile_hash)
    assert say(*words) == (0, "imported 3 of 3 labels\n", "")


@pytest.mark.parametrize("name", ["out-traverse.json", "out.csv"])
def test_exports_say_what_the_scene_lacked(
    say: Say, project: Path, labelled: Path, tmp_path: Path, name: str
) -> None:
    passage = Passage("node_1", "node_0", "human")
    label = TraversabilityLabel(
        passage, Verdict.TRAVELS, provenance=Provenance(scene_gaps=("plant.usd",))
    )
    edit(project, lambda before: replace(before, labels=set_label(before.labels, label)))
    _, _, err = say("labels", "export", "--project", project, "--out", tmp_path / name)
    said = "1 label was given while geometry of the scene was missing (plant.usd)"
    assert said in err
    edit(project, lambda before: replace(before, labels={}))
    say("labels", "import", tmp_path / name, "--project", project)
    assert loaded(project).labels[passage].provenance.scene_gaps == ("plant.usd",)
    export = export_capnav(loaded(project), "", tmp_path)
    assert f"{said}; the file says so beside each." in export.sentence
    judged = Provenance("a scene", scene_gaps=("plant.usd",))
    there = replace(loaded(project), labels={passage: replace(label, provenance=judged)})
    unknown = "Without the scene nobody can tell which labels a changed scene makes stale. 1 label"
    assert unknown in export_capnav(there, "", tmp_path).sentence
    assert unknown not in export_capnav(there, "a scene", tmp_path).sentence


def test_unknown_agents_are_said(say: Say, project: Path, labelled: Path, tmp_path: Path) -> None:
    file = tmp_path / "cart-traverse.json"
    file.write_text('{"CART": {"node_0|node_1": {"traversable": true}}}')
    code, _, err = say("labels", "import", file, "--project", project)
    assert code == 1
    assert err == "note: the project has no agent cart; their labels are kept\n"
    _, out, _ = say(
        "labels", "export", "--project", project, "--out", tmp_path / "out.json", "--json"
    )
    assert json.loads(out)["agents"][-1]["agent"] == "cart"


def test_without_a_scene_the_frame_must_be_given(say: Say, project: Path, tmp_path: Path) -> None:
    file = graph_file(tmp_path)
    (tmp_path / "house.glb").unlink()
    code, _, err = say("graph", "import", file, "--project", project)
    assert code == 2
    assert "note: the scene of the project is not used: " in err
    assert "the file does not say its frame and there is no scene to try it on" in err
    words = ("--project", project, "--frame", "capnav")
    assert say("graph", "import", file, *words, "--to-floor")[0] == 2
    assert say("graph", "import", file, *words)[0] == 0
    edit(project, lambda before: replace(before, scene_path=""))
    code, _, err = say("graph", "check", project)
    assert (code, err) == (0, "note: no scene: floors and walls are not checked\n")


def test_an_empty_graph_needs_no_frame(say: Say, project: Path, tmp_path: Path) -> None:
    file = tmp_path / "empty.json"
    file.write_text('{"nodes": [], "edges": []}')
    code, out, _ = say("graph", "import", file, "--project", project)
    assert (code, out) == (0, "imported 0 nodes and 0 edges in the frame capnav\n")
    code, out, _ = say("graph", "export", "--project", project, "--out", file, "--json")
    assert json.loads(out) == {"out": str(file), "frame": "capnav", "nodes": 0, "edges": 0}


def test_oddities_of_a_file_are_said(say: Say, project: Path, tmp_path: Path) -> None:
    file = graph_file(tmp_path)
    value = json.loads(file.read_text())
    value["edges"].append({"id": "edge_3", "from": "node_1", "to": "node_2"})
    value["nodes"][0]["seen"] = float("nan")
    file.write_text(json.dumps(value))
    expected = [
        f"note: {file}: NaN appears 1× and is not JSON",
        f"note: {file}: edges[2]: repeats edges[1]",
    ]
    code, _, err = say("graph", "check", file)
    assert err.splitlines()[:2] == expected
    code, _, err = say(
        "graph", "import", file, "--project", project, "--scene", tmp_path / "house.glb"
    )
    assert code == 1
    assert err.splitlines()[1:] == expected


def test_a_project_is_known_by_its_content(say: Say, project: Path, tmp_path: Path) -> None:
    renamed = project.rename(tmp_path / "house.db")
    code, out, _ = say("graph", "check", renamed)
    assert (code, out) == (0, "0 nodes, 0 edges, 0 findings\n")


def test_labels_on_a_scene_that_is_gone(say: Say, project: Path, labelled: Path) -> None:
    passage = Passage("node_1", "node_0", "human")
    label = TraversabilityLabel(passage, Verdict.TRAVELS, provenance=Provenance(scene_hash="abc"))
    edit(project, lambda before: replace(before, labels=set_label(before.labels, label)))
    project.with_name("house.glb").unlink()
    out_path = project.with_name("out.json")
    code, out, err = say("labels", "export", "--project", project, "--out", out_path)
    assert (code, out) == (0, f"wrote 4 labels to {out_path}\n")
    assert "without the scene nobody can tell which labels a changed scene makes stale" in err


def test_the_author_of_a_change(
    say: Say, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody() -> str:
        raise OSError("no name")

    monkeypatch.setattr("getpass.getuser", nobody)
    file = graph_file(tmp_path)
    words = ("--project", project, "--frame", "capnav", "--replace")
    assert say("graph", "import", file, *words, "--author", "ann")[0] == 0
    moved = graph_file(tmp_path, nodes=np.array(NODES) + 1.0)
    assert say("graph", "import", moved, *words)[0] == 0
    rows = stored_rows(project, "SELECT author FROM changes ORDER BY change_id")
    assert [author for (author,) in rows][-2:] == ["ann", "unknown"]


def test_a_graph_is_exported_as_connectivity(say: Say, project: Path, tmp_path: Path) -> None:
    say("graph", "import", graph_file(tmp_path), "--project", project, "--to-floor")
    out = tmp_path / "connectivity"
    form = ("--form", "connectivity", "--out", out)
    code, told, _ = say("graph", "export", "--project", project, *form)
    path = out / "house_connectivity.json"
    assert (code, told) == (0, f"wrote 3 nodes and 2 edges to {path}\n")
    assert [entry["image_id"] for entry in json.loads(path.read_text())] == [
        "node_0",
        "node_1",
        "node_2",
    ]
    options = ("--scan", "mine", "--camera-height", 1.2, "--json")
    code, told, _ = say("graph", "export", "--project", project, *form, *options)
    assert json.loads(told) == {
        "out": str(out / "mine_connectivity.json"),
        "scan": "mine",
        "nodes": 3,
        "edges": 2,
        "camera_height_m": 1.2,
    }
    code, _, err = say("graph", "export", "--project", project, *form, "--frame", "capnav")
    assert (code, err) == (2, "error: --frame: connectivity files are always in the scene frame\n")


CONNECTIVITY = connectivity_entries(
    "abcd", [(x, -1.0, 1.5) for x in (1.0, 2.5, 4.0, 5.5)], ((0, 1), (1, 2), (2, 3))
)


def connectivity_file(folder: Path, *, excluded: int | None = None) -> Path:
    records = json.loads(json.dumps(CONNECTIVITY))
    if excluded is not None:
        records[excluded]["included"] = False
    path = folder / "here_connectivity.json"
    path.write_text(json.dumps(records))
    return path


def test_a_connectivity_file_is_checked(say: Say, tmp_path: Path) -> None:
    assert say("graph", "check", connectivity_file(tmp_path))[:2] == (
        0,
        "4 nodes, 3 edges, 0 findings\n",
    )
    code, told, _ = say("graph", "check", connectivity_file(tmp_path, excluded=1))
    assert code == 1
    first, second, last = told.splitlines()
    assert first == "excluded_viewpoint: here: b is excluded; it is shown but never routed over"
    assert second.startswith("isolated_part: ")
    assert last == "3 nodes, 1 edge, 2 findings"
    code, told, _ = say("graph", "check", connectivity_file(tmp_path, excluded=3), "--json")
    found = json.loads(told)
    assert (code, found["findings"]) == (0, [])
    assert [each["kind"] for each in found["file_findings"]] == ["excluded_viewpoint"]


def test_a_connectivity_file_is_checked_in_its_scene(
    say: Say, project: Path, tmp_path: Path
) -> None:
    scene = ("--scene", project.parent / "house.glb")
    code, told, err = say("graph", "check", connectivity_file(tmp_path), *scene)
    assert (code, told, err) == (0, "4 nodes, 3 edges, 0 findings\n", "")
    code, _, err = say("graph", "check", connectivity_file(tmp_path), "--frame", "capnav")
    assert code == 2
    assert "are always in" in err


def test_a_connectivity_file_goes_into_a_project_and_out_again(
    say: Say, project: Path, tmp_path: Path
) -> None:
    file = connectivity_file(tmp_path, excluded=3)
    code, told, err = say("graph", "import", file, "--project", project, "--to-floor")
    assert (code, told) == (0, "imported 3 nodes and 2 edges in the frame scene\n")
    assert "d is excluded" in err
    out = tmp_path / "connectivity"
    form = ("--form", "connectivity", "--out", out)
    code, told, _ = say("graph", "export", "--project", project, *form)
    assert (code, told) == (0, f"wrote 3 nodes and 2 edges to {out / 'here_connectivity.json'}\n")
    assert json.loads((out / "here_connectivity.json").read_text()) == json.loads(file.read_text())


def test_a_connectivity_file_that_hardly_fits_says_so(
    say: Say, project: Path, tmp_path: Path
) -> None:
    records = json.loads(json.dumps(CONNECTIVITY))
    for record in records:
        record["pose"][7] += 100.0
    file = tmp_path / "far_connectivity.json"
    file.write_text(json.dumps(records))
    code, _, err = say("graph", "import", file, "--project", project)
    assert code == 0
    assert f"the frame of {file} hardly fits this scene" in err
