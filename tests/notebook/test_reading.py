"""What a notebook reads: the same values as everywhere else, in frames with units."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pandas as pd
import pytest
from fixtures.episode_samples import SAMPLES
from fixtures.recorded_takes import write_walk
from fixtures.score_examples import whole_book
from fixtures.study_examples import assigned, drive_next, study_of
from worlds import capnav_worlds
from worlds.capnav_worlds import write_world
from worlds.scene_files import usd_cube, usda
from worlds.vln_worlds import write_line_scan

import waypost
from waypost.app.main import main
from waypost.domain.base.errors import ReadError
from waypost.domain.project import Project
from waypost.domain.traverse.traversability import Passage, Provenance
from waypost.io.agent_files import shipped_agents
from waypost.store.project_store import ProjectStore

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a graph, labels and a study of four takes; there is no scene."""
    study = assigned(study_of([2, 2], 2, count=2))
    for code in ("P-0", "P-1", "P-0", "P-1"):
        study = drive_next(study, code)
    scores: dict[str, float | None] = {"vlnce.NE": 1.5, "vlnce.SPL": None}
    notes = {"vlnce.SPL": "no way"}
    takes = {key: replace(take, scores=scores, score_notes=notes)
             for key, take in study.takes.items()}  # fmt: skip
    judged = capnav_worlds.judged()
    value = Project(
        "flat",
        graph=judged.graph,
        agents=shipped_agents(),
        labels=MappingProxyType(dict(judged.labels)),
        study=replace(study, takes=MappingProxyType(takes)),
    )
    ProjectStore.create(tmp_path / "flat.waypost", value, "ana").close()
    return tmp_path / "flat.waypost"


def test_a_graph_is_the_same_from_a_project_and_from_a_file(project: Path, tmp_path: Path) -> None:
    write_world(tmp_path / "world")
    for file in (project, tmp_path / "world" / "graphs" / "flat-graph.json"):
        graph = waypost.read_graph(file)
        nodes, edges = graph.to_frame(), graph.to_frame("edges")
        assert nodes["node_id"].tolist() == list(capnav_worlds.graph().nodes)
        assert nodes["x_m"].tolist() == [2.0 * n for n in range(len(nodes))]
        assert edges["kind"].unique().tolist() == ["walk"]
        both = edges.merge(nodes, left_on="from_id", right_on="node_id").merge(
            nodes, left_on="to_id", right_on="node_id"
        )
        assert ((both["x_m_x"] - both["x_m_y"]).abs() == both["length_m"]).all()
        assert nodes.attrs["source"] == str(file)


def test_the_graph_of_a_scan_has_its_cameras(tmp_path: Path) -> None:
    write_line_scan(tmp_path, 2, 3)
    graph = waypost.read_graph(tmp_path / "line_connectivity.json")
    nodes, edges = graph.to_frame(), graph.to_frame("edges")
    assert nodes["node_id"].tolist() == ["A", "B", "C"]
    assert nodes["is_included"].all()
    assert edges[["from_id", "to_id", "length_m"]].values.tolist() == [
        ["A", "B", 2.0],
        ["B", "C", 3.0],
    ]


def test_labels_are_the_same_from_a_project_a_table_and_a_traverse_file(
    project: Path, tmp_path: Path
) -> None:
    write_world(tmp_path / "world")
    main(["labels", "export", "--project", str(project), "--out", str(tmp_path / "labels.csv")])
    graph = waypost.read_graph(tmp_path / "world" / "graphs" / "flat-graph.json")
    frames = [
        waypost.read_labels(project).to_frame(),
        waypost.read_labels(tmp_path / "labels.csv").to_frame(),
        waypost.read_labels(tmp_path / "world/traverse/flat-traverse.json", graph).to_frame(),
    ]
    keys = ["from_id", "to_id", "agent", "verdict", "reason"]
    told = [set(map(tuple, frame[keys].astype(object).fillna("").values)) for frame in frames]
    assert told[0] == told[1]
    # CapNav knows neither “uncertain” nor reasons.
    assert {row[:4] for row in told[2]} == {row[:4] for row in told[0] if row[3] != "uncertain"}
    assert frames[0]["is_stale"].tolist() == [False] * len(frames[0])
    assert frames[1]["is_stale"].isna().all()


