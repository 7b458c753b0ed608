from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from waypost.app.window.agents.agent_editor import AgentEditor, free_key, neighbour_of
from waypost.app.window.agents.agent_form import AgentForm
from waypost.app.window.agents.agent_preview import AgentPreview, preview_text
from waypost.domain.traverse.agent import AgentProfile, BodyShape, DriveType
from waypost.widgets.theme import tokens_in_force

WHEELCHAIR = AgentProfile(
    "wheelchair", "Wheelchair", BodyShape.BOX, 0.7, 1.0, 1.2, 0.01305, False, True, True
)


@pytest.fixture
def form(qtbot: QtBot) -> AgentForm:
    made = AgentForm()
    qtbot.addWidget(made)
    made.set_profile(WHEELCHAIR)
    made.show()
    return made


def choose(form: AgentForm, key: str) -> None:
    box = next(b for b in form.findChildren(QComboBox) if b.findData(key) >= 0)
    box.setCurrentIndex(box.findData(key))


def set_number(form: AgentForm, title: str, value: float) -> None:
    boxes = {box.accessibleName(): box for box in form.findChildren(QDoubleSpinBox)}
    boxes[title].setValue(value)


def test_showing_a_profile_changes_nothing(qtbot: QtBot, form: AgentForm) -> None:
    with qtbot.assertNotEmitted(form.profile_changed):
        form.set_profile(replace(WHEELCHAIR, width_m=0.65))


def test_a_change_is_reported_and_leaves_the_rest_unrounded(qtbot: QtBot, form: AgentForm) -> None:
    with qtbot.waitSignal(form.profile_changed) as changed:
        set_number(form, "Width", 0.62)
    assert changed.args == [replace(WHEELCHAIR, width_m=0.62)]


@pytest.mark.parametrize(
    ("field", "title", "value", "sentence"),
    [
        ("width_m", "Width", 0.0, "✕ 0 is outside 0.01 to 10"),
        ("height_m", "Height", 50.0, "✕ 50 is outside 0.01 to 10"),
        ("step_limit_m", "Step limit", 1.5, "✕ must be less than the height"),
        ("top_speed_mps", "Top speed", 0.0, "✕ 0 is outside 0.01 to 20"),
    ],
)
def test_a_bad_value_is_refused_at_its_field(
    qtbot: QtBot, form: AgentForm, field: str, title: str, value: float, sentence: str
) -> None:
    good = getattr(WHEELCHAIR, field)
    with qtbot.assertNotEmitted(form.profile_changed):
        set_number(form, title, value)
    assert form._errors[field].text() == sentence
    assert form._profile == WHEELCHAIR
    set_number(form, title, round(good, 3))
    assert form._errors[field].text() == ""


def test_a_round_body_is_as_deep_as_wide(qtbot: QtBot, form: AgentForm) -> None:
    with qtbot.waitSignal(form.profile_changed) as changed:
        choose(form, "cylinder")
    assert changed.args[0].shape is BodyShape.CYLINDER
    assert changed.args[0].depth_m == 0.7
    set_number(form, "Width", 0.5)
    assert form._profile is not None
    assert form._profile.depth_m == 0.5


def test_only_a_car_has_a_turning_radius(qtbot: QtBot, form: AgentForm) -> None:
    choose(form, "car_like")
    assert form._profile is not None
    assert form._profile.min_turning_radius_m == 1.0
    choose(form, "holonomic")
    assert form._profile == replace(WHEELCHAIR, drive=DriveType.HOLONOMIC)


def test_a_name_is_reported_while_typed(qtbot: QtBot, form: AgentForm) -> None:
    name = next(f for f in form.findChildren(QLineEdit) if f.accessibleName() == "Name")
    with qtbot.waitSignal(form.profile_changed) as changed:
        qtbot.keyClicks(name, "s")
    assert changed.args[0].name == "Wheelchairs"


