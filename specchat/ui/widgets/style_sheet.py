"""The application's style sheet."""

from specchat.services.program.resources import resources
from specchat.ui.widgets.theme import BODY_PX, GRID, RADIUS, SMALL_PX, Theme, scaled_px


def style_sheet(theme: Theme) -> str:
    colours = {name: getattr(theme, name).name() for name in _COLOURS}
    sizes: dict[str, object] = {
        "radius": RADIUS,
        "small_radius": RADIUS - 2,
        "grid": GRID,
        "half": GRID // 2,
        "one_and_half": GRID * 3 // 2,
        "one_and_half_less_2": GRID * 3 // 2 - 2,
        "arrow": (resources() / "icons" / "chevron-down-grey.svg").as_posix().replace('"', r"\""),
    }
    return _SHEET % (colours | sizes | {"body": scaled_px(BODY_PX), "small": scaled_px(SMALL_PX)})


_COLOURS = (
    "window",
    "surface",
    "sunken",
    "hover",
    "selected",
    "line",
    "text",
    "text_muted",
    "accent",
    "on_accent",
    "danger",
    "rejected",
    "accepted",
    "warning",
)

_SHEET = """
* { font-size: %(body)dpx; }
QMainWindow, QDialog { background: %(window)s; }
QToolTip {
    background: %(surface)s; color: %(text)s; border: 1px solid %(line)s;
    padding: %(half)dpx %(grid)dpx; font-size: %(small)dpx;
}
QToolButton {
    border: 1px solid transparent; border-radius: %(small_radius)dpx; padding: 0 %(half)dpx; background: transparent;
}
QToolButton:hover { background: %(hover)s; }
QToolButton:pressed, QToolButton:checked { background: %(selected)s; }
QToolButton:focus { border-color: %(accent)s; }
QToolButton::menu-indicator { image: none; }
QPushButton {
    border: 1px solid %(line)s; border-radius: %(small_radius)dpx; background: %(surface)s; color: %(text)s;
    padding: 0 %(one_and_half)dpx; font-size: %(small)dpx; outline: none;
}
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; button-layout: 3; }
QDialogButtonBox QPushButton { min-height: 30px; }
QPushButton:hover { background: %(hover)s; }
QPushButton:focus { border-color: %(accent)s; }
QPushButton:disabled { color: %(rejected)s; }
QPushButton[primary="true"] {
    background: %(accent)s; color: %(on_accent)s; border-color: %(accent)s; font-weight: 600;
}
QPushButton[primary="true"]:focus { border: 3px double %(on_accent)s; padding: 0 %(one_and_half_less_2)dpx; }
QDialogButtonBox QPushButton[primary="true"]:focus { min-height: 26px; }
QPushButton[primary="true"]:disabled { background: %(sunken)s; color: %(rejected)s; border-color: %(line)s; }
QFrame[line="true"] { background: %(line)s; border: none; }
QFrame[card="true"] { background: %(surface)s; border: 1px solid %(line)s; border-radius: %(radius)dpx; }
QFrame[row="true"] { background: transparent; border: 1px solid transparent; border-radius: %(small_radius)dpx; }
QFrame[row="true"]:hover { background: %(hover)s; }
QFrame[row="true"]:focus { border-color: %(accent)s; }
QLabel[badge] {
    border: 1px solid %(line)s; border-radius: %(half)dpx; padding: 0 %(half)dpx; font-size: %(small)dpx;
    color: %(text_muted)s;
}
QLabel[badge="good"] { color: %(accepted)s; border-color: %(accepted)s; }
QLabel[badge="warning"] { color: %(warning)s; border-color: %(warning)s; }
QLabel[badge="danger"] { color: %(danger)s; border-color: %(danger)s; }
QLabel[muted="true"] { color: %(text_muted)s; font-size: %(small)dpx; }
QLabel[muted="true"]:disabled { color: %(rejected)s; }
QLabel[small="true"] { font-size: %(small)dpx; }
QLabel[danger="true"] { color: %(danger)s; font-size: %(small)dpx; }
QLabel[warning="true"] { color: %(warning)s; font-size: %(small)dpx; }
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox {
    background: %(surface)s; border: 1px solid %(line)s; border-radius: %(small_radius)dpx;
    padding: 0 %(grid)dpx; min-height: 30px; selection-background-color: %(accent)s; selection-color: %(on_accent)s;
}
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border-color: %(accent)s; }
QComboBox::drop-down { border: none; width: 24px; }
QFileDialog QComboBox::down-arrow { image: url("%(arrow)s"); width: 16px; height: 16px; }
QMenu { menu-scrollable: 1; background: %(surface)s; border: 1px solid %(line)s; padding: %(half)dpx; }
QMenu::item { padding: 6px 24px 6px 12px; border-radius: %(half)dpx; font-size: %(small)dpx; }
QMenu::item:selected { background: %(selected)s; }
QMenu::item:disabled { color: %(rejected)s; }
QMenu::separator { height: 1px; background: %(line)s; margin: %(half)dpx %(grid)dpx; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar::handle:vertical { background: %(line)s; border-radius: 3px; min-height: 32px; margin: 1px 2px; }
QScrollBar::handle:vertical:hover { background: %(rejected)s; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle:horizontal { background: %(line)s; border-radius: 3px; min-width: 32px; margin: 2px 1px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QListWidget {
    background: %(surface)s; border: 1px solid %(line)s; border-radius: %(radius)dpx; outline: 0; padding: %(half)dpx;
}
QListWidget:focus { border-color: %(accent)s; }
QListWidget::item { min-height: 20px; padding: 6px %(grid)dpx; border-radius: %(small_radius)dpx; color: %(text)s; }
QListWidget::item:hover { background: %(hover)s; }
QListWidget::item:selected { background: %(selected)s; color: %(text)s; }
"""
