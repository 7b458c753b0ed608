"""Whatever a reader or a library raises reaches the user as one sentence, and the log in full."""

from __future__ import annotations

import logging
import struct
from collections.abc import Generator
from pathlib import Path

import pytest

from waypost.domain.base.errors import Cancelled, EditError, ReadError
from waypost.io.foreign_errors import reading


class _SilentError(Exception):
    """One that cannot even say what it is."""

    def __str__(self) -> str:
        raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")


@pytest.mark.parametrize(
    ("raised", "reason"),
    [
        (KeyError("nodes"), "cannot be read: KeyError: 'nodes'"),
        (struct.error("unpack requires 4 bytes"), "cannot be read: error: unpack requires 4 bytes"),
        (OverflowError(), "cannot be read: OverflowError"),
        (MemoryError(), "needs more memory than there is"),
        (RecursionError("maximum recursion depth"), "is nested too deeply"),
        (PermissionError(13, "Permission denied", "x"), "cannot be read: Permission denied"),
        (ValueError("a\nb\x1b[31mc"), "cannot be read: ValueError: a b⟨ESC⟩[31mc"),
        (ValueError("x" * 10_000), "cannot be read: ValueError: " + "x" * 160 + "…"),
        (_SilentError(), "cannot be read: _SilentError"),
    ],
)
def test_a_foreign_exception_becomes_one_sentence(raised: Exception, reason: str) -> None:
    with pytest.raises(ReadError) as caught, reading(Path("a/b.json"), "nodes[3]"):
        raise raised
    assert (caught.value.file, caught.value.place, caught.value.reason) == (
        "a/b.json",
        "nodes[3]",
        reason,
    )
    assert caught.value.__cause__ is raised


@pytest.mark.parametrize(
    "raised",
    [
        ReadError("other.json", "line 3", "is empty"),
        EditError("no"),
        Cancelled("cancelled"),
        KeyboardInterrupt(),
        SystemExit(3),
    ],
)
def test_what_is_meant_passes_as_it_is(raised: BaseException) -> None:
    with pytest.raises(type(raised)) as caught, reading("a.json"):
        raise raised
    assert caught.value is raised


def test_the_log_keeps_the_traceback(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), pytest.raises(ReadError), reading("a.json"):
        _stumble()
    assert "in _stumble" in caplog.text
    assert "ZeroDivisionError" in caplog.text


def test_a_stream_that_fails_late_is_caught_and_its_consumer_is_not() -> None:
    def stream() -> Generator[int, None, None]:
        with reading("a.json"):
            yield 1
            raise TypeError("late")

    items = stream()
    assert next(items) == 1
    with pytest.raises(ReadError, match=r"^a\.json: file: cannot be read: TypeError: late$"):
        next(items)
    with pytest.raises(ZeroDivisionError):
        list(map(_stumble, stream()))
    closed = stream()
    next(closed)
    closed.close()


def _stumble(_: object = None) -> None:
    raise ZeroDivisionError
