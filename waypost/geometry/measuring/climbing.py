"""What a body could pass only over furniture, which is uncertain unless the project allows it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from waypost.domain.traverse.traversability import Verdict
from waypost.geometry.measuring.answers import Answers
from waypost.geometry.measuring.body import MeasuredBody
from waypost.geometry.measuring.geometric_measure import GeometricAnswer
from waypost.geometry.measuring.height_field import Floats
from waypost.geometry.measuring.holes import near_path
from waypost.geometry.measuring.passage_view import PassageView
from waypost.geometry.measuring.path_facts import along
from waypost.geometry.measuring.reversals import straight_poses
from waypost.geometry.measuring.scene_ground import CELL_M, RAISED_M, GroundWindow


def may_climb(window: GroundWindow, body: MeasuredBody, answers: Answers, edge: Floats) -> bool:
    """Whether furniture that is low enough for a first step may change an answer.

    Args:
        window: Around the edge.
        body: Its step decides.
        answers: On the floor alone.
        edge: The straight edge as a path.
    """
    if Verdict.DOES_NOT not in (answers.straight.verdict, answers.any_path.verdict):
        return False
    if body.step_up_m <= RAISED_M or not window.is_furniture.any():
        return False
    field = window.field
    low = window.raised_spans & field.is_upward
    low &= field.high_m <= window.high_z_m + body.step_up_m + RAISED_M
    if answers.any_path.verdict is Verdict.DOES_NOT:
        return bool(low.any())
    cell = np.unique(field.cell[low])
    places = field.grid.centres(cell // field.grid.columns, cell % field.grid.columns)
    return bool(near_path(places, edge, body.reach_m + CELL_M).any())


def with_climbing(answers: Answers, climbing: Answers, view: PassageView) -> tuple[Answers, bool]:
    """The answers on the floor, uncertain where only a way over furniture is free.

    Args:
        answers: On the floor alone.
        climbing: Over furniture as well.
        view: What the body finds over furniture.

    Returns:
        Both answers, and whether the path is the one over furniture.
    """
    edge = straight_poses(view.start, view.end)
    path = edge if climbing.path is None else climbing.path
    straight = _doubted(answers.straight, climbing.straight, _underfoot(view, edge))
    any_path = _doubted(answers.any_path, climbing.any_path, _underfoot(view, path))
    if any_path is answers.any_path:
        return replace(answers, straight=straight), False
    return replace(climbing, straight=straight, any_path=any_path), True


def _doubted(
    own: GeometricAnswer, climbing: GeometricAnswer, names: tuple[str, ...]
) -> GeometricAnswer:
    if own.verdict is not Verdict.DOES_NOT or climbing.verdict is Verdict.DOES_NOT:
        return own
    names = names or own.contacts
    words = f"climbs {', '.join(names) or 'furniture'}"
    return GeometricAnswer(Verdict.UNCERTAIN, words, None, own.at_m, climbing.margin_m, names)


def _underfoot(view: PassageView, path: Floats) -> tuple[str, ...]:
    """Furniture under the middle of the body and under its sides."""
    sheet, window = view.reached.sheet, view.window
    names: dict[str, None] = {}
    for share in (0.0, 0.4, -0.4):
        column, row, inside = sheet.grid.cells(along(path, share * view.body.width_m))
        row, column = row[inside], column[inside]
        raised = np.nan_to_num(sheet.z_m[row, column]) > window.high_z_m + RAISED_M
        triangle = sheet.triangle[row[raised], column[raised]]
        on_furniture = triangle[window.is_furniture[triangle]]
        names |= dict.fromkeys(window.name_of(int(k)) for k in on_furniture)
    return tuple(names)
