"""Processes of several people on one server, which hides what they may not see.

Runs where ``WAYPOST_TEST_POSTGRESQL`` is the URL of a database on a server.
"""

from __future__ import annotations

import json
import re
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import chain
from pathlib import Path
from subprocess import PIPE
from time import monotonic, sleep
from typing import Any

import pytest
from fixtures.score_examples import NOON
from fixtures.team_examples import ALPHA, SAID, answers_file, cart_passages, row_of_nodes
from fixtures.team_servers import URL, Server, readable, rows_of, run, team_server
from patience import PATIENCE_S
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from waypost.app.main import main
from waypost.documents.project_document import ProjectDocument
from waypost.documents.save_state import SaveKind
from waypost.domain.base.rounds import RoundState
from waypost.domain.project import set_graph
from waypost.domain.scene.graph import delete_items
from waypost.domain.score.comparison import Better, ComparisonKey
from waypost.domain.score.comparison_edits import (
    accept_comparison,
    return_comparison,
    set_better,
    set_pair_comment,
    submit_comparison,
    write_pair_decision,
    write_pair_reason,
)
from waypost.domain.score.decision_words import decision_words
from waypost.domain.score.score_book import ScoreBook
from waypost.domain.score.sheet import SheetKey
from waypost.domain.score.sheet_edits import (
    return_sheet,
    set_comment,
    set_score,
    skip,
    submit,
    write_decision,
    write_reason,
)
from waypost.io.scores.score_files import write_scores
from waypost.store.item_kinds import SHEET
from waypost.store.presence import Presence
from waypost.store.project_store import ProjectStore
from waypost.store.score_news import ScoreNewsReader

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(not URL, reason="WAYPOST_TEST_POSTGRESQL names no server"),
]
PRESENT = (
    "import sys; from waypost.store.presence import Presence;"
    "here = Presence.at(sys.argv[1]); print('here', flush=True); sys.stdin.read()"
)
NOTE = "only ana knows"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with team_server(tmp_path_factory.mktemp("team")) as made:
        yield made


def test_five_commands_set_a_server_up(server: Server) -> None:
    assert "4 passages that two people label" in server.output
    logins = server.folder / "logins.csv"
    assert stat.S_IMODE(logins.stat().st_mode) == 0o600
    rows = [line.split(",")[:2] for line in logins.read_text().splitlines()]
    assert rows == [
        ["name", "role"], ["ana", "annotator"], ["ben", "annotator"], ["rita", "reviewer"],
    ]  # fmt: skip


@pytest.fixture(scope="module")
def half(server: Server) -> Server:
    """Ana has labelled everything, in a process of hers."""
    file = answers_file(server.folder / "ana.csv", row_of_nodes(3), "ana", SAID["ana"], NOTE)
    words = ("labels", "import", file.name, "--project", server.url("ana"))
    done = run(server.folder, "waypost", *words)
    assert done.returncode == 0, done.stderr
    return server


SHOWING = (
    "labels export --out {out}/l.csv --author rita",
    "labels export --out {out}/l.json --author ana",
    "questions list --author lea",
    "team progress",
    "team disagreements --author rita",
    "team agreement --author rita",
    "team export --out {out}/t.csv --author ana",
    "graph export --out {out}/g.json",
)


