"""A card that shows an error and what to do about it."""

from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from specchat.domain.errors import UserError
from specchat.ui.widgets.accessibility import announce
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.message_card import MessageCard
from specchat.ui.widgets.selectable_text import SelectableText
from specchat.ui.widgets.theme import BODY_PX, SMALL_PX, scaled_px
from specchat.ui.widgets.theme_service import follow_theme
from specchat.ui.words.message_translation import translate_text

ButtonSpecs = Sequence[tuple[str, Callable[[], object]]]
"""The words of buttons, and what they do."""


class ErrorCard(MessageCard):
    action_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("problem", parent, text_px=BODY_PX, can_close=True)
        self._details = SelectableText("problemDetails", self)
        self._words.insertWidget(2, self._details)
        self._action = self.add_button("problemAction", "", self.action_chosen.emit)
        self._more = self.add_button("problemMore", "", self._toggle_details)
        self._others: list[TextButton] = []
        follow_theme(self._apply_details_theme)

    def show_error(self, error: UserError, action: str = "", others: ButtonSpecs = ()) -> None:
        """`action`: the words of a button for what the hint says. `others`: what else can be done; it stays then."""
        details = "\n".join(_reasons(error))
        self._details.setPlainText(details)
        self._show_details(False)
        self._action.setText(action)
        self._action.setVisible(bool(action))
        self._more.setVisible(bool(details))
        self._replace_others(others)
        self.show_message(translate_text(error.message), translate_text(error.hint))
        self.announce(at_once=True)

    def _replace_others(self, others: ButtonSpecs) -> None:
        for button in self._others:
            self.remove_button(button)
        self._others = [self.add_button("", words, do, place) for place, (words, do) in enumerate(others, start=1)]

    def _toggle_details(self) -> None:
        self._show_details(self._details.isHidden())

    def _show_details(self, wanted: bool) -> None:
        self._details.setVisible(wanted)
        self._more.setText(self.tr("Hide details") if wanted else self.tr("Details"))
        if wanted:
            announce(self, self._details.toPlainText(), at_once=True)

    def _apply_details_theme(self) -> None:
        self._details.setStyleSheet(f"QTextEdit {{ font-size: {scaled_px(SMALL_PX)}px; }}")

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
