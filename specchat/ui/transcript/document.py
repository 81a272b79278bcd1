"""Writes rendered lines into a QTextDocument."""

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter

from PySide6.QtGui import QTextCursor, QTextDocument, QTextTable

from specchat.ui.transcript.rendered_lines import LineKind, RenderedLine
from specchat.ui.transcript.text_formats import TextFormats


def new_document(formats: TextFormats) -> QTextDocument:
    document = QTextDocument()
    document.setUndoRedoEnabled(False)
    document.setDocumentMargin(0)
    document.setDefaultFont(formats.body)
    document.setDefaultTextOption(formats.text_option())
    return document


def write_lines(
    document: QTextDocument, lines: Sequence[RenderedLine], shown: Sequence[RenderedLine], formats: TextFormats
) -> int:
    """Replaces what the document shows, from the first line that is different; its number is the answer."""
    first = _common(lines, shown)
    if any(line.kind is LineKind.FILLER for line in lines) or any(line.kind is LineKind.FILLER for line in shown):
        first = 0
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    if first:
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if first < len(shown):
            cursor.setPosition(document.findBlockByNumber(first).position() - 1, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
            cursor.setBlockFormat(
                formats.block_format(lines[first - 1])
            )  # an empty block takes on that of what followed it
    else:
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()
    _insert(cursor, lines, first, formats)
    cursor.endEditBlock()
    return first


def _common(lines: Sequence[RenderedLine], shown: Sequence[RenderedLine]) -> int:
    same = 0
    for line, other in zip(lines, shown, strict=False):
        if line is not other and line != other:
            break
        same += 1
    return same


def _insert(cursor: QTextCursor, lines: Sequence[RenderedLine], first: int, formats: TextFormats) -> None:
    number = first
    in_place = first == 0
    while number < len(lines):
        line = lines[number]
        if line.kind is LineKind.CELL:
            number = _insert_table(cursor, lines, number, formats)
            in_place = True
            continue
        if in_place:
            cursor.setBlockFormat(formats.block_format(line))
        else:
            cursor.insertBlock(formats.block_format(line))
        _insert_text(cursor, line, formats)
        in_place = False
        number += 1


def _insert_text(cursor: QTextCursor, line: RenderedLine, formats: TextFormats) -> None:
    for style, runs in groupby(line.runs, attrgetter("style")):
        alike = list(runs)
        cursor.insertText(line.text[alike[0].start : alike[-1].end], formats.char_format(style, line))


def _insert_table(cursor: QTextCursor, lines: Sequence[RenderedLine], first: int, formats: TextFormats) -> int:
    """The QTextDocument has a block after each table, which the next line fills."""
    end = next(n for n in range(first, len(lines)) if lines[n].kind is not LineKind.CELL)
    cells = lines[first:end]
    height, width = (max(line.row + line.rows for line in cells), max(line.column for line in cells) + 1)
    table: QTextTable = cursor.insertTable(height, width, formats.table_format(cells[0]))
    for line in cells:
        if line.rows > 1:
            table.mergeCells(line.row, line.column, line.rows, 1)
    for line in cells:
        place = table.cellAt(line.row, width - 1 - line.column if line.mirrored else line.column)
        if line.in_formula:
            place.setFormat(formats.formula_cell_format(line))
        cell = place.firstCursorPosition()
        cell.setBlockFormat(formats.block_format(line))
        _insert_text(cell, line, formats)
    cursor.setPosition(table.lastPosition() + 1)
    return end
