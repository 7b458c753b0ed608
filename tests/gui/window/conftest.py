"""The window as the program has it: it makes all workspaces while nobody waits."""

from __future__ import annotations

import pytest


@pytest.fixture
def makes_all_workspaces() -> bool:
    """Those too that nobody shows."""
    return True
