"""The menu can be read at a glance: short columns, with separators, and nothing is lost in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gui.user import User
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton

from waypost.app.shell.actions import ActionSpec
from waypost.app.shell.menu_columns import MOST_ENTRIES, MenuGroup, in_groups, menu_groups


def specs(*groups: tuple[str, int]) -> tuple[ActionSpec, ...]:
    return tuple(
        ActionSpec(f"{title}.{number}", "", "", "", None, lambda: None, group=title)
        for title, count in groups
        for number in range(count)
    )


def test_a_short_menu_is_not_folded() -> None:
    made = menu_groups(specs(("", 2), ("Go", 5), ("Look", 5)))
    assert [(g.title, len(g.action_ids), g.is_folded) for g in made] == [
        ("", 2, False),
        ("Go", 5, False),
        ("Look", 5, False),
    ]


def test_the_largest_groups_fold_until_the_rest_fits() -> None:
    made = menu_groups(specs(("", 3), ("Reason", 10), ("Drive", 4), ("Go", 6), ("Rest", 2)))
    assert [g.title for g in made if g.is_folded] == ["Reason", "Go"]
    assert sum(1 if g.is_folded else len(g.action_ids) for g in made) == 11


def test_what_has_no_title_stays() -> None:
    assert menu_groups(specs(("", 14))) == (
        MenuGroup("", tuple(f".{number}" for number in range(14))),
    )


def test_groups_are_given_from_the_first_to_the_last_action() -> None:
    plain = specs(("", 4))
    assert [s.group for s in in_groups(plain, ("Middle", ".1", ".2"))] == [
        "",
        "Middle",
        "Middle",
        "",
    ]


def columns(menu: QMenu) -> Iterator[tuple[QMenu, list[QAction]]]:
    yield menu, menu.actions()
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            yield from columns(inner)


@pytest.mark.gui
def test_no_column_of_the_menu_is_long_and_every_action_is_in_one(user: User) -> None:
    menu = user.find(QToolButton, "Menu").menu()
    found: list[str] = []
    for column, actions in columns(menu):
        entries = [action for action in actions if not action.isSeparator()]
        assert 0 < len(entries) <= MOST_ENTRIES, column.title()
        assert not actions[0].isSeparator()
        assert not actions[-1].isSeparator()
        found += [action.objectName() for action in entries if not action.menu()]
    assert sorted(found) == sorted(entry.key for entry in user.window.actions_set.palette_entries())
    replay = next(c for c, _ in columns(menu) if c.title() == "Replay")
    assert any(action.isSeparator() for action in replay.actions())
