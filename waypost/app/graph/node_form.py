"""What is said about the selected node, edge or group."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QButtonGroup,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from waypost.domain.scene.graph import Edge, EdgeKind, Node
from waypost.services.appearance import EDGE_KIND_MARKS
from waypost.widgets.parts import GOES_ON, TextBox, button, heading, label, set_property
from waypost.widgets.row_layouts import EqualColumns

_KIND_TEXTS = {kind: f"{mark} {kind.value.capitalize()}" for kind, mark in EDGE_KIND_MARKS.items()}


class _Texts(NamedTuple):
    """What the fields of a node say."""

    name: str
    description: str


class NodeForm(QWidget):
    """Name and description of one node; a change belongs to the node it was typed for."""

    name_changed = Signal(str, str)
    """Node id and its new name; never blank."""

    description_changed = Signal(str, str)
    """Node id and its new description."""

    neighbour_wanted = Signal(int)
    """1 for the next node, -1 for the one before: its name is typed next."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._node: Node | None = None
        self._shown = _Texts("", "")
        self._name = QLineEdit()
        self._name.setAccessibleName("Name of the node")
        self._name.setToolTip("Tab or Enter names the next node, Shift+Tab the one before")
        self._name.editingFinished.connect(self.commit)
        self._name.setProperty(GOES_ON, True)
        self._name.installEventFilter(self)
        self._problem = label("", "error")
        self._description = TextBox(4, "Description of the node")
        self._description.setPlaceholderText("What is here, as a person would say it")
        self._description.installEventFilter(self)
        self._facts = label("", "muted")
        self._facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(5)
        layout.addWidget(heading("NODE"))
        layout.addWidget(self._name)
        layout.addWidget(self._problem)
        layout.addWidget(heading("DESCRIPTION"))
        layout.addWidget(self._description)
        layout.addWidget(self._facts)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.set_node(None, "")

    def set_node(self, node: Node | None, storey: str) -> None:
        """Show a node; what was typed for the one before is reported.

        Args:
            node: ``None`` empties and disables the form.
            storey: Name of its storey.
        """
        old = self._node
        typed, shown = self._texts, self._shown
        self._node = node
        self.setEnabled(node is not None)
        self._say("")
        self._show(node, old, storey)
        # Last, as a report changes the project, which comes back here.
        if old is not None and (node is None or node.node_id != old.node_id):
            self._report(old, typed, shown)

    @property
    def _texts(self) -> _Texts:
        return _Texts(self._name.text(), self._description.toPlainText())

    def _show(self, node: Node | None, old: Node | None, storey: str) -> None:
        if node is None:
            self._name.clear()
            self._description.setPlainText("")
            self._facts.setText("")
            self._shown = self._texts
            return
        before = old if old is not None and old.node_id == node.node_id else None
        # A field may show a text of a file otherwise than it is, without line ends or with others.
        if before is None or before.name != node.name:
            self._name.setText(node.name)
            self._shown = self._shown._replace(name=self._name.text())
        if before is None or before.description != node.description:
            self._description.setPlainText(node.description)
            self._shown = self._shown._replace(description=self._description.toPlainText())
        x, y, z = node.position_m
        place = f"x {x:.2f}  y {y:.2f}  z {z:.2f} m"
        self._facts.setText("\n".join(p for p in (place, storey, node.node_id) if p))

    def commit(self) -> None:
        """Report what was typed and not yet reported."""
        node = self._node
        if node is None:
            return
        name = self._name.text().strip()
        if not name:
            self._name.setText(node.name)
            self._say("A node needs a name; the old one is back.")
        elif name != node.name:
            self._say("")
        self._report(node, self._texts, self._shown)

    def _report(self, node: Node, typed: _Texts, shown: _Texts) -> None:
        name = typed.name.strip()
        if typed.name != shown.name and name and name != node.name:
            self.name_changed.emit(node.node_id, name)
        if typed.description not in (shown.description, node.description):
            self.description_changed.emit(node.node_id, typed.description)

    def focus_name(self) -> None:
        """Put the cursor into the name."""
        self._name.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._name.selectAll()

    def _say(self, sentence: str) -> None:
        self._problem.setText(sentence)
        self._problem.setVisible(bool(sentence))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Report the description when it is left, or on Ctrl+Enter; go on from name to name."""
        if watched is self._name:
            if _is_undo(event) and not self._name.isModified():
                # Nothing is typed yet: a step back is one of the project.
                event.ignore()
                return True
            step = _step_of(event)
            if step and event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
            elif step:
                self.commit()
                self.neighbour_wanted.emit(step)
            return bool(step)
        if event.type() == QEvent.Type.FocusOut:
            self.commit()
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.commit()
                return True
        return super().eventFilter(watched, event)


def _step_of(event: QEvent) -> int:
    """Which node a key in the name goes on to: 1, -1, or 0 for none."""
    heard = (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride)
    if event.type() not in heard or not isinstance(event, QKeyEvent):
        return 0
    has_shift = event.modifiers() == Qt.KeyboardModifier.ShiftModifier
    if event.key() == Qt.Key.Key_Backtab or (event.key() == Qt.Key.Key_Tab and has_shift):
        return -1
    is_plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    keys = (Qt.Key.Key_Tab, Qt.Key.Key_Return, Qt.Key.Key_Enter)
    return 1 if is_plain and event.key() in keys else 0


def _is_undo(event: QEvent) -> bool:
    """Whether a field is asked if it wants a key that takes a step back or forth."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    return event.matches(QKeySequence.StandardKey.Undo) or event.matches(
        QKeySequence.StandardKey.Redo
    )


class EdgeForm(QWidget):
    """Ends and kind of one edge, or the kind of several."""

    kind_changed = Signal(object, object)
    """``frozenset`` of edge ids and their new ``EdgeKind``."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._edge_ids: frozenset[str] = frozenset()
        self._title = label("")
        self._facts = label("", "muted")
        self._buttons: dict[EdgeKind, QPushButton] = {}
        self._group = QButtonGroup(self)
        kinds = QWidget()
        columns = EqualColumns(2, kinds)
        for kind, text in _KIND_TEXTS.items():
            made = button(text, f"Kind of the edge: {kind}", "chip")
            made.setCheckable(True)
            self._buttons[kind] = made
            self._group.addButton(made)
            columns.addWidget(made)
            made.clicked.connect(lambda _=False, kind=kind: self._choose(kind))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(5)
        for widget in (heading("EDGE"), self._title, self._facts, heading("KIND"), kinds):
            layout.addWidget(widget)
        set_property(self._title, "role", "title")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.set_edges((), "", "")

    def set_edges(self, edges: tuple[Edge, ...], title: str, facts: str) -> None:
        """Show edges.

        Args:
            edges: The selected ones; none disables the form.
            title: E.g. ``Hall – Kitchen`` or ``3 edges``.
            facts: E.g. ``4.12 m · edge_7``.
        """
        self._edge_ids = frozenset(edge.edge_id for edge in edges)
        self._title.setText(title)
        self._facts.setText(facts)
        self.setEnabled(bool(edges))
        kinds = {edge.kind for edge in edges}
        self._group.setExclusive(False)
        for kind, made in self._buttons.items():
            made.setChecked(kinds == {kind})
        self._group.setExclusive(True)

    def _choose(self, kind: EdgeKind) -> None:
        self.kind_changed.emit(self._edge_ids, kind)
