"""The parent's side of one child: starts it, hears it, watches its memory, ends it."""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, Any, BinaryIO, Final

from numpy.typing import NDArray

import waypost
from waypost.io.confined.array_block import CAN_SEAL, arrays_in, new_block
from waypost.io.confined.confinement import MOST_THREADS
from waypost.io.confined.frames import FrameError, PipeFrame, read_frame, write_frame

_ROOT: Final = Path(waypost.__file__).resolve().parents[1]
_FRAMES_AHEAD: Final = 16
_STDERR_BYTES: Final = 16_384
_THREAD_VARIABLES: Final = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "PXR_WORK_THREAD_LIMIT",
)
_KEPT_MEMORY: Final = {
    "MALLOC_MMAP_THRESHOLD_": str(1 << 25),
    "MALLOC_TRIM_THRESHOLD_": str(1 << 30),
}
"""Has glibc use freed memory again: a reader makes and drops many arrays, and the system would
clear each page once more. Other C libraries do not know these variables."""

_log = logging.getLogger(__name__)


class Child:
    """A process that does one work and ends.

    Args:
        work: Name of the work.
        loads_ahead: Whether it imports its libraries before it is asked.

    Raises:
        OSError: If no process can be started.
    """

    def __init__(self, work: str, *, loads_ahead: bool = False) -> None:
        self.work = work
        self._block = new_block()
        try:
            self._process = _start(self._block, work, loads_ahead=loads_ahead)
        except BaseException:
            self._block.close()
            raise
        self._inbox: queue.Queue[PipeFrame | None] = queue.Queue(_FRAMES_AHEAD)
        self._stderr = bytearray()
        self._threads = (
            threading.Thread(
                target=_receive, args=(self._process.stdout, self._inbox), daemon=True
            ),
            threading.Thread(
                target=_keep_end, args=(self._process.stderr, self._stderr), daemon=True
            ),
        )
        for thread in self._threads:
            thread.start()

    @property
    def process_id(self) -> int:
        """Of the child, for logs and tests."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    @property
    def is_ready(self) -> bool:
        """Whether one that loads its libraries ahead has loaded them."""
        return not self._inbox.empty()

    @property
    def last_words(self) -> str:
        """The end of what it wrote to standard error."""
        return self._stderr[-_STDERR_BYTES:].decode(errors="replace")

    def ask(self, request: dict[str, Any]) -> None:
        """Send the one request; a child that has died shows that by its silence."""
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                write_frame(self._process.stdin, request)  # type: ignore[arg-type]

    def hear(self, timeout_s: float) -> PipeFrame | None:
        """The next message; ``None`` where the child ended or says what is no message.

        Raises:
            TimeoutError: If it says nothing for so long.
        """
        try:
            return self._inbox.get(timeout=timeout_s)
        except queue.Empty:
            raise TimeoutError from None

    def memory_bytes(self) -> int:
        """Memory that it alone holds now: what it made, without mapped files."""
        import psutil  # noqa: PLC0415 - a process that reads nothing starts without it

        handed_over = 0
        with contextlib.suppress(OSError, ValueError):
            handed_over = os.fstat(self._block.fileno()).st_size
        try:
            held = psutil.Process(self._process.pid).memory_info()
        except psutil.Error:
            return handed_over
        private = getattr(held, "private", None)  # Windows
        if private is None:
            private = held.rss - getattr(held, "shared", 0)
        return int(private) + handed_over

    def arrays(self, places: list[object]) -> tuple[NDArray[Any], ...]:
        """Look at the arrays that it wrote; it can change them no more.

        Raises:
            ValueError: If they are not where it said.
        """
        if not CAN_SEAL:
            self.end(keep_block=True)
        try:
            return arrays_in(self._block, places)
        except OSError as error:
            raise ValueError("the arrays cannot be looked at") from error
        finally:
            self._block.close()

    def end(self, *, keep_block: bool = False) -> int | None:
        """End the process at once; afterwards nothing of it is left. May be called again.

        Returns:
            How it ended by itself; ``None`` if it was ended here.
        """
        by_itself = self._process.poll()
        if by_itself is None:
            self._process.kill()
            self._process.wait()
        while any(thread.is_alive() for thread in self._threads):
            # The one that receives may wait for room.
            with contextlib.suppress(queue.Empty):
                self._inbox.get_nowait()
            for thread in self._threads:
                thread.join(0.002)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        if not keep_block:
            self._block.close()
        return by_itself

    def wait(self, timeout_s: float) -> int | None:
        """How the process ended by itself; ``None`` if it goes on for longer than that."""
        try:
            return self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return None


def _start(block: BinaryIO, work: str, *, loads_ahead: bool) -> subprocess.Popen[bytes]:
    inherited, number = _inheritable(block)
    command = [sys.executable, "-P", "-m", "waypost.io.confined", str(number), work]
    if loads_ahead:
        command.append("ahead")
    return subprocess.Popen(  # noqa: S603 - this Python and this package
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_environment(),
        **inherited,
    )


def _inheritable(block: BinaryIO) -> tuple[dict[str, Any], int]:
    """How a child gets the block, and by which number it knows it."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - only Windows has it

        handle = msvcrt.get_osfhandle(block.fileno())
        os.set_handle_inheritable(handle, True)
        startup = subprocess.STARTUPINFO(lpAttributeList={"handle_list": [handle]})
        flags = subprocess.CREATE_NO_WINDOW
        return {"startupinfo": startup, "creationflags": flags}, handle
    return {"pass_fds": (block.fileno(),)}, block.fileno()


def _environment() -> dict[str, str]:
    """That of this process; modules are found where this process found them."""
    paths = [str(_ROOT), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    fewer = {}
    if (os.cpu_count() or 1) > MOST_THREADS:
        fewer = dict.fromkeys(_THREAD_VARIABLES, str(MOST_THREADS))
    found = os.pathsep.join(path for path in paths if path)
    return {**_KEPT_MEMORY, **os.environ, **fewer, "PYTHONPATH": found}


def _receive(stdout: IO[bytes], inbox: queue.Queue[PipeFrame | None]) -> None:
    """Move messages from the pipe to the inbox; ``None`` marks the end."""
    try:
        while (frame := read_frame(stdout)) is not None:  # type: ignore[arg-type]
            inbox.put(frame)
    except (FrameError, OSError, ValueError) as error:
        _log.debug("the child said what is no message: %s", error)
    except MemoryError:
        _log.debug("the child said too much")
    inbox.put(None)


def _keep_end(stderr: IO[bytes], kept: bytearray) -> None:
    """Read what is written to standard error, and keep the end of it."""
    with contextlib.suppress(OSError, ValueError):
        while part := stderr.read1(65_536):  # type: ignore[attr-defined]
            kept += part
            del kept[:-_STDERR_BYTES]
