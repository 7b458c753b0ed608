"""The process of an engine as seen from Waypost: asked one thing at a time, believed nothing.

Whatever it does, a call ends with an answer or with one sentence: in time, and without a hang.
"""

from __future__ import annotations

import contextlib
import functools
import json
import logging
import os
import queue
import subprocess
import threading
import time
import typing
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, BinaryIO, Final, TypeVar

from numpy.typing import NDArray

from waypost.domain.base.errors import (
    Cancelled,
    EngineUnavailableError,
    InputError,
    SimulatorError,
    WorkerDiedError,
)
from waypost.domain.base.visible_text import one_line
from waypost.simulators.answers import AnswerError, restored
from waypost.simulators.engine_search import why_no_python
from waypost.simulators.engines import EngineLimits
from waypost.simulators.launcher_output import LauncherOutput, is_script
from waypost.simulators.process_group import has_ended, kill_group, reaped
from waypost.simulators.protocol import (
    SPOKEN_PROTOCOLS,
    CutOffError,
    Message,
    ProtocolError,
    encode_message,
    read_message,
)
from waypost.simulators.worker.bootstrap import EXIT_UNAVAILABLE

T = TypeVar("T")

_log = logging.getLogger(__name__)

_BOOTSTRAP: Final = Path(__file__).with_name("worker") / "bootstrap.py"
_STDERR_LINES: Final = 40
_MOST_LINE: Final = 64 * 1024
_MOST_REASON: Final = 500
_ASK_CANCELLED_S: Final = 0.25

_MOST_REPLY_BYTES: Final = 256 * 1024 * 1024
"""So large may the arrays of one reply be."""

_MOST_WAITING: Final = 1_000
"""Messages that nobody asked for; a worker that says more is not listened to any longer."""

_LONG_MESSAGE_BYTES: Final = 4096
"""A message up to this size always fits into the pipe of a worker that answers before it is asked
again; a longer one may have to wait until the worker reads."""


