"""Engines looked for and tried out behind the window: hello, one ray, one step."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from threading import Event
from typing import Final, TypeVar

from waypost.domain.base.progress import Progress, Work
from waypost.services.conformance import meeting, motion
from waypost.services.conformance.trial import Trial
from waypost.simulators.client import SimulatorClient
from waypost.simulators.engine_search import FoundEngine, find_engine
from waypost.simulators.engines import ENGINE_KINDS, EngineChoice, engine_kind

T = TypeVar("T")

_TELL_EVERY_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class EngineCheck:
    """What came of trying an engine out."""

    sentence: str
    """For people."""

    is_right: bool = False
    """Whether its ray and its step were right."""


def search_engines(pythons: Mapping[str, str]) -> Work[tuple[FoundEngine, ...]]:
    """Look for every engine; cancelling ends a Python that does not answer.

    Args:
        pythons: Engine → Python as a person named it; others are looked for.
    """
    found: list[FoundEngine] = []
    for number, kind in enumerate(ENGINE_KINDS.values()):
        progress = Progress(number, len(ENGINE_KINDS), f"Looking for {kind.title}")
        python = pythons.get(kind.name, "")
        found.append((yield from _beside(partial(find_engine, kind, python), repeat(progress))))
    return tuple(found)


def check_engine(choice: EngineChoice) -> Work[EngineCheck]:
    """Start an engine, cast a ray, take a step and end it; its progress is told meanwhile.

    Cancelling ends the worker at once, also while it starts.

    Raises:
        SimulatorError: If it does not start, or fails.
    """
    title = ENGINE_KINDS[choice.name].title if choice.name in ENGINE_KINDS else choice.name
    said, begun_s = [f"Starting {title}"], time.monotonic()

    def progress() -> Iterator[Progress]:
        while True:
            news = next(filter(None, reversed(said)))
            yield Progress(0, 0, f"{news} · {time.monotonic() - begun_s:.0f} s")

    return (yield from _beside(partial(_check, choice, said.append), progress()))


def _beside(work: Callable[[Callable[[], bool]], T], progress: Iterator[Progress]) -> Work[T]:
    """What a thread comes to that is told when it is called off; how far it is, meanwhile."""
    stop = Event()
    with ThreadPoolExecutor(1) as pool:
        try:
            coming = pool.submit(work, stop.is_set)
            yield next(progress)
            while wait([coming], _TELL_EVERY_S).not_done:
                yield next(progress)
            return coming.result()
        finally:
            stop.set()


def _check(
    choice: EngineChoice, tell: Callable[[str], None], cancelled: Callable[[], bool]
) -> EngineCheck:
    begun_s = time.monotonic()
    with SimulatorClient.start(
        choice.name, choice.python, on_progress=tell, cancelled=cancelled
    ) as client:
        started_s = time.monotonic() - begun_s
        trial = Trial(client)
        is_driving = engine_kind(choice.name).drives
        if is_driving:
            meeting.one_ray_tells_the_distance_in_metres(trial, 1.5, 0.4)
            motion.top_speed_and_acceleration_are_limited(trial)
        version = f"{client.engine.title}, Python {client.python_version}"
    if trial.failures:
        return EngineCheck(f"Answers, but wrongly: {trial.failures[0]} ({version})")
    what = "one ray and one step are right" if is_driving else "it says hello"
    return EngineCheck(f"Works: started in {started_s:.1f} s; {what} ({version})", is_right=True)
