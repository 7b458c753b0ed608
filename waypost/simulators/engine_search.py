"""Which engines this machine has, asked without importing any: a Python is asked in a child.

Asking a foreign Python takes up to a few seconds: call it where nobody waits.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import IO, Final

from waypost.domain.base.errors import Cancelled
from waypost.domain.base.exit_codes import words_of_end
from waypost.domain.base.visible_text import one_line
from waypost.simulators.engines import EngineKind
from waypost.simulators.process_group import has_ended, kill_group

_ASK_TIMEOUT_S = 30.0
_LOOK_S = 0.02
_MOST_REASON = 300
_MOST_OUTPUT_BYTES: Final = 1 << 20
"""So much is kept of what a program writes; one that writes on would fill the memory."""

Cancelling = Callable[[], bool] | None
"""Asked while a Python is waited for, if there is one."""

_LAUNCHERS = ("python.sh", "python.bat", "bin/python", "Scripts/python.exe", "python.exe")
"""What is meant where a person names a folder: of Isaac Sim, or of an environment."""

_QUESTION = """
(lambda: None)()
import sys
sys.path[:] = [place for place in sys.path if place]
import importlib.util, json, platform
try:
    from importlib import metadata
except ImportError:
    metadata = None
modules, distributions = json.loads(sys.argv[1])
missing = [name for name in modules if importlib.util.find_spec(name) is None]
version = ""
for name in distributions if metadata else []:
    try:
        version = version or metadata.version(name)
    except metadata.PackageNotFoundError:
        pass