@dataclass(frozen=True, slots=True)
class WorkerLaunch:
    """What is needed to start a worker."""

    engine: str
    """Name of the engine, for errors."""

    module: str
    """Under ``simulators.backends``."""

    python: str
    limits: EngineLimits = field(default_factory=EngineLimits)
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables beside those of Waypost."""

    options: Mapping[str, Any] = field(default_factory=dict)
    """JSON values for the start of the engine."""

    on_progress: Callable[[str], None] | None = None
    """Hears what an engine that takes long to start says on its way."""

    cancelled: Callable[[], bool] | None = None
    """Asked four times a second while an answer is waited for; once true, the worker is ended."""


class NoWorkerError(SimulatorError):
    """What was started said something else before any message: maybe it is no Python.

    Args:
        sentence: What it did.
        said: The first line of its output.
    """

    def __init__(self, sentence: str, said: str) -> None:
        super().__init__(sentence)
        self.said = said


class WorkerProcess:
    """One process with one engine.

    Raises:
        EngineUnavailableError: If that Python or the engine in it is missing.
        WorkerDiedError: If it ends before it is ready.
        NoWorkerError: If it says something else than messages.
        SimulatorError: If it says nothing in time, or nonsense.
        Cancelled: Once ``cancelled`` is true, here and in every call.
    """

    def __init__(self, launch: WorkerLaunch) -> None:
        self._launch = launch
        self._lock = threading.Lock()
        self._next_id = 1
        self._process = process = _started(launch)
        self._replies: queue.Queue[Message | ProtocolError | None] = queue.Queue()
        self._stderr: deque[str] = deque(maxlen=_STDERR_LINES)
        self._output = _Output(typing.cast("BinaryIO", process.stdout))
        self._threads = [
            threading.Thread(
                target=_collect, args=(self._output, launch, self._replies), daemon=True
            ),
            threading.Thread(target=_keep_tail, args=(process.stderr, self._stderr), daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        # Also runs when this is forgotten or Python exits; a second call does nothing.
        self._end = weakref.finalize(
            self, _end_process, process, self._threads, launch.limits.close_s
        )
        try:
            self.hello = self._greeting()
        except BaseException:
            self.close()
            raise

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return not has_ended(self._process)

    @property
    def process_id(self) -> int:
        """For logs."""
        return self._process.pid

    def ask(
        self,
        kind: str,
        values: dict[str, Any],
        arrays: tuple[NDArray[Any], ...] = (),
        timeout_s: float | None = None,
    ) -> dict[str, Any]:
        """Ask for something and wait for the answer.

        Raises:
            InputError: If the worker refuses what was asked, or it cannot be said.
            SimulatorError: If the engine fails, or says nothing in time.
            WorkerDiedError: If the process has ended.
        """
        timeout_s = self._launch.limits.request_s if timeout_s is None else timeout_s
        with self._lock:
            number = self._next_id
            self._next_id += 1
            try:
                pieces = encode_message(Message(kind, number, values, arrays))
            except ProtocolError as error:
                raise InputError(str(error)) from error
            end_s = time.monotonic() + timeout_s
            if not self._write(pieces, timeout_s):
                raise _silence(kind, timeout_s)
            reply = self._receive(number, end_s)
            if reply is None:
                raise _silence(kind, timeout_s)
            return reply.values

    def told(self, kind: type[T], reply: Mapping[str, Any], key: str) -> T:
        """A value that the worker said, checked; after nonsense nothing more is asked of it.

        Raises:
            SimulatorError: If it is nonsense.
        """
        try:
            return restored(kind, reply.get(key), key)
        except AnswerError as error:
            kill_group(self._process)
            raise SimulatorError(
                f"the physics engine said something that cannot be used ({error}) and was ended"
            ) from error

    def kill(self) -> None:
        """End it at once, from any thread; a call in progress raises."""
        kill_group(self._process)

    def close(self) -> None:
        """End it; afterwards no process and no thread is left."""
        self._end()

    def _greeting(self) -> dict[str, Any]:
        limit_s = self._launch.limits.start_s
        hello = self._receive(0, time.monotonic() + limit_s)
        if hello is None:
            raise _silence("start", limit_s)
        protocol = self.told(int, hello.values, "protocol")
        oldest, newest = SPOKEN_PROTOCOLS
        if not oldest <= protocol <= newest:
            raise EngineUnavailableError(
                f"the worker speaks protocol {protocol}, this program {oldest} to {newest}"
            )
        return hello.values

    def _write(self, pieces: Sequence[bytes], timeout_s: float) -> bool:
        """Give the worker a message; whether it took it in time. It is ended if it did not."""
        stdin = self._process.stdin
        if stdin is None or stdin.closed:
            raise SimulatorError("the physics engine is closed")
        is_late = threading.Event()
        with _watched(sum(map(len, pieces)), timeout_s, is_late, self._process):
            try:
                stdin.writelines(pieces)
                stdin.flush()
            except OSError as error:
                if not is_late.is_set():
                    raise self._death() from error
        return not is_late.is_set()

    def _receive(self, number: int, end_s: float) -> Message | None:
        """The answer to a request; ``None`` and no worker any more if it does not come in time."""
        while True:
            try:
                message = self._replies.get(timeout=self._patience_s(end_s))
            except queue.Empty:
                if time.monotonic() < end_s:
                    continue
                kill_group(self._process)
                return None
            if message is None:
                self._replies.put(None)
                raise self._death()
            if isinstance(message, ProtocolError):
                kill_group(self._process)
                text = f"the physics engine said what is no message ({message}) and was ended"
                if number:
                    raise SimulatorError(text)
                self._threads[0].join(self._launch.limits.close_s)
                raise NoWorkerError(text, self._output.first_line)
            if message.kind == "error" and message.request_id in (0, number):
                # Number 0 is about no request: the engine cannot start, or the worker gives up.
                raise _refusal(message, self._launch.engine, self._launch.python)
            if message.kind == "progress":
                self._hear_progress(message)
            elif message.request_id == number:
                return message

    def _patience_s(self, end_s: float) -> float:
        """How long to wait before looking whether all is called off."""
        rest_s = max(0.0, end_s - time.monotonic())
        if self._launch.cancelled is None:
            return rest_s
        if self._launch.cancelled():
            kill_group(self._process)
            raise Cancelled
        return min(rest_s, _ASK_CANCELLED_S)

    def _hear_progress(self, message: Message) -> None:
        text = one_line(self.told(str, message.values, "text"), _MOST_REASON)
        if self._launch.on_progress is not None:
            self._launch.on_progress(text)

    def _death(self) -> SimulatorError:
        close_s = self._launch.limits.close_s
        # What it started may live on and keep its pipes open, or it does so itself, and nothing
        # can be asked of it any more.
        has_ended(self._process, close_s)
        kill_group(self._process)
        code = reaped(self._process)
        self._threads[1].join(close_s)
        lines = list(self._stderr)
        if code == EXIT_UNAVAILABLE:
            reason = one_line(lines[-1], _MOST_REASON) if lines else "unknown reason"
            return EngineUnavailableError(
                f"the engine {self._launch.engine!r} cannot run in {self._launch.python}: {reason}"
            )
        return WorkerDiedError(code, "\n".join(lines))


def _started(start: WorkerLaunch) -> subprocess.Popen[bytes]:
    given = json.dumps({"protocols": SPOKEN_PROTOCOLS, "options": dict(start.options)})
    try:
        return subprocess.Popen(  # noqa: S603 - the user chose this interpreter
            [start.python, str(_BOOTSTRAP), start.module, given],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **start.environment},
            # The Python of an engine may be a script that starts another process: all of them
            # are ended together. Ctrl+C is for Waypost, which closes the pipe.
            start_new_session=True,
        )
    except OSError as error:
        why = why_no_python(start.python) or f"{start.python} cannot be started: {error.strerror}"
        reason = f"the engine {start.engine!r} cannot run: {why}"
        raise EngineUnavailableError(reason) from error


@contextlib.contextmanager
def _watched(
    size: int, timeout_s: float, is_late: threading.Event, process: subprocess.Popen[bytes]
) -> Any:
    """End the process if what is done within takes too long; a short message never does."""
    if size <= _LONG_MESSAGE_BYTES:
        yield
        return

    def end() -> None:
        is_late.set()
        kill_group(process)

    watch = threading.Timer(timeout_s, end)
    watch.start()
    try:
        yield
    finally:
        watch.cancel()
        watch.join()


def _silence(kind: str, timeout_s: float) -> SimulatorError:
    return SimulatorError(
        f"the physics engine did not answer {kind!r} within {timeout_s:g} s and was ended"
    )


def _refusal(message: Message, engine: str, python: str) -> Exception:
    said = message.values.get("text")
    is_told = isinstance(said, str) and said.strip()
    text = one_line(str(said), _MOST_REASON) if is_told else "no reason was given"
    if message.values.get("type") == "unavailable":
        return EngineUnavailableError(f"the engine {engine!r} cannot run in {python}: {text}")
    if message.values.get("type") == "request":
        return InputError(text)
    return SimulatorError(text)


class _Output:
    """Standard output of a process, of which the first line is remembered.

    Args:
        stream: Blocking.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._begun = stream, b""

    def read(self, count: int) -> bytes:
        """As that of a stream."""
        data = self._stream.read(count)
        if len(self._begun) < _MOST_REASON:
            self._begun += data[:_MOST_REASON]
        return data

    def read_line(self) -> None:
        """Read on to the end of the first line, or of the stream; it may take as long as that."""
        if b"\n" not in self._begun.lstrip():
            with contextlib.suppress(OSError, ValueError):
                self._begun += self._stream.readline(_MOST_REASON)

    def close(self) -> None:
        """Close the stream; the first line is still remembered."""
        self._stream.close()

    @property
    def first_line(self) -> str:
        """In which there is anything, as one line of text."""
        lines = self._begun.decode(errors="replace").strip().splitlines()
        return one_line(lines[0], _MOST_REASON) if lines else ""


