"""The start page: pictures of the five jobs, recent work, and the keyboard's way through them."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources

import pytest
from cut_text import cut_texts
from gui.user import User
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QAbstractButton, QApplication

from waypost.app.window.start.job_pictures import JobPictures
from waypost.app.window.workspaces import WORKSPACES

pytestmark = pytest.mark.gui


def test_every_job_has_a_small_picture(user: User) -> None:
    folder = resources.files("waypost.resources") / "jobs"
    scopes = [spec.scope for spec in WORKSPACES]
    sizes = {file.name: len(file.read_bytes()) for file in folder.iterdir()}
    assert set(sizes) == {f"{scope}.jpg" for scope in scopes}
    assert max(sizes.values()) < 60_000
    jobs = user.find(JobPictures)
    assert user.window.windowTitle() == "Waypost"
    assert len(jobs.buttons) == len(scopes)
    for shown in jobs.buttons:
        assert shown.icon().availableSizes() == [QSize(384, 216)]
        assert shown.width() > shown.iconSize().width()


@pytest.mark.parametrize("is_arranged_after", [False, True])
def test_tab_goes_from_the_ways_in_over_recent_work_to_the_jobs(
    user: User, *, is_arranged_after: bool
) -> None:
    """Also where workspaces are made, and the whole order with them, while it is shown."""
    window = user.window
    recent = tuple(f"/nowhere/house{number}.waypost" for number in range(7))
    window.bench.change_settings(replace(window.bench.settings, recent_projects=recent))
    user.wait(lambda: window.workspaces.are_all_made)
    user.wait(lambda: not window._tabs_timer.isActive())
    window.show_welcome()
    if is_arranged_after:
        window._arrange_tabs()
    user.settle()
    seen = []
    for _ in range(16):
        held = QApplication.focusWidget()
        assert isinstance(held, QAbstractButton), seen
        seen.append(held.accessibleName() or held.text())
        user.press("Tab")
    assert seen[0] == "Continue: house0"
    assert seen[1:5] == ["Open the sample", "Open scene …", "Open project …", "Replay a run …"]
    assert seen[5:11] == [f"Open {path}" for path in recent[:6]]
    assert [name.split(":")[0] for name in seen[11:]] == [
        "Draw", "Drive and label", "Record", "Score", "Replay",
    ]  # fmt: skip
    assert cut_texts(window) == []


def test_enter_on_a_picture_opens_the_sample_there(user: User) -> None:
    window = user.window
    user.find(JobPictures).buttons[4].setFocus()
    user.press("Return")
    user.wait(lambda: window.bench.document)
    user.wait(lambda: window.workspaces.shown.scope == "replay")
    assert window.bench.project.name == "Sample home"
