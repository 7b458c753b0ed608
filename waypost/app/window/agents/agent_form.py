"""Every field of an agent profile, checked while it is typed."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QWidget,
)

from waypost.domain.base.errors import InputError
from waypost.domain.traverse.agent import AgentProfile, BodyShape, DriveType
from waypost.widgets.colour_field import ColourField
from waypost.widgets.parts import label, set_property

_NUMBERS = (
    ("width_m", "Width", "m", 0.01, "Across the direction of travel, 0.01 to 10 m"),
    ("depth_m", "Depth", "m", 0.01, "Along the direction of travel, 0.01 to 10 m"),
    ("height_m", "Height", "m", 0.01, "0.01 to 10 m"),
    ("step_limit_m", "Step limit", "m", 0.001, "Highest single step it takes, 0 to 2 m"),
    ("min_turning_radius_m", "Turning radius", "m", 0.05, "Tightest arc of a car-like drive"),
    ("top_speed_mps", "Top speed", "m/s", 0.05, "0.01 to 20 m/s"),
    ("wheel_diameter_m", "Wheel diameter", "m", 0.005, "Of its smallest wheel; 0 for feet"),
    ("contact_width_m", "Tyre or foot width", "m", 0.005, "Across the way; 0: not stated"),
    ("largest_gap_m", "Largest gap", "m", 0.005,
     "Widest gap across the way that it passes; 0: found from the wheel and the step limit"),
)  # fmt: skip
_PLACES = "contact_places_m"
_PLACES_TIP = (
    "Where wheels or feet stand, in metres forward and left of the middle: 0.2, 0.25; 0.2, -0.25."
    " Empty: not stated"
)
_CHECKS = (
    ("climbs_stairs", "Climbs stairs"),
    ("opens_doors", "Opens doors"),
    ("operates_elevators", "Operates elevators"),
)
_SHAPES = {BodyShape.BOX: "Box", BodyShape.CYLINDER: "Cylinder", BodyShape.CAPSULE: "Capsule"}
_DRIVES = {
    DriveType.DIFFERENTIAL: "Differential",
    DriveType.HOLONOMIC: "Holonomic",
    DriveType.CAR_LIKE: "Car-like",
}
_NO_FIELD = "key"


class AgentForm(QWidget):
    """A form over one ``AgentProfile``; only sound profiles are reported."""

    profile_changed = Signal(object)
    """The new ``AgentProfile``, at every sound change."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._profile: AgentProfile | None = None
        self._is_quiet = False
        self._fields: dict[str, QWidget] = {}
        self._errors: dict[str, QLabel] = {}
        self._rows: list[tuple[QLabel | None, QWidget, QLabel]] = []
        self._is_stacked: bool | None = None
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._name = QLineEdit()
        self._description = QLineEdit()
        self._places = QLineEdit()
        self._colour = ColourField("Automatic")
        self._shape = _chooser({k.value: v for k, v in _SHAPES.items()})
        self._drive = _chooser({k.value: v for k, v in _DRIVES.items()})
        self._numbers: dict[str, QDoubleSpinBox] = {}
        self._checks: dict[str, QCheckBox] = {}
        self._build()
        self.set_profile(None)

    def set_profile(self, profile: AgentProfile | None) -> None:
        """Show another profile; emits nothing. ``None`` disables the form."""
        if profile is not None and profile == self._profile:
            return
        self._profile = profile
        self.setEnabled(profile is not None)
        if profile is None:
            return
        self._is_quiet = True
        if self._name.text() != profile.name:
            self._name.setText(profile.name)
        if self._description.text() != profile.description:
            self._description.setText(profile.description)
            self._description.setCursorPosition(0)
        self._colour.set_colour(profile.colour)
        self._show_places(profile.contact_places_m)
        self._shape.setCurrentIndex(self._shape.findData(profile.shape.value))
        self._drive.setCurrentIndex(self._drive.findData(profile.drive.value))
        for name, box in self._numbers.items():
            box.setValue(getattr(profile, name))
        for name, check in self._checks.items():
            check.setChecked(getattr(profile, name))
        self._is_quiet = False
        self._show_error("", "")
        self._enable_fields()

    def _build(self) -> None:
        self._add("name", "Name", self._name)
        self._name.textEdited.connect(self._on_edited)
        self._add("description", "Description", self._description)
        self._description.textEdited.connect(self._on_edited)
        self._add("colour", "Colour", self._colour)
        self._colour.changed.connect(self._on_edited)
        self._add("shape", "Shape", self._shape)
        self._shape.currentIndexChanged.connect(self._on_edited)
        for name, text, unit, step, tip in _NUMBERS[:4]:
            self._add_number(name, text, unit, step, tip)
        self._add("drive", "Drive", self._drive)
        self._drive.currentIndexChanged.connect(self._on_edited)
        for name, text, unit, step, tip in _NUMBERS[4:]:
            self._add_number(name, text, unit, step, tip)
        self._places.setToolTip(_PLACES_TIP)
        self._places.setPlaceholderText("0.2, 0.25; 0.2, -0.25")
        self._places.textEdited.connect(self._on_edited)
        self._add(_PLACES, "Wheels or feet at", self._places)
        for name, text in _CHECKS:
            check = QCheckBox(text)
            check.setAccessibleName(text)
            check.toggled.connect(self._on_edited)
            self._checks[name] = check
            self._add(name, "", check)
        self._add(_NO_FIELD, "", QWidget())
        self._drive.setToolTip("Differential turns on the spot, holonomic also steps sideways")
        self._grid.setRowStretch(len(self._rows) * 3, 1)
        self._arrange()

    def _add_number(self, name: str, text: str, unit: str, step: float, tip: str) -> None:
        box = QDoubleSpinBox()
        box.setDecimals(3)
        box.setRange(0.0, 100.0)
        box.setSingleStep(step)
        box.setSuffix(f" {unit}")
        box.setToolTip(tip)
        box.setAccessibleDescription(tip)
        box.setKeyboardTracking(True)
        box.lineEdit().setTextMargins(4, 0, 0, 0)
        box.valueChanged.connect(self._on_edited)
        self._numbers[name] = box
        self._add(name, text, box)

    def _add(self, field: str, text: str, widget: QWidget) -> None:
        caption: QLabel | None = None
        if text:
            caption = label(text, "muted")
            caption.setWordWrap(False)
            caption.setBuddy(widget)
            widget.setAccessibleName(text)
        widget.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        widget.setMinimumWidth(60)
        error = label("", "error")
        error.hide()
        self._fields[field], self._errors[field] = widget, error
        self._rows.append((caption, widget, error))

    def _arrange(self) -> None:
        captions = [c.sizeHint().width() for c, _, _ in self._rows if c is not None]
        needed = [w.sizeHint().width() for _, w, _ in self._rows]
        is_stacked = max(captions) + self._grid.horizontalSpacing() + max(needed) > self.width()
        if is_stacked == self._is_stacked:
            return
        self._is_stacked = is_stacked
        for number, (caption, widget, error) in enumerate(self._rows):
            row = number * 3
            if caption is not None:
                self._grid.addWidget(caption, row, 0)
            if is_stacked:
                self._grid.addWidget(widget, row + 1, 0, 1, 2)
            else:
                self._grid.addWidget(widget, row, 1)
            self._grid.addWidget(error, row + 2, 0, 1, 2)

    def _on_edited(self, *_: object) -> None:
        if self._is_quiet or self._profile is None:
            return
        self._follow_shape_and_drive()
        try:
            profile = AgentProfile(**self._values(self._profile))
        except InputError as error:
            where, _colon, reason = str(error).partition(": ")
            self._show_error(where, reason)
            return
        self._show_error("", "")
        if profile != self._profile:
            self._profile = profile
            self.profile_changed.emit(profile)

    def _values(self, base: AgentProfile) -> dict[str, Any]:
        values = {spec.name: getattr(base, spec.name) for spec in fields(AgentProfile)}
        values["name"] = self._name.text().strip() or base.name
        values["description"] = self._description.text()
        values["shape"] = BodyShape(self._shape.currentData())
        values["drive"] = DriveType(self._drive.currentData())
        values["colour"] = self._colour.colour
        values[_PLACES] = _places_of(self._places.text())
        for name, box in self._numbers.items():
            is_as_shown = round(values[name], box.decimals()) == box.value()
            values[name] = values[name] if is_as_shown else box.value()
        values |= {name: check.isChecked() for name, check in self._checks.items()}
        return values

    def _show_places(self, places: tuple[tuple[float, float], ...]) -> None:
        # What somebody types is left as typed while it means the same.
        try:
            is_shown = _places_of(self._places.text()) == places
        except InputError:
            is_shown = False
        if not is_shown:
            self._places.setText("; ".join(f"{x!r}, {y!r}" for x, y in places))
            self._places.setCursorPosition(0)

    def _follow_shape_and_drive(self) -> None:
        self._is_quiet = True
        if self._shape.currentData() != BodyShape.BOX:
            self._numbers["depth_m"].setValue(self._numbers["width_m"].value())
        radius = self._numbers["min_turning_radius_m"]
        if self._drive.currentData() != DriveType.CAR_LIKE:
            radius.setValue(0.0)
        elif not radius.isEnabled() and radius.value() == 0:
            radius.setValue(1.0)
        self._is_quiet = False
        self._enable_fields()

    def _enable_fields(self) -> None:
        self._numbers["depth_m"].setEnabled(self._shape.currentData() == BodyShape.BOX)
        is_car = self._drive.currentData() == DriveType.CAR_LIKE
        self._numbers["min_turning_radius_m"].setEnabled(is_car)

    def _show_error(self, field: str, reason: str) -> None:
        place = field if field in self._errors or not field else _NO_FIELD
        for name, error in self._errors.items():
            is_here = bool(field) and name == place
            error.setText(f"✕ {reason}" if is_here else "")
            error.setVisible(is_here)
            set_property(self._fields[name], "state", "error" if is_here else None)
            description = reason if is_here else self._fields[name].toolTip()
            self._fields[name].setAccessibleDescription(description)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put captions above their fields where they do not fit beside each other."""
        super().resizeEvent(event)
        self._arrange()


def _places_of(text: str) -> tuple[tuple[float, float], ...]:
    """Places as they are typed.

    Raises:
        InputError: If they are no pairs of numbers.
    """
    places = []
    for pair in filter(None, (part.strip() for part in text.split(";"))):
        try:
            forward_m, left_m = (float(number) for number in pair.split(","))
        except ValueError as error:
            raise InputError(
                f"{_PLACES}: {pair}: expected two numbers, such as 0.2, -0.25"
            ) from error
        places.append((forward_m, left_m))
    return tuple(places)


def _chooser(texts: dict[str, str]) -> QComboBox:
    box = QComboBox()
    for key, text in texts.items():
        box.addItem(text, key)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(8)
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return box
