"""A card that shows an error and what to do about it."""

from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from specchat.domain.errors import UserError
from specchat.ui.widgets.accessibility import announce
from specchat.ui.widgets.controls import IconButton, TextButton
from specchat.ui.widgets.focus_restorer import FocusRestorer
from specchat.ui.widgets.icons import ICON_SIZE, icon
from specchat.ui.widgets.selectable_text import SelectableText
from specchat.ui.widgets.theme import GRID, SMALL_PX, scaled_px
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.words.message_translation import translate_text

_TOP = GRID - 2
"""Puts the first line level with the button that closes."""

ButtonSpecs = Sequence[tuple[str, Callable[[], object]]]
"""The words of buttons, and what they do."""


class ErrorCard(QFrame):
    """Hidden until there is one."""

    action_chosen = Signal()
    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("problem")
        self.setProperty("card", True)
        self._mark = QLabel(self)
        self._mark.setContentsMargins(0, _TOP - 1, 0, 0)
        self._message = SelectableText("problemMessage", self)
        self._hint = SelectableText("problemHint", self)
        self._details = SelectableText("problemDetails", self)
        self._action = TextButton("", self)
        self._action.setObjectName("problemAction")
        self._others: list[TextButton] = []
        self._more = TextButton("", self)
        self._more.setObjectName("problemMore")
        self._close = IconButton("close", self.tr("Close"), self)
        self._close.setObjectName("problemClose")
        self._focus_before = FocusRestorer(self)
        self._arrange()
        self._action.clicked.connect(self.action_chosen)
        self._more.clicked.connect(self._toggle_details)
        self._close.clicked.connect(self.dismiss)
        follow_theme(self._apply_theme)
        self.hide()

    def show_error(self, error: UserError, action: str = "", others: ButtonSpecs = ()) -> None:
        """`action`: the words of a button for what the hint says. `others`: what else can be done; it stays then."""
        details = "\n".join(_reasons(error))
        message, hint = translate_text(error.message), translate_text(error.hint)
        self._message.setPlainText(message)
        self._hint.setPlainText(hint)
        self._details.setPlainText(details)
        self._action.setText(action)
        self._action.setVisible(bool(action))
        self._more.setVisible(bool(details))
        self._show_others(others)
        self._show_details(False)
        self.setAccessibleName(message)
        self.setAccessibleDescription(hint)
        self.show()
        announce(self, f"{message} {hint}", at_once=True)

    def dismiss(self) -> None:
        if self.isAncestorOf(QApplication.focusWidget() or self):
            self._focus_before.restore_focus()
        self.hide()
        self.dismissed.emit()

    def _apply_theme(self) -> None:
        theme = current_theme()
        mark = icon("warning", theme.warning, theme.line)
        self._mark.setPixmap(mark.pixmap(QSize(ICON_SIZE, ICON_SIZE), self.devicePixelRatioF()))
        self.setStyleSheet(
            f"""
            QTextEdit {{ background: transparent; border: none; color: {theme.text_muted.name()}; }}
            #problemMessage {{ color: {theme.text.name()}; font-weight: 600; }}
            #problemDetails {{ font-size: {scaled_px(SMALL_PX)}px; }}
            """
        )

    def _arrange(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addWidget(self._action)
        buttons.addWidget(self._more)
        buttons.addStretch()
        self._row = buttons
        self._buttons = QWidget(self)
        self._buttons.setLayout(buttons)
        buttons.setContentsMargins(0, GRID // 2, 0, GRID // 2)
        words = QVBoxLayout()
        words.setContentsMargins(0, _TOP, 0, 0)
        words.setSpacing(GRID // 2)
        for widget in (self._message, self._hint, self._details, self._buttons):
            words.addWidget(widget)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID, GRID, 3 * GRID // 2)
        layout.setSpacing(3 * GRID // 2)
        layout.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(words, 1)
        layout.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)

    def _show_others(self, others: ButtonSpecs) -> None:
        for button in self._others:
            button.hide()
            button.deleteLater()
        self._others = [TextButton(words, self) for words, _ in others]
        for place, (button, (_, do)) in enumerate(zip(self._others, others, strict=True), start=1):
            button.clicked.connect(do)
            self._row.insertWidget(place, button)

    def _toggle_details(self) -> None:
        self._show_details(self._details.isHidden())

    def _show_details(self, wanted: bool) -> None:
        self._details.setVisible(wanted)
        self._more.setText(self.tr("Hide details") if wanted else self.tr("Details"))
        self._buttons.setVisible(bool(self._others) or not (self._action.isHidden() and self._more.isHidden()))
        if wanted:
            announce(self, self._details.toPlainText(), at_once=True)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            event.setAccepted(event.key() == Qt.Key.Key_Escape)
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)


def _reasons(error: BaseException) -> Iterator[str]:
    """What the machine itself said, unless the message says it already."""
    said, cause = str(error), error.__cause__
    while cause is not None:
        if str(cause) and str(cause) not in said:
            yield f"{type(cause).__name__}: {cause}"
        said, cause = f"{said}\n{cause}", cause.__cause__
