"""Which modules of the program are still to be imported, and which only in Qt's thread.

Whoever defines a class of Qt's, or is the first to name one of PySide's own, adds it to a table of
shiboken's. Before Python 3.12 the window reads that table without holding Python, whenever Qt asks
one of its widgets what it is: a class that is made in another thread meanwhile crashes the program
(``SOTP_extender`` in pyside-setup:sources/shiboken6/libshiboken/pep384impl.cpp).
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import CodeType, FunctionType
from typing import Any, Final

_OF_QT: Final = frozenset({"PySide6", "shiboken6", "pyqtgraph", "vispy"})
"""What imports these, itself or by what it imports, makes classes of Qt's."""

_OURS: Final = __name__.partition(".")[0]
_JUMPS: Final = frozenset(dis.hasjrel)


@dataclass(frozen=True, slots=True)
class NeededModules:
    """Modules of the program that are not there yet, each after those that it imports itself."""

    anywhere: tuple[str, ...]
    """Any thread may import them."""

    in_qt_thread: tuple[str, ...]
    """Only the thread of the window may."""


class ModuleScan:
    """Reads compiled modules of the program, each once, and imports none of them."""

    def __init__(self) -> None:
        self._read_modules: dict[str, bool] = {}
        """Whether they make classes of Qt's, in the order in which they may be imported."""

        self._known: dict[str, _Known] = {}

    def needed_by(self, function: Callable[..., object]) -> NeededModules:
        """What calling a function imports of the program, but for what was asked for before.

        What functions of modules import when they are called does not count.

        Args:
            function: Imports what it needs itself; nothing is known of one not written in Python.
        """
        before = len(self._read_modules)
        if isinstance(function, FunctionType):
            self._read_imports(function.__code__, frozenset())
        new = list(self._read_modules.items())[before:]
        return NeededModules(
            tuple(name for name, is_of_qt in new if not is_of_qt),
            tuple(name for name, is_of_qt in new if is_of_qt),
        )

    def _read_imports(self, code: CodeType, begun: frozenset[str]) -> bool:
        """Read what some code imports; whether anything of that makes classes of Qt's."""
        makes = False
        for name, wanted in _imports(code):
            known = self._look_at(name, begun)
            makes |= known.makes_classes
            for each in wanted if known.is_package else ():
                makes |= self._look_at(f"{name}.{each}", begun).makes_classes
        return makes

    def _look_at(self, name: str, begun: frozenset[str]) -> _Known:
        """What is to be known of a module; read with what it needs, if it is not there yet."""
        root = name.partition(".")[0]
        if root != _OURS or name in begun:
            return _Known(makes_classes=root in _OF_QT)
        if name not in self._known:
            self._known[name] = _known_of(name) or self._read(name, begun)
        return self._known[name]

    def _read(self, name: str, begun: frozenset[str]) -> _Known:
        spec = find_spec(name)
        if spec is None:
            # What a package defines, and is no module, makes nothing itself.
            return _Known()
        makes = self._read_imports(_code(spec), begun | {name})
        self._read_modules[name] = makes
        return _Known(makes_classes=makes, is_package=bool(spec.submodule_search_locations))


@dataclass(frozen=True, slots=True)
class _Known:
    makes_classes: bool = False
    """Of Qt's, itself or by what it imports; of a module that is there: whether it has any."""

    is_package: bool = False


def _known_of(name: str) -> _Known | None:
    """The same of a module that is there, if it is there as a whole."""
    module = sys.modules.get(name)
    # Set by importlib while the module runs, in whichever thread.
    if module is None or getattr(module.__spec__, "_initializing", False):
        return None
    values = list(vars(module).values())
    has_any = any(type(each).__module__ == "Shiboken" for each in values)
    return _Known(makes_classes=has_any, is_package=hasattr(module, "__path__"))


def _code(spec: ModuleSpec) -> CodeType:
    loader: Any = spec.loader
    code: CodeType = loader.get_code(spec.name)
    return code


def _imports(code: CodeType) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Modules that code imports, each with the names it wants of it; not for type checkers."""
    constant, skipped_until = None, 0
    is_for_checkers = False
    for step in dis.get_instructions(code):
        if step.offset < skipped_until:
            continue
        if step.opname == "LOAD_CONST":
            constant = step.argval
        elif step.opname == "IMPORT_NAME":
            yield step.argval, constant or ()
        elif step.opname == "LOAD_NAME":
            is_for_checkers = step.argval == "TYPE_CHECKING"
        elif is_for_checkers and step.opcode in _JUMPS:
            skipped_until, is_for_checkers = step.argval, False
