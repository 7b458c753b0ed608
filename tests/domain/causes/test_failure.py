"""Root causes: what taxonomies and marks allow, and that edits leave the old book alone."""

from __future__ import annotations

import dataclasses
from types import MappingProxyType

import pytest

from waypost.domain.base.errors import EditError, InputError
from waypost.domain.causes.failure import (
    Axis,
    Category,
    CauseBook,
    CauseKey,
    CauseMark,
    Taxonomy,
    check_taxonomy,
    clear_mark,
    missing_axes,
    set_mark,
    toggle_choice,
)

TAXONOMY = Taxonomy(
    "t",
    "Test",
    2,
    (
        Axis("how", "How", (Category("loop", "Looping", shortcut="1"), Category("stop", "Stop"))),
        Axis("why", "Why", (Category("room", "Room"), Category("stairs", "Stairs")), False, True),
    ),
)
KEY = CauseKey("model", "7_0", "Ana", "t")


def mark(**choices: tuple[str, ...]) -> CauseMark:
    return CauseMark(KEY, 2, MappingProxyType(choices), step=3, note="at the door")


def test_a_mark_replaces_the_one_before_and_keeps_the_old_book() -> None:
    empty = CauseBook()
    first = set_mark(empty, TAXONOMY, mark(how=("loop",), why=("stairs", "room")))
    second = set_mark(first, TAXONOMY, mark(how=("stop",)))
    assert dict(empty.marks) == {}
    assert first.marks[KEY].choices == {"how": ("loop",), "why": ("room", "stairs")}
    assert second.marks[KEY].choices == {"how": ("stop",)}
    assert dict(clear_mark(second, KEY).marks) == {}
    assert clear_mark(empty, KEY) is empty


def test_several_analysts_mark_one_episode() -> None:
    book = set_mark(CauseBook(), TAXONOMY, mark(how=("stop",)))
    other = dataclasses.replace(mark(how=("loop",)), key=KEY._replace(analyst="Abe"))
    book = set_mark(book, TAXONOMY, other)
    assert [entry.key.analyst for entry in book.of("model", "7_0", "t")] == ["Abe", "Ana"]
    assert book.of("model", "7_1", "t") == ()


def test_a_key_press_toggles() -> None:
    book = toggle_choice(CauseBook(), TAXONOMY, KEY, "how", "loop")
    book = toggle_choice(book, TAXONOMY, KEY, "how", "stop")
    assert book.marks[KEY].choices == {"how": ("stop",)}
    book = toggle_choice(book, TAXONOMY, KEY, "why", "stairs")
    book = toggle_choice(book, TAXONOMY, KEY, "why", "room")
    assert book.marks[KEY].choices["why"] == ("room", "stairs")
    book = toggle_choice(book, TAXONOMY, KEY, "why", "stairs")
    book = toggle_choice(book, TAXONOMY, KEY, "how", "stop")
    assert book.marks[KEY].choices == {"why": ("room",)}
    assert missing_axes(book.marks[KEY], TAXONOMY) == ("How",)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (mark(where=("x",)), "no axis 'where'"),
        (mark(how=("x",)), "How has no category 'x'"),
        (mark(how=("loop", "stop")), "How allows one category only"),
        (dataclasses.replace(mark(), taxonomy_version=1), "not of Test, version 2"),
        (dataclasses.replace(mark(), key=KEY._replace(analyst=" ")), "analyst"),
    ],
)
def test_what_a_mark_may_not_say(wrong: CauseMark, reason: str) -> None:
    with pytest.raises(EditError, match=reason):
        set_mark(CauseBook(), TAXONOMY, wrong)


@pytest.mark.parametrize(
    ("axes", "reason"),
    [
        ((), "axes: are missing"),
        ((Axis("a", "A", ()),), "a: has no categories"),
        ((Axis("", "A", (Category("x", "X"),)),), "axes: a key is empty"),
        ((Axis("a", "A", (Category("x", "X"), Category("x", "Y"))),), "'x' is used twice"),
        (
            (Axis("a", "A", (Category("x", "X", "", "1"), Category("y", "Y", "", "1"))),),
            "the shortcut '1' is used twice",
        ),
        ((Axis("a", "A", (Category("x", "X", "", "F1"),)),), "'F1' is not one character"),
    ],
)
def test_what_a_taxonomy_may_not_be(axes: tuple[Axis, ...], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        check_taxonomy(Taxonomy("t", "Test", 1, axes))
