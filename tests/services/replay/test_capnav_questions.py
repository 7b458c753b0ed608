"""Which question an answer belongs to, and its places, where ids and files do not tell."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from worlds.capnav_worlds import IDS, question_text, write_world

from waypost.domain.base.progress import exhaust
from waypost.domain.episode.run_source import RunSource
from waypost.services.replay.finding import replay_one
from waypost.services.replay.loading import ReplayedRun, replay_all
from waypost.services.replay.run_companions import search_companions
from waypost.services.replay.run_index import index_run

HALL, KITCHEN, ATTIC = IDS["Hall"], IDS["Kitchen"], IDS["Attic"]


def answer(
    prompt: str, question: str, path: tuple[str, ...], scene: str = "flat", says: str = "yes"
) -> dict[str, object]:
    result = {"answer": says, "path": list(path), "reason": "so"}
    entry = {"question": question, "agent": "SWEEPER", "result": result}
    return {"scene": scene, "prompt_file": f"{prompt}.txt", "num_frames": 8, "result": [entry]}


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    """Questions that no graph stands beside; graphs and labels are in ``tmp_path``."""
    results = write_world(tmp_path)
    shutil.rmtree(results)
    moved = tmp_path / "questions" / "flat-QA.json"
    moved.parent.mkdir()
    (tmp_path / "graphs" / "flat-QA.json").rename(moved)
    return moved


def replayed(questions: Path, *records: dict[str, object], graph: str = "") -> ReplayedRun:
    return exhaust(replay_all(request(questions, *records, graph=graph)))


def request(questions: Path, *records: dict[str, object], graph: str = "") -> RunSource:
    root = questions.parent.parent
    results = root / "results.jsonl"
    results.write_text("".join(f"{json.dumps(each)}\n" for each in records))
    return RunSource((results,), (questions,), root / graph)


def test_the_text_tells_the_question_before_the_number_in_the_id(questions: Path) -> None:
    """Question ids of the benchmark's own table count from wherever they like."""
    first, attic = question_text("Hall", "Kitchen"), question_text("Hall", "Attic")
    run = replayed(
        questions,
        answer("flat_1__SWEEPER", first, (HALL, KITCHEN)),
        answer("q-88__SWEEPER", f"  {attic.upper()} ", (HALL, ATTIC)),
        answer("flat_2__SWEEPER", "Asked in other words?", (HALL, KITCHEN)),
        answer("q-99__SWEEPER", "Asked in other words?", (HALL, KITCHEN)),
    )
    texts = [each.replay.episode.instruction.text for each in run.episodes]
    assert texts == [first, attic, question_text("Bedroom", "Attic")]
    assert [each.replay.episode.episode_id for each in run.episodes] == [
        "flat_1__SWEEPER",
        "q-88__SWEEPER",
        "flat_2__SWEEPER",
    ]
    assert (run.coverage["foreign"], run.coverage["missing"]) == (1, 1)
    assert run.odd_ids["missing"] == ("flat_3",)


def test_rows_and_single_replays_match_as_whole_runs_do(questions: Path, tmp_path: Path) -> None:
    text = question_text("Hall", "Kitchen")
    asked = request(questions, answer("flat_1__SWEEPER", text, (HALL, KITCHEN)))
    index = exhaust(index_run(asked, tmp_path / "cache"))
    assert index.coverage["missing"] == 3
    assert index.replayed("flat_1__SWEEPER").replay.episode.instruction.text == text
    assert replay_one(asked, "flat_1__SWEEPER").replay.episode.instruction.text == text


def test_a_text_of_another_scene_or_of_two_questions_tells_nothing(questions: Path) -> None:
    record = json.loads(questions.read_text())
    record["questions"].append(record["questions"][0])
    questions.write_text(json.dumps(record))
    text = question_text("Hall", "Kitchen")
    run = replayed(
        questions,
        answer("flat_2__SWEEPER", question_text("Kitchen", "Bedroom"), (), scene="other"),
        answer("q__SWEEPER", text, (HALL, KITCHEN)),
    )
    assert [each.replay.episode.source_id for each in run.episodes] == ["flat_2"]
    assert run.coverage["foreign"] == 1


@pytest.mark.parametrize("graph", ["", "graphs/flat-graph.json"])
def test_places_of_questions_are_those_of_the_graph_that_is_given(
    questions: Path, graph: str
) -> None:
    run = replayed(
        questions,
        answer("flat_0__SWEEPER", question_text("Hall", "Kitchen"), (HALL, KITCHEN)),
        answer("flat_1__SWEEPER", question_text("Hall", "Attic"), (), says="no"),
        graph=graph,
    )
    first, second = (each.replay.episode for each in run.episodes)
    assert (first.start_viewpoint_id, first.goals[0].viewpoint_id) == (HALL, KITCHEN)
    assert (second.start_viewpoint_id, second.goals[0].viewpoint_id) == (HALL, ATTIC)
    scores = [each.scores.values for each in run.episodes]
    assert (scores[0]["accuracy"], scores[0]["RTA"]) == (1.0, 1.0)
    assert (scores[1]["accuracy"], scores[1]["feasible"]) == (1.0, 0.0)


def test_a_path_of_names_is_a_path_over_their_nodes(questions: Path) -> None:
    question = question_text("Hall", "Kitchen")
    run = replayed(
        questions,
        answer("flat_0__SWEEPER", question, ("hall", "Kitchen")),
        answer("flat_1__SWEEPER", question, ("hall", "Cellar")),
    )
    named, unknown = run.episodes
    assert named.replay.viewpoint_ids == (HALL, KITCHEN)
    assert named.replay.has_positions
    assert [tag.kind.value for tag in named.tags] == ["perfect"]
    assert unknown.replay.viewpoint_ids == ("hall", "Cellar")
    assert "unresolved_node" in [tag.kind.value for tag in unknown.tags]


def test_questions_with_other_numbers_are_found_nearby(questions: Path) -> None:
    folder = questions.parent.parent / "results" / "gpt_8frames_on" / "flat"
    folder.mkdir(parents=True)
    record = answer("row-7__SWEEPER", question_text("Hall", "Attic"), (HALL, ATTIC))
    (folder / "row-7__SWEEPER.json").write_text(json.dumps(record))
    found = exhaust(search_companions(folder.parent))
    assert found.annotations == (questions,)
