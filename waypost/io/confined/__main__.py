"""The child: reads one request, confines itself, does the work, hands over what came of it."""

from __future__ import annotations

import errno
import faulthandler
import os
import sys
import time
import traceback
from pathlib import Path
from typing import Any, BinaryIO, Final

from waypost.domain.base.errors import ReadError
from waypost.domain.base.progress import Progress
from waypost.io.confined import input_bytes
from waypost.io.confined.array_block import fill
from waypost.io.confined.confinement import Confinement, end_with_parent
from waypost.io.confined.frames import MOST_BODY_BYTES, FrameError, read_frame, write_frame
from waypost.io.confined.limits import ReadingLimits
from waypost.io.confined.works import WORKS, Handover, Piece, Work, function_of, rehearse
from waypost.io.foreign_errors import input_error

_QUIET_S: Final = 0.02
"""Progress is told no more often than this: each message wakes the parent."""

_NO_ROOM: Final = frozenset({errno.EFBIG, errno.ENOMEM, errno.ENOSPC})


def main(block_number: int, work_name: str, *, loads_ahead: bool) -> int:
    """Serve one request and end.

    Args:
        block_number: Descriptor (on Windows, handle) of the block for the arrays.
        work_name: Name of the work that will be asked for.
        loads_ahead: Whether there is time to rehearse it before the request comes.
    """
    requests, replies = _own_pipes()
    faulthandler.enable()
    block = _opened(block_number)
    work = WORKS[work_name]
    for name in work.does_without:
        sys.modules.setdefault(name, None)  # type: ignore[arg-type]
    if loads_ahead:
        rehearse(work)
        write_frame(replies, {"kind": "ready"})
    request = read_frame(requests)
    if request is None:
        return 0
    end_with_parent(requests)
    _serve(work, request.values, replies, block)
    # Libraries need not tidy up: the system takes everything back.
    os._exit(0)


def _serve(work: Work, request: dict[str, Any], replies: BinaryIO, block: BinaryIO) -> None:
    os.chdir(request["folder"])
    confinement = Confinement(ReadingLimits(**request["limits"]))
    total: int = request["input_bytes"]
    confinement.begin(total)

    def announce(size_bytes: int) -> None:
        nonlocal total
        total += size_bytes
        confinement.widen(total)
        write_frame(replies, {"kind": "input", "bytes": size_bytes})

    input_bytes.listen(announce, but_not=Path(request["file"]))
    try:
        outcome = _work(work, request, replies, block)
    except Exception as error:
        # Of interest to the log of the parent.
        traceback.print_exc()
        outcome = _told(error, request["file"])
    write_frame(replies, outcome)


def _work(
    work: Work, request: dict[str, Any], replies: BinaryIO, block: BinaryIO
) -> dict[str, Any]:
    steps = function_of(work)(Path(request["file"]), **request["arguments"])
    newest: Progress | None = None
    sent_s = -_QUIET_S
    while True:
        try:
            step = next(steps)
        except StopIteration as stop:
            made: Handover = stop.value
            if newest is not None:
                _send_progress(replies, newest)
            return {"kind": "done", "values": made.values, "arrays": fill(block, made.arrays)}
        if isinstance(step, Piece):
            write_frame(replies, {"kind": "piece"}, step.parts)
        elif time.monotonic() - sent_s < _QUIET_S:
            newest = step
        else:
            _send_progress(replies, step)
            newest, sent_s = None, time.monotonic()


def _told(error: Exception, file: str) -> dict[str, Any]:
    """An exception as plain values."""
    if _lacks_memory(error):
        return {"kind": "memory"}
    if isinstance(error, FrameError):
        reason = f"holds an item of more than {MOST_BODY_BYTES >> 20} MiB"
        error = ReadError(file, "file", reason)
    told = input_error(error, file)
    if isinstance(told, ReadError):
        place = {"file": told.file, "place": told.place}
        return {"kind": "read error", **place, "reason": told.reason}
    return {"kind": "input error", "reason": str(told)}


def _lacks_memory(error: BaseException | None) -> bool:
    """Whether an exception, or what it was made of, says that memory ran out."""
    while error is not None:
        if isinstance(error, MemoryError):
            return True
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            return True
        error = error.__cause__ or error.__context__
    return False


def _send_progress(replies: BinaryIO, step: Progress) -> None:
    values = {"done": step.done, "total": step.total, "message": step.message}
    write_frame(replies, {"kind": "progress", **values})


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes of the parent, kept from libraries that print or read by themselves."""
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return requests, replies


def _opened(number: int) -> BinaryIO:
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - only Windows has it

        number = msvcrt.open_osfhandle(number, os.O_BINARY | os.O_RDWR)
    return os.fdopen(number, "r+b", buffering=0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2], loads_ahead=sys.argv[3:] == ["ahead"]))