def _collect(
    output: _Output,
    launch: WorkerLaunch,
    replies: queue.Queue[Message | ProtocolError | None],
) -> None:
    """Move replies from the pipe to the queue; ``None`` marks the end."""
    stream = typing.cast("BinaryIO", output)
    next_message: Callable[[int], Message | None] = functools.partial(read_message, stream)
    if is_script(launch.python):
        next_message = LauncherOutput(stream).next
    try:
        while replies.qsize() < _MOST_WAITING:
            message = next_message(_MOST_REPLY_BYTES)
            if message is None:
                break
            replies.put(message)
        else:
            replies.put(ProtocolError("it said more than it was asked"))
    except CutOffError:
        _log.debug("a worker ended in the middle of a message")
    except ProtocolError as error:
        # Whoever hears of it ends the process, and with it the line.
        replies.put(error)
        output.read_line()
    except Exception as error:
        # No memory for it, a pipe that broke: whoever waits must hear of it.
        replies.put(ProtocolError(f"{type(error).__name__}: {error}"))
    finally:
        replies.put(None)
        output.close()


def _keep_tail(stderr: IO[bytes], lines: deque[str]) -> None:
    with stderr:
        while line := stderr.readline(_MOST_LINE):
            lines.append(line.decode(errors="replace").rstrip())


def _end_process(
    process: subprocess.Popen[bytes], readers: list[threading.Thread], close_s: float
) -> None:
    """Close the pipe, which ends a healthy worker, and kill an unhealthy one."""
    if process.stdin is not None and not process.stdin.closed:
        # A dead worker refuses unsent bytes; it is dead, which is what we want.
        with contextlib.suppress(OSError):
            process.stdin.close()
    if not has_ended(process, close_s):
        kill_group(process)
    if not _have_ended(readers, close_s):
        # A process that the worker left behind holds its pipes.
        kill_group(process)
        # One in a session of its own lives on: nobody waits for it longer than for the worker.
        _have_ended(readers, close_s)
    reaped(process)


def _have_ended(threads: Sequence[threading.Thread], within_s: float) -> bool:
    """Whether all have ended; so long they are waited for together."""
    end_s = time.monotonic() + within_s
    for thread in threads:
        thread.join(max(0.0, end_s - time.monotonic()))
    return not any(thread.is_alive() for thread in threads)
