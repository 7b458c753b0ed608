"""The Qt style sheet of a theme, written from its colours."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from string import Template

from waypost.services.appearance import ThemeTokens

_TEMPLATE = Template("""
QWidget { color: $text; }
QMainWindow, QDialog { background: $window; }
QToolTip { background: $raised; color: $text; border: 1px solid $border_strong; padding: 4px; }
QFrame[role="panel"] { background: $panel; border: 0; }
QFrame[role="card"] { background: $panel; border: 1px solid $border; border-radius: 8px; }
QFrame[role="curtain"] { background: $stage; border: 0; }
QFrame[role="card"][level="current"] { border: 2px solid $accent; }
QFrame[role="driving"] { background: $panel; border: 2px solid $agent; border-radius: 8px; }
QFrame[role="strip"] { background: $panel; border: 0; border-top: 1px solid $border; }
QFrame[role="divider"] { background: $border; border: 0; }
QFrame[role="popup"] { background: $panel; border: 1px solid $border_strong; border-radius: 10px; }
QFrame[role="message"] { background: $panel; border: 1px solid $border; border-radius: 6px; }
QFrame[role="message"][level="error"] { border-left: 4px solid $does_not; }
QFrame[role="message"][level="warning"] { border-left: 4px solid $uncertain; }
QFrame[role="message"][level="info"] { border-left: 4px solid $accent; }
QFrame[role="message"][level="success"] { border-left: 4px solid $travels; }

QLabel[role="heading"] { color: $muted; font-size: ${px_small}px; font-weight: 600; }
QLabel[role="title"] { font-size: ${px_title}px; font-weight: 700; }
QLabel[role="display"] { font-size: ${px_display}px; font-weight: 700; }
QLabel[role="muted"] { color: $muted; }
QLabel[role="fact"] { font-size: ${px_small}px; }
QLabel[role="fact"][level="muted"] { color: $muted; }
QLabel[role="fact"][level="good"] { color: $travels; }
QLabel[role="fact"][level="error"] { color: $does_not; }
QLabel[role="small"] { color: $muted; font-size: ${px_small}px; }
QLabel[role="differs"] { color: $disagreement; font-size: ${px_small}px; }
QLabel[role="error"] { color: $does_not; }
QLabel[role="warning"] { color: $uncertain; }
QLabel[role="told"] { font-size: ${px_instruction}px; font-weight: 600; }
QLabel[role="instruction"] { font-size: ${px_instruction}px; }
QLabel[role="notice"] { color: $uncertain; font-size: ${px_title}px; font-weight: 600; }
QLabel[role="loud"] { color: $does_not; font-size: ${px_title}px; font-weight: 700; }
QLabel[role="recording"] { color: $muted; font-size: ${px_title}px; font-weight: 700; }
QLabel[role="recording"][level="on"] { color: $does_not; }
QLabel[role="good"] { color: $travels; }
QLabel[role="keycap"] { color: $text; background: $raised; border: 1px solid $border_strong;
  border-radius: 4px; padding: 0 5px; font-size: ${px_small}px; }

QPushButton, QToolButton { background: $raised; border: 1px solid $border_strong;
  border-radius: 6px; padding: 5px 10px; }
QPushButton:hover, QToolButton:hover { background: $raised_hover; }
QPushButton:pressed, QToolButton:pressed { background: $border; }
QPushButton:checked, QToolButton:checked { background: $selection; color: $on_selection;
  border-color: $accent; }
QPushButton:focus, QToolButton:focus { border: 2px solid $accent; padding: 4px 9px; }
QPushButton:disabled, QToolButton:disabled { color: $disabled; border-color: $border; }
QPushButton[role="primary"] { background: $accent; color: $on_accent; border-color: $accent;
  font-weight: 600; }
QPushButton[role="primary"]:focus { border: 2px solid $text; }
QPushButton[role="primary"]:disabled { background: $raised; color: $disabled;
  border-color: $border; }
QPushButton[role="chip"] { text-align: left; padding: 4px 6px; border-radius: 5px; }
QPushButton[role="chip"]:focus { padding: 3px 5px; }
QPushButton[role="chip"]:checked:disabled { color: $on_selection; }
QPushButton[role="chip"][level="small"] { padding: 2px 5px; font-size: ${px_small}px; }
QPushButton[role="chip"][level="small"]:focus { padding: 1px 4px; }
QPushButton[role="chip"][level="proposed"] { border: 1px dashed $accent; color: $accent;
  font-style: italic; }
