"""Edits of a taxonomy: duplicates are refused at once, keys in files outlive new names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.errors import EditError
from waypost.domain.causes.failure import Axis, Category, Taxonomy, check_taxonomy
from waypost.domain.causes.taxonomy_edits import (
    add_axis,
    add_category,
    change_axis,
    change_category,
    copied_taxonomy,
    key_from_title,
    move_axis,
    move_category,
    new_taxonomy,
    problems,
    rekeyed_axis,
    rekeyed_category,
    remove_axis,
    remove_category,
)

ROOM = Category("room", "Room", "which?", "a")
STAIR = Category("stair", "Stair", "", "s")
BASE = Taxonomy(
    "own", "Ours", 3, (Axis("why", "Why", (ROOM, STAIR)), Axis("how", "How", (Category("l", "L"),)))
)


def test_from_nothing_to_a_taxonomy_that_can_be_saved() -> None:
    draft = new_taxonomy("Our causes", ["our_causes"])
    assert (draft.key, draft.version) == ("our_causes_2", 0)
    assert problems(draft) == ("Add a category to “Cause”.",)
    draft = add_category(draft, "cause", " Wrong room ")
    draft = change_category(draft, "cause", "wrong_room", shortcut="A", description=" which? ")
    assert problems(draft) == ()
    assert check_taxonomy(draft).axes[0].categories == (
        Category("wrong_room", "Wrong room", "which?", "a"),
    )
    assert problems(remove_axis(draft, "cause")) == (
        "Add an axis: a question that every mark answers.",
    )
    assert "needs a name" in problems(Taxonomy("k", " ", 1, draft.axes))[0]


def test_a_new_name_keeps_the_key_in_files() -> None:
    renamed = change_category(BASE, "why", "room", title="Region")
    assert renamed.axes[0].categories[0] == Category("room", "Region", "which?", "a")
    axis = change_axis(BASE, "why", title="Reason", is_required=False, allows_several=True).axes[0]
    assert (axis.key, axis.title, axis.is_required, axis.allows_several) == (
        "why",
        "Reason",
        False,
        True,
    )
    assert change_axis(BASE, "why", title="WHY").axes[0].title == "WHY"


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda: add_axis(BASE, "why "), "“Why” already"),
        (lambda: add_axis(BASE, " "), "cannot be empty"),
        (lambda: add_category(BASE, "why", "ROOM"), "“Room” already"),
        (lambda: change_category(BASE, "why", "stair", title="room"), "“Room” already"),
        (lambda: change_category(BASE, "why", "stair", shortcut="A"), "key A sets “Room” already"),
        (lambda: change_category(BASE, "how", "l", shortcut="s"), "key S sets “Stair” already"),
        (lambda: change_category(BASE, "how", "l", shortcut="ab"), "one character"),
        (lambda: change_axis(BASE, "how", title="Why"), "“Why” already"),
        (lambda: remove_axis(BASE, "x"), "no axis 'x'"),
        (lambda: remove_category(BASE, "why", "x"), "no category 'x'"),
    ],
)
def test_what_is_refused_at_once(edit, message: str) -> None:
    with pytest.raises(EditError, match=message):
        edit()


def test_a_key_can_be_taken_away_and_given_again() -> None:
    free = change_category(BASE, "why", "room", shortcut="")
    assert change_category(free, "how", "l", shortcut="a").axes[1].categories[0].shortcut == "a"
    assert change_category(BASE, "why", "room", shortcut="a") == BASE


def test_order_and_removal() -> None:
    assert [axis.key for axis in move_axis(BASE, "how", -1).axes] == ["how", "why"]
    assert move_axis(BASE, "why", -5) == BASE
    moved = move_category(BASE, "why", "room", 1)
    assert [entry.key for entry in moved.axes[0].categories] == ["stair", "room"]
    assert remove_category(BASE, "why", "room").axes[0].categories == (STAIR,)
    assert [axis.key for axis in remove_axis(BASE, "why").axes] == ["how"]


def test_what_was_never_saved_gets_its_key_from_its_name() -> None:
    grown = add_category(add_axis(BASE, "New axis"), "new_axis", "New category")
    grown = change_category(grown, "new_axis", "new_category", title="Fell asleep")
    grown, key = rekeyed_category(grown, "new_axis", "new_category")
    assert key == "fell_asleep"
    named, axis_key = rekeyed_axis(change_axis(grown, "new_axis", title="Why not"), "new_axis")
    assert axis_key == "why_not"
    assert named.axes[2] == Axis("why_not", "Why not", (Category("fell_asleep", "Fell asleep"),))
    assert rekeyed_axis(BASE, "why") == (BASE, "why")


def test_a_copy_stands_on_its_own() -> None:
    copy = copied_taxonomy(BASE, "Ours (copy)", ["own"])
    assert (copy.key, copy.title, copy.version, copy.axes) == (
        "ours_copy",
        "Ours (copy)",
        0,
        BASE.axes,
    )


@given(st.text(max_size=12), st.lists(st.text(max_size=6), max_size=4))
def test_keys_are_free_and_never_empty(title: str, taken: list[str]) -> None:
    key = key_from_title(title, taken)
    assert key
    assert key not in taken
