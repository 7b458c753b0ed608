"""What is found between two nodes over one ground, the same from whichever end it is asked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from waypost.domain.base.frames import Vec3
from waypost.geometry.measuring.any_path import AnyPath, Search, search_path, with_headings
from waypost.geometry.measuring.body import MeasuredBody
from waypost.geometry.measuring.height_field import Floats
from waypost.geometry.measuring.passage_view import PassageView
from waypost.geometry.measuring.rule import MeasuringRule
from waypost.geometry.measuring.turning import TurningRoom
from waypost.geometry.measuring.widest_disc import WidestWay, widest_passage


def widest_between(view: PassageView, search: Search) -> WidestWay:
    """The widest disc from node to node among the points of a search."""
    known = view.reached.widths
    first, last = sorted((search.start, search.end))
    key = (first, last, len(search.points))
    if key not in known:
        tolerance_m = search.rule.node_tolerance_m
        known[key] = widest_passage(search.points, first, last, search.box, tolerance_m)
    way = known[key]
    return way if search.start == first else way.reversed()


def turning_room(view: PassageView, place: Vec3, rule: MeasuringRule) -> TurningRoom:
    """What a body has to turn at one of the two nodes."""
    known = view.reached.rooms
    key = (view.body, place)
    if key not in known:
        points = np.concatenate([view.points, view.rim_points()])
        known[key] = TurningRoom(points, place, view.body, rule)
    return known[key]


def path_between(view: PassageView, search: Search) -> AnyPath:
    """The path of a search; a way that is driven back changes its sense as often.

    It is looked for from the same one of the two nodes, whichever is asked first.
    """
    known = view.reached.searches
    first, last = sorted((search.start, search.end))
    key = (search.body, first, last, len(search.points))
    if key not in known:
        onward = replace(search, start=first, end=last)
        known[key] = search_path(onward, widest_between(view, onward))
    return known[key] if search.start == first else _reversed(known[key], search.body)


def _reversed(found: AnyPath, body: MeasuredBody) -> AnyPath:
    path = None if found.path is None else _turned_round(found.path, body)
    return replace(found, way=found.way.reversed(), path=path)


def _turned_round(path: Floats, body: MeasuredBody) -> Floats:
    """The same poses from the end to the start, facing the other way."""
    back = path[::-1]
    if body.is_round:
        return with_headings(back[:, :2])
    return np.column_stack([back[:, :2], back[:, 2] + np.pi])