def test_no_command_shows_ben_what_ana_says(
    half: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in SHOWING:
        given = words.format(out=tmp_path).split()
        assert main([*given, "--project", half.url("ben"), "--json"]) == 0
    found = capsys.readouterr().out + "".join(file.read_text() for file in tmp_path.iterdir())
    assert NOTE not in found
    assert "too_narrow" not in found
    rows = (tmp_path / "t.csv").read_text(encoding="utf-8-sig").splitlines()
    assert len(rows) == 1


@pytest.mark.parametrize(
    "words",
    [
        "SELECT * FROM double_labels",
        "SELECT count(*) FROM double_labels",
        "UPDATE double_labels SET ordinal = 0 RETURNING payload",
        "DELETE FROM double_labels RETURNING payload",
        "SELECT text FROM changes",
        "SELECT * FROM history",
        "SELECT * FROM final_labels",
        "SELECT * FROM labels",
    ],
)
def test_no_statement_shows_ben_what_ana_says(half: Server, words: str) -> None:
    engine = half.engine("ben")
    with engine.begin() as connection:
        found = str(connection.execute(text(words)).all())
    engine.dispose()
    assert NOTE not in found
    assert "door" not in found
    assert "travels" not in found
    if "double_labels" in words:
        assert found in ("[]", "[(0,)]")


@pytest.mark.parametrize(
    "words",
    [
        "UPDATE people SET role = 'lead' WHERE name = 'ben'",
        "DELETE FROM double_passages",
        "UPDATE double_passages SET second_annotator = 'cem', first_annotator = 'dan'",
        "ALTER TABLE double_labels DISABLE ROW LEVEL SECURITY",
        "SET ROLE lea",
        "SET SESSION AUTHORIZATION rita",
        "DELETE FROM changes",
        "INSERT INTO final_labels VALUES ('node_1', 'node_2', 'cart', '{}', 1, 1, 'ben', '')",
        (
            "INSERT INTO double_labels VALUES"
            " ('node_1', 'node_2', 'cart', 'ana', 2, 'submitted', '{}', 1, 1, 'ana', '')"
        ),
        "CREATE TABLE people (name text, role text)",
    ],
)
def test_nobody_gives_themselves_more_than_is_theirs(half: Server, words: str) -> None:
    engine = half.engine("ben")
    with pytest.raises(DBAPIError), engine.begin() as connection:
        connection.execute(text(words))
    engine.dispose()


def test_a_table_of_ones_own_makes_nobody_a_lead(half: Server) -> None:
    engine = half.engine("ben")
    with engine.begin() as connection:
        connection.execute(text("CREATE TEMP TABLE people AS SELECT 'ben' AS name, 'lead' AS role"))
        connection.execute(text("SET search_path = pg_temp, public"))
        assert connection.execute(text("SELECT payload FROM public.double_labels")).all() == []
        assert connection.execute(text("SELECT public.waypost_role()")).scalar() == "annotator"
    engine.dispose()


@pytest.mark.parametrize("who", ["ben", "rita"])
def test_an_edge_that_two_label_stays_and_what_to_do_is_said(
    half: Server, who: str, qapp: object
) -> None:
    document = ProjectDocument(ProjectStore.open(half.url(who), viewer=who), who)
    with closing(document):
        before = document.project
        assert len(before.team.doubles) == 4
        less = delete_items(before.graph, edge_ids=["edge_1"])
        document.edit("Delete", set_graph(before, less))
        document.save_now()
        state = document.save_state
        assert (state.kind, state.is_conflict) == (SaveKind.NOT_SAVED, True)
        assert re.fullmatch(
            "two label node_[12] → node_[12] of cart, so that only a lead deletes its edge;"
            " undo your change to it, or reload",
            state.reason,
        )
        document.undo()
        assert document.save_now()
        assert document.project == before


def test_then_ben_labels_and_rita_decides(
    half: Server, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def say(who: str, *words: str, code: int = 0) -> Any:
        assert main([*words, "--project", half.url(who), "--json"]) == code
        out, err = capsys.readouterr()
        return err if code else json.loads(out)

    def say_apart(who: str, *words: str) -> Any:
        """The same in a process of theirs."""
        done = run(half.folder, "waypost", *words, "--project", half.url(who), "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    theirs = answers_file(half.folder / "ben.csv", row_of_nodes(3), "ben", SAID["ben"], "")
    assert say_apart("ben", "labels", "import", str(theirs))["imported"] == 4
    third, fourth = cart_passages(row_of_nodes(3))[2:]
    for who in ("ana", "ben", "rita", "lea"):
        rows = {r["about"]: r for r in say(who, "team", "agreement")["rows"] if r["agent"]}
        assert (rows["answer"]["n"], rows["answer"]["percentage"]["value"]) == (4, 0.75)
        assert rows["answer"]["alpha_nominal"]["value"] == pytest.approx(ALPHA)
    assert len(say("rita", "team", "disagreements")["disagreements"]) == 2
    decide = ("team", "decide")
    say_apart("rita", *decide, *third, "--verdict", "does_not", "--reason", "step_or_sill")
    say_apart("rita", *decide, *fourth, "--return", "ben", "--comment", "no stairs")
    assert "only a reviewer" in say("ana", "team", "decide", *fourth, "--accept", "ana", code=2)
    file = answers_file(half.folder / "again.csv", row_of_nodes(3), "ben", SAID["ana"], "")
    lines = file.read_text(encoding="utf-8-sig").splitlines()
    file.write_text("\n".join([lines[0], lines[4]]))
    say("ben", "labels", "import", str(file), "--on-conflict", "replace")
    say("rita", "team", "decide", *fourth, "--accept", "ben")
    for who in ("ana", "ben", "rita", "lea"):
        report = say(who, "labels", "export", "--out", str(tmp_path / f"{who}.csv"))
        assert report["written"] == 4
        text_of = (tmp_path / f"{who}.csv").read_text(encoding="utf-8-sig")
        assert text_of.count("final") == 2
        assert "step_or_sill" in text_of


def test_a_label_that_both_have_seen_is_changed_by_no_program(half: Server) -> None:
    engine = half.engine("ana")
    with engine.begin() as connection:
        done = connection.execute(text("UPDATE double_labels SET ordinal = 7"))
        assert done.rowcount == 0
        assert connection.execute(text("DELETE FROM double_labels")).rowcount == 0
    engine.dispose()


def test_who_else_has_it_open_is_said_until_they_are_gone(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    def others() -> tuple[str, ...]:
        presence = Presence.at(server.url("ana"))
        assert presence is not None
        presence.close()
        return presence.others

    assert others() == ()
    child = subprocess.Popen(
        [sys.executable, "-c", PRESENT, server.url("ben")], stdin=PIPE, stdout=PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "here\n"
    assert main(["team", "progress", "--project", server.url("ana")]) == 0
    said = f"{server.name} is open in another window of Waypost or a command of ben as well."
    assert said in capsys.readouterr().err
    presence = Presence.at(server.url("ben"), "another window")
    assert presence is not None
    with closing(presence):
        assert (presence.others, presence.is_own_twice) == (("ben",), True)
    child.kill()
    child.communicate()
    end = monotonic() + PATIENCE_S
    while others() and monotonic() < end:
        sleep(0.01)
    assert others() == ()


INSTRUCTIONS = (
    "item;text;source;pair{}\na;Go to the sofa.;human;p{}\nb;Turn left, then stop.;model A;p{}\n"
    "c;blue blue blue;;q{}\nd;Wait at the door.;model A;q{}\n"
)  # fmt: skip
SECRETS = ("only ana thinks so", "ana skips this", "draft of ana", "what ana compares", "model A")


def with_sheet(book: ScoreBook, item: str, rater: str, scores: str, comment: str = "") -> ScoreBook:
    """After a rater has given scores of clarity, naturalness and accuracy, as far as they go."""
    for name, score in zip(("clarity", "naturalness", "accuracy"), map(int, scores), strict=False):
        book = set_score(book, book.sheet("pilot", item, rater), name, score, NOON)
    if comment:
        book = set_comment(book, book.sheet("pilot", item, rater), "", comment, NOON)
    whole = len(scores) == 3
    return submit(book, book.sheet("pilot", item, rater), NOON) if whole else book


def of_pair(book: ScoreBook, item: str, rater: str) -> ComparisonKey:
    """What a rater says about the pair that an item is of."""
    pairs = book.batch("pairs").pairs.items()
    return ComparisonKey("pairs", next(name for name, both in pairs if item in both), rater)


def with_pair(book: ScoreBook, item: str, rater: str, comment: str = "") -> ScoreBook:
    """After a rater has compared a pair."""
    key = of_pair(book, item, rater)
    for name in ("clarity", "naturalness", "accuracy"):
        book = set_better(book, key, name, Better.FIRST, NOON)
    return submit_comparison(set_pair_comment(book, key, comment, NOON), key, NOON)


def bring_in(server: Server, who: str, *changes: Callable[[ScoreBook], ScoreBook]) -> None:
    """Have somebody import what they say, in a process of theirs."""
    with closing(ProjectStore.open(server.url(who), viewer=who)) as store:
        book = store.load().scoring
    for change in changes:
        book = change(book)
    for batch in ("pilot", "pairs"):
        write_scores(server.folder / f"{batch}.jsonl", book, batch, who)
        words = ("score", "import", f"{batch}.jsonl", "--project", server.url(who))
        done = run(server.folder, "waypost", *words, "--on-conflict", "replace")
        assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def scored(server: Server) -> Server:
    """Ana has submitted a sheet, skipped one and begun one, and compared one pair of two."""
    file = server.folder / "texts.csv"
    make = ["score", "create", str(file), "--project", server.url("lea"), "--raters", "ana,ben"]
    file.write_text(INSTRUCTIONS.format(";expected.clarity", ";", ";", ";1", ";"))
    assert main([*make, "--batch", "pilot"]) == 0
    file.write_text(INSTRUCTIONS.format("", "", "", "", ""))
    assert main([*make, "--batch", "pairs", "--pairs"]) == 0
    bring_in(
        server,
        "ana",
        lambda book: with_sheet(book, "a", "ana", "445", "only ana thinks so"),
        lambda book: skip(book, book.sheet("pilot", "b", "ana"), "ana skips this", NOON),
        lambda book: with_sheet(book, "d", "ana", "2", "draft of ana"),
        lambda book: with_pair(book, "a", "ana", "what ana compares"),
        lambda book: set_better(book, of_pair(book, "c", "ana"), "clarity", Better.NEITHER, NOON),
    )
    return server


def test_no_table_and_no_view_holds_what_another_rater_says(scored: Server) -> None:
    engine = scored.engine("lea")
    with engine.begin() as connection:
        # So that the server's own views of what tables hold have something to tell.
        connection.execute(text("ANALYZE"))
    engine.dispose()
    of_ana = "kind IN ('sheet', 'comparison') AND item LIKE '%\"ana\"%'"
    rows = [
        *rows_of(scored, "SELECT t::text FROM sheets t WHERE rater = 'ana'"),
        *rows_of(scored, "SELECT t::text FROM comparisons t WHERE rater = 'ana'"),
        *rows_of(scored, "SELECT t::text FROM item_origins t"),
        *rows_of(scored, f"SELECT t::text FROM history t WHERE {of_ana}"),  # noqa: S608
    ]
    assert len(rows) == 3 + 2 + 8 + 5
    payloads = rows_of(
        scored,
        "SELECT payload FROM sheets UNION ALL SELECT payload FROM comparisons"
        " UNION ALL SELECT payload FROM item_origins WHERE payload LIKE '%model A%'",
    )
    assert all(any(secret in payload for payload in payloads) for secret in SECRETS)
    found = readable(scored, "ben")
    assert {"sheets", "comparisons", "changes", "history", "item_origins", "pg_stats"} <= set(found)
    assert found["sheets"] == found["comparisons"] == found["item_origins"] == []
    for name, told in found.items():
        assert not set(rows) & set(told), name
        whole = "\n".join(told)
        assert not any(piece in whole for piece in (*payloads, *SECRETS)), name
    changes = rows_of(scored, "SELECT text FROM changes WHERE author = 'ana'", "ben")
    assert set(changes) <= {"Score instructions", "Label passages that two label"}


def test_no_command_shows_ben_what_ana_scores(
    scored: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = ""
    for batch in ("pilot", "pairs"):
        told += capsys.readouterr().out
        words = ["--project", scored.url("ben"), "--batch", batch, "--author", "lea", "--json"]
        assert main(["score", "results", *words]) == 0
        shown = capsys.readouterr().out
        told, report = told + shown, json.loads(shown)
        assert report["progress"]["ana"] is None
        assert report["progress"]["ben"]["settled"] == 0
        for ending in ("csv", "jsonl"):
            out = tmp_path / f"{batch}.{ending}"
            assert main(["score", "export", *words, "--out", str(out)]) == 0
    told += "".join(file.read_text() for file in tmp_path.iterdir())
    assert not any(secret in told for secret in SECRETS)
    copy = ["--to", scored.url("ben").replace(scored.name, "no_such"), "--author", "lea"]
    assert main(["team", "publish", "--project", scored.url("ben"), *copy]) == 2
    assert "only a lead" in capsys.readouterr().err


OWN_SHEET = "INSERT INTO sheets VALUES ('pilot', 'd', '{}', {}, '{}', '{{}}', 1, 1, 'ben', '')"


@pytest.mark.parametrize(
    ("who", "words", "count"),
    [
        ("ben", "UPDATE sheets SET payload = '{}'", 0),
        ("ben", "DELETE FROM sheets", 0),
        ("ben", "DELETE FROM comparisons", 0),
        ("ben", OWN_SHEET.format("ana", 1, "open"), None),
        ("ben", OWN_SHEET.format("ana", 2, "open"), None),
        ("ben", OWN_SHEET.format("ben", 1, "accepted"), None),
        ("ben", OWN_SHEET.format("ben", 2, "open"), None),
        ("ben", "DELETE FROM dealt_items WHERE rater = 'ben'", None),
        ("ben", "UPDATE batches SET payload = '{}'", None),
        ("ben", "DELETE FROM item_origins", None),
        ("ben", "DROP TRIGGER waypost_keep_said ON sheets", None),
        ("ana", "UPDATE sheets SET rater = 'ben'", None),
        ("ana", "UPDATE sheets SET item = 'c' WHERE item = 'd'", None),
        ("rita", "UPDATE sheets SET payload = replace(payload, '4', '1') WHERE item = 'a'", None),
        ("rita", "UPDATE sheets SET state = 'submitted' WHERE state = 'open'", 0),
        ("rita", "DELETE FROM sheets", 0),
        ("rita", "UPDATE comparisons SET payload = '{}'", None),
        ("rita", "UPDATE comparisons SET payload = replace(payload, 'first', 'second')", None),
        ("rita", "UPDATE comparisons SET rater = 'ben'", None),
        ("rita", "DELETE FROM comparisons", 0),
        ("ana", "UPDATE comparisons SET state = 'accepted'", None),
        ("ana", "UPDATE comparisons SET payload = replace(payload, '[]', '[{}]')", None),
        ("rita", "UPDATE batches SET payload = '{}'", None),
    ],
)
def test_nobody_writes_what_another_scores(
    scored: Server, who: str, words: str, count: int | None
) -> None:
    """Refused, or done to no row: ``count`` is ``None`` where the server refuses."""
    engine = scored.engine(who)
    with engine.connect() as connection:
        if count is None:
            with pytest.raises(DBAPIError, match=r"policy|permission|owner|by its rater only"):
                connection.execute(text(words))
        else:
            assert connection.execute(text(words)).rowcount == count
    engine.dispose()
    assert rows_of(scored, "SELECT waypost_follows('pilot', 'a', 'ana', 2)", "ben") == [False]


def test_a_reviewer_returns_a_sheet_and_the_next_round_is_its_raters(scored: Server) -> None:
    with closing(ProjectStore.open(scored.url("rita"), viewer="rita")) as store:
        before = store.load()
        book = before.scoring
        assert (len(book.sheets), len(book.comparisons)) == (3, 2)
        given = book.sheet("pilot", "b", "ana")
        book = return_sheet(book, given, "rita", "it does make sense", NOON)
        after = replace(before, scoring=book)
        store.save(before, after, "rita", "Return a sheet")
        store.save(after, before, "rita", "Undo Return a sheet")
        store.save(before, after, "rita", "Return a sheet")
        assert store.load() == after
    bring_in(scored, "ana", lambda book: with_sheet(book, "b", "ana", "222"))
    assert rows_of(scored, "SELECT state FROM sheets WHERE item = 'b' ORDER BY round", "rita") == [
        "returned",
        "submitted",
    ]


def opened(scored: Server, who: str) -> ProjectDocument:
    """The project as a window of somebody has it."""
    return ProjectDocument(ProjectStore.open(scored.url(who), viewer=who), who)


def edit(document: ProjectDocument, change: Callable[[ScoreBook], ScoreBook]) -> None:
    """Change what is scored, on the server too."""
    project = document.project
    document.edit("Edit", replace(project, scoring=change(project.scoring)))
    assert document.save_now(), document.save_state.reason


def test_a_reviewer_decides_about_a_comparison_and_half_typed_texts_are_their_writers(
    scored: Server, qapp: object
) -> None:
    def read_by(who: str) -> str:
        return "\n".join(line for told in readable(scored, who).values() for line in told)

    with closing(opened(scored, "rita")) as document:
        sheet = document.project.scoring.sheet("pilot", "a", "ana")
        key = of_pair(document.project.scoring, "a", "ana")
        edit(document, lambda book: write_decision(book, sheet, "rita has begun this"))
        edit(document, lambda book: write_pair_decision(book, key, "rita has begun that"))
        document.undo()
        document.redo()
        assert document.save_now()
        assert document.project == document.store.load()
        assert document.project.scoring.sheet("pilot", "a", "ana").decision_comment
        begun = rows_of(scored, "SELECT t::text FROM history t WHERE kind = 'score draft'")
        for who in ("ana", "ben"):
            told = read_by(who)
            assert "rita has begun" not in told
            assert not any(row in told for row in begun)
        edit(document, lambda book: return_comparison(book, key, "rita", "look again", NOON))
        document.undo()
        document.redo()
        assert document.save_now()
        assert document.project == document.store.load()
    with closing(opened(scored, "ana")) as document:
        said = document.project.scoring.comparison(*key)
        assert (said.earlier[0].decision_comment, said.state) == ("look again", RoundState.OPEN)
        assert document.project.scoring.sheet("pilot", "a", "ana").decision_comment == ""
        edit(document, lambda book: set_better(book, key, "clarity", Better.FIRST, NOON))
        document.undo()
        document.redo()
        assert document.save_now()
        edit(document, lambda book: submit_comparison(book, key, NOON))
        own = document.project.scoring.sheet("pilot", "a", "ana")
        edit(document, lambda book: write_reason(book, own, "half a reason of ana", NOON))
        edit(document, lambda book: write_pair_reason(book, key, "half a reason of ana", NOON))
        assert document.project == document.store.load()
        for who in ("ben", "rita"):
            assert "half a reason" not in read_by(who)
        assert read_by("ana").count("half a reason") == 2
    with closing(opened(scored, "rita")) as document:
        assert document.project.scoring.sheet("pilot", "a", "ana").decision_comment
        edit(document, lambda book: accept_comparison(book, key, "rita", NOON))
        said = document.project.scoring.comparison(*key)
        assert (said.round, said.state, said.skip_reason) == (2, RoundState.ACCEPTED, "")
    engine = scored.engine("ana")
    with engine.connect() as connection:
        changed = "UPDATE comparisons SET state = 'open' WHERE state = 'accepted'"
        assert connection.execute(text(changed)).rowcount == 0
    engine.dispose()


def test_an_open_project_learns_what_is_decided_and_taken_back_meanwhile(
    scored: Server, qapp: object
) -> None:
    with (
        closing(opened(scored, "ana")) as ana,
        closing(opened(scored, "rita")) as rita,
        closing(ScoreNewsReader(scored.url("ana"), ana.store.loaded_change)) as news_of_ana,
        closing(ScoreNewsReader(scored.url("ben"), ana.store.loaded_change)) as news_of_ben,
    ):
        begun = ana.project
        assert ana.take_news(news_of_ana.read())
        assert ana.project is begun
        news_of_ben.read()
        given = rita.project.scoring.sheet("pilot", "a", "ana")
        edit(rita, lambda book: return_sheet(book, given, "rita", "look again", NOON))
        assert ana.take_news(news_of_ana.read())
        now = ana.project.scoring
        assert [own.state for own in now.rounds("pilot", "a", "ana")] == [
            RoundState.RETURNED,
            RoundState.OPEN,
        ]
        words = decision_words(begun.scoring, now, "ana")
        text = now.instruction("pilot", "a").text
        assert words == f"rita returned your sheet on “{text}” in pilot: “look again”"
        assert news_of_ana.read() is None
        told = news_of_ben.read()
        assert told is None or not any(row.key.rater == "ana" for row in chain(*told.rows.values()))
        rita.undo()
        assert rita.save_now()
        assert ana.take_news(news_of_ana.read())
        assert ana.project == begun
        assert "is taken back" in decision_words(now, ana.project.scoring, "ana")
        own = ana.project.scoring.sheet("pilot", "a", "ana")
        edit(ana, lambda book: set_comment(book, own, "", "still so", NOON))
        ana.undo()
        assert ana.save_now()
        assert ana.project == ana.store.load() == begun


def test_news_from_before_ones_own_step_bring_nothing_back(scored: Server, qapp: object) -> None:
    with (
        closing(ProjectStore.open(scored.url("ana"), viewer="ana")) as store,
        closing(opened(scored, "ben")) as ben,
        closing(opened(scored, "rita")) as rita,
        closing(ScoreNewsReader(scored.url("ben"), ben.store.loaded_change)) as news_of_ben,
        closing(ScoreNewsReader(scored.url("rita"), ben.store.loaded_change)) as news_of_rita,
    ):
        begun = ben.project
        edit(ben, lambda book: with_sheet(book, "c", "ben", "313"))
        project = store.load()
        after = replace(project, scoring=with_sheet(project.scoring, "c", "ana", "445"))
        store.save(project, after, "ana")
        news = news_of_ben.read()
        assert SheetKey("pilot", "c", "ana", 1) in [row.key for row in news.rows[SHEET]]
        # He has not taken what ana says, and scores as one who does not know it.
        ben.undo()
        assert ben.save_now()
        assert ben.take_news(news)
        assert ben.project == begun == ben.store.load()
        assert rita.take_news(news_of_rita.read())
        assert SheetKey("pilot", "c", "ana", 1) in rita.project.scoring.sheets
        store.save(after, project, "ana")
        # Nothing is left of it but the history.
        assert rita.take_news(news_of_rita.read())
        assert rita.project == rita.store.load()
        assert SheetKey("pilot", "c", "ana", 1) not in rita.project.scoring.sheets


def test_then_ben_scores_and_all_see_the_same_agreement(
    scored: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    def results(who: str, batch: str = "pilot") -> Any:
        capsys.readouterr()
        words = ["score", "results", "--project", scored.url(who), "--batch", batch, "--json"]
        assert main(words) == 0
        return json.loads(capsys.readouterr().out)

    document = ProjectDocument(ProjectStore.open(scored.url("ben"), viewer="ben"), "ben")
    with closing(document):
        book = with_sheet(document.project.scoring, "a", "ben", "445")
        document.edit("Submit a sheet", replace(document.project, scoring=book))
        document.save_now()
        # The open window has at once what may be seen now, and nothing else.
        others = [key for key in document.project.scoring.sheets if key.rater == "ana"]
        assert others == [SheetKey("pilot", "a", "ana", 1)]
        assert document.project == document.store.load()
    seen = "SELECT item || state FROM sheets WHERE rater = 'ana' ORDER BY item, round"
    assert rows_of(scored, seen, "ben") == ["asubmitted"]
    assert rows_of(scored, "SELECT payload FROM item_origins WHERE batch = 'pilot'", "ben") == []
    about = "SELECT item FROM history WHERE kind = 'sheet' AND item LIKE '%ana%'"
    assert set(rows_of(scored, about, "ben")) == {'["pilot", "a", "ana", 1]'}
    assert (results("ben")["progress"]["ana"], results("ana")["progress"]["ben"]) == (None, None)
    bring_in(
        scored,
        "ben",
        *(lambda book, i=item: with_sheet(book, i, "ben", "313") for item in "bcd"),
        *(lambda book, p=pair: with_pair(book, p, "ben") for pair in "ac"),
    )
    # The sheet that ana has begun is hidden from ben as well.
    assert rows_of(scored, seen, "ben") == ["asubmitted", "breturned", "bsubmitted"]
    assert len(rows_of(scored, "SELECT payload FROM item_origins", "ben")) == 8
    bring_in(
        scored,
        "ana",
        lambda book: with_sheet(book, "c", "ana", "111"),
        lambda book: with_sheet(book, "d", "ana", "213"),
        lambda book: with_pair(book, "c", "ana"),
    )
    for who in ("ana", "ben", "rita", "lea"):
        report = results(who)
        clarity = report["criteria"]["clarity"]
        # 4 and 4, 2 and 3, 2 and 3; the attention check is left out.
        assert (clarity["overlapping_items"], clarity["percentage"]["value"]) == (
            3,
            pytest.approx(1 / 3),
        )
        assert report["progress"]["ana"]["settled"] == report["progress"]["ben"]["settled"] == 4
        assert results(who, "pairs")["criteria"]["clarity"]["percentage"]["value"] == 1.0


def test_who_left_sees_nothing_any_more(half: Server) -> None:
    people = "ana:annotator,ben:annotator,lea:lead"
    words = ["team", "set", "--project", half.url("lea"), "--people", people]
    assert main(words) == 0
    again = ["team", "secure", "--project", half.url("lea")]
    assert main([*again, "--logins", str(half.folder / "again-logins.csv")]) == 0
    engine = half.engine("rita")
    with pytest.raises(DBAPIError, match="permission denied"), engine.begin() as connection:
        connection.execute(text("SELECT * FROM double_labels"))
    engine.dispose()