QPushButton[role="chip"][level="proposed"]:focus { border: 2px dashed $accent; }
QPushButton[role="link"] { background: transparent; border: 2px solid transparent;
  color: $accent; padding: 2px 4px; text-align: left; }
QPushButton[role="link"]:hover { text-decoration: underline; }
QPushButton[role="link"]:focus { border: 2px solid $accent; }
QPushButton[tone] { color: $text; }
QPushButton[tone="travels"] { color: $travels; }
QPushButton[tone="does_not"] { color: $does_not; font-weight: 700; }
QPushButton[tone="uncertain"] { color: $uncertain; }
QPushButton[tone="muted"] { color: $muted; }
QPushButton[verdict] { color: $on_fill; font-weight: 600; padding: 5px 4px;
  border: 2px solid transparent; }
QPushButton[verdict="travels"] { background: $travels_fill; }
QPushButton[verdict="does_not"] { background: $does_not_fill; }
QPushButton[verdict="uncertain"] { background: $uncertain_fill; }
QPushButton[verdict]:hover { border: 2px solid $border_strong; }
QPushButton[verdict]:checked { border: 2px solid $text; }
QPushButton[verdict]:focus { border: 2px solid $accent; }
QPushButton[verdict]:disabled { background: $raised; color: $disabled; }

QLineEdit, QTextEdit, QPlainTextEdit, QSpinBox, QDoubleSpinBox, QComboBox {
  background: $field; border: 1px solid $border_strong; border-radius: 6px; padding: 4px 7px;
  selection-background-color: $selection; selection-color: $on_selection; }
QLineEdit:focus, QTextEdit:focus, QPlainTextEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus,
QComboBox:focus { border: 2px solid $accent; padding: 3px 6px; }
QLineEdit:disabled, QTextEdit:disabled, QPlainTextEdit:disabled, QSpinBox:disabled,
QDoubleSpinBox:disabled, QComboBox:disabled {
  color: $disabled; border-color: $border; background: $panel; }
