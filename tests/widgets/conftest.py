"""Pure widgets in both themes, and what they say to a platform without windows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from waypost.widgets.theme import apply_theme


@pytest.fixture(params=["dark", "light"])
def theme(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    """Each theme in turn."""
    apply_theme(qapp, request.param)
    yield request.param
    apply_theme(qapp, "dark")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen plugin cannot tell a window manager about sizes, and says so each time."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.qt_log_ignore("propagateSizeHints", extend=True))
