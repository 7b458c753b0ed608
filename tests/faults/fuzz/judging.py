"""Whether one input was handled as promised: read, or refused in one line that names the file.

Everything else is a fault: another exception, a wrong value, a warning, a line on the terminal, a
file written, removed or opened outside the folder of the input, a program or a connection.
"""

from __future__ import annotations

import os
import random
import sys
import traceback
import unicodedata
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from faults.fuzz.family import Family, Sample
from PIL import Image

from waypost.domain.base.errors import WaypostError
from waypost.domain.base.visible_text import visible_line

_ROOT = Path(__file__).resolve().parents[3]
_PYTHON = (sys.prefix, sys.base_prefix)
_TRUSTED = (
    *_PYTHON,
    # Where an environment is a link, its packages know themselves by where it leads.
    *map(os.path.realpath, _PYTHON),
    str(_ROOT),
    "/usr",
    "/lib",
    "/proc",
    "/sys",
    "/dev/null",
)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGES = frozenset(
    {
        "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.truncate", "os.link", "os.symlink",
        "os.chmod", "os.chown",
    }
)  # fmt: skip
_STARTS = frozenset(
    {
        "subprocess.Popen", "os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn",
        "socket.connect", "socket.getaddrinfo", "socket.bind", "pickle.find_class",
        "webbrowser.open", "ftplib.connect", "urllib.Request",
    }
)  # fmt: skip


_ADVICE = (UserWarning, Image.DecompressionBombWarning)
"""Warnings that go to the log and mean no wrong value; readers refuse large pictures themselves."""


class WrongValueError(AssertionError):
    """Something was read and cannot be right."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What one input did that it should not have."""

    family: str
    seed: int
    number: int
    signature: str
    """Kind and place; inputs with the same one count as one fault."""

    detail: str
    """The traceback, or what was seen."""

    byte_count: int

    @property
    def again(self) -> str:
        """The command that runs this input alone."""
        return f"make fuzz FAMILY={self.family} SEED={self.seed} INPUT={self.number}"


@dataclass(slots=True)
class _Watch:
    """What the process does while an input is read; one for the life of the process."""

    folder: str = ""
    """Of the input; empty while nobody watches."""

    may_write: bool = False
    seen: list[str] = field(default_factory=list)

    def hook(self, event: str, args: tuple[Any, ...]) -> None:
        """An audit hook of Python; cannot be removed again."""
        if not self.folder:
            return
        if event == "open":
            self._opened(*args)
        elif event in _CHANGES and not (
            self.may_write and all(map(self._is_inside, _changed(event, args)))
        ):
            self.seen.append(f"{event} {args[0]!r}")
        elif event in _STARTS and not _is_reader(event, args):
            self.seen.append(f"{event} {str(args)[:200]}")

    def _is_inside(self, path: object) -> bool:
        return os.path.abspath(os.fsdecode(path)).startswith(self.folder)  # type: ignore[arg-type]  # noqa: PTH100

    def _opened(self, path: object, mode: object, flags: object) -> None:
        if not isinstance(path, str | bytes | os.PathLike):
            return
        writes = bool(isinstance(flags, int) and flags & _WRITING)
        place = os.path.abspath(os.fsdecode(path))  # noqa: PTH100 - links stay as they are named
        if place.startswith(self.folder):
            if writes and not self.may_write:
                self.seen.append(f"writes {place.removeprefix(self.folder)}")
        elif writes or not place.startswith(_TRUSTED):
            self.seen.append(f"opens {place}{' to write' if writes else ''}")


def _changed(event: str, args: tuple[Any, ...]) -> tuple[object, ...]:
    """What a call changes; a file without a name gets one in the folder of a descriptor."""
    if event != "os.link":
        return args[:1]
    source, name, _, folder = args
    if os.fsdecode(source).startswith("/proc/self/fd/"):
        source = os.readlink(source)  # noqa: PTH115 - it names a file that is not there
    place = os.readlink(f"/proc/self/fd/{folder}") if folder >= 0 else ""  # noqa: PTH115 - as above
    return source, os.path.join(place, os.fsdecode(name))  # noqa: PTH118 - as above


