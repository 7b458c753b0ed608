"""Gives the import statement back to Python once PySide is there."""

from __future__ import annotations

import builtins

import PySide6.QtCore  # noqa: F401 - replaces the import statement


def import_plainly() -> None:
    """Have what is imported from now on imported without PySide reading its source.

    PySide looks into every module that comes after it for its own name, because
    ``from __feature__ import …`` could rename its methods there; nothing here does that. It is a
    ninth of the start of a window, and 6 MB of text that ``linecache`` keeps.

    Source: pyside-setup:sources/shiboken6/shibokenmodule/files.dir/shibokensupport/feature.py
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
