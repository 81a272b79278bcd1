import os
import subprocess
import sys
from contextlib import suppress

import pytest
import shiboken6
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QFileDialog, QLabel, QMainWindow, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from specchat.services.program.resources import resources
from specchat.ui.start.application import Mode, ThemeManager
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.style_sheet import style_sheet
from specchat.ui.widgets.theme import BODY_PX, DARK, LIGHT, SMALL_PX, Theme, body_font, code_font, scaled_px
from specchat.ui.widgets.theme_service import current_theme, follow_theme

LOGO = str(resources() / "icons" / "specchat.svg")
DESCRIBE = """
from PySide6.QtWidgets import QApplication
from specchat.ui.start.application import make_application
application = make_application()
print(application.applicationName(), application.desktopFileName(), application.style().name())
print(application.windowIcon().isNull(), application.applicationVersion() != "")
"""


class Follower(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Theme] = []
        follow_theme(self.apply_theme)

    def apply_theme(self) -> None:
        self.seen.append(current_theme())


def test_the_application_has_a_name_an_icon_and_a_style() -> None:
    done = subprocess.run([sys.executable, "-c", DESCRIBE], env=os.environ, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["specchat", "specchat", "fusion", "False", "True"]
    assert not done.stderr


def test_a_mode_changes_colours_everywhere(qtbot: QtBot, look: ThemeManager) -> None:
    label = QLabel("words")
    qtbot.addWidget(label)
    look.set_mode("dark")
    assert current_theme() is DARK
    assert label.palette().windowText().color() == DARK.text
    look.set_mode("light")
    assert current_theme() is LIGHT
    assert label.palette().windowText().color() == LIGHT.text


@pytest.fixture
def unfollowed_system(qapp: QApplication) -> None:
    """Windows of earlier tests would each style the whole application anew."""
    with suppress(RuntimeError):
        qapp.styleHints().colorSchemeChanged.disconnect()


@pytest.mark.usefixtures("unfollowed_system")
def test_the_system_is_followed_while_nothing_is_chosen(qapp: QApplication, request: pytest.FixtureRequest) -> None:
    look: ThemeManager = request.getfixturevalue("look")
    hints = qapp.styleHints()
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert current_theme() is DARK
    look.set_mode("light")
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert current_theme() is LIGHT


def test_choosing_what_is_chosen_already_costs_nothing(look: ThemeManager) -> None:
    follower = Follower()
    look.set_mode("light")
    look.set_text_size(BODY_PX)
    assert follower.seen == [LIGHT]


def test_one_window_is_styled_for_all(qtbot: QtBot, qapp: QApplication, look: ThemeManager) -> None:
    """With its dialogs, and their tips; much faster than the application is."""
    window = QMainWindow()
    qtbot.addWidget(window)
    look.style_window(window)
    dialog = QDialog(window)
    primary = TextButton("Words", dialog, primary=True)
    dialog.resize(300, 200)
    dialog.show()
    modes: tuple[tuple[Mode, Theme], ...] = (("dark", DARK), ("light", LIGHT))
    for mode, theme in modes:
        look.set_mode(mode)
        QToolTip.showText(dialog.pos(), "Words of the tip", primary)
        (tip,) = (each for each in qapp.topLevelWidgets() if each.isVisible() and isinstance(each, QLabel))
        assert dialog.grab().toImage().pixelColor(1, dialog.height() - 2) == theme.window
        assert primary.grab().toImage().pixelColor(primary.width() // 2, 4) == theme.accent
        assert tip.grab().toImage().pixelColor(3, 3) == theme.surface
        QToolTip.hideText()
        qtbot.waitUntil(lambda: not QToolTip.isVisible())
    assert qapp.styleSheet() == ""


def test_after_that_window_the_application_is_styled_again(qapp: QApplication, look: ThemeManager) -> None:
    window = QMainWindow()
    look.style_window(window)
    shiboken6.delete(window)
    look.set_mode("dark")
    assert DARK.surface.name() in qapp.styleSheet()


@pytest.mark.parametrize(("body", "small"), [(14, 12), (15, 13), (17, 15)])
def test_all_type_keeps_its_proportion_to_the_text(qtbot: QtBot, look: ThemeManager, body: int, small: int) -> None:
    look.set_text_size(body)
    label, muted = QLabel("words"), QLabel("words")
    muted.setProperty("muted", True)
    for widget in (label, muted):
        qtbot.addWidget(widget)
        widget.ensurePolished()
    assert (label.font().pixelSize(), muted.font().pixelSize()) == (body, small)
    assert (body_font().pixelSize(), body_font(SMALL_PX).pixelSize()) == (body, small)
    assert (scaled_px(BODY_PX), code_font().pixelSize()) == (body, small)


def test_a_widget_that_keeps_fonts_follows_theme_and_text_size(look: ThemeManager) -> None:
    follower = Follower()
    look.set_text_size(17)
    look.set_mode("dark")
    assert follower.seen == [LIGHT, LIGHT, DARK]


def test_a_widget_follows_for_as_long_as_it_lives(look: ThemeManager) -> None:
    follower = Follower()
    shiboken6.delete(follower)
    look.set_mode("dark")
    assert follower.seen == [LIGHT]


@pytest.mark.parametrize("background", [LIGHT.window, DARK.window], ids=["light", "dark"])
@pytest.mark.parametrize("side", [16, 256])
def test_both_shapes_of_the_logo_stand_out(background: QColor, side: int) -> None:
    image = QImage(side, side, QImage.Format.Format_RGB32)
    image.fill(background)
    painter = QPainter(image)
    QSvgRenderer(LOGO).render(painter, QRectF(image.rect()))
    painter.end()
    row = [image.pixelColor(x, side * 3 // 8) for x in range(side)]
    strips = [row[side // 4], row[side * 7 // 8]]
    assert all(_contrast(colour, background) >= 3 for colour in strips)
    assert _contrast(row[side * 23 // 32], background) < 1.3


def test_the_logo_is_an_icon_of_any_size() -> None:
    assert QIcon(LOGO).pixmap(QSize(256, 256)).size() == QSize(256, 256)


def _contrast(one: QColor, other: QColor) -> float:
    brighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def _luminance(colour: QColor) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF())


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_what_can_be_chosen_in_a_file_dialog_is_seen(qtbot: QtBot, theme: Theme) -> None:
    """The style sheet takes away Qt's own arrow."""
    dialog = QFileDialog(None, "Export", "", "Markdown (*.md);;JSON (*.json)")
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    qtbot.addWidget(dialog)
    dialog.setStyleSheet(style_sheet(theme))
    dialog.show()
    box = dialog.findChild(QComboBox, "fileTypeCombo")
    assert box is not None
    shown = box.grab().toImage()
    right = range(shown.width() - 24, shown.width() - 4)
    row = range(shown.height() // 2 - 6, shown.height() // 2 + 6)
    assert len({shown.pixel(x, y) for x in right for y in row}) > 2