print("ANSWER " + json.dumps([platform.python_version(), version, missing]))
"""
"""Read by Pythons from 3.6 on, so that an old one is refused in words and not by its syntax. A
shell reads its first line in vain and runs nothing: ``import`` is a command of some systems."""


@dataclass(frozen=True, slots=True)
class FoundEngine:
    """What was found of an engine, or why there is none."""

    kind: EngineKind
    python: str
    """The Python that has it, or that was asked in vain; empty if there was none to ask."""

    python_version: str = ""
    version: str = ""
    """Of the engine; empty where it does not say."""

    reason: str = ""
    """Why it cannot be used, one sentence; empty if it is there."""

    @property
    def is_there(self) -> bool:
        """Whether it can be started, as far as one sees without starting it."""
        return not self.reason


def find_engine(kind: EngineKind, python: str = "", cancelled: Cancelling = None) -> FoundEngine:
    """Look for an engine, in a Python that was named or else in the usual places.

    Args:
        kind: Which engine.
        python: Its Python, or a folder that has it, as a person named it. Without it the
            variable ``kind.python_variable``, the Python of Waypost and the usual places are
            tried in this order, and the first that has the engine is taken.
        cancelled: Asked while a Python is waited for.

    Raises:
        Cancelled: Once ``cancelled`` is true; the Python that was asked is ended.
    """
    named = python or os.environ.get(kind.python_variable, "")
    if named:
        return _asked(kind, launcher_in(named), cancelled)
    own = _own(kind)
    if own.is_there:
        return own
    refused: list[FoundEngine] = []
    for place in _usual_pythons(kind):
        found = _asked(kind, place, cancelled)
        if found.is_there:
            return found
        refused.append(found)
    if not kind.has_own_python:
        return own
    tried = f"; {refused[0].reason}" if refused else " at the usual places"
    return FoundEngine(kind, "", reason=f"{kind.title} was not found{tried}; {kind.install}")


def launcher_in(place: str) -> str:
    """The Python that a person means by a path: the path itself, or what its folder starts."""
    # These functions never raise, whatever was typed and whoever may look there.
    path = Path(os.path.expanduser(place))  # noqa: PTH111
    for name in _LAUNCHERS if os.path.isdir(path) else ():  # noqa: PTH112
        if os.path.isfile(path / name):  # noqa: PTH113
            return str(path / name)
    return str(path)


def why_no_python(place: str) -> str:
    """Why what is at a path is no Python, whoever asks it; empty where only asking tells."""
    if os.path.isdir(place):  # noqa: PTH112 - as above
        return f"{place} is a folder without a Python in it"
    if os.path.exists(place) and not os.path.isfile(place):  # noqa: PTH110, PTH113
        return f"{place} is a pipe or a device, no Python"
    return ""


def _usual_pythons(kind: EngineKind) -> Iterator[str]:
    for pattern in kind.usual_places:
        path = Path(pattern).expanduser()
        if not path.is_absolute():  # a path of another operating system
            continue
        inside = str(path.relative_to(path.anchor))
        # The newest version, last in the order of names, is looked at first.
        for place in sorted(Path(path.anchor).glob(inside), reverse=True):
            if place.is_file():
                yield str(place)


def _own(kind: EngineKind) -> FoundEngine:
    own_version = platform.python_version()
    missing = [name for name in kind.modules if importlib.util.find_spec(name) is None]
    if missing:
        reason = _lack(kind, "this Python", missing)
        return FoundEngine(kind, sys.executable, own_version, reason=reason)
    return FoundEngine(kind, sys.executable, own_version, _own_version(kind))


def _own_version(kind: EngineKind) -> str:
    from importlib import metadata  # noqa: PLC0415 - imports what reads e-mails

    for name in kind.distributions:
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return ""


def _asked(kind: EngineKind, python: str, cancelled: Cancelling) -> FoundEngine:
    reason = why_no_python(python)
    if reason:
        return FoundEngine(kind, python, reason=reason)
    question = json.dumps([kind.modules, kind.distributions])
    try:
        code, output, errors = _run([python, "-c", _QUESTION, question], cancelled)
    except OSError as error:
        return FoundEngine(kind, python, reason=f"{python} cannot be started: {error.strerror}")
    except subprocess.TimeoutExpired:
        reason = f"{python} did not answer within {_ASK_TIMEOUT_S:g} s"
        return FoundEngine(kind, python, reason=reason)
    answer = _answer_in(output)
    if answer is None:
        words = errors.decode(errors="replace").strip().splitlines()
        last = one_line(words[-1], _MOST_REASON).rstrip(".") if words else words_of_end(code)
        if _MOST_OUTPUT_BYTES in (len(output), len(errors)):
            last = "it writes without end"
        return FoundEngine(kind, python, reason=f"{python} is no Python that answers: {last}")
    python_version, version, missing = answer
    if missing:
        return FoundEngine(kind, python, python_version, reason=_lack(kind, python, missing))
    return FoundEngine(kind, python, python_version, version or _version_beside(kind, python))


def _run(command: list[str], cancelled: Cancelling) -> tuple[int, bytes, bytes]:
    """Its exit code and what it wrote to standard output and error, as far as that is kept.

    Raises:
        OSError: If it cannot be started.
        TimeoutExpired: If it takes too long; whatever it has started is ended.
        Cancelled: The same, once it is called off.
    """
    with subprocess.Popen(  # noqa: S603 - the user, or their own folders, named this Python
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,  # A buffer cannot be closed while a thread waits for more in it.
        start_new_session=True,
    ) as process:
        try:
            output, errors = _heard(process, cancelled)
        except BaseException:
            kill_group(process)
            raise
    return process.returncode, output, errors


def _heard(process: subprocess.Popen[bytes], cancelled: Cancelling) -> tuple[bytes, bytes]:
    """What a process writes until it ends; one that writes without end is ended."""
    said = [b"", b""]

    def hear(place: int, stream: IO[bytes]) -> None:
        # Closed meanwhile: what the program has left behind still holds the other end.
        with contextlib.suppress(OSError, ValueError):
            while more := stream.read(_MOST_OUTPUT_BYTES - len(said[place])):
                said[place] += more
        if len(said[place]) == _MOST_OUTPUT_BYTES:
            kill_group(process)

    pipes = [pipe for pipe in (process.stdout, process.stderr) if pipe is not None]
    readers = [Thread(target=hear, args=pair, daemon=True) for pair in enumerate(pipes)]
    end_s = time.monotonic() + _ASK_TIMEOUT_S
    for reader in readers:
        reader.start()
    while any(reader.is_alive() for reader in readers) or not has_ended(process):
        if cancelled is not None and cancelled():
            raise Cancelled
        if time.monotonic() > end_s:
            raise subprocess.TimeoutExpired(process.args, _ASK_TIMEOUT_S)
        time.sleep(_LOOK_S)
    return said[0], said[1]


def _answer_in(output: bytes) -> tuple[str, str, list[str]] | None:
    for line in output.decode(errors="replace").splitlines():
        if not line.startswith("ANSWER "):
            continue
        try:
            python_version, version, missing = json.loads(line.removeprefix("ANSWER "))
        except ValueError:
            return None
        if isinstance(missing, list):
            return one_line(str(python_version), 40), one_line(str(version), 80), missing
    return None


def _version_beside(kind: EngineKind, python: str) -> str:
    if not kind.version_file:
        return ""
    try:
        with (Path(python).parent / kind.version_file).open(encoding="utf-8") as file:
            return one_line(file.readline(200).strip(), 80)
    except (OSError, UnicodeDecodeError):
        return ""


def _lack(kind: EngineKind, python: str, missing: list[str]) -> str:
    return f"{python} has no {', '.join(missing)}; {kind.install}"
