"""Styles a document that Qt has read from Markdown, with the theme's fonts, colors and distances."""

from collections.abc import Iterator

from PySide6.QtGui import (
    QFont,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
    QTextTableFormat,
)

from specchat.services.program.help_topics import heading_anchors
from specchat.ui.widgets.theme import BODY_PX, GRID, LINE_HEIGHT, SMALL_PX, Theme, body_font, code_font, scaled_px

_HEADINGS = {1: (24, 0), 2: (19, 4 * GRID), 3: (16, 3 * GRID)}
"""Type size, and the distance above."""
_HEADING_HEIGHT = 1.25
_BELOW = GRID
_BELOW_ITEM = GRID // 2
_QUOTE_INDENT = 2 * GRID
_INDENT = 4 * GRID
"""The indent of lists."""
_Fixed, _Least = QTextBlockFormat.LineHeightTypes.FixedHeight, QTextBlockFormat.LineHeightTypes.MinimumHeight


def style_document(document: QTextDocument, theme: Theme) -> None:
    """Headings get anchors as well: their words, as GitHub spells them in links."""
    _frame_code(document, theme)
    _style_blocks(document, theme)
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            _style_table(frame, theme)
    _set_margins(document)


def blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def _style_blocks(document: QTextDocument, theme: Theme) -> None:
    headings = (block.text() for block in blocks(document) if block.blockFormat().headingLevel())
    anchors = iter(heading_anchors(headings))
    for block in blocks(document):
        cursor = QTextCursor(block)
        cursor.mergeBlockFormat(_block_format(block))
        if block.blockFormat().headingLevel():
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(_heading_format(block, next(anchors)))
        else:
            _style_spans(block, theme)


def _block_format(block: QTextBlock) -> QTextBlockFormat:
    before, made = block.blockFormat(), QTextBlockFormat()
    level = before.headingLevel()
    size, above = _HEADINGS.get(level, (BODY_PX, 0))
    made.setTopMargin(above)
    made.setBottomMargin(_BELOW_ITEM if block.textList() and block.next().textList() else _BELOW)
    made.setLineHeight(round(scaled_px(size) * (_HEADING_HEIGHT if level else LINE_HEIGHT)), _Least.value)
    if _is_framed(block):
        made.setBottomMargin(0)
        made.setNonBreakableLines(False)
        made.setLineHeight(round(scaled_px(SMALL_PX) * LINE_HEIGHT), _Least.value)
    elif QTextCursor(block).currentTable() is not None:
        made.setBottomMargin(0)
    elif not block.text():  # Qt puts one before each table and frame
        made.setBottomMargin(0)
        made.setLineHeight(1, _Fixed.value)
    if before.hasProperty(QTextFormat.Property.BlockQuoteLevel):
        made.setLeftMargin(_QUOTE_INDENT)
    return made


def _is_framed(block: QTextBlock) -> bool:
    """As code is."""
    cursor = QTextCursor(block)
    return cursor.currentTable() is None and cursor.currentFrame() != block.document().rootFrame()


def _style_spans(block: QTextBlock, theme: Theme) -> None:
    is_framed = _is_framed(block)
    for span in block.textFormats():
        made = _code_format(theme, is_framed) if is_framed or span.format.fontFixedPitch() else QTextCharFormat()
        if span.format.isAnchor():
            made.setForeground(theme.accent)
            made.setFontUnderline(True)
        if span.format.isImageFormat():
            made.setProperty(QTextFormat.Property.ImageMaxWidth, QTextLength(QTextLength.Type.PercentageLength, 100))
        cursor = QTextCursor(block)
        cursor.setPosition(block.position() + span.start)
        cursor.setPosition(block.position() + span.start + span.length, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(made)


def _code_format(theme: Theme, is_framed: bool) -> QTextCharFormat:
    made = QTextCharFormat()
    made.setFont(code_font())
    if not is_framed:
        made.setBackground(theme.sunken)
    return made


def _heading_format(block: QTextBlock, anchor: str) -> QTextCharFormat:
    font = body_font(_HEADINGS.get(block.blockFormat().headingLevel(), (BODY_PX, 0))[0])
    font.setWeight(QFont.Weight.DemiBold)
    made = QTextCharFormat()
    made.setFont(font)
    made.setAnchor(True)
    made.setAnchorNames([anchor])
    return made


def _style_table(table: QTextTable, theme: Theme) -> None:
    made = QTextTableFormat(table.format())
    made.setCellPadding(GRID - 1)
    made.setCellSpacing(0)
    made.setBorder(1)
    made.setBorderCollapse(True)
    made.setBorderBrush(theme.line)
    made.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    made.setTopMargin(GRID)
    made.setBottomMargin(2 * GRID)
    table.setFormat(made)
    for column in range(table.columns()):
        cell = table.cellAt(0, column)
        head = cell.format()
        head.setBackground(theme.sunken)
        cell.setFormat(head)


def _frame_code(document: QTextDocument, theme: Theme) -> None:
    """From the last to the first: each frame moves what stands after it."""
    for first, last in reversed(list(_code_places(document))):
        cursor = QTextCursor(document)
        cursor.setPosition(first)
        cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertFrame(_code_frame_format(theme))


def _code_places(document: QTextDocument) -> Iterator[tuple[int, int]]:
    """Where each piece of code begins and ends."""
    first: int | None = None
    for block in blocks(document):
        if _is_code(block) and first is None:
            first = block.position()
        if first is not None and not _is_code(block.next()):
            yield first, block.position() + block.length() - 1
            first = None


def _is_code(block: QTextBlock) -> bool:
    return block.isValid() and block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence)


def _code_frame_format(theme: Theme) -> QTextFrameFormat:
    made = QTextFrameFormat()
    made.setBackground(theme.sunken)
    made.setPadding(GRID * 3 // 2)
    made.setTopMargin(GRID // 2)
    made.setBottomMargin(GRID)
    return made


def _set_margins(document: QTextDocument) -> None:
    made = document.rootFrame().frameFormat()
    made.setMargin(0)
    made.setTopMargin(GRID)
    made.setBottomMargin(4 * GRID)
    document.setIndentWidth(_INDENT)
    document.rootFrame().setFrameFormat(made)
