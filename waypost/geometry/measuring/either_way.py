"""What was found between two nodes over one ground, for whoever asks from the other end."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from waypost.geometry.measuring.any_path import AnyPath, Search, search_path, with_headings
from waypost.geometry.measuring.body import MeasuredBody
from waypost.geometry.measuring.height_field import Floats
from waypost.geometry.measuring.passage_view import PassageView
from waypost.geometry.measuring.widest_disc import WidestWay, widest_passage


def widest_between(view: PassageView, search: Search) -> WidestWay:
    """The widest disc from node to node among the points of a search."""
    known = view.reached.widths
    key = (search.start, search.end, len(search.points))
    if key in known:
        return known[key]
    back = (search.end, search.start, len(search.points))
    if back in known:
        return known[back].reversed()
    rule = search.rule
    known[key] = widest_passage(
        search.points, search.start, search.end, search.box, rule.node_tolerance_m
    )
    return known[key]


def path_between(view: PassageView, search: Search) -> AnyPath:
    """The path of a search; a way that is driven back changes its sense as often."""
    known = view.reached.searches
    key = (search.body, search.start, search.end, len(search.points))
    if key in known:
        return known[key]
    back = (search.body, search.end, search.start, len(search.points))
    if back in known:
        return _reversed(known[back], search.body)
    known[key] = search_path(search, widest_between(view, search))
    return known[key]


def _reversed(found: AnyPath, body: MeasuredBody) -> AnyPath:
    path = None if found.path is None else _turned_round(found.path, body)
    return replace(found, way=found.way.reversed(), path=path)


def _turned_round(path: Floats, body: MeasuredBody) -> Floats:
    """The same poses from the end to the start, facing the other way."""
    back = path[::-1]
    if body.is_round:
        return with_headings(back[:, :2])
    return np.column_stack([back[:, :2], back[:, 2] + np.pi])