def test_places_of_wheels_are_typed_as_pairs(qtbot: QtBot, form: AgentForm) -> None:
    field = next(
        f for f in form.findChildren(QLineEdit) if f.accessibleName() == "Wheels or feet at"
    )
    field.clear()
    with qtbot.waitSignal(form.profile_changed):
        qtbot.keyClicks(field, "0.2, 0.25; -0.3, 0")
    assert form._profile == replace(WHEELCHAIR, contact_places_m=((0.2, 0.25), (-0.3, 0.0)))
    assert field.text() == "0.2, 0.25; -0.3, 0"
    qtbot.keyClicks(field, ", 7")
    assert form._errors["contact_places_m"].text() == (
        "✕ -0.3, 0, 7: expected two numbers, such as 0.2, -0.25"
    )


def test_preview_in_words() -> None:
    text = preview_text(WHEELCHAIR)
    assert "fits through a 0.90 m door" in text
    assert "turning circle 1.22 m" in text
    assert "does not fit" in preview_text(replace(WHEELCHAIR, width_m=0.9))


def test_preview_is_to_scale(qtbot: QtBot, theme: str) -> None:
    """The body's painted width and the door's differ as 0.70 m and 0.90 m do."""
    preview = AgentPreview()
    qtbot.addWidget(preview)
    preview.resize(300, 420)
    preview.set_profile(WHEELCHAIR)
    preview.show()
    picture = preview.grab().toImage()
    colour = QColor(tokens_in_force().agent).rgb()
    rows = {
        y: [x for x in range(picture.width()) if picture.pixel(x, y) == colour]
        for y in range(picture.height() // 2)
    }
    widths = [max(xs) - min(xs) for xs in rows.values() if len(xs) > 20]
    heights = [y for y, xs in rows.items() if len(xs) > 1]
    assert widths
    assert max(widths) / (max(heights) - min(heights)) == pytest.approx(0.7 / 1.2, abs=0.04)


def test_keys_of_new_agents_are_free() -> None:
    assert free_key("a", {}) == "a"
    assert free_key("a", {"a": 1, "a_2": 1}) == "a_3"


@pytest.fixture
def editor(qtbot: QtBot) -> AgentEditor:
    made = AgentEditor()
    qtbot.addWidget(made)
    made.set_agents({"wheelchair": WHEELCHAIR})
    made.show()
    return made


def press(qtbot: QtBot, editor: AgentEditor, text: str) -> None:
    made = next(b for b in editor.findChildren(QPushButton) if b.text() == text)
    qtbot.mouseClick(made, Qt.MouseButton.LeftButton)


def test_duplicate_makes_an_agent_of_its_own(qtbot: QtBot, editor: AgentEditor) -> None:
    with qtbot.waitSignal(editor.profile_changed) as changed:
        press(qtbot, editor, "Duplicate")
    assert changed.args == [replace(WHEELCHAIR, key="wheelchair_2", name="Wheelchair copy")]
    assert editor.current == "wheelchair_2"


def test_new_and_remove(qtbot: QtBot, editor: AgentEditor) -> None:
    press(qtbot, editor, "New")
    assert editor.current == "agent"
    with qtbot.waitSignal(editor.remove_chosen) as removed:
        press(qtbot, editor, "Remove")
    assert removed.args == ["agent"]
    assert editor.current == "agent"
    editor.remove("agent")
    assert editor.current == "wheelchair"


@pytest.mark.parametrize(("gone", "shown"), [("a", "b"), ("b", "c"), ("c", "b"), ("x", "")])
def test_the_neighbour_of_an_agent_that_goes_is_shown(gone: str, shown: str) -> None:
    assert neighbour_of(gone, ("a", "b", "c")) == shown
    assert neighbour_of("a", ("a",)) == ""


def test_a_new_agent_has_a_name_of_its_own(qtbot: QtBot, editor: AgentEditor) -> None:
    press(qtbot, editor, "New")
    with qtbot.waitSignal(editor.profile_changed) as changed:
        press(qtbot, editor, "New")
    assert changed.args[0].name == "New agent 2"


def test_the_agent_shown_stays_when_the_project_changes(editor: AgentEditor) -> None:
    other = replace(WHEELCHAIR, key="cart", name="Cart")
    editor.set_agents({"cart": other, "wheelchair": WHEELCHAIR})
    assert editor.current == "wheelchair"
    editor.set_agents({})
    assert editor.current == ""
    assert editor.form.isEnabled() is False