QComboBox::drop-down { border: 0; width: 22px; }
QComboBox::down-arrow { image: url("$icons/chevron-down-$theme.svg"); width: 12px; height: 12px; }
QAbstractSpinBox { padding-right: 22px; }
QAbstractSpinBox QLineEdit, QAbstractSpinBox QLineEdit:focus { background: transparent;
  border: 0; padding: 0 5px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { subcontrol-origin: border;
  width: 20px; border: 0; background: transparent; }
QAbstractSpinBox::up-button { subcontrol-position: top right; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover {
  background: $raised_hover; }
QAbstractSpinBox::up-arrow { image: url("$icons/chevron-up-$theme.svg"); width: 10px;
  height: 10px; }
QAbstractSpinBox::down-arrow { image: url("$icons/chevron-down-$theme.svg"); width: 10px;
  height: 10px; }
QTextEdit[role="instruction"] { font-size: ${px_instruction}px; }
QPlainTextEdit[role="flow"] { background: transparent; border: 2px solid transparent; padding: 0;
  border-radius: 4px; }
QPlainTextEdit[role="flow"][level="muted"] { color: $muted; }
QPlainTextEdit[role="flow"]:focus { border: 2px solid $accent; padding: 0; }
QPushButton[role="fold"] { background: transparent; border: 2px solid transparent; color: $muted;
  padding: 3px 2px; text-align: left; font-weight: 600; }
QPushButton[role="fold"]:checked { background: transparent; color: $text; }
QPushButton[role="fold"]:hover { background: $raised_hover; }
QPushButton[role="fold"]:focus { border: 2px solid $accent; padding: 3px 2px; }
QLineEdit[state="error"], QDoubleSpinBox[state="error"] { border: 2px solid $does_not;
  padding: 3px 6px; }
QLineEdit[role="palette"] { font-size: ${px_title}px; padding: 8px 10px; }
QLineEdit[role="palette"]:focus { padding: 7px 9px; }
QComboBox QAbstractItemView { background: $panel; border: 1px solid $border_strong; padding: 2px; }

QAbstractItemView { background: $field; border: 1px solid $border; border-radius: 6px;
  outline: 0; selection-background-color: $selection; selection-color: $on_selection; }
QAbstractItemView:focus { border: 2px solid $accent; }
QAbstractItemView::item { padding: 2px 4px; }
QAbstractItemView::item:selected { background: $selection; color: $on_selection; }
QAbstractItemView[role="plain"] { background: transparent; border: 2px solid transparent; }
QAbstractItemView[role="plain"]:focus { border: 2px solid $accent; }
QHeaderView::section { background: $panel; color: $muted; border: 0;
  border-bottom: 1px solid $border; padding: 4px 6px; }
QHeaderView::up-arrow, QHeaderView::down-arrow { subcontrol-position: top center;
  subcontrol-origin: border; width: 9px; height: 9px; }
QHeaderView::up-arrow { image: url("$icons/chevron-up-$theme.svg"); }
QHeaderView::down-arrow { image: url("$icons/chevron-down-$theme.svg"); }

QCheckBox, QRadioButton { spacing: 8px; border: 2px solid transparent; border-radius: 4px;
  padding: 1px; }
QCheckBox:focus, QRadioButton:focus { border: 2px solid $accent; }
QCheckBox::indicator { width: 15px; height: 15px; border: 1px solid $muted; border-radius: 4px;
  background: $field; }
QCheckBox::indicator:hover { border-color: $accent; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent;
  image: url("$icons/check-$theme.svg"); }
QCheckBox::indicator:disabled { border-color: $border; }
QRadioButton::indicator { width: 13px; height: 13px; border: 1px solid $muted; border-radius: 7px;
  background: $field; }
QRadioButton::indicator:hover { border-color: $accent; }
QRadioButton::indicator:checked { width: 7px; height: 7px; border: 4px solid $accent; }
QCheckBox:disabled, QRadioButton:disabled { color: $disabled; }

QProgressBar { background: $field; border: 1px solid $border; border-radius: 4px;
  min-height: 8px; max-height: 8px; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }

QScrollArea { background: transparent; border: 0; }
QScrollArea > QWidget > QWidget { background: transparent; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: $border_strong; border-radius: 4px; margin: 1px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: $border; }
QSplitter::handle:hover { background: $accent; }

QMenuBar, QMenu { background: $panel; color: $text; }
QMenu { border: 1px solid $border_strong; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 12px; border-radius: 4px; }
QMenu::item:selected, QMenuBar::item:selected { background: $selection; color: $on_selection; }
QMenu::item:disabled { color: $disabled; }
QMenu::separator { height: 1px; background: $border; margin: 4px 8px; }
QTabBar::tab { background: transparent; color: $muted; padding: 7px 10px; border: 0;
  border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { color: $text; border-bottom: 2px solid $accent; background: $panel; }
QTabBar::tab:focus { border: 2px solid $accent; }
QTabBar::scroller { width: ${px_scroller}px; }
QTabBar QToolButton { padding: 0; border-radius: 0; }
QTabBar QToolButton::left-arrow { image: url("$icons/chevron-left-$theme.svg"); }
QTabBar QToolButton::right-arrow { image: url("$icons/chevron-right-$theme.svg"); }
QTabWidget::pane { border: 0; border-top: 1px solid $border; }
""")


def make_style_sheet(tokens: ThemeTokens, text_scale_percent: int, base_px: int) -> str:
    """Write the style sheet of a theme.

    Args:
        tokens: The colours.
        text_scale_percent: 100 to 200.
        base_px: Height of ordinary text at 100 %.
    """
    icons = resources.files("waypost.resources") / "icons"
    scale = text_scale_percent / 100
    colours = {name: getattr(tokens, name) for name in tokens.__slots__}
    return _TEMPLATE.substitute(
        colours,
        icons=Path(str(icons)).as_posix(),
        theme="dark" if tokens.is_dark else "light",
        px_small=round((base_px - 1.5) * scale),
        px_instruction=round(18 * scale),
        px_scroller=round(base_px * 3 * scale),
        px_title=round((base_px + 3) * scale),
        px_display=round((base_px + 13) * scale),
    )
