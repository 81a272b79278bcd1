"""The layout of the stats card: upright, or flat where there is little height."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QFont, QFontMetrics

from specchat.ui.widgets.theme import BODY_PX, GRID, SMALL_PX, body_font, scaled_px, tabular_figures

PADDING = 12
_WIDTH = 264
_BIG_PX = 28
BUTTONS = 7 * GRID
"""At the right of the top line."""
_WIDEST_SAVED = "\u2212888.8 s"
_WIDEST_TIMES = "88.8×"


@dataclass(frozen=True, slots=True)
class Captions:
    accepted: str
    speed: str
    per_pass: str
    as_fast: str


@dataclass(frozen=True, slots=True)
class CardFonts:
    small: QFont
    number: QFont
    big: QFont

    @staticmethod
    def create() -> "CardFonts":
        number, big = tabular_figures(body_font(BODY_PX + 1)), tabular_figures(body_font(_BIG_PX))
        number.setWeight(QFont.Weight.DemiBold)
        big.setWeight(QFont.Weight.DemiBold)
        return CardFonts(tabular_figures(body_font(SMALL_PX)), number, big)


@dataclass(frozen=True, slots=True)
class CardLayout:
    """Corners of texts, at their left and top."""

    size: QSize
    saved: QPoint
    times: QPoint
    as_fast: QPoint
    numbers: tuple[QPoint, ...]
    captions: tuple[QPoint, ...]
    strip: QRect | None = None
    who: QRect | None = None


def upright_layout(fonts: CardFonts, captions: Captions, strip_height: int) -> CardLayout:
    rows, width = _Rows(fonts), scaled_px(_WIDTH)
    columns = (captions.accepted, captions.speed, captions.per_pass)
    lefts = _lefts(fonts, columns, PADDING, width - PADDING)
    as_fast = width - PADDING - QFontMetrics(fonts.small).horizontalAdvance(captions.as_fast)
    numbers = rows.below_saved + GRID
    under = numbers + rows.number + rows.small + GRID
    who = under + strip_height + GRID
    return CardLayout(
        QSize(width, who + 2 * rows.small + PADDING),
        QPoint(PADDING, rows.saved),
        QPoint(as_fast - GRID // 2 - QFontMetrics(fonts.number).horizontalAdvance(_WIDEST_TIMES), rows.beside_saved),
        QPoint(as_fast, rows.as_fast),
        tuple(QPoint(left, numbers) for left in lefts),
        tuple(QPoint(left, numbers + rows.number) for left in lefts),
        QRect(PADDING, under, width - 2 * PADDING, strip_height) if strip_height else None,
        QRect(PADDING, who, width - 2 * PADDING, 2 * rows.small),
    )


def flat_layout(fonts: CardFonts, captions: Captions, room: int) -> CardLayout:
    """Without the strip, and the figures side by side if they may be so wide."""
    rows = _Rows(fonts)
    columns = (captions.accepted, captions.speed, captions.per_pass, captions.as_fast)
    first = PADDING + QFontMetrics(fonts.big).horizontalAdvance(_WIDEST_SAVED) + 3 * GRID
    needed = first + sum(_widths(fonts, columns)) + (len(columns) - 1) * 2 * GRID + PADDING
    if needed > room:
        return _without_who(upright_layout(fonts, captions, 0))
    *lefts, factor = _lefts(fonts, columns, first, needed - PADDING)
    return CardLayout(
        QSize(needed, max(rows.below_saved, rows.as_fast + rows.small) + PADDING),
        QPoint(PADDING, rows.saved),
        QPoint(factor, rows.times),
        QPoint(factor, rows.as_fast),
        tuple(QPoint(left, rows.times) for left in lefts),
        tuple(QPoint(left, rows.as_fast) for left in lefts),
        None,
        QRect(first, PADDING, needed - first - BUTTONS, rows.small),
    )


def _without_who(places: CardLayout) -> CardLayout:
    assert places.who is not None
    size = QSize(places.size.width(), places.who.top() - GRID - GRID // 2 + PADDING)
    return CardLayout(size, places.saved, places.times, places.as_fast, places.numbers, places.captions)


class _Rows:
    """Where the first ones begin, and how high those of each font are."""

    def __init__(self, fonts: CardFonts) -> None:
        small, number, big = (QFontMetrics(font) for font in (fonts.small, fonts.number, fonts.big))
        self.small, self.number = small.height(), number.height()
        self.saved = PADDING + self.small + 2
        self.below_saved = self.saved + big.height()
        self.as_fast = self.saved + big.ascent() - small.ascent()
        self.times = self.as_fast - self.number
        self.beside_saved = self.saved + big.ascent() - number.ascent()


def _lefts(fonts: CardFonts, captions: Sequence[str], left: int, right: int) -> list[int]:
    """As far apart as the captions and the widest numbers need, whatever is on show."""
    widths = _widths(fonts, captions)
    gap = min(3 * GRID, (right - left - sum(widths)) // (len(widths) - 1))
    return [left + sum(widths[:i]) + i * gap for i in range(len(widths))]


def _widths(fonts: CardFonts, captions: Sequence[str]) -> list[int]:
    number, small = QFontMetrics(fonts.number).horizontalAdvance("8888.8"), QFontMetrics(fonts.small)
    return [max(number, small.horizontalAdvance(caption)) for caption in captions]
