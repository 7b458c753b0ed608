"""Everything a run remembered, computed once per replay and asked for by step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.base.sentences import capitalised
from waypost.domain.replay.agent_map_picture import LaidOutTextMaps, place_maps
from waypost.domain.replay.memory import (
    MSNAV_PRUNING,
    MemoryStep,
    PruningParameters,
    pruning_of,
)
from waypost.domain.replay.plans import PlanState, plan_states
from waypost.domain.replay.replay import Replay
from waypost.domain.replay.stage_progress import StageState, stage_states
from waypost.domain.replay.step_words import CONSOLE, CardPart

MOST_ARRIVALS: Final = 600
"""Longer runs are not pruned here: no map of an agent has grown that large."""

_SHOWN_ELSEWHERE: Final = frozenset(
    {
        "map",
        "supplementary_info",
        "result",
        "feedback",
        "turned_angle",
        "viewpointID",
        "history",
        "distance",
        CONSOLE,
    }
)
_LANDMARKS: Final = "landmarks"


class MemoryPage(StrEnum):
    """A kind of memory, in the order of the pages."""

    MAP = "map"
    PLAN = "plan"
    EXPERTS = "experts"
    DIALOGUE = "dialogue"
    STAGES = "stages"
    PRUNING = "pruning"


PAGE_TITLES: Final = MappingProxyType(
    {
        MemoryPage.MAP: "Text map",
        MemoryPage.PLAN: "Plan",
        MemoryPage.EXPERTS: "Experts",
        MemoryPage.DIALOGUE: "Dialogue",
        MemoryPage.STAGES: "Stages",
        MemoryPage.PRUNING: "Pruning",
    }
)
"""Names for people."""


@dataclass(frozen=True, eq=False)
class ReplayMemory:
    """What one run remembered; parts are computed when first asked for."""

    replay: Replay

    @cached_property
    def place_maps(self) -> LaidOutTextMaps:
        """Text maps of the log."""
        return place_maps(self.replay)

    @cached_property
    def plans(self) -> tuple[PlanState, ...]:
        """Every plan that the log states."""
        return plan_states(self.replay)

    @cached_property
    def stages(self) -> tuple[StageState, ...]:
        """Stages of a long-horizon task."""
        return stage_states(self.replay)

    @cached_property
    def pages(self) -> tuple[MemoryPage, ...]:
        """The kinds of memory that this run has something of."""
        replay = self.replay
        has = {
            MemoryPage.MAP: bool(self.place_maps.maps),
            MemoryPage.PLAN: bool(self.plans),
            MemoryPage.EXPERTS: any(
                expert_outputs(replay, step) for step in range(min(len(replay), MOST_ARRIVALS))
            ),
            MemoryPage.DIALOGUE: bool(replay.episode.instruction.dialogue),
            MemoryPage.STAGES: bool(self.stages),
            MemoryPage.PRUNING: self.can_be_pruned,
        }
        return tuple(page for page in MemoryPage if has[page])

    @property
    def can_be_pruned(self) -> bool:
        """Whether the run is on a given graph and not too long."""
        replay = self.replay
        is_on_graph = replay.graph is not None and bool(replay.viewpoint_ids)
        return is_on_graph and len(replay.moves) <= MOST_ARRIVALS

    def pruning(self, parameters: PruningParameters = MSNAV_PRUNING) -> tuple[MemoryStep, ...]:
        """MSNav's pruning with these parameters; empty where it cannot be computed."""
        return _pruned(self.replay, parameters) if self.can_be_pruned else ()

    def plan_at(self, step: int) -> PlanState | None:
        """The plan that stood at a step."""
        return next((state for state in reversed(self.plans) if state.step <= step), None)


@lru_cache(maxsize=8)
def memory_of(replay: Replay) -> ReplayMemory:
    """The memory of a run; the same object for the same replay."""
    return ReplayMemory(replay)


@lru_cache(maxsize=16)
def _pruned(replay: Replay, parameters: PruningParameters) -> tuple[MemoryStep, ...]:
    return pruning_of(replay, parameters)


def pruning_index(states: tuple[MemoryStep, ...], step: int) -> int | None:
    """Index of the last arrival up to a step."""
    found = [index for index, state in enumerate(states) if state.step <= step]
    return found[-1] if found else None


def pruned_at(states: tuple[MemoryStep, ...], number: int) -> dict[str, int]:
    """Node → step at which it was struck out, for those struck out up to an arrival."""
    when = {}
    for state in states[: number + 1]:
        when.update({node.viewpoint_id: state.step for node in state.nodes if node.is_pruned})
    return {name: when[name] for name in states[number].struck_out if name in when}


def expert_outputs(replay: Replay, index: int) -> tuple[CardPart, ...]:
    """What experts and tools said at a step, and the lists of objects of the whole run.

    DiscussNav's fused thoughts stand by viewpoint, Open-Nav's sections by their own names,
    NavGPT's features likewise; MSNav's object lists with those that are asked for.
    """
    chosen = int(replay.decisions[index])
    parts = _told(replay.run.decisions[chosen].extra) if chosen >= 0 else []
    for extra in (replay.run.extra, replay.episode.extra):
        parts += _part(_LANDMARKS, extra.get(_LANDMARKS))
    for title, lists in (
        ("Objects named by the model", replay.run.answer.object_lists),
        ("Objects asked for", replay.episode.object_lists),
    ):
        rows = [f"{kind}: {', '.join(names)}" for kind, names in lists.items()]
        parts += [CardPart(title, "\n".join(rows))] if rows else []
    return tuple(dict.fromkeys(parts))


def _told(extra: Mapping[str, Any]) -> list[CardPart]:
    parts = []
    for key, value in extra.items():
        if key == "fused" and isinstance(value, dict):
            parts += [
                CardPart(f"Fused thought {target}", text)
                for target, text in value.items()
                if isinstance(text, str) and text.strip()
            ]
        elif key not in _SHOWN_ELSEWHERE:
            parts += _part(key, value)
    return parts


def _part(key: str, value: Any) -> list[CardPart]:
    """Text, or a list of texts, under the key as a name."""
    if isinstance(value, list | tuple) and value and all(isinstance(one, str) for one in value):
        value = "\n".join(value)
    if not isinstance(value, str) or not value.strip():
        return []
    name = key.replace("_", " ")
    return [CardPart(capitalised(name), value)]
