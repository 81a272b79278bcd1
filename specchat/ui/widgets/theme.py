"""Colours, spacing and fonts of the window, defined only here."""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette

GRID = 8
"""All distances are multiples or halves of this."""
RADIUS = 8
BODY_PX = 15
"""Unless the user chose another size; all other type keeps its proportion to it, see `scaled_px`."""
SMALL_PX = 13
TITLE_PX = 20
LINE_HEIGHT = 1.5
MAX_LINE_CHARACTERS = 75
SCROLL_BAR_WIDTH = 10


@dataclass(frozen=True, slots=True)
class Theme:
    dark: bool
    window: QColor
    """Behind everything."""
    surface: QColor
    """Cards, the composer, floating panels."""
    sunken: QColor
    """Code, the user's messages, fields."""
    hover: QColor
    selected: QColor
    line: QColor
    text: QColor
    text_muted: QColor
    accent: QColor
    on_accent: QColor
    accepted: QColor
    """An accepted guess of the draft."""
    ngram: QColor
    """An accepted guess from earlier text, or from any other drafter."""
    rejected: QColor
    danger: QColor
    warning: QColor


def _theme(dark: bool, **colours: str) -> Theme:
    return Theme(dark, **{name: QColor(value) for name, value in colours.items()})


LIGHT = _theme(
    False,
    window="#fbfbfa",
    surface="#ffffff",
    sunken="#f1f1ef",
    hover="#ebebe8",
    selected="#e2e8f4",
    line="#dededa",
    text="#1d1e20",
    text_muted="#5e6167",
    accent="#2f5fc4",
    on_accent="#ffffff",
    accepted="#1f7a4d",
    ngram="#8a4b00",
    rejected="#7f8288",
    danger="#b3261e",
    warning="#8a5a00",
)
DARK = _theme(
    True,
    window="#1b1c1e",
    surface="#232427",
    sunken="#2a2b2f",
    hover="#303236",
    selected="#2c3850",
    line="#393b40",
    text="#e8e8e6",
    text_muted="#a3a6ad",
    accent="#8ab0ff",
    on_accent="#0f1b33",
    accepted="#6fce9f",
    ngram="#f0b26a",
    rejected="#7d8087",
    danger="#ff8a80",
    warning="#f2c063",
)


def system_theme() -> Theme:
    return theme_of(QGuiApplication.styleHints().colorScheme())


def theme_of(scheme: Qt.ColorScheme) -> Theme:
    return DARK if scheme is Qt.ColorScheme.Dark else LIGHT


def scaled_px(pixels: int) -> int:
    """A type size, adapted to the text size chosen: the application's font carries that, in pixels."""
    chosen = QGuiApplication.font().pixelSize()
    return round(pixels * chosen / BODY_PX) if chosen > 0 else pixels


def body_font(pixels: int = BODY_PX) -> QFont:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    font.setPixelSize(scaled_px(pixels))
    return font


def code_font(pixels: int = SMALL_PX) -> QFont:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(scaled_px(pixels))
    return font


def tabular_figures(font: QFont) -> QFont:
    """Digits of equal width: numbers change without moving what stands beside them."""
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def palette(theme: Theme) -> QPalette:
    colours = QPalette()
    roles = QPalette.ColorRole
    for role, colour in (
        (roles.Window, theme.window),
        (roles.WindowText, theme.text),
        (roles.Base, theme.surface),
        (roles.AlternateBase, theme.sunken),
        (roles.Text, theme.text),
        (roles.PlaceholderText, theme.text_muted),
        (roles.Button, theme.surface),
        (roles.ButtonText, theme.text),
        (roles.BrightText, theme.danger),
        (roles.Highlight, theme.accent),
        (roles.HighlightedText, theme.on_accent),
        (roles.Link, theme.accent),
        (roles.ToolTipBase, theme.surface),
        (roles.ToolTipText, theme.text),
        (roles.Mid, theme.line),
        (roles.Dark, theme.line),
        (roles.Light, theme.hover),
        (roles.Midlight, theme.hover),
        (roles.Shadow, theme.line),
        (roles.Accent, theme.accent),
    ):
        colours.setColor(role, colour)
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        colours.setColor(QPalette.ColorGroup.Disabled, role, theme.rejected)
    return colours
