"""Syntax colours derived from the theme's accent, with enough contrast on code cards."""

from PySide6.QtGui import QColor

from specchat.ui.widgets.theme import Theme

READABLE = 4.5
"""What WCAG AA asks of text."""
TINT = 0.14
"""How much of its colour an accepted guess has behind it."""
_TURNS = {"keyword": 0, "string": 300, "number": 170, "name": 50, "meta": 110}
"""Degrees of hue away from the accent."""


def syntax_colours(theme: Theme) -> dict[str, QColor]:
    colours = {name: _turned(theme.accent, degrees) for name, degrees in _TURNS.items()}
    colours["comment"] = theme.text_muted
    return {name: _readable_on_all(colour, code_backgrounds(theme)) for name, colour in colours.items()}


def code_backgrounds(theme: Theme) -> tuple[QColor, ...]:
    """What can be behind a program."""
    return theme.sunken, *(blend_colours(tint, theme.sunken, TINT) for tint in (theme.accepted, theme.ngram))


def _readable_on_all(colour: QColor, behind: tuple[QColor, ...]) -> QColor:
    for ground in behind:
        colour = readable_colour(colour, ground)
    return colour


def contrast_ratio(one: QColor, other: QColor) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def readable_colour(colour: QColor, ground: QColor) -> QColor:
    """The same hue, as much lighter or darker as it must be."""
    step = 0.02 if _luminance(ground) < 0.2 else -0.02
    lightness = colour.lightnessF()
    while contrast_ratio(colour, ground) < READABLE and 0 < lightness < 1:
        lightness = min(1.0, max(0.0, lightness + step))
        colour = QColor.fromHslF(max(0.0, colour.hslHueF()), colour.hslSaturationF(), lightness)
    return colour


def blend_colours(colour: QColor, ground: QColor, share: float) -> QColor:
    red, green, blue = (
        share * one + (1 - share) * other
        for one, other in (
            (colour.redF(), ground.redF()),
            (colour.greenF(), ground.greenF()),
            (colour.blueF(), ground.blueF()),
        )
    )
    return QColor.fromRgbF(red, green, blue)


def _turned(colour: QColor, degrees: int) -> QColor:
    hue = (colour.hslHue() + degrees) % 360
    return QColor.fromHsl(hue, colour.hslSaturation() * 3 // 4, colour.lightness())


def _luminance(colour: QColor) -> float:
    red, green, blue = (_linear(part) for part in (colour.redF(), colour.greenF(), colour.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)
