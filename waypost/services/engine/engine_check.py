"""Engines looked for and tried out behind the window: hello, one ray, one step."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from waypost.domain.base.errors import Cancelled, WaypostError
from waypost.domain.base.progress import Progress, Work
from waypost.services.conformance import meeting, motion
from waypost.services.conformance.trial import Trial
from waypost.simulators.client import SimulatorClient
from waypost.simulators.engine_search import FoundEngine, find_engine
from waypost.simulators.engines import ENGINE_KINDS, EngineChoice, engine_kind
from waypost.simulators.protocol import EngineInfo

_log = logging.getLogger(__name__)

_TELL_EVERY_S = 0.1


@dataclass(frozen=True, slots=True)
class EngineCheck:
    """What came of trying an engine out."""

    sentence: str
    """For people."""

    info: EngineInfo | None = None
    """``None`` if it could not be started."""

    is_right: bool = False
    """Whether it started, and its ray and its step were right."""


def search_engines(pythons: Mapping[str, str]) -> Work[tuple[FoundEngine, ...]]:
    """Look for every engine.

    Args:
        pythons: Engine → Python as a person named it; others are looked for.
    """
    found: list[FoundEngine] = []
    for number, kind in enumerate(ENGINE_KINDS.values()):
        yield Progress(number, len(ENGINE_KINDS), f"Looking for {kind.title}")
        found.append(find_engine(kind, pythons.get(kind.name, "")))
    return tuple(found)


def check_engine(choice: EngineChoice) -> Work[EngineCheck]:
    """Start an engine, cast a ray, take a step and end it; its progress is told meanwhile.

    Cancelling ends the worker at once, also while it starts.
    """
    told: queue.Queue[str | EngineCheck] = queue.Queue()
    stop = threading.Event()
    thread = threading.Thread(target=_check, args=(choice, told.put, stop.is_set), daemon=True)
    title = ENGINE_KINDS[choice.name].title if choice.name in ENGINE_KINDS else choice.name
    said, begun_s = f"Starting {title}", time.monotonic()
    thread.start()
    try:
        while True:
            news = _next(told)
            if isinstance(news, EngineCheck):
                return news
            said = news or said
            yield Progress(0, 0, f"{said} · {time.monotonic() - begun_s:.0f} s")
    finally:
        stop.set()
        thread.join()


def _next(told: queue.Queue[str | EngineCheck]) -> str | EngineCheck | None:
    try:
        return told.get(timeout=_TELL_EVERY_S)
    except queue.Empty:
        return None


def _check(
    choice: EngineChoice, tell: Callable[[str | EngineCheck], None], cancelled: Callable[[], bool]
) -> None:
    begun_s = time.monotonic()
    info: EngineInfo | None = None
    try:
        with SimulatorClient.start(
            choice.name, choice.python, on_progress=tell, cancelled=cancelled
        ) as client:
            info, started_s = client.engine, time.monotonic() - begun_s
            trial = Trial(client)
            is_driving = engine_kind(choice.name).drives
            if is_driving:
                meeting.one_ray_tells_the_distance_in_metres(trial, 1.5, 0.4)
                motion.top_speed_and_acceleration_are_limited(trial)
        version = f"{client.engine.title}, Python {client.python_version}"
        if trial.failures:
            tell(EngineCheck(f"Answers, but wrongly: {trial.failures[0]} ({version})", info))
        else:
            what = "one ray and one step are right" if is_driving else "it says hello"
            took = f"started in {started_s:.1f} s; {what}"
            tell(EngineCheck(f"Works: {took} ({version})", info, is_right=True))
    except Cancelled:
        tell(EngineCheck("Called off"))
    except WaypostError as error:
        tell(EngineCheck(str(error), info))
    except Exception as error:  # whoever waits must hear of it, whatever it was
        _log.exception("an engine cannot be checked")
        tell(EngineCheck(f"unexpected {type(error).__name__}: {error}", info))
