"""Answers to CapNav's questions find them, by the text that they repeat and by their place."""

import json
from importlib.resources import files

import pytest

from waypost.domain.base.progress import exhaust
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.run_source import RunSource
from waypost.services.evaluation import buckets
from waypost.services.evaluation.validate import validate

SAMPLE = files("waypost.resources") / "sample/runs/capnav"


def reports(*source):
    return exhaust(validate(RunSource(*source)))


def question(text):
    return {"question": text, "nodes_involved": {"start": "Hall", "end": "Kitchen"}}


def answer(folder, prompt, *texts, scene="flat", agent="HUMAN", said="no"):
    entries = [
        {"question": text, "agent": agent, "result": {"answer": said, "path": []}} for text in texts
    ]
    record = {
        "scene": scene, "prompt_file": f"{prompt}.txt", "num_frames": 4, "raw_text": "",
        "result": entries,
    }  # fmt: skip
    file = folder / scene / f"{prompt}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(record))


@pytest.fixture
def asked(tmp_path):
    file = tmp_path / "flat-QA.json"
    file.write_text(json.dumps({"questions": [question(f"Question {n}?") for n in range(3)]}))
    return file


@pytest.mark.parametrize("most", [buckets.IN_MEMORY_BYTES, 0])
def test_the_answers_of_the_sample_find_their_questions(monkeypatch, most):
    """Seven answers by three agents to five of eight questions; the others are truly missing."""
    monkeypatch.setattr(buckets, "IN_MEMORY_BYTES", most)
    questions, graphs, answers = reports(
        (SAMPLE / "scripted",), (SAMPLE / "home-QA.json",), SAMPLE / "home-graph.json"
    )
    assert questions.report.findings == ()
    assert (graphs.format, graphs.report.found, graphs.report.missing) == ("capnav", 1, 0)
    report = answers.report
    assert (report.expected, report.found, report.missing, report.foreign) == (8, 5, 3, 0)
    problems = [(f.kind, f.item_id) for f in report.findings if f.is_problem]
    assert problems == [(ImportKind.MISSING, f"home_{n}") for n in (2, 6, 7)]


def test_all_agents_of_a_question_answer_it(tmp_path, asked):
    for number in range(3):
        for agent in ("HUMAN", "WHEELCHAIR"):
            prompt = f"flat_{number}__{agent}"
            answer(tmp_path / "m", prompt, f"Question {number}?", agent=agent)
    *_, found = reports((tmp_path / "m",), (asked,))
    assert (found.report.found, found.report.missing, found.report.foreign) == (3, 0, 0)
    assert not any(finding.is_problem for finding in found.report.findings)


def test_the_text_counts_before_the_place(tmp_path, asked):
    answer(tmp_path / "m", "flat_0__HUMAN", "question 2")
    answer(tmp_path / "m", "flat_1__HUMAN", "Question 1?")
    *_, found = reports((tmp_path / "m",), (asked,))
    missing = [f.item_id for f in found.report.findings if f.kind is ImportKind.MISSING]
    assert missing == ["flat_0"]


def test_an_answer_to_no_question_is_foreign(tmp_path, asked):
    answer(tmp_path / "m", "flat_0__HUMAN", "Question 0?")
    answer(tmp_path / "m", "house_9__HUMAN", "What else?", scene="house")
    *_, found = reports((tmp_path / "m",), (asked,))
    assert [f.item_id for f in found.report.findings if f.kind is ImportKind.FOREIGN] == [
        "house_9__HUMAN"
    ]
    assert (found.report.found, found.report.foreign) == (1, 1)


def test_an_answer_that_comes_twice_is_named(tmp_path, asked):
    for model, said in (("a", "no"), ("b", "yes")):
        answer(tmp_path / "m" / model, "flat_0__HUMAN", "Question 0?", said=said)
    *_, found = reports((tmp_path / "m",), (asked,))
    assert found.report.duplicated_conflicting == 1


def test_a_graph_that_lacks_is_missing_under_its_own_name(tmp_path, asked):
    answer(tmp_path / "m", "flat_0__HUMAN", "Question 0?")
    (tmp_path / "graphs").mkdir()
    _, graphs, _ = reports((tmp_path / "m",), (asked,), tmp_path / "graphs")
    assert [f.message for f in graphs.report.findings] == ["there is no graph of flat"]
    (tmp_path / "graphs" / "flat-graph.json").write_text('{"nodes": 3}')
    _, graphs, _ = reports((tmp_path / "m",), (asked,), tmp_path / "graphs")
    assert graphs.report.unreadable == 1
