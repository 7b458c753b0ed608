"""The window as the program starts it."""

from __future__ import annotations

import pytest


@pytest.fixture
def is_as_started() -> bool:
    """It makes all workspaces, and reads each scene in a child."""
    return True