def _is_reader(event: str, args: tuple[Any, ...]) -> bool:
    """Whether a process is started that reads a file for this one."""
    command = args[1] if event == "subprocess.Popen" else ()
    return list(command[:4]) == [sys.executable, "-P", "-m", "waypost.io.confined"]


_WATCH = _Watch()


def begin_watching() -> None:
    """Install the watch, once for this process."""
    sys.addaudithook(_WATCH.hook)


@contextmanager
def _watched(folder: Path, family: Family) -> Iterator[list[str]]:
    _WATCH.folder, _WATCH.may_write = str(folder), family.may_write
    _WATCH.seen = []
    try:
        yield _WATCH.seen
    finally:
        _WATCH.folder = ""


def judge(family: Family, sample: Sample, folder: Path, seed: int, number: int) -> Fault | str:
    """Read one input that lies in a folder.

    Returns:
        The fault; else why it was refused; empty if it was read.
    """
    with (
        warnings.catch_warnings(record=True) as warned,
        _watched(folder, family) as seen,
    ):
        warnings.simplefilter("always")
        refusal, signature, detail = _attempt(family, folder, folder / sample.target, number)
    if not signature:
        signature, detail = _side_effect(family, sample, folder, seen, warned)
    if signature:
        return Fault(family.name, seed, number, signature, detail, sample.byte_count)
    return refusal


def _attempt(family: Family, folder: Path, path: Path, number: int) -> tuple[str, str, str]:
    """Why it was refused, and signature and detail of a fault; each may be empty."""
    try:
        family.read(path, random.Random(number))
    except WaypostError as error:
        refusal = f"{type(error).__name__}: {error}"
        problem = problem_of(error, folder if family.names_file else None)
        return refusal, f"{problem} at {_place(error)}" if problem else "", refusal
    except WrongValueError as error:
        return "", f"wrong value: {error}", _shown(error)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return "", f"{type(error).__name__} at {_place(error)}", _shown(error)
    return "", "", ""


def _side_effect(
    family: Family,
    sample: Sample,
    folder: Path,
    seen: list[str],
    warned: list[warnings.WarningMessage],
) -> tuple[str, str]:
    """Signature and detail of what reading did beside reading."""
    if seen:
        return f"does what no reader may: {_kind(seen[0], folder)}", "\n".join(seen)
    told = [entry for entry in warned if not issubclass(entry.category, _ADVICE)]
    if told:
        # A number that became infinite, a file left open; advice of a library goes to the log.
        first = told[0]
        place = f"{Path(first.filename).name}:{first.lineno}"
        return f"{first.category.__name__} from {place}", str(first.message)
    changed = "" if family.may_write else _difference(folder, sample)
    return (f"the folder changed: {changed}", "") if changed else ("", "")


def problem_of(error: WaypostError, folder: Path | None) -> str:
    """What is wrong with a refusal, as it is printed; empty if nothing."""
    text = visible_line(str(error))
    if not text.strip():
        return "empty refusal"
    if any(unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"} for character in text):
        return "refusal that does not stay on its line"
    if len(text) > 2_000:
        return "refusal of more than 2,000 characters"
    if folder is not None and not text.startswith(str(folder)):
        return "refusal that names no file"
    return ""


def _difference(folder: Path, sample: Sample) -> str:
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    new, gone = there - sample.files.keys(), sample.files.keys() - there
    return ", ".join([*(f"new {name}" for name in sorted(new)), *(f"no {n}" for n in sorted(gone))])


def _kind(seen: str, folder: Path) -> str:
    return seen.replace(str(folder), "FOLDER")[:120]


def _place(error: BaseException) -> str:
    """The last of our own lines that the error came through, and where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if "/waypost/" in f.filename or "/fuzz/" in f.filename]
    own = ours[-1] if ours else frames[-1]
    place = f"{own.filename.split('/waypost/')[-1].split('/fuzz/')[-1]}:{own.lineno} {own.name}"
    last = frames[-1]
    return place if last is own else f"{place} (in {Path(last.filename).name})"


def _shown(error: BaseException) -> str:
    return "".join(traceback.format_exception(error, limit=-12))[-4_000:]
