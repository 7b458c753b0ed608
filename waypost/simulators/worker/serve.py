"""The worker's main loop: answer requests one by one until the client closes the pipe.

Requests are read in a thread of their own, so that the main thread, which belongs to the engine,
can keep an engine going that must not rest.
"""

from __future__ import annotations

import importlib
import logging
import os
import platform
import queue
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any, BinaryIO, Union

from waypost.simulators.backends.engine import (
    ClosingEngine,
    Engine,
    EngineMissingError,
    EngineStart,
    IdlingEngine,
    NotOfferedError,
    OpeningEngine,
)
from waypost.simulators.ground_rays import NoFloorError
from waypost.simulators.protocol import (
    SPOKEN_PROTOCOLS,
    Message,
    MoverSettings,
    ProtocolError,
    read_message,
    write_message,
)
from waypost.simulators.worker.request_handler import RequestError, RequestHandler

_LOG = logging.getLogger(__name__)

_FIRST_PROGRESS_PROTOCOL = 3
_WAITING_REQUESTS = 2
"""A client asks one at a time; one that floods the worker is held back by its own pipe."""

_END_S = 1.0

_Read = Union[Message, ProtocolError, None]


def serve(
    requests: BinaryIO,
    replies: BinaryIO,
    backend: str,
    options: Mapping[str, Any] | None = None,
    protocols: Sequence[int] = (2, 2),
) -> int:
    """Say hello, then answer requests one by one.

    A request that fails is answered with an ``error``; the worker lives on. Bytes that are no
    message end it, with an ``error`` that says so.

    Args:
        requests: Where messages come from; its end ends the worker.
        replies: Where messages go.
        backend: Module name under ``simulators.backends``.
        options: For the start of the engine.
        protocols: Oldest and newest version that the client speaks.

    Returns:
        The exit code of the process.
    """
    spoken = common_protocol(protocols)
    if spoken is None:
        text = (
            f"its worker speaks protocol {_span(SPOKEN_PROTOCOLS)} and the program "
            f"{_span(protocols)}; copy the worker of this Waypost there"
        )
        write_message(replies, _error(0, "unavailable", text))
        return 0

    def tell(text: str) -> None:
        if spoken >= _FIRST_PROGRESS_PROTOCOL:
            write_message(replies, Message("progress", 0, {"text": str(text)}))

    settings = MoverSettings()
    try:
        engine = _built(backend, settings, EngineStart(tell, dict(options or {})))
    except EngineMissingError as error:
        write_message(replies, _error(0, "unavailable", str(error)))
        return 0
    except (BrokenPipeError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # whatever an engine raises is told in words
        _LOG.exception("the engine cannot be started")
        text = f"the engine cannot be started: {type(error).__name__}: {error}"
        write_message(replies, _error(0, "engine", text))
        return 1
    write_message(replies, Message("hello", 0, _hello(engine, settings, spoken)))
    return _answer_all(requests, replies, engine, settings)


def common_protocol(theirs: Sequence[int], ours: Sequence[int] = SPOKEN_PROTOCOLS) -> int | None:
    """The newest version that both sides speak; ``None`` if there is none.

    Args:
        theirs: Oldest and newest version of the other side.
        ours: Oldest and newest version of this side.
    """
    newest = min(theirs[-1], ours[-1])
    return newest if newest >= max(theirs[0], ours[0]) else None


def _built(backend: str, settings: MoverSettings, start: EngineStart) -> Engine:
    module = importlib.import_module(f"waypost.simulators.backends.{backend}")
    engine: Engine = module.build_engine(settings)
    if isinstance(engine, OpeningEngine):
        engine.open(start)
    return engine


def _hello(engine: Engine, settings: MoverSettings, spoken: int) -> dict[str, Any]:
    info = asdict(engine.info)
    if spoken < _FIRST_PROGRESS_PROTOCOL:
        del info["parameters"]
    return {
        "protocol": spoken,
        "engine": info,
        "settings_hash": settings.settings_hash,
        "python": platform.python_version(),
    }


def _answer_all(
    requests: BinaryIO, replies: BinaryIO, engine: Engine, settings: MoverSettings
) -> int:
    waiting: queue.Queue[_Read] = queue.Queue(_WAITING_REQUESTS)
    reader = threading.Thread(target=_read_all, args=(requests, waiting), daemon=True)
    reader.start()
    handler = RequestHandler(engine, settings)
    try:
        while True:
            request = _next(waiting, engine)
            if request is None:
                break
            if isinstance(request, ProtocolError):
                text = f"the worker was told what is no message and ends: {request}"
                write_message(replies, _error(0, "protocol", text))
                break
            _reply(replies, _answer(handler, request))
    finally:
        handler.close()
        if isinstance(engine, ClosingEngine):
            engine.close()
        _end_reading(reader, waiting)
    return 0


def _end_reading(reader: threading.Thread, waiting: queue.Queue[_Read]) -> None:
    """Wait for the reader: a thread that outlives the interpreter can crash it."""
    deadline_s = time.monotonic() + _END_S
    while reader.is_alive() and time.monotonic() < deadline_s:
        with suppress(queue.Empty):
            waiting.get_nowait()
        reader.join(0.01)
    if reader.is_alive():
        # Nobody hears the replies, yet the pipe of requests stays open.
        os._exit(0)


def _next(waiting: queue.Queue[_Read], engine: Engine) -> _Read:
    if not isinstance(engine, IdlingEngine):
        return waiting.get()
    while not _is_asked(waiting, engine.idle_every_s):
        engine.idle()
    return waiting.get()


def _is_asked(waiting: queue.Queue[_Read], within_s: float) -> bool:
    """Whether something is waiting, or comes in time."""
    with waiting.not_empty:
        return bool(waiting.queue) or waiting.not_empty.wait(within_s)


def _read_all(requests: BinaryIO, waiting: queue.Queue[_Read]) -> None:
    """Move requests from the pipe to the queue; ``None`` or an error is the last of them."""
    last: _Read = None
    try:
        while True:
            request = read_message(requests)
            if request is None:
                break
            waiting.put(request)
    except ProtocolError as error:
        last = error
    except Exception as error:  # no memory for a message, a pipe that broke
        last = ProtocolError(f"{type(error).__name__}: {error}")
    finally:
        waiting.put(last)


def _reply(replies: BinaryIO, reply: Message) -> None:
    try:
        write_message(replies, reply)
    except ProtocolError as error:
        # The engine gave a number that is none; nothing of the reply has been written.
        text = f"the engine gave what cannot be told: {error}"
        write_message(replies, _error(reply.request_id, "engine", text))


def _answer(handler: RequestHandler, request: Message) -> Message:
    number = request.request_id
    try:
        return Message("reply", number, handler.answer(request))
    except (RequestError, NoFloorError, NotOfferedError) as error:
        return _error(number, "request", str(error))
    except Exception as error:  # whatever the engine raises is an answer, not a crash
        _LOG.exception("request %s failed", request.kind)
        text = f"{request.kind} failed: {type(error).__name__}: {error}"
        return _error(number, "engine", text)


def _error(number: int, kind: str, text: str) -> Message:
    return Message("error", number, {"type": kind, "text": text})


def _span(versions: Sequence[int]) -> str:
    first, last = versions[0], versions[-1]
    return f"{first}" if first == last else f"{first} to {last}"
