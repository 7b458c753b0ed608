"""What the fields of a form say, by their titles, as JSON holds it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QWidget,
)

from waypost.widgets.form_fields import Field, PathField


def entries_of(content: QWidget) -> dict[str, Any]:
    """Title → what is entered, of every field that can be changed."""
    return {title: _entered(control) for title, control in _controls(content)}


def enter(content: QWidget, entries: Mapping[str, Any]) -> None:
    """Enter values by the titles of their fields; what a field cannot take is left out."""
    for title, control in _controls(content):
        if title in entries:
            _enter(control, entries[title])


def _controls(content: QWidget) -> Iterator[tuple[str, QWidget]]:
    for field in content.findChildren(Field):
        if field.isEnabled():
            control = field.line if isinstance(field, PathField) else field.control
            yield control.accessibleName(), control


def _entered(control: QWidget) -> Any:
    match control:
        case QLineEdit():
            return control.text()
        case QPlainTextEdit():
            return control.toPlainText()
        case QSpinBox() | QDoubleSpinBox():
            return control.value()
        case QCheckBox():
            return control.isChecked()
        case QComboBox():
            return control.currentData()
    return None


def _enter(control: QWidget, value: Any) -> None:
    match control, value:
        case QLineEdit(), str():
            control.setText(value)
        case QPlainTextEdit(), str():
            control.setPlainText(value)
        case QCheckBox(), bool():
            control.setChecked(value)
        case QSpinBox(), int():
            control.setValue(min(max(value, control.minimum()), control.maximum()))
        case QDoubleSpinBox(), int() | float():
            control.setValue(value)
        case QComboBox(), _ if control.findData(value) >= 0:
            control.setCurrentIndex(control.findData(value))
