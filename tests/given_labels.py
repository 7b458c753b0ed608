"""Labels as if people had given them."""

from __future__ import annotations

from types import MappingProxyType

from waypost.domain.traverse.traversability import Labels, TraversabilityLabel


def set_label(labels: Labels, label: TraversabilityLabel) -> Labels:
    """Put or replace the label of its passage."""
    return MappingProxyType({**labels, label.passage: label})
