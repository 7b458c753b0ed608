"""Two annotators and a reviewer on one project, by commands only."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fixtures.team_examples import (
    ALPHA,
    PEOPLE,
    SAID,
    answers_file,
    cart_passages,
    label_of,
    row_of_nodes,
)

import waypost
from waypost.app.main import main
from waypost.domain.base.errors import ConflictError
from waypost.domain.project import Project, set_graph
from waypost.domain.scene.graph import delete_items
from waypost.domain.traverse.task import Task
from waypost.domain.traverse.traversability import Provenance, Verdict
from waypost.store.project_store import ProjectStore

NOTE = "only ana knows"
Say = Callable[..., Any]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Say:
    """Runs a command on the project as somebody and returns what it prints as JSON."""

    def run(who: str, *words: str, code: int = 0) -> Any:
        given = [*words, "--project", str(tmp_path / "p.waypost"), "--author", who, "--json"]
        assert main(given) == code, capsys.readouterr().err
        out, err = capsys.readouterr()
        return json.loads(out) if code != 2 else err

    return run


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = row_of_nodes(3)
    tasks = (Task("Where?", "n0", "n2"),)
    whole = Project(graph=made.graph, agents=made.agents, tasks=tasks)
    ProjectStore.create(tmp_path / "p.waypost", whole, "lea").close()
    return whole


def give(say: Say, project: Project, folder: Path, who: str, note: str = "") -> Any:
    file = answers_file(folder / f"{who}.csv", project, who, SAID[who], note)
    return say(who, "labels", "import", str(file))


@pytest.fixture
def half(say: Say, project: Project, tmp_path: Path) -> Project:
    """Ana has labelled everything, Ben nothing."""
    report = say("lea", "team", "set", "--people", PEOPLE, "--share", "1", "--seed", "3")
    assert report["double_passages"] == 4
    assert give(say, project, tmp_path, "ana", NOTE)["imported"] == 4
    return project


SHOWING = (
    "labels export --out {out}/l.csv",
    "labels export --out {out}/l.json",
    "labels export --out {out}/s.csv --include-stale",
    "questions list",
    "team progress",
    "team disagreements",
    "team agreement",
    "team export --out {out}/t.csv",
)


@pytest.mark.parametrize("who", ["ben", "somebody"])
def test_no_command_shows_the_others_open_label(
    half: Project, say: Say, tmp_path: Path, who: str
) -> None:
    for words in SHOWING:
        show_nothing(say, tmp_path, words, who)


def show_nothing(say: Say, tmp_path: Path, words: str, who: str) -> None:
    """Run a command and look for what only one of two may know."""
    out = tmp_path / "out"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    report = say(who, *words.format(out=out).split())
    written = "".join(file.read_text() for file in out.iterdir())
    assert NOTE not in json.dumps(report) + written
    for word in ("door", "travels", "does_not"):
        assert f'"{word}"' not in written
        assert f",{word}," not in written
    if words.startswith("labels"):
        (agent,) = report["agents"]
        assert (agent["undecided"], agent["written"], report["written"]) == (4, 0, 0)
        assert report["left_out"]["of_two"] == 4
    if words == "questions list":
        (question,) = report["questions"]
        assert set(question["feasible"].values()) == {None}
    if words == "team progress":
        assert report["standing"]["open"] == 4
        assert report["people"]["ana"]["labels"] is None
    if words == "team agreement":
        assert report["rows"] == []


def test_what_one_reads_in_python_is_as_blind(half: Project, tmp_path: Path) -> None:
    assert len(waypost.read_labels(tmp_path / "p.waypost")) == 0


def test_one_sees_ones_own(
    half: Project, say: Say, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = say("ana", "labels", "export", "--out", str(tmp_path / "own.csv"))
    assert report["written"] == 4
    text = (tmp_path / "own.csv").read_text(encoding="utf-8-sig")
    kinds = [row["label"] for row in csv.DictReader(text.splitlines())]
    assert sorted(kinds) == ["first", "first", "second", "second"]
    assert say("ana", "team", "progress")["people"]["ana"]["labels"] == {
        "dealt": 4, "given": 4, "returned": 0,
    }  # fmt: skip
    assert say("rita", "team", "progress")["people"]["ana"]["labels"]["given"] == 4
    capsys.readouterr()
    words = ["team", "progress", "--project", str(tmp_path / "p.waypost"), "--author", "ana"]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert "ana, annotator: 4 of 4 labels given\nben, annotator: hidden from you\n" in told


def test_agreement_is_what_a_hand_computes(
    half: Project, say: Say, project: Project, tmp_path: Path
) -> None:
    give(say, project, tmp_path, "ben")
    rows = say("rita", "team", "agreement")["rows"]
    found = {(row["agent"], row["about"]): row for row in rows}
    assert {key[1] for key in found} == {"answer", "door", "too_narrow", "stairs"}
    assert {key[0] for key in found} == {None, "cart"}
    for about in ("answer", "door"):
        row = found["cart", about]
        assert (row["n"], row["percentage"]["value"]) == (4, 0.75)
        assert row["alpha_nominal"]["value"] == pytest.approx(ALPHA)
    narrow = found["cart", "too_narrow"]
    assert narrow["percentage"]["value"] == 0.75
    assert narrow["alpha_nominal"]["value"] == pytest.approx(1 - (2 / 8) / (2 * 1 * 7 / 56))


def test_disagreements_are_decided_accepted_and_returned(
    half: Project, say: Say, project: Project, tmp_path: Path
) -> None:
    give(say, project, tmp_path, "ben")
    ways = cart_passages(project)
    before = say("lea", "labels", "export", "--out", str(tmp_path / "before.csv"))
    assert (before["written"], before["left_out"]["of_two"]) == (2, 2)
    found = say("rita", "team", "disagreements")["disagreements"]
    assert {(each["from_id"], each["to_id"]) for each in found} == {ways[2][:2], ways[3][:2]}
    said = {each[side]["author"]: each[side] for each in found[:1] for side in ("first", "second")}
    assert set(said) == {"ana", "ben"}

    third, fourth = ways[2], ways[3]
    refused = say("ana", "team", "decide", *third, "--verdict", "travels", code=2)
    assert "only a reviewer or a lead" in refused
    decided = say(
        "rita", "team", "decide", *third, "--verdict", "does_not", "--reason", "step_or_sill",
        "--comment", "a sill",
    )  # fmt: skip
    assert (decided["standing"], decided["verdict"]) == ("final", "does_not")
    refused = say("rita", "team", "decide", *fourth, "--return", "ben", code=2)
    assert "needs a comment" in refused
    back = say("rita", "team", "decide", *fourth, "--return", "ben", "--comment", "no stairs")
    assert back["standing"] == "returned"
    assert say("ben", "team", "progress")["people"]["ben"]["labels"]["returned"] == 1
    # What was decided is locked: only the returned one is left to give.
    file = answers_file(tmp_path / "again.csv", project, "ben", SAID["ana"], "")
    refused = say("ben", "labels", "import", str(file), "--on-conflict", "replace", code=2)
    assert "decided finally by rita" in refused
    text = file.read_text(encoding="utf-8-sig").splitlines()
    file.write_text("\n".join([text[0], text[4]]))
    say("ben", "labels", "import", str(file), "--on-conflict", "replace")
    assert say("rita", "team", "decide", *fourth, "--accept", "ben")["verdict"] == "does_not"

    for who in ("ana", "ben", "rita", "lea", "somebody"):
        report = say(who, "labels", "export", "--out", str(tmp_path / "all.csv"))
        assert report["written"] == 4
        table = (tmp_path / "all.csv").read_text(encoding="utf-8-sig").splitlines()
        rows = {(r["from_id"], r["to_id"]): r for r in csv.DictReader(table)}
        assert (rows[third[:2]]["reason"], rows[third[:2]]["label"]) == ("step_or_sill", "final")
        assert rows[third[:2]]["author"] == "rita"
        assert (rows[fourth[:2]]["reason"], rows[fourth[:2]]["author"]) == ("door", "ben")
    say("lea", "team", "export", "--out", str(tmp_path / "rounds.csv"))
    table = (tmp_path / "rounds.csv").read_text(encoding="utf-8-sig").splitlines()
    rounds = [
        (r["label"], r["round"], r["state"], r["author"])
        for r in csv.DictReader(table)
        if (r["from_id"], r["to_id"]) == fourth[:2]
    ]
    assert min(rounds)[0] == "final"
    assert {row[1:] for row in rounds if row[3] == "ben" and row[0] != "final"} == {
        ("1", "returned", "ben"), ("2", "accepted", "ben"),
    }  # fmt: skip
    # Independent are the labels from before either saw the other's: nothing has changed.
    rows_of = {r["about"]: r for r in say("rita", "team", "agreement")["rows"] if r["agent"]}
    assert rows_of["answer"]["alpha_nominal"]["value"] == pytest.approx(ALPHA)


def test_capnav_is_told_which_label_it_is(
    half: Project, say: Say, project: Project, tmp_path: Path
) -> None:
    give(say, project, tmp_path, "ben")
    say("rita", "team", "decide", *cart_passages(project)[2], "--verdict", "travels")
    out = tmp_path / "t.json"
    report = say("lea", "labels", "export", "--out", str(out))
    (entries,) = [v for k, v in json.loads(out.read_text()).items() if not k.startswith("_")]
    assert report["written"] == len(entries) == 3
    assert sorted(entry["waypost_label"] for entry in entries.values()) == [
        "agreed", "agreed", "final",
    ]  # fmt: skip


def test_the_history_names_no_answer(half: Project, tmp_path: Path) -> None:
    store = ProjectStore.open(tmp_path / "p.waypost")
    texts = {change.text for change in store.changes_since(0)}
    store.close()
    assert texts == {"Create", "Change the team", "Label passages that two label"}


def test_an_edge_that_the_other_has_labelled_is_not_deleted(half: Project, tmp_path: Path) -> None:
    store = ProjectStore.open(tmp_path / "p.waypost", viewer="ben")
    before = store.load()
    after = set_graph(before, delete_items(before.graph, edge_ids=["edge_1"]))
    with pytest.raises(ConflictError, match="somebody has labelled a passage there"):
        store.save(before, after, "ben")
    store.close()


def test_a_decision_is_taken_back(
    half: Project, say: Say, project: Project, tmp_path: Path
) -> None:
    give(say, project, tmp_path, "ben")
    third = cart_passages(project)[2]
    say("rita", "team", "decide", *third, "--accept", "ana")
    back = say("lea", "team", "decide", *third, "--reopen")
    assert (back["standing"], back["verdict"]) == ("disagreeing", None)


def test_others_labels_are_not_brought_in(half: Project, say: Say, tmp_path: Path) -> None:
    file = answers_file(tmp_path / "x.csv", half, "cem", SAID["ben"], "")
    report = say("lea", "labels", "import", str(file))
    assert (report["read"], report["imported"]) == (4, 0)


def test_labels_without_author_are_counted_in_words(
    project: Project, say: Say, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(ProjectStore.open(tmp_path / "p.waypost")) as store:
        way = cart_passages(project)[0]
        labels = {way: label_of(way, Verdict.TRAVELS, "")}
        store.save(store.load(), replace(project, labels=labels), "lea")
    words = ["team", "set", "--people", PEOPLE, "--share", "1", "--author", "lea"]
    assert main([*words, "--project", str(tmp_path / "p.waypost")]) == 0
    assert capsys.readouterr().out == (
        "4 people; 3 passages are labelled by two\n"
        "1 passage is not dealt, because the label there does not say who gave it\n"
    )
    assert say("lea", "team", "set")["without_author"] == 1


def test_a_label_that_is_dealt_says_where_its_nodes_stand(
    project: Project, say: Say, tmp_path: Path
) -> None:
    """One from before places were kept: later nobody but its author could add them."""
    with closing(ProjectStore.open(tmp_path / "p.waypost")) as store:
        way = cart_passages(project)[0]
        label = label_of(way, Verdict.TRAVELS, "ana")
        label = replace(label, provenance=Provenance(scene_hash="s"))
        store.save(store.load(), replace(project, labels={way: label}), "ana")
    say("lea", "team", "set", "--people", PEOPLE, "--share", "1")
    with closing(ProjectStore.open(tmp_path / "p.waypost", viewer="ana")) as store:
        known = store.load().labels[way].provenance
    nodes = project.graph.nodes
    assert (known.from_m, known.to_m) == tuple(nodes[node].position_m for node in way[:2])


@pytest.mark.parametrize(
    ("people", "why"),
    [("ana:boss", "is no NAME:ROLE"), ("ana", "is no NAME:ROLE"), ("a:lead,a:lead", "named twice")],
)
def test_people_that_are_none_are_refused(
    project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str], people: str, why: str
) -> None:
    words = ["team", "set", "--project", str(tmp_path / "p.waypost"), "--people", people]
    try:
        code: object = main(words)
    except SystemExit as end:
        code = end.code
    assert code == 2
    assert why in capsys.readouterr().err
