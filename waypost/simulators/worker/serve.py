"""The worker's main loop: read a request, answer it, until the client closes the pipe."""

from __future__ import annotations

import importlib
import logging
import platform
from dataclasses import asdict
from typing import BinaryIO

from waypost.simulators.backends.engine import Engine, EngineMissingError
from waypost.simulators.ground_rays import NoFloorError
from waypost.simulators.protocol import (
    PROTOCOL_VERSION,
    Message,
    MoverSettings,
    read_message,
    write_message,
)
from waypost.simulators.worker.request_handler import RequestError, RequestHandler

_LOG = logging.getLogger(__name__)


def serve(requests: BinaryIO, replies: BinaryIO, backend: str) -> int:
    """Say hello, then answer requests one by one.

    A request that fails is answered with an ``error``; the worker lives on.

    Args:
        requests: Where messages come from; its end ends the worker.
        replies: Where messages go.
        backend: Module name under ``simulators.backends``.

    Returns:
        The exit code of the process.
    """
    settings = MoverSettings()
    try:
        engine: Engine = importlib.import_module(
            f"waypost.simulators.backends.{backend}"
        ).build_engine(settings)
    except EngineMissingError as error:
        write_message(replies, Message("error", 0, {"type": "unavailable", "text": str(error)}))
        return 0
    hello = {
        "protocol": PROTOCOL_VERSION,
        "engine": asdict(engine.info),
        "settings_hash": settings.settings_hash,
        "python": platform.python_version(),
    }
    write_message(replies, Message("hello", 0, hello))
    handler = RequestHandler(engine, settings)
    try:
        while True:
            request = read_message(requests)
            if request is None:
                return 0
            write_message(replies, _answer(handler, request))
    finally:
        handler.close()


def _answer(handler: RequestHandler, request: Message) -> Message:
    number = request.request_id
    try:
        return Message("reply", number, handler.answer(request))
    except (RequestError, NoFloorError) as error:
        return Message("error", number, {"type": "request", "text": str(error)})
    except Exception as error:  # whatever the engine raises is an answer, not a crash
        _LOG.exception("request %s failed", request.kind)
        text = f"{request.kind} failed: {type(error).__name__}: {error}"
        return Message("error", number, {"type": "engine", "text": text})
