"""What subcommands print: one JSON document or lines on standard output, nothing else."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any, Final

from waypost.domain.base.errors import WriteError
from waypost.domain.base.visible_text import visible_json, visible_line

_OUTPUT: Final = "standard output"


def write_json(document: Any) -> None:
    """Print one JSON document on standard output; hidden characters in it are escaped.

    Raises:
        ValueError: If it holds NaN or an infinity; undefined values are ``None``.
        WriteError: If standard output is closed or its disk is full.
    """
    text = visible_json(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))
    if not _is_encodable(text):
        text = json.dumps(document, indent=2, allow_nan=False)
    _put(text + "\n")


def write_line(text: str) -> None:
    """Print one line on standard output; line ends and what steers a terminal are spelled out.

    Characters that the encoding of standard output lacks are written as escapes.

    Raises:
        WriteError: If standard output is closed or its disk is full.
    """
    line = visible_line(text) + "\n"
    if not _is_encodable(line):
        encoding = sys.stdout.encoding
        line = line.encode(encoding, "backslashreplace").decode(encoding)
    _put(line)


def write_report(document: Any, lines: Iterable[str], *, as_json: bool) -> None:
    """Print what a command found: one JSON document, or lines for people.

    Raises:
        ValueError: If the document holds NaN or an infinity.
        WriteError: If standard output is closed or its disk is full.
    """
    if as_json:
        write_json(document)
        return
    for line in lines:
        write_line(line)


def flush_output() -> None:
    """Hand over what was printed, so that a full disk is said instead of found at exit.

    Raises:
        WriteError: If it cannot be written.
    """
    # Without a terminal (pythonw, ``>&-``) there is no standard output.
    if sys.stdout is not None:
        with _refusals_said():
            sys.stdout.flush()


def drop_output() -> None:
    """Let what is still to be printed go nowhere, or Python complains when it flushes at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_encodable(text: str) -> bool:
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _put(text: str) -> None:
    if sys.stdout is None:
        raise WriteError(_OUTPUT, "it is closed")
    with _refusals_said():
        sys.stdout.write(text)


@contextlib.contextmanager
def _refusals_said() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        drop_output()
        raise WriteError(_OUTPUT, error.strerror or str(error)) from error
