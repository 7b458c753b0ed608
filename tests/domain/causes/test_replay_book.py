"""Runs, own taxonomies and verdicts of a project: what edits refuse and what they leave alone."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from types import MappingProxyType

import pytest

from waypost.domain.base.errors import EditError
from waypost.domain.causes.failure import (
    Axis,
    Category,
    CauseBook,
    CauseKey,
    CauseMark,
    Taxonomy,
    carried_mark,
    set_mark,
    toggle_choice,
)
from waypost.domain.causes.replay_book import (
    EdgeVerdict,
    EdgeVerdictKey,
    ReplayBook,
    RouteVerdict,
    add_source,
    change_source,
    chosen_titles,
    clear_edge_verdict,
    free_name,
    known_taxonomies,
    marks_of_takes,
    name_for_run,
    remove_source,
    remove_taxonomy,
    save_taxonomy,
    set_causes,
    set_edge_verdict,
    taxonomy_of,
)
from waypost.domain.episode.run_source import RunSource

WHY = Axis("why", "Why", (Category("room", "Room"), Category("stairs", "Stairs")), True, True)
ONE = Taxonomy("own", "Ours", 1, (WHY,))
RENAMED = dataclasses.replace(
    WHY,
    categories=(Category("room", "Region"), Category("door", "Door")),
    allows_several=False,
)
TWO = Taxonomy("own", "Ours", 2, (RENAMED,))
SHIPPED = {"capnav": Taxonomy("capnav", "CapNav", 1, (WHY,))}
GPT = RunSource((Path("runs/gpt.json"),), (Path("val.json"),), name="gpt")
KEY = CauseKey("gpt", "7_0", "Ana", "own")
EDGE = EdgeVerdictKey("gpt", "7_0", "a", "b", "Ana")


def test_sources_keep_their_order_and_their_names_apart() -> None:
    book = add_source(add_source(ReplayBook(), GPT), RunSource((Path("runs/msnav"),), name="msnav"))
    assert list(book.sources) == ["gpt", "msnav"]
    with pytest.raises(EditError, match="called 'gpt' already"):
        add_source(book, GPT)
    with pytest.raises(EditError, match="called 'msnav' already"):
        change_source(book, "gpt", dataclasses.replace(GPT, name="msnav"))
    with pytest.raises(EditError, match="no run called 'x'"):
        change_source(book, "x", GPT)
    with pytest.raises(EditError, match="needs a name"):
        add_source(book, RunSource((Path("x.json"),), name=" "))
    with pytest.raises(EditError, match="needs a file"):
        add_source(book, RunSource(name="x"))
    assert list(remove_source(book, "gpt").sources) == ["msnav"]
    assert remove_source(book, "x") is book


def test_marks_and_verdicts_follow_a_renamed_run() -> None:
    marks = set_mark(CauseBook(), ONE, CauseMark(KEY, 1, {"why": ("room",)}))
    other = KEY._replace(run="msnav")
    marks = set_mark(marks, ONE, CauseMark(other, 1, {"why": ("stairs",)}))
    book = set_causes(add_source(ReplayBook(), GPT), marks)
    book = set_edge_verdict(book, EdgeVerdict(EDGE, RouteVerdict.VALID))
    book = set_edge_verdict(book, EdgeVerdict(EDGE._replace(run="msnav"), RouteVerdict.UNSURE))
    renamed = change_source(
        book, "gpt", dataclasses.replace(GPT, name="gpt-5", pictures=Path("views"))
    )
    assert renamed.sources["gpt-5"].pictures == Path("views")
    assert list(renamed.causes.marks) == [KEY._replace(run="gpt-5"), other]
    assert all(key == mark.key for key, mark in renamed.causes.marks.items())
    assert [key.run for key in renamed.edge_verdicts] == ["gpt-5", "msnav"]
    assert list(book.causes.marks) == [KEY, other]
    assert set_causes(book, book.causes) is book
    with pytest.raises(EditError, match="marks of a run called 'msnav' are kept"):
        change_source(book, "gpt", dataclasses.replace(GPT, name="msnav"))


def test_versions_of_own_taxonomies_stay_and_shipped_ones_are_no_ones_to_change() -> None:
    first = save_taxonomy(ReplayBook(), ONE, SHIPPED)
    both = save_taxonomy(first, TWO, SHIPPED)
    assert known_taxonomies(both, SHIPPED) == {**SHIPPED, "own": TWO}
    assert known_taxonomies(first, SHIPPED)["own"] is ONE
    turned = dict(reversed(both.taxonomies.items()))
    assert known_taxonomies(ReplayBook(taxonomies=turned), SHIPPED)["own"] is TWO
    assert taxonomy_of(both, SHIPPED, "own", 1) is ONE
    assert taxonomy_of(both, SHIPPED, "capnav", 1) is SHIPPED["capnav"]
    assert taxonomy_of(both, SHIPPED, "capnav", 2) is None
    assert save_taxonomy(both, TWO, SHIPPED) is both
    with pytest.raises(EditError, match="version 2 already"):
        save_taxonomy(both, dataclasses.replace(TWO, title="Theirs"), SHIPPED)
    with pytest.raises(EditError, match="comes with Waypost"):
        save_taxonomy(both, dataclasses.replace(ONE, key="capnav", version=2), SHIPPED)
    with pytest.raises(EditError, match="axes: are missing"):
        save_taxonomy(both, Taxonomy("x", "X", 1, ()))
    assert remove_taxonomy(both, "own").taxonomies == {}
    assert remove_taxonomy(both, "x") is both


def test_a_mark_is_carried_to_a_new_version_with_what_still_exists() -> None:
    mark = CauseMark(KEY, 1, {"why": ("room", "stairs"), "how": ("loop",)}, step=3, note="dark")
    carried = carried_mark(mark, TWO)
    assert (carried.taxonomy_version, carried.choices) == (2, {"why": ("room",)})
    assert (carried.step, carried.note) == (3, "dark")
    assert carried_mark(carried, TWO) is carried
    book = CauseBook(MappingProxyType({KEY: mark}))
    after = toggle_choice(book, TWO, KEY, "why", "door").marks[KEY]
    assert (after.taxonomy_version, after.choices) == (2, {"why": ("door",)})
    both = carried_mark(
        CauseMark(KEY, 2, {"why": ("stairs", "room")}), dataclasses.replace(ONE, version=3)
    )
    assert both.choices == {"why": ("stairs", "room")}


def test_titles_are_those_of_the_version_marked() -> None:
    book = save_taxonomy(save_taxonomy(ReplayBook(), ONE), TWO)
    marks = set_mark(CauseBook(), ONE, CauseMark(KEY, 1, {"why": ("room", "stairs")}))
    beth, cy = KEY._replace(analyst="Beth"), KEY._replace(episode_id="8_0")
    marks = set_mark(marks, TWO, CauseMark(beth, 2, {"why": ("room",)}))
    lost = CauseMark(cy, 9, {"why": ("haste",)})
    marks = CauseBook(MappingProxyType({**marks.marks, cy: lost}))
    book = set_causes(book, marks)
    assert chosen_titles(book, SHIPPED, "gpt", "own", "why") == {
        "7_0": ("Room", "Stairs", "Region"),
        "8_0": ("haste",),
    }
    assert chosen_titles(book, SHIPPED, "gpt", "capnav", "why") == {}


def test_verdicts_on_edges_are_one_per_analyst() -> None:
    book = set_edge_verdict(ReplayBook(), EdgeVerdict(EDGE, RouteVerdict.INVALID, "sill"))
    book = set_edge_verdict(book, EdgeVerdict(EDGE, RouteVerdict.VALID))
    abe = EDGE._replace(analyst="Abe")
    book = set_edge_verdict(book, EdgeVerdict(abe, RouteVerdict.UNSURE))
    assert [(v.key.analyst, v.verdict) for v in book.verdicts_of("gpt", "7_0")] == [
        ("Abe", RouteVerdict.UNSURE),
        ("Ana", RouteVerdict.VALID),
    ]
    assert book.verdicts_of("gpt", "8_0") == ()
    assert list(clear_edge_verdict(book, EDGE).edge_verdicts) == [abe]
    assert clear_edge_verdict(book, EDGE._replace(to_id="c")) is book
    with pytest.raises(EditError, match="analyst"):
        set_edge_verdict(book, EdgeVerdict(EDGE._replace(analyst=""), RouteVerdict.VALID))


def test_a_run_does_not_inherit_the_marks_of_one_that_was_taken_out() -> None:
    book = add_source(ReplayBook(), GPT)
    assert name_for_run(book, "gpt") == "gpt 2"
    assert name_for_run(remove_source(book, "gpt"), "gpt") == "gpt"
    marked = set_causes(book, toggle_choice(book.causes, ONE, KEY, "why", "room"))
    assert name_for_run(remove_source(marked, "gpt"), "gpt") == "gpt 2"


def test_a_free_name_is_numbered() -> None:
    assert free_name(["a"], "b") == "b"
    assert free_name(["a", "a 2"], "a") == "a 3"


def test_a_mark_that_takes_shared_goes_to_the_only_one_there_is() -> None:
    """Of two takes nobody knows which was meant; another run's marks are left alone."""
    one, two = (CauseKey("People", name, "ada", "own") for name in ("1_0", "2_0"))
    other, seen = one._replace(run="gpt"), two._replace(analyst="ben")
    keys = (one, two, other, seen)
    marks = {key: CauseMark(key, 1, {"why": ("room",)}) for key in keys}
    book = set_causes(ReplayBook(), CauseBook(MappingProxyType(marks)))
    found = marks_of_takes(book, "People", {"1_0": "1_0 · P-1, take 1"})
    own = one._replace(episode_id="1_0 · P-1, take 1")
    assert list(found.causes.marks) == [own, two, other, seen]
    assert found.causes.marks[own] == dataclasses.replace(marks[one], key=own)
    assert marks_of_takes(found, "People", {"1_0": "1_0 · P-1, take 1"}) is found
    both = {**found.causes.marks, one: marks[one]}
    kept = set_causes(book, CauseBook(MappingProxyType(both)))
    assert marks_of_takes(kept, "People", {"1_0": "1_0 · P-1, take 1"}) is kept
