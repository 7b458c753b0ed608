"""What computed tags propose as an answer; it counts for nothing until an analyst takes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from waypost.domain.causes.failure import Axis, Category, Taxonomy

ANY_TAG: Final = "any"
"""Stands in a category that is proposed for failures for which no other of its axis is."""


@dataclass(frozen=True, slots=True)
class FailureTag:
    """A computed tag as a proposal needs it."""

    kind: str
    """Name in files, as ``Category.tags`` has it."""

    title: str
    step: int | None = None
    """Where it starts; ``None`` where the log does not say."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One proposed answer."""

    category: str
    """Its key."""

    tag: FailureTag | None
    """What it is proposed for; ``None`` for a failure without a tag that says more."""


def proposals(taxonomy: Taxonomy, tags: Sequence[FailureTag]) -> Mapping[str, Proposal]:
    """Axis → what is proposed for a failure; axes for which no tag speaks are left out.

    Args:
        taxonomy: Its categories name the tags that propose them.
        tags: Of the run, the weightiest first: the first that a category names decides.
    """
    found = ((axis.key, _of_axis(axis, tags)) for axis in taxonomy.axes)
    return MappingProxyType({key: each for key, each in found if each is not None})


def _of_axis(axis: Axis, tags: Sequence[FailureTag]) -> Proposal | None:
    for tag in tags:
        category = _naming(axis, tag.kind)
        if category is not None:
            return Proposal(category.key, tag)
    category = _naming(axis, ANY_TAG)
    return None if category is None else Proposal(category.key, None)


def _naming(axis: Axis, kind: str) -> Category | None:
    return next((entry for entry in axis.categories if kind in entry.tags), None)
