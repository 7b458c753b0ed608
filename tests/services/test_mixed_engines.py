"""Exports say where several engines drove what is in them."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from waypost.domain.project import Project
from waypost.domain.traverse.traversability import (
    Passage,
    Provenance,
    TraversabilityLabel,
    Verdict,
)
from waypost.services.mixed_engines import engine_of_header, engines_of_labels, mixture_note


@pytest.mark.parametrize(
    "engines", [(), ("",), ("physx 3.0.3", "physx 3.0.3", ""), ("isaac 5.1.0",)]
)
def test_one_engine_or_none_needs_no_word(engines):
    assert mixture_note(engines, "label") == ""


def test_two_engines_and_two_versions_of_one_are_said_with_their_counts():
    engines = ["physx 3.0.3", "isaac 5.1.0", "physx 3.0.3", "physx 3.0.4"]
    said = mixture_note(engines, "take")
    assert said.startswith(
        "several engines drove what is written here"
        " (2 takes by physx 3.0.3, 1 take by isaac 5.1.0, 1 take by physx 3.0.4)"
    )


@pytest.mark.parametrize(
    ("header", "engine"),
    [
        ({"engine": {"name": "physx", "version": "3.0.3", "title": "SAPIEN"}}, "physx 3.0.3"),
        ({"engine": {"name": "isaac"}}, "isaac"),
        ({"engine": "isaac 5"}, ""),
        ({}, ""),
    ],
)
def test_the_engine_of_a_take_is_what_its_header_names(header, engine):
    assert engine_of_header(header) == engine


def test_only_labels_that_are_written_and_rest_on_a_drive_count():
    def label(start: str, engine: str) -> TraversabilityLabel:
        judged = Provenance(engine=engine, engine_version="1" if engine else "")
        return TraversabilityLabel(Passage(start, "z", "a"), Verdict.TRAVELS, provenance=judged)

    labels = [label("n", "physx"), label("m", ""), label("o", "isaac")]
    project = Project(labels=MappingProxyType({one.passage: one for one in labels}))
    assert engines_of_labels(project, ()) == ["physx 1", "isaac 1"]
    assert engines_of_labels(project, {Passage("o", "z", "a")}) == ["physx 1"]
