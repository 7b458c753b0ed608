"""Which viewpoints the numbered places of an agent's text map are, as far as that is certain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from waypost.domain.episode.run import Decision, Option
from waypost.domain.replay.memory import text_maps
from waypost.domain.replay.replay import Replay
from waypost.domain.scene.viewpoint_graph import ViewpointGraph

_PICTURE: Final = "Image "


@lru_cache(maxsize=8)
def viewpoints_of_places(replay: Replay) -> Mapping[int, str]:
    """Place → viewpoint: those the run came to, and those that no other viewpoint can be.

    A map lists every neighbour of a place the run came to. A place that was only seen is one of
    the neighbours of all places it is connected with, and of no other; where one viewpoint alone
    is left, it is that one. Maps that do not count as many neighbours as the graph tell nothing.
    """
    graph = replay.graph
    if graph is None or not replay.viewpoint_ids:
        return MappingProxyType({})
    known = _named_by_the_log(replay, graph)
    links: dict[int, set[int]] = {}
    for shown in text_maps(replay).values():
        for place, joined in shown.links.items():
            links.setdefault(place, set()).update(joined)
    whole = {
        place: (links[place], _neighbours(name, graph))
        for place, name in known.items()
        if place in links and len(links[place]) == len(_neighbours(name, graph))
    }
    seen = set().union(*(joined for joined, _ in whole.values())) - known.keys()
    return MappingProxyType(known | _told_apart(seen, set(known.values()), whole))


def placed_options(replay: Replay, decision: Decision) -> tuple[Option, ...]:
    """The options of a decision, those that name a place of the map with its viewpoint."""
    if not any(map(is_unplaced, decision.options)):
        return decision.options
    known = viewpoints_of_places(replay)
    return tuple(
        replace(option, viewpoint_id=known.get(int(_number(option)), ""))
        if is_unplaced(option)
        else option
        for option in decision.options
    )


def is_unplaced(option: Option) -> bool:
    """Whether an option leads to a place of the map of which nobody knows the viewpoint."""
    return not option.viewpoint_id and bool(_number(option))


def _named_by_the_log(replay: Replay, graph: ViewpointGraph) -> dict[int, str]:
    known = {}
    for index, name in zip(replay.decisions.tolist(), replay.viewpoint_ids, strict=False):
        if index < 0:
            continue
        decision = replay.run.decisions[index]
        place = decision.extra.get("place")
        if isinstance(place, int):
            known[place] = name
        for option in decision.options:
            if option.viewpoint_id and (number := _number(option)):
                known[int(number)] = option.viewpoint_id
    return {place: name for place, name in known.items() if name in graph.index}


def _number(option: Option) -> str:
    number = option.picture.removeprefix(_PICTURE)
    return number if number.isdecimal() and number.isascii() else ""


def _neighbours(name: str, graph: ViewpointGraph) -> frozenset[str]:
    return frozenset(graph.viewpoint_ids[place] for place in graph.neighbours[graph.index[name]])


def _told_apart(
    places: set[int], taken: set[str], whole: Mapping[int, tuple[set[int], frozenset[str]]]
) -> dict[int, str]:
    """Places for which one viewpoint is left, found one after the other; none if that fails."""
    may_be = {}
    for place in places:
        beside = [around for joined, around in whole.values() if place in joined]
        apart = [around for joined, around in whole.values() if place not in joined]
        may_be[place] = set(frozenset.intersection(*beside).difference(taken, *apart))
    found: dict[int, str] = {}
    while singles := [place for place, left in may_be.items() if len(left) == 1]:
        place = singles[0]
        (found[place],) = may_be.pop(place)
        for left in may_be.values():
            left.discard(found[place])
    return found if all(may_be.values()) else {}
