"""What a camera can be told to film, as actions of every workspace."""

from __future__ import annotations

from collections.abc import Callable

from waypost.app.shell.actions import ActionSpec
from waypost.app.shell.camera.camera_takes import CameraTakes


def camera_actions(takes: CameraTakes) -> tuple[ActionSpec, ...]:
    """Tours, panoramas, reference pictures, and filming by hand."""
    rows: tuple[tuple[str, str, str, Callable[[], bool], Callable[[], None]], ...] = (
        ("tour", "Film a tour along the graph …", "", takes.can_tour, takes.ask_tour),
        ("panoramas", "Panoramas at every node …", "", takes.can_take_nodes, takes.ask_panoramas),
        ("reference", "Reference picture of a goal …", "", takes.can_take_nodes,
         takes.ask_reference),
        ("by_hand", "Film by hand: begin, or end", "Ctrl+Shift+F", takes.can_film,
         takes.toggle_hand),
    )  # fmt: skip
    return tuple(
        ActionSpec(
            f"camera.{key}", text, shortcut, "View", enabled, run, group="Films and pictures"
        )
        for key, text, shortcut, enabled, run in rows
    )
