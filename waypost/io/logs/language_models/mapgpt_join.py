"""Attach the thoughts of a console log to the case files it was written beside.

A console log has no ids and a case file no instruction. What both show is compared: the choice of
every step, which steps came back to an earlier place, and the scores to two decimals. Only a pair
that is the one match of each other is joined.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from types import MappingProxyType
from typing import Any

from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.run import Decision, EpisodeRun, EventKind, Option
from waypost.io.read_log import ReadLog

_ROUNDING = 0.0051


def attach_thoughts(
    cases: Iterable[EpisodeRun], shown: Sequence[EpisodeRun], log: ReadLog
) -> Iterator[EpisodeRun]:
    """Yield the cases, those with thoughts that a log shows of them, then the rest of the log."""
    listed = list(cases)
    fitting = [[i for i, text in enumerate(shown) if _agree(case, text)] for case in listed]
    owners: dict[int, list[int]] = {}
    for case_index, texts in enumerate(fitting):
        for text_index in texts:
            owners.setdefault(text_index, []).append(case_index)
    used = set()
    for case, texts in zip(listed, fitting, strict=True):
        if len(texts) == 1 and len(owners[texts[0]]) == 1:
            used.add(texts[0])
            yield _joined(case, shown[texts[0]])
        else:
            if texts:
                log.add(
                    ImportKind.UNMATCHED_TEXT,
                    f"{case.episode_id} fits {len(texts)} episodes of the console log that read"
                    " alike; no thoughts are attached",
                    item_id=case.episode_id,
                )
            yield case
    for index, text in enumerate(shown):
        if index not in used:
            log.add(
                ImportKind.UNMATCHED_TEXT,
                "an episode of the console log fits no case file; it is shown by itself",
                value=text.instruction[:120],
            )
            yield text


def _agree(case: EpisodeRun, text: EpisodeRun) -> bool:
    choices = [int(entry.action) for entry in case.decisions if entry.action]
    if choices != text.extra["choices"]:
        return False
    places = text.extra["places"]
    viewpoints = case.route.viewpoint_ids[: len(places)]
    if len(viewpoints) < len(places) or _pattern(viewpoints) != _pattern(places):
        return False
    return all(
        _is_rounded(case.reported[name], value)
        for name, value in text.reported.items()
        if name in case.reported
    )


def _pattern(walked: Sequence[Any]) -> list[int]:
    """For each entry the index of the first one that is equal."""
    return [walked.index(entry) for entry in walked]


def _is_rounded(exact: float | None, shown: float | None) -> bool:
    """Whether a shown number is an exact one rounded, as it is or in percent."""
    if exact is None or shown is None:
        return exact is shown
    return abs(exact - shown) < _ROUNDING or abs(100 * exact - shown) < _ROUNDING


def _joined(case: EpisodeRun, text: EpisodeRun) -> EpisodeRun:
    ids = dict(zip(text.extra["places"], case.route.viewpoint_ids, strict=False))
    steps = [entry for entry in case.decisions if entry.action]
    decisions = [
        _told(decision, told, ids) for decision, told in zip(steps, text.decisions, strict=True)
    ]
    places = text.extra["text_map_places"]
    shown = {key: text.extra[key] for key in ("console", "text_map_places") if text.extra.get(key)}
    return dataclasses.replace(
        case,
        decisions=(*decisions, *case.decisions[len(steps) :]),
        end=dataclasses.replace(case.end, called_stop=text.end.called_stop, reason=text.end.reason),
        instruction=text.instruction,
        # A place that was seen and not visited has a number only, so that the map is known in
        # viewpoints only if there is none.
        map_node_ids=tuple(ids[place] for place in places)
        if places and ids.keys() >= set(places)
        else None,
        extra=MappingProxyType(dict(case.extra) | shown),
    )


def _told(decision: Decision, told: Decision, ids: dict[int, str]) -> Decision:
    """A decision of the case with the texts of the log; poses stay those of the case.

    Whose stop it was, the log knows better.
    """
    known = tuple(event for event in decision.events if event.kind is not EventKind.STOP)
    kinds = {event.kind for event in known}
    return dataclasses.replace(
        told,
        first_pose=decision.first_pose,
        end_pose=decision.end_pose,
        at_viewpoint_id=decision.at_viewpoint_id,
        action=told.action or decision.action,
        options=tuple(_resolved(option, ids) for option in told.options),
        events=(*known, *(event for event in told.events if event.kind not in kinds)),
    )


def _resolved(option: Option, ids: dict[int, str]) -> Option:
    number = option.picture.removeprefix("Image ")
    viewpoint = ids.get(int(number), "") if number.isdecimal() else ""
    return dataclasses.replace(option, viewpoint_id=viewpoint)
