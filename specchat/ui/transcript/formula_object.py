"""Draws formulas in place of characters of a document, in the color of the text around them."""

from functools import cache

from PySide6.QtCore import QRect, QRectF, QSizeF
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPyTextObject, QTextCharFormat, QTextDocument, QTextFormat

from specchat.ui.transcript.typesetting.math_font import EM
from specchat.ui.transcript.typesetting.typeset_formula import LARGER, TypesetFormula
from specchat.ui.widgets.theme import body_font

FORMULA_OBJECT = QTextFormat.ObjectTypes.UserObject.value + 1
_FORMULA = QTextFormat.Property.UserProperty.value + 1
_SIZE = _FORMULA + 1
_INDENT = _FORMULA + 2


def formula_format(formula: TypesetFormula, pixels: int, indent: int) -> QTextCharFormat:
    """Returns the format of a formula that has the width of the document less the indent.

    Qt gives an object as much room below as above the middle of a small letter: the font is one whose letters are as
    high as leaves the formula the room that it needs on each side.
    """
    made = QTextCharFormat()
    made.setObjectType(FORMULA_OBJECT)
    size = pixels * LARGER
    made.setFont(_font_for(2 * size * (formula.ascent - formula.descent)))
    made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
    made.setProperty(_FORMULA, formula)
    made.setProperty(_SIZE, size)
    made.setProperty(_INDENT, indent)
    return made


def _font_for(height: float) -> QFont:
    """Returns a font whose small letters have a height."""
    font = body_font()
    font.setPixelSize(max(1, round(height / _letter_share())))
    return font


@cache
def _letter_share() -> float:
    """Returns how high small letters are, of the size of their font."""
    font = body_font()
    font.setPixelSize(round(EM))
    return max(0.1, QFontMetrics(font).xHeight() / EM)


class FormulaObject(QPyTextObject):
    def intrinsicSize(self, document: QTextDocument, position: int, drawn: QTextFormat) -> QSizeF:
        formula, size = _formula(drawn), _size(document, drawn)
        lift = _lift(drawn)
        height = max(2 * formula.ascent * size - lift, 2 * formula.descent * size + lift)
        return QSizeF(formula.width * size, height)

    def drawObject(
        self, painter: QPainter, rect: QRectF | QRect, document: QTextDocument, position: int, drawn: QTextFormat
    ) -> None:
        size = _size(document, drawn)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(rect.x(), _baseline(QRectF(rect), document, position))
        painter.scale(size / EM, size / EM)
        painter.fillPath(_formula(drawn).path, painter.pen().color())
        painter.restore()


@cache
def formula_object() -> FormulaObject:
    return FormulaObject()


def _formula(drawn: QTextFormat) -> TypesetFormula:
    formula = drawn.property(_FORMULA)
    assert isinstance(formula, TypesetFormula)
    return formula


def _size(document: QTextDocument, drawn: QTextFormat) -> float:
    """Returns the text size, which is smaller where the formula would be too wide."""
    size = float(drawn.property(_SIZE))
    width, room = _formula(drawn).width * size, document.textWidth() - int(drawn.property(_INDENT))
    return size * room / width if width > room > 0 else size


def _baseline(rect: QRectF, document: QTextDocument, position: int) -> float:
    """Returns the baseline of the line in whose middle Qt puts what is drawn."""
    block = document.findBlock(position)
    line = block.layout().lineForTextPosition(position - block.position())
    return rect.center().y() - line.height() / 2 + line.ascent()


def _lift(drawn: QTextFormat) -> float:
    """Returns half the height of a small letter, as Qt reckons with it."""
    return QFontMetrics(drawn.toCharFormat().font()).xHeight() / 2