def test_labels_judged_on_another_scene_or_agent_are_stale(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Those of a scene that is not there are neither: nobody can tell."""
    store = ProjectStore.open(project)
    before = store.load()
    first, second, *_ = labels = dict(before.labels)
    wheelchair = next(key for key in labels if key.agent_key == "wheelchair")
    labels[first] = replace(labels[first], provenance=Provenance(scene_hash="ab"))
    labels[second] = replace(labels[second], provenance=Provenance(profile_hash="of a sweeper"))
    known = before.agents["wheelchair"].profile_hash
    labels[wheelchair] = replace(labels[wheelchair], provenance=Provenance(profile_hash=known))
    after = replace(before, labels=MappingProxyType(labels), scene_path="room.usda")
    store.save(before, after, "ana", "Judge")

    def stale() -> dict[Passage, bool | None]:
        return dict(waypost.read_labels(project).stale)

    assert (stale()[first], stale()[second], stale()[wheelchair]) == (None, True, False)
    assert "nobody can tell" in waypost.read_labels(project).to_frame().attrs["warnings"][0]
    usda(project.parent / "room.usda", usd_cube("room"))
    assert (stale()[first], stale()[second], stale()[wheelchair]) == (True, True, False)
    # What lies outside the scene's folder is not read, and may be all that differs.
    walls = usda(tmp_path_factory.mktemp("elsewhere") / "walls.usda", usd_cube("Walls"))
    outside = f'def "Outside" (references = @{walls}@</Walls>) {{}}'
    usda(project.parent / "room.usda", usd_cube("room") + outside)
    assert (stale()[first], stale()[second], stale()[wheelchair]) == (None, True, False)
    (warning,) = waypost.read_labels(project).to_frame().attrs["warnings"]
    assert warning.endswith("room.usda: 1 file outside its folder unread")
    store.close()


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_episodes_of_every_form_become_frames(tmp_path: Path, sample: Any) -> None:
    episodes = waypost.read_episodes(sample.write(tmp_path), sample.format)
    frame = episodes.to_frame()
    assert frame["episode_id"].tolist() == [episode.episode_id for episode in episodes]
    for name in ("reference_length_m", "geodesic_m"):
        assert (frame[name].isna() == frame[f"{name}_undefined"].notna()).all()
    assert frame.attrs["format"] == sample.format


def test_runs_say_what_their_source_says_and_why_not_more(tmp_path: Path) -> None:
    file = tmp_path / "walks.json"
    file.write_text(json.dumps([{"instr_id": "1_0", "trajectory": [["A", 0, 0], ["B", 0, 0]]}]))
    frame = waypost.read_runs(file).to_frame()
    assert frame["pose_count"].tolist() == [2]
    assert frame["path_length_m"].isna().all()
    assert "viewpoints only" in frame["path_length_m_undefined"][0]
    assert frame["called_stop"].isna().tolist() == [True]


def test_attempts_are_of_one_episode(tmp_path: Path) -> None:
    """Whoever takes the first attempts must not lose runs that are no second ones."""
    lines = [
        {"waypost_run": 1, "episode_id": name, "scene_id": scene}
        for name, scene in (("7", "a"), ("7", "b"), ("7", "a"), ("8", ""))
    ]
    (tmp_path / "runs.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    frame = waypost.read_runs(tmp_path / "runs.jsonl").to_frame()
    assert frame["episode_id"].tolist() == ["7", "7", "7", "8"]
    assert frame["attempt"].tolist() == [1, 1, 2, 1]
    steps = [{"viewpoint": "A", "plan": "go"}]
    logs = [{"instruction": text, "steps": steps} for text in ("Go on.", "Go back.")]
    (tmp_path / "log.json").write_text(json.dumps(logs))
    assert waypost.read_runs(tmp_path / "log.json").to_frame()["attempt"].tolist() == [1, 1]


def test_a_recording_has_a_row_per_sample(tmp_path: Path) -> None:
    write_walk(tmp_path / "take.csv", [(0, 0), (1, 0)])
    frame = waypost.read_recording(tmp_path / "take.csv").to_frame()
    assert (frame["x_m"].iloc[0], frame["x_m"].iloc[-1]) == (0.0, pytest.approx(1.0))
    assert (frame["time_ns"].diff().dropna() == 50_000_000).all()
    assert frame["mark"].isna().all()
    assert frame.attrs["is_complete"] is True


def test_a_study_has_the_numbers_of_its_export(project: Path, tmp_path: Path) -> None:
    assert main(["study", "export", "--project", str(project), "--out", str(tmp_path / "out")]) == 1
    study = waypost.read_study(project)
    takes = study.to_frame()
    exported = pd.read_parquet(tmp_path / "out" / "scores.parquet")
    assert takes["vlnce.NE_m"].tolist() == exported["vlnce.NE"].tolist() == [1.5] * 4
    assert takes["vlnce.SPL"].isna().all()
    assert takes["vlnce.SPL_undefined"].tolist() == ["no way"] * 4
    assert takes.attrs["units"]["vlnce.NE_m"] == "m"
    for made, name in (
        (study.participants_to_frame(), "participants.csv"),
        (study.averages_to_frame(), "averages.csv"),
    ):
        numbers = made.select_dtypes("number").astype(float)
        told = pd.read_csv(tmp_path / "out" / name)[numbers.columns].astype(float)
        pd.testing.assert_frame_equal(numbers, told, check_exact=True)


def test_scores_have_the_numbers_of_their_export(tmp_path: Path) -> None:
    file, out = tmp_path / "p.waypost", tmp_path / "s.parquet"
    ProjectStore.create(file, Project("p", scoring=whole_book()), "lea").close()
    for batch, rows in (("demo", 3), ("pairs", 3)):
        words = ["score", "export", "--project", str(file), "--batch", batch, "--author", "lea"]
        assert main([*words, "--out", str(out)]) == 0
        frame = waypost.read_scores(file, batch).to_frame()
        frame.to_parquet(tmp_path / "again.parquet")
        again = pd.read_parquet(tmp_path / "again.parquet")
        pd.testing.assert_frame_equal(again, pd.read_parquet(out), check_dtype=False)
        assert len(frame) == rows
    assert waypost.read_scores(file, "demo", "ben").to_frame().empty, "hidden until theirs is in"
    means = waypost.read_scores(file, "demo").means_to_frame()
    assert dict(zip(means["criterion"], means["mean"], strict=True))["clarity"] == 4
    with pytest.raises(ReadError, match="there is no batch 'none'"):
        waypost.read_scores(file, "none")


def test_a_slice_keeps_where_it_comes_from(tmp_path: Path) -> None:
    episodes = waypost.read_episodes(SAMPLES[0].write(tmp_path))
    part = episodes[:1]
    assert (len(part), part[0]) == (1, episodes[0])
    assert part.source == episodes.source
    assert repr(part).startswith("Episodes(1 of ")


READERS: dict[str, Callable[..., Any]] = {
    "read_episodes": waypost.read_episodes,
    "read_runs": waypost.read_runs,
    "read_graph": waypost.read_graph,
    "read_labels": waypost.read_labels,
    "read_recording": waypost.read_recording,
    "read_study": waypost.read_study,
    "read_scores": partial(waypost.read_scores, batch="demo"),
}
BAD = {
    "missing": None,
    "empty": b"",
    "no.json": b'{"a": [1, 2',
    "list.json": b"[]",
    "number.json": b"7",
    "bytes.bin": bytes(range(256)),
    "deep.json": b"[" * 100_000,
    "no.waypost": b"SQLite format 3\0 and then nothing",
    "a_connectivity.json": b'[{"image_id": 7}]',
    "x-traverse.json": b'{"HUMAN": {}}',
    "no.csv": b"a,b\n1,2\n",
    "no.parquet": b"PAR1",
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("reader", READERS)
def test_bad_input_is_one_read_error(tmp_path: Path, reader: str, name: str) -> None:
    file = tmp_path / name
    content = BAD[name]
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ReadError) as caught:
        READERS[reader](str(file))
    assert re.fullmatch(rf"{re.escape(str(file))}: [^\n]+: [^\n]+", str(caught.value))


@pytest.mark.parametrize("reader", READERS)
def test_a_folder_is_one_read_error(tmp_path: Path, reader: str) -> None:
    with pytest.raises(ReadError):
        READERS[reader](tmp_path)


def test_a_project_without_a_study_says_so(tmp_path: Path) -> None:
    ProjectStore.create(tmp_path / "bare.waypost", Project("bare"), "ana").close()
    with pytest.raises(ReadError, match=r"bare\.waypost: study: the project has no study"):
        waypost.read_study(tmp_path / "bare.waypost")


def test_import_waypost_imports_nothing_else() -> None:
    """Workers of engines import it with whatever Python the engine brings."""
    code = (
        "import sys; before = set(sys.modules); import waypost;"
        "print(sorted(n for n in set(sys.modules) - before if n.split('.')[0] not in"
        " sys.stdlib_module_names and n != 'waypost'), 'score' in dir(waypost))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] True"
    with pytest.raises(AttributeError, match="has no attribute 'red_runs'"):
        waypost.red_runs  # noqa: B018


def _score_frames(folder: Path) -> Iterator[pd.DataFrame]:
    ProjectStore.create(folder / "s.waypost", Project("s", scoring=whole_book()), "lea").close()
    for batch in ("demo", "pairs"):
        found = waypost.read_scores(folder / "s.waypost", batch)
        yield from (found.to_frame(), found.means_to_frame())


def test_the_notebook_page_names_every_column(project: Path, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    write_walk(tmp_path / "take.csv", [(0, 0), (1, 0)])
    write_line_scan(tmp_path, 2, 3)
    scan = waypost.read_graph(tmp_path / "line_connectivity.json")
    runs = SAMPLES[0].write(tmp_path)
    study = waypost.read_study(project)
    frames = [
        waypost.read_graph(project).to_frame(),
        waypost.read_graph(project).to_frame("edges"),
        scan.to_frame(),
        scan.to_frame("edges"),
        waypost.read_labels(project).to_frame(),
        waypost.read_episodes(runs).to_frame(),
        waypost.read_recording(tmp_path / "take.csv").to_frame(),
        study.to_frame(),
        study.participants_to_frame(),
        *_score_frames(tmp_path),
        study.averages_to_frame(),
    ]
    file = tmp_path / "walks.json"
    file.write_text(json.dumps([{"instr_id": "1_0", "trajectory": [["A", 0, 0]]}]))
    frames.append(waypost.read_runs(file).to_frame())
    names = {name for frame in frames for name in frame.columns if "vlnce." not in name}
    assert sorted(name for name in names if f"`{name}`" not in page) == []
