"""The one tree of errors that Waypost raises on purpose.

WaypostError
├── InputError          a file, a value or an argument cannot be used
│   ├── ReadError       … and it came from a file: names file, place and reason
│   └── WriteError      … because it cannot be written to: names file and reason
├── EditError           an edit would break a rule of the document
├── StoreError          the project could not be read or written: names project, place and reason
│   └── ConflictError   somebody else changed the same row first
├── SimulatorError      the engine refused or failed
│   ├── EngineUnavailableError   the engine is not installed for this Python
│   └── WorkerDiedError          the worker process ended by itself
└── Cancelled           the user stopped a job; not a failure
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from waypost.domain.base.exit_codes import KILLED, words_of_end
from waypost.domain.base.visible_text import one_line

_MOST_PLACE: Final = 300
_MOST_REASON: Final = 1_500
"""Characters of a sentence for people."""

_MOST_LAST_WORDS: Final = 300
_ENDED_BY_OTHERS: Final = frozenset({None, KILLED, -15})
"""Exit codes of a process that somebody else has ended: what it wrote before is no reason."""


class WaypostError(Exception):
    """Base of every error raised on purpose; its text is one sentence for the user."""


class InputError(WaypostError):
    """Something the user gave cannot be used."""


@dataclass(eq=False)
class _PlacedError(WaypostError):
    """Printed as ``FILE: PLACE: REASON``."""

    file: str
    """As the user named it; of a server the address without the password."""

    place: str
    """Where in it: ``line 3``, ``nodes[4].position``, ``file``, or the table of an item."""

    reason: str
    """What is wrong and, where it helps, what to do."""

    def __post_init__(self) -> None:
        Exception.__init__(self, str(self))

    def __reduce__(self) -> tuple[type[_PlacedError], tuple[str, str, str]]:
        # Exceptions pickle by their text alone, which would not bring one back from a process.
        return type(self), (self.file, self.place, self.reason)

    def __str__(self) -> str:
        # Both quote the file, where a word may be as long as all of it, or steer a terminal.
        place, reason = one_line(self.place, _MOST_PLACE), one_line(self.reason, _MOST_REASON)
        return f"{self.file}: {place}: {reason}"


class ReadError(_PlacedError, InputError):
    """A file cannot be used; the open project stays as it was."""


@dataclass(eq=False)
class WriteError(InputError):
    """A file cannot be written; whatever was there before is still there, whole."""

    file: str
    """The file as the user named it."""

    reason: str
    """As the operating system says it, e.g. ``No space left on device``."""

    def __post_init__(self) -> None:
        Exception.__init__(self, str(self))

    def __reduce__(self) -> tuple[type[WriteError], tuple[str, str]]:
        return type(self), (self.file, self.reason)

    def __str__(self) -> str:
        return f"{self.file}: file: cannot be written: {self.reason}"


class EditError(WaypostError):
    """An edit would break a rule of the document; the document stays as it was."""


class StoreError(_PlacedError):
    """The project database could not be read or written; what it holds is as before."""


class ConflictError(StoreError):
    """Another window or person changed the same item first; nothing was overwritten."""


class SimulatorError(WaypostError):
    """The physics engine refused a request or failed."""


class EngineUnavailableError(SimulatorError):
    """The engine is not installed for the Python that should run it."""


@dataclass(eq=False)
class WorkerDiedError(SimulatorError):
    """The worker process ended by itself; the project is untouched."""

    exit_code: int | None
    """As the operating system reports it; negative for a signal, ``None`` if unknown."""

    detail: str = ""
    """The last lines the worker wrote to standard error."""

    def __post_init__(self) -> None:
        Exception.__init__(self, str(self))

    def __str__(self) -> str:
        words = self._last_words
        return self._sentence(f", it last said: {words}" if words else "")

    @property
    def own_words(self) -> str:
        """Without what it said, which may name files of this computer: for what is given away."""
        return self._sentence("")

    def _sentence(self, said: str) -> str:
        end = "" if self.exit_code is None else f" ({words_of_end(self.exit_code)})"
        return f"the physics engine stopped{end}{said}; it can be restarted"

    @property
    def _last_words(self) -> str:
        """The last two lines that are no source of a traceback, on one line."""
        if self.exit_code in _ENDED_BY_OTHERS:
            return ""
        lines = (line.rstrip() for line in self.detail.splitlines())
        words = [line for line in lines if line and not line[0].isspace()]
        said = [line for line in words[-2:] if not line.startswith("Traceback ")]
        return one_line(" · ".join(said), _MOST_LAST_WORDS)


class Cancelled(WaypostError):  # noqa: N818 - a decision of the user, not an error
    """The user cancelled a job; whatever was open stays open."""
