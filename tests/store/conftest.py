"""Tests of the store open projects in nearly every line; they are closed at each test's end."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _close_stores(close_stores: None) -> None:
    """See ``open_projects``."""
