"""Writes the keys in force on the controls that show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waypost.annotators.graph.tool import ToolName
from waypost.app.replay.actions import face_action
from waypost.app.replay.replay_header import FACES
from waypost.app.shell.key_sets import drive_keys, label_keys, record_keys
from waypost.services.input.shortcuts import ShortcutMap

if TYPE_CHECKING:
    from waypost.app.window.window import MainWindow

_CAMERAS = ("orbit", "fly", "top")


def write_keys(window: MainWindow, shortcuts: ShortcutMap) -> None:
    """Show these keys on the workspaces of a window and drive by them."""
    keys = shortcuts.keys()
    window.traverse.set_keys(label_keys(shortcuts))
    window.record.set_keys(record_keys(shortcuts), drive_keys(shortcuts))
    faces = {face: keys[face_action(face)] for face in FACES}
    window.replay.views.set_keys(faces, keys["replay.play"], keys["replay.fold_curves"])
    window.graph.set_keys({name: keys[f"graph.{name}"] for name in ToolName})
    window.stage.set_camera_keys({mode: keys[f"view.{mode}"] for mode in _CAMERAS})
