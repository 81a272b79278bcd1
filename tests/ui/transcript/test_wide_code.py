import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from ui.transcript.conftest import Open
from ui.transcript.mouse import Mouse
from ui.transcript.seen import answer, blocks, point_of, row, streaming, write

from specchat.ui.transcript import TranscriptView
from specchat.ui.transcript.block import Block
from specchat.ui.transcript.fenced_code import CODE_FOOTER_HEIGHT, CODE_HEADER_HEIGHT

SHIFT, NONE = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier
LINE = "x = [" + ", ".join(str(n) for n in range(100, 160)) + "]"
WIDE = f"Before.\n\n```python\nfirst = 1\n{LINE}\n```\n\nAfter."


def code(view: TranscriptView) -> Block:
    return next(block for block in blocks(view, 1) if block.shapes.cards)


def scroll(view: TranscriptView) -> float:
    return code(view).code_scroll(0)


def card_in_view(view: TranscriptView) -> QRectF:
    shown, block = row(view, 1), code(view)
    placed = next(placed for placed in shown.body.items if placed.item is block)
    area = view.row_area(shown)
    assert area
    return block.shapes.cards[0].area.translated(block.origin + shown.item_origin(placed) + QPointF(area.topLeft()))


def turn_wheel(view: TranscriptView, x: int, y: int, keys: Qt.KeyboardModifier = NONE) -> None:
    place = QPointF(card_in_view(view).center())
    glob = QPointF(view.viewport().mapToGlobal(place.toPoint()))
    none = Qt.MouseButton.NoButton
    turned = QWheelEvent(place, glob, QPoint(), QPoint(x, y), none, keys, Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(view.viewport(), turned)


def n_screen_lines(block: Block) -> int:
    assert block.document
    found, each = 0, block.document.begin()
    while each.isValid():
        found += each.layout().lineCount()
        each = each.next()
    return found


def test_a_long_line_of_code_stays_one_line(show: Open) -> None:
    view = show(answer(1, WIDE))
    assert n_screen_lines(code(view)) == 2
    (card,) = code(view).shapes.cards
    assert card.area.width() == row(view, 1).width
    assert card.overflow > 0
    assert not blocks(view, 1)[0].shapes.cards


def test_code_with_room_enough_has_nothing_to_scroll(show: Open) -> None:
    view = show(answer(1, "```\nshort\n```"))
    assert code(view).shapes.cards[0].overflow == 0
    turn_wheel(view, -240, 0)
    assert scroll(view) == 0


@pytest.mark.parametrize(("x", "y", "keys"), [(-240, 0, NONE), (0, -240, SHIFT)])
def test_the_wheel_scrolls_code_sideways(show: Open, x: int, y: int, keys: Qt.KeyboardModifier) -> None:
    view = show(answer(1, WIDE))
    turn_wheel(view, x, y, keys)
    assert scroll(view) == 120
    turn_wheel(view, -2 * x, -2 * y, keys)
    assert scroll(view) == 0
    for _ in range(50):
        turn_wheel(view, x, y, keys)
    assert scroll(view) == code(view).shapes.cards[0].overflow


def test_the_wheel_alone_scrolls_the_conversation(show: Open) -> None:
    view = show(answer(1, WIDE + "\n\nMore." * 60))
    view.verticalScrollBar().setValue(0)
    turn_wheel(view, 0, -240)
    assert view.scroll_y > 0
    assert scroll(view) == 0


def test_arrow_keys_scroll_the_code_of_the_focused_message(show: Open) -> None:
    view = show(answer(1, WIDE))
    view.focus_entry(1, ring=True)
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert scroll(view) > 0
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert scroll(view) == 0


def test_the_bar_is_dragged(show: Open) -> None:
    view = show(answer(1, WIDE))
    card = card_in_view(view)
    y = round(card.bottom()) - CODE_FOOTER_HEIGHT // 2
    mouse = Mouse(view)
    mouse.press(QPoint(round(card.left()) + 20, y))
    mouse.move(QPoint(round(card.right()), y), pressed=True)
    mouse.release(QPoint(round(card.right()), y))
    assert scroll(view) == code(view).shapes.cards[0].overflow
    assert view.selection is None


def test_what_is_under_the_mouse_is_selected_where_code_is_scrolled(show: Open) -> None:
    view = show(answer(1, WIDE))
    start = point_of(view, 1, "101,")
    end = point_of(view, 1, "103,")
    code(view).scroll_code(0, 40)
    Mouse(view).drag(start - QPoint(40, 0), end - QPoint(40, 0))
    assert view.message_actions.selected_text() == "101, 102, "


def test_a_selection_that_leaves_the_code_sideways_scrolls_it(show: Open, qtbot: QtBot) -> None:
    view = show(answer(1, WIDE))
    beyond = QPoint(view.viewport().width() - 2, point_of(view, 1, "101,").y())
    mouse = Mouse(view)
    mouse.press(point_of(view, 1, "101,"))
    view.cursor().setPos(view.viewport().mapToGlobal(beyond))
    mouse.move(beyond, pressed=True)
    qtbot.waitUntil(lambda: scroll(view) == code(view).shapes.cards[0].overflow)
    mouse.release(beyond)
    assert view.message_actions.selected_text() == LINE[LINE.index("101,") :]


def test_the_whole_line_is_copied(show: Open) -> None:
    view = show(answer(1, WIDE))
    view.focus_entry(1)
    view.select_all()
    assert view.message_actions.selected_text() == f"Before.\n\nfirst = 1\n{LINE}\n\nAfter."


def test_a_match_beyond_the_edge_is_scrolled_to(show: Open) -> None:
    view = show(answer(1, WIDE))
    view.find_text("158")
    assert scroll(view) > 0
    band = next(code(view).geometry.text_rects(1, LINE.index("158"), LINE.index("158") + 3))  # type: ignore[union-attr]
    area = code(view).shapes.cards[0].area
    assert area.left() < band.left() - scroll(view) < band.right() - scroll(view) < area.right()
    view.find_text("first")
    assert scroll(view) == 0


def test_code_that_grows_stays_where_it_is_scrolled_to(qtbot: QtBot, show: Open) -> None:
    view = show(streaming(1))
    write(view, 1, f"```python\n{LINE}\n")
    qtbot.waitUntil(lambda: bool(blocks(view, 1)))
    code(view).scroll_code(0, 50)
    for number in range(20):
        write(view, 1, f"{LINE}, {number}\n")
    qtbot.waitUntil(lambda: len(code(view).lines) > 20)
    assert scroll(view) == 50


def test_code_stays_where_it_is_scrolled_to_when_the_answer_ends(qtbot: QtBot, show: Open) -> None:
    """Also where it is read again, as links may have been used before they were defined."""
    text = f"See [it][1][^note].\n\n```python\n{LINE}\n```\n\n[1]: http://x.y\n[^note]: Here.\n"
    view = show(streaming(1))
    write(view, 1, text)
    qtbot.waitUntil(lambda: bool(blocks(view, 1)) and bool(code(view).shapes.cards))
    code(view).scroll_code(0, 50)
    view.finish(answer(1, text))
    assert scroll(view) == 50


def test_two_blocks_in_a_list_are_scrolled_apart(show: Open) -> None:
    view = show(answer(1, f"- one\n  ```\n  {LINE}\n  ```\n  two\n  ```\n  {LINE}, 1\n  ```\n  three"))
    (block,) = blocks(view, 1)
    first, second = block.shapes.cards
    assert 0 < first.overflow < second.overflow
    block.scroll_code(1, 30)
    assert (block.code_scroll(0), block.code_scroll(1)) == (0, 30)
    view.grab()


def test_code_without_a_label_has_no_header(show: Open) -> None:
    bare, labelled = (show(answer(1, f"```{info}\ncode\n```")) for info in ("", "python"))
    cards = [code(view).shapes.cards[0].area.height() for view in (bare, labelled)]
    assert cards[1] - cards[0] == CODE_HEADER_HEIGHT - CODE_FOOTER_HEIGHT
    assert code(bare).height == cards[0]


def test_only_what_is_scrolled_moves(show: Open) -> None:
    view = show(answer(1, WIDE))
    before = view.grab().toImage()
    code(view).scroll_code(0, 40)
    view.viewport().update()
    after = view.grab().toImage()
    card = card_in_view(view).toRect()
    header = card.adjusted(0, 0, 0, CODE_HEADER_HEIGHT - card.height())
    assert before.copy(header) == after.copy(header)
    assert before.copy(card) != after.copy(card)
    below = card.translated(0, card.height() + 4)
    assert before.copy(below) == after.copy(below)
    beside = card.translated(-card.width(), 0)
    assert before.copy(beside) == after.copy(beside)
