"""Readers that work in a child of their own, without it: a thousand times as many inputs a minute.

What is a fault in this process (a death, a line printed, memory) may be none in the child, which is
there for it. So whatever looks like a fault here is read again with the child, and that counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from waypost.io.confined.works import WORKS, Steps, function_of
from waypost.io.foreign_errors import input_error

_ASKING = ("waypost.io.scenes.open_scene.ask_child", "waypost.io.logs.vlnpe_lmdb.ask_child")
"""Where the readers have the function by which they ask a child."""


@contextmanager
def in_this_process() -> Iterator[None]:
    """Have the works of children done here."""
    with ExitStack() as stack:
        for name in _ASKING:
            stack.enter_context(mock.patch(name, _work_here))
        yield


def _work_here(work: str, file: Path, arguments: Mapping[str, Any]) -> Steps:
    try:
        return (yield from function_of(WORKS[work])(file, **arguments))
    except Exception as error:
        raise input_error(error, file) from error
