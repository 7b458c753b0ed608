"""Taxonomy files: what ships, round trips, and messages that name the place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.errors import ReadError
from waypost.domain.causes.failure import Axis, Category, Taxonomy
from waypost.io.taxonomy_files import (
    format_taxonomy,
    parse_taxonomy,
    read_taxonomy,
    shipped_taxonomies,
    write_taxonomy,
)

_HEAD = 'schema_version = 1\nkey = "t"\ntitle = "T"\nversion = 1\n'
_AXIS = '[[axes]]\nkey = "a"\ntitle = "A"\n'
_CATEGORY = '[[axes.categories]]\nkey = "x"\ntitle = "X"\n'


def test_what_ships() -> None:
    shipped = shipped_taxonomies()
    assert list(shipped) == ["vln-mme", "capnav"]
    outcome, behaviour, cause = shipped["vln-mme"].axes
    assert [entry.key for entry in outcome.categories] == [
        "incorrect_navigation",
        "generation_error",
    ]
    assert {"looping", "timeout"} <= {entry.key for entry in behaviour.categories}
    assert [entry.title for entry in cause.categories][:3] == [
        "Region recognition",
        "Vertical movement",
        "Object detection",
    ]
    assert [entry.title for entry in shipped["capnav"].axes[0].categories] == [
        "Path hallucination",
        "Obstacle hallucination",
        "Dimension neglect",
        "Ability hallucination",
    ]


def test_a_file_round_trips(tmp_path: Path) -> None:
    for taxonomy in shipped_taxonomies().values():
        write_taxonomy(tmp_path / "t.toml", taxonomy)
        assert read_taxonomy(tmp_path / "t.toml") == taxonomy


_TEXT = st.text(min_size=1, max_size=8)


@given(
    st.builds(
        Taxonomy,
        _TEXT,
        _TEXT,
        st.integers(0, 99),
        st.lists(
            st.builds(
                Axis,
                _TEXT,
                _TEXT,
                st.lists(
                    st.builds(Category, _TEXT, _TEXT, _TEXT),
                    min_size=1,
                    max_size=3,
                    unique_by=lambda entry: entry.key,
                ).map(tuple),
                st.booleans(),
                st.booleans(),
            ),
            min_size=1,
            max_size=3,
            unique_by=lambda axis: axis.key,
        ).map(tuple),
    )
)
def test_any_taxonomy_round_trips(taxonomy: Taxonomy) -> None:
    assert parse_taxonomy(format_taxonomy(taxonomy), "t") == taxonomy


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("key = ", "t.toml: end of document: is not TOML: "),
        ('key = "t"', "t.toml: schema_version: is missing"),
        (_HEAD.replace("= 1", "= 2", 1), "t.toml: schema_version: is 2, newer than 1"),
        (_HEAD.replace("= 1", "= 0", 1), "t.toml: schema_version: is 0, older than the first, 1"),
        (_HEAD.replace("version = 1\n", "version = true\n"), "is not a whole number"),
        (_HEAD + "colour = 1", "t.toml: colour: is none of"),
        (_HEAD, "t.toml: axes: are missing"),
        (_HEAD + 'axes = "a"', "t.toml: axes: is not a list of tables"),
        (_HEAD + _AXIS, "t.toml: a: has no categories"),
        (_HEAD + _AXIS + "is_required = 1\n" + _CATEGORY, "axes[0].is_required: is not true or"),
        (_HEAD + _AXIS + _CATEGORY + "shortcut = 3", "axes[0].categories[0].shortcut: is not text"),
        (_HEAD + _AXIS + _CATEGORY + "titel = 3", "axes[0].categories[0].titel: is none of"),
    ],
)
def test_messages_name_the_place(text: str, message: str) -> None:
    with pytest.raises(ReadError) as caught:
        parse_taxonomy(text, "t.toml")
    assert message in str(caught.value)
