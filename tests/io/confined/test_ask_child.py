from __future__ import annotations

import os
from pathlib import Path

import psutil
import pytest
from worlds.scene_files import cube_glb, usd_cube, usda

from waypost.io.confined import ask_child
from waypost.io.confined.input_bytes import listen, will_read
from waypost.io.confined.spare_child import (
    end_spare_child,
    is_spare_child_ready,
    keep_spare_child,
    take_child,
)
from waypost.io.scenes.open_scene import open_scene, read_scene


def test_every_file_of_a_scene_counts_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory that may be taken grows with them."""
    part = usda(tmp_path / "part.usda", usd_cube("C"))
    twice = "".join(f'def "{name}" (references = @part.usda@</Root>) {{}}\n' for name in "AB")
    house = usda(tmp_path / "house.usda", twice + usd_cube("D"))
    askings = []
    made = ask_child._Asking

    def remember(*arguments):
        askings.append(made(*arguments))
        return askings[-1]

    monkeypatch.setattr(ask_child, "_Asking", remember)
    read_scene(house)
    assert askings[0]._input_bytes == house.stat().st_size + part.stat().st_size


def test_nothing_is_left_of_a_child_that_has_handed_over(tmp_path, qtbot, monkeypatch):
    """It is put away beside the work that goes on with what it found."""
    children = []

    def take(work):
        children.append(take_child(work))
        return children[0]

    monkeypatch.setattr(ask_child, "take_child", take)
    assert read_scene(cube_glb().write(tmp_path / "a.glb")).triangle_count == 12
    (child,) = children
    qtbot.waitUntil(lambda: not psutil.pid_exists(child.process_id), timeout=60_000)
    qtbot.waitUntil(lambda: not any(thread.is_alive() for thread in child._threads))


def test_where_nobody_listens_nothing_is_counted(tmp_path, monkeypatch):
    monkeypatch.setattr("waypost.io.confined.input_bytes._listeners", [])
    monkeypatch.setattr("waypost.io.confined.input_bytes._known", set())
    file, other = tmp_path / "a", tmp_path / "b"
    file.write_bytes(b"12345")
    other.write_bytes(b"123")
    will_read(file.stat())
    heard = []
    listen(heard.append, but_not=other)
    for path in (file, other, file):
        will_read(path.stat())
    assert heard == [5]


def test_a_spare_child_is_used_for_the_next_scene_and_then_replaced(tmp_path, qtbot):
    path = cube_glb().write(tmp_path / "a.glb")
    try:
        keep_spare_child("scene")
        qtbot.waitUntil(is_spare_child_ready, timeout=60_000)
        assert read_scene(path).triangle_count == 12
        qtbot.waitUntil(is_spare_child_ready, timeout=60_000)
    finally:
        end_spare_child()
    assert not is_spare_child_ready()


def test_a_spare_child_that_died_is_not_used(tmp_path, qtbot):
    from waypost.io.confined.spare_child import _SHELF

    path = cube_glb().write(tmp_path / "a.glb")
    try:
        keep_spare_child("scene")
        qtbot.waitUntil(is_spare_child_ready, timeout=60_000)
        os.kill(_SHELF._waiting.process_id, 9)
        qtbot.waitUntil(lambda: not _SHELF._waiting.is_alive)
        assert read_scene(path).triangle_count == 12
    finally:
        end_spare_child()


def test_progress_comes_from_the_child(tmp_path):
    messages = [report.message for report in open_scene(cube_glb().write(tmp_path / "a.glb"))]
    assert messages[0] == "Opening a.glb"
    assert any(message.startswith("Placing") for message in messages)
