"""Places of projects as people give them; see also the window at a database."""

from __future__ import annotations

from pathlib import Path

import pytest

from waypost.app.shell.project_address import (
    names_apart,
    others_words,
    place_name,
    project_place,
    without_password,
)


@pytest.mark.parametrize(
    ("given", "name", "kept"),
    [
        ("postgresql://ana@h:5432/house", "house", "postgresql://ana@h:5432/house"),
        ("postgresql://ana:secret@h/house", "house", "postgresql://ana@h/house"),
        (
            "postgresql+psycopg://waypost@/house?host=/tmp/a&password=secret",
            "house",
            "postgresql+psycopg://waypost@/house?host=/tmp/a",
        ),
        ("postgresql://h", "the project", "postgresql://h"),
    ],
)
def test_an_address_stays_text_and_is_kept_without_password(
    given: str, name: str, kept: str
) -> None:
    place = project_place(given)
    assert place == given
    assert (place_name(place), without_password(place)) == (name, kept)


def test_a_file_is_a_path() -> None:
    place = project_place("a/b.waypost")
    assert place == Path("a/b.waypost")
    assert (place_name(place), without_password(place)) == ("b.waypost", "a/b.waypost")


def test_who_else_has_a_project_open_is_a_sentence() -> None:
    assert others_words("house", ()) == ""
    begun = "house is open in another window of Waypost or a command of "
    assert others_words("house", ("ana",)).startswith(f"{begun}ana as well. Both save; where both")
    assert others_words("house", ("ana", "ben", "lea")).startswith(f"{begun}ana, ben and lea as")


def test_places_of_one_name_are_told_apart_by_what_stands_before_it() -> None:
    given = ("/a/x/home.waypost", "/b/x/home.waypost", "/b/flat.waypost", "postgresql://h/flat")
    assert names_apart(given) == ("a/x/home.waypost", "b/x/home.waypost", "flat.waypost", "flat")
    assert names_apart(("postgresql://h/flat", "postgresql://i/flat")) == ("h/flat", "i/flat")
    assert names_apart(()) == ()
