"""Offers stored prompts while a message begins with a slash, and inserts the chosen one."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from specchat.domain.stored_prompt import StoredPrompt, find_placeholder
from specchat.services.lazy import Lazy

if TYPE_CHECKING:
    from specchat.ui.prompts.prompt_popup import PromptPopup

_SLASH = "/"
_LONGEST_QUERY = 60


class PromptCompleter(QObject):
    library_requested = Signal()

    def __init__(self, editor: QPlainTextEdit, card: QWidget) -> None:
        """`card`: what the list is shown above."""
        super().__init__(card)
        self._editor, self._card = editor, card
        self._popup = Lazy(self._make_popup)
        self._prompts: Sequence[StoredPrompt] = ()
        self._is_dismissed = False
        """The user closed the list to send a message that begins with a slash."""
        self._text = ""
        self._fills_in = False
        """Tab goes to the next placeholder."""
        self.find: Callable[[str], Sequence[StoredPrompt]] | None = None
        """None: there is no library."""
        editor.textChanged.connect(self._follow)
        editor.installEventFilter(self)
        card.installEventFilter(self)

    @property
    def is_open(self) -> bool:
        popup = self._popup.created_value
        return popup is not None and popup.isVisible()

    def close(self) -> None:
        if popup := self._popup.created_value:
            popup.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event.type():
            case QEvent.Type.Resize | QEvent.Type.Move if watched is self._card and self.is_open:
                self._popup().place(self._card)
            case _ if watched is not self._editor:
                pass
            case QEvent.Type.FocusOut:
                self.close()
            case QEvent.Type.FocusIn:
                self._follow()  # the library may have changed
            case QEvent.Type.ShortcutOverride if isinstance(event, QKeyEvent) and self._is_for_popup(event):
                event.accept()
                return True
            case QEvent.Type.KeyPress if isinstance(event, QKeyEvent):
                return self._press(event)
        return False

    def _is_for_popup(self, event: QKeyEvent) -> bool:
        return self.is_open and event.key() == Qt.Key.Key_Escape

    def _press(self, event: QKeyEvent) -> bool:
        """Returns whether the key was handled."""
        has_modifier = bool(event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier)
        if has_modifier:
            return False
        if not self.is_open:
            return event.key() == Qt.Key.Key_Tab and self._fills_in and self._select_next_placeholder()
        match event.key():
            case Qt.Key.Key_Escape:
                self._is_dismissed = True
                self.close()
            case Qt.Key.Key_Up | Qt.Key.Key_Down if self._prompts:
                self._popup().step(1 if event.key() == Qt.Key.Key_Down else -1)
            case Qt.Key.Key_Tab | Qt.Key.Key_Return | Qt.Key.Key_Enter if self._prompts:
                self._insert(self._popup().current)
            case Qt.Key.Key_Tab:
                self._open_library()
            case _:
                return False
        return True

    def _follow(self) -> None:
        text_before, self._text = self._text, self._editor.toPlainText()
        if not self._text.startswith(_SLASH) or (self._text == _SLASH and self._text != text_before):
            self._is_dismissed = False
        if not self._text.startswith(_SLASH):
            self.close()
            return
        query = self._query()
        if query is None or self._is_dismissed or self.find is None:
            self.close()
            return
        self._prompts = self.find(query)
        if self._prompts or (not query and not self.find("")):
            self._popup().show_prompts(self._prompts, self._card)
        else:
            self.close()

    def _query(self) -> str | None:
        """Returns the text after the slash; None if it is an ordinary message."""
        document = self._editor.document()
        text = document.firstBlock().text()[1:] if document.blockCount() == 1 else " "
        is_typed = self._editor.hasFocus() and document.isUndoAvailable()
        return text if is_typed and not text.startswith(" ") and len(text) <= _LONGEST_QUERY else None

    def _insert(self, number: int) -> None:
        prompt = self._prompts[number]
        cursor = QTextCursor(self._editor.document())
        cursor.select(QTextCursor.SelectionType.Document)
        self._is_dismissed = True  # the prompt may begin with a slash, too
        cursor.insertText(prompt.text)
        self._editor.setTextCursor(cursor)
        self.close()
        self._fills_in = self._select_placeholder(0)

    def _select_next_placeholder(self) -> bool:
        end = self._editor.textCursor().selectionEnd()
        self._fills_in = self._select_placeholder(end) or self._select_placeholder(0)
        return self._fills_in

    def _select_placeholder(self, start: int) -> bool:
        """Selects the first placeholder from `start`, a position in Qt's units."""
        text = self._editor.toPlainText()
        found = find_placeholder(text, _characters(text, start))
        if found is None:
            return False
        cursor = self._editor.textCursor()
        cursor.setPosition(_units(text[: found[0]]))
        cursor.setPosition(_units(text[: found[1]]), QTextCursor.MoveMode.KeepAnchor)
        self._editor.setTextCursor(cursor)
        return True

    def _open_library(self) -> None:
        self.close()
        self.library_requested.emit()

    def _make_popup(self) -> "PromptPopup":
        from specchat.ui.prompts.prompt_popup import PromptPopup

        popup = PromptPopup(self._card.window())
        popup.chosen.connect(self._insert)
        popup.library_requested.connect(self._open_library)
        return popup


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _characters(text: str, units: int) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "surrogatepass"))
