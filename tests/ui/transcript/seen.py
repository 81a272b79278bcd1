"""What is to be seen in a transcript, and where."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QTextDocument

from specchat.domain.conversations import Attachment, Mark, MessageState
from specchat.domain.types import Role
from specchat.ui.transcript import Entry, TranscriptView
from specchat.ui.transcript.block import Block
from specchat.ui.transcript.message_row import MessageRow

LONG = "\n\n".join(f"Paragraph {n} has some words, so that there is something to look at." for n in range(60))


def mine(entry_id: int, text: str = "A question.", *files: Attachment) -> Entry:
    return Entry(entry_id, Role.USER, text, attachments=files)


def answer(entry_id: int, text: str = "An answer.") -> Entry:
    return Entry(entry_id, Role.ASSISTANT, text)


def streaming(entry_id: int, text: str = "") -> Entry:
    return Entry(entry_id, Role.ASSISTANT, text, MessageState.STREAMING)


def thread(count: int, text: str = "An answer.") -> list[Entry]:
    return [answer(n, f"{text} {n}") if n % 2 else mine(n, f"Question {n}") for n in range(count)]


def write(view: TranscriptView, entry_id: int, text: str, marks: Sequence[Mark] = ()) -> None:
    """More of an answer; `marks` are those of all of it."""
    shown = view.row_of(entry_id)
    view.update_text(entry_id, (shown.text if shown else "") + text, marks)


def row(view: TranscriptView, entry_id: int) -> MessageRow:
    found = view.row_of(entry_id)
    assert found
    return found


def blocks(view: TranscriptView, entry_id: int) -> list[Block]:
    return [placed.item for placed in row(view, entry_id).body.items if isinstance(placed.item, Block)]


def text_of(view: TranscriptView, entry_id: int) -> str:
    return "\n".join(line.text for block in blocks(view, entry_id) for line in block.lines)


def point_of(view: TranscriptView, entry_id: int, text: str, *, at: int = 0) -> QPoint:
    """The left half of the character `at` of `text`, in the viewport."""
    shown = row(view, entry_id)
    area = view.row_area(shown)
    assert area
    for placed in shown.body.items:
        block = placed.item
        if isinstance(block, Block) and block.geometry:
            for number, line in enumerate(block.lines):
                start = line.text.find(text)
                if start >= 0:
                    band = next(block.geometry.text_rects(number, start + at, start + at + 1))
                    point = band.center() - QPointF(band.width() / 4, 0) + block.origin + shown.item_origin(placed)
                    return area.topLeft() + point.toPoint()
    raise AssertionError(text)


def fold_point(view: TranscriptView, entry_id: int) -> QPoint:
    shown = row(view, entry_id)
    area = view.row_area(shown)
    fold = next(placed for placed in shown.body.items if not isinstance(placed.item, Block))
    assert area
    return area.topLeft() + (shown.item_origin(fold) + QPointF(20, 10)).toPoint()


def button_point(view: TranscriptView, entry_id: int) -> QPoint:
    """Of the first code block."""
    shown = row(view, entry_id)
    area = view.row_area(shown)
    assert area
    for placed in shown.body.items:
        if isinstance(placed.item, Block) and placed.item.shapes.cards:
            centre = placed.item.shapes.cards[0].copy_button_rect.center()
            return area.topLeft() + (centre + placed.item.origin + shown.item_origin(placed)).toPoint()
    raise AssertionError("no code")


def formats(document: QTextDocument) -> list[tuple[object, ...]]:
    """Text and looks, stretch by stretch."""
    found: list[tuple[object, ...]] = []
    block = document.begin()
    while block.isValid():
        line = block.blockFormat()
        found.append((block.text(), line.leftMargin(), line.topMargin(), line.lineHeight(), line.alignment()))
        for stretch in block.textFormats():
            look = stretch.format
            font = look.font()
            found.append(
                (stretch.start, stretch.length, font.family(), font.pixelSize(), font.weight(), font.italic())
                + (font.strikeOut(), font.underline(), look.foreground().color().name())
            )
        block = block.next()
    return found
