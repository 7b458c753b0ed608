"""The navmesh over the floor: for the agent at hand, anew for another, gone elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from gui.user import User

from waypost.app.shell import navmesh_layer
from waypost.geometry.navmesh.recast import shared

pytestmark = pytest.mark.gui


@pytest.fixture(scope="module", autouse=True)
def recast() -> None:
    """Started before the windows: its thread stays until the process ends."""
    shared()


def area_m2(user: User) -> float:
    (mesh,) = user.window.navmesh.drawing.meshes
    corners = mesh.vertices.reshape(-1, 3, 3)
    sides = corners[:, 1:, :2] - corners[:, :1, :2]
    cross = sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0]
    return float(abs(cross).sum() / 2)


def test_it_follows_the_agent_and_leaves_with_the_workspace(user: User, house: Path) -> None:
    user.open(house)
    layer = user.window.navmesh
    user.press("Ctrl+Shift+M")
    user.wait(lambda: layer.is_shown)
    first = area_m2(user)
    bench = user.window.bench
    wide = next(a for a in bench.project.agents.values() if a.width_m > bench.agent.width_m)
    bench.choose_agent(wide.key)
    assert not layer.is_shown
    user.wait(lambda: layer.is_shown)
    assert 0 < area_m2(user) < first
    user.press("Ctrl+3")
    assert not layer.is_shown
    assert not layer.drawing
    user.press("Ctrl+1")
    assert layer.is_shown
    assert 0 < area_m2(user) < first
    user.press("Ctrl+Shift+M")
    assert not layer.is_shown
    assert not layer.drawing


def test_without_the_extra_it_is_said(
    user: User, house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(navmesh_layer, "is_installed", lambda: False)
    user.open(house)
    user.press("Ctrl+Shift+M")
    assert "pip install 'waypost[navmesh]'" in user.message()
