"""Shows why a pair could not be checked, with buttons for possible remedies."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from specchat.domain.errors import HubAccessError, UserError
from specchat.domain.hub import page_url
from specchat.ui.widgets.accessibility import announce
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.icons import ICON_SIZE, icon
from specchat.ui.widgets.selectable_text import SelectableText
from specchat.ui.widgets.theme import GRID, SMALL_PX, scaled_px
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.widgets.wrapping_row import WrappingRow
from specchat.ui.words.message_translation import translate_text


class PairProblemCard(QFrame):
    """Hidden until there is one."""

    retry_requested = Signal()
    web_page_requested = Signal(str)
    token_requested = Signal()

    def __init__(self, object_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(object_name)
        self._address = ""
        self._mark = QLabel(self)
        self._message = SelectableText("problemMessage", self)
        self._hint = SelectableText("problemHint", self)
        self._page = TextButton(self.tr("Open the licence's page"), self)
        self._token = TextButton(self.tr("Enter a token"), self)
        self._again = TextButton(self.tr("Try again"), self)
        self._buttons = WrappingRow(self)
        self._arrange()
        self._page.clicked.connect(lambda: self.web_page_requested.emit(self._address))
        self._token.clicked.connect(self.token_requested)
        self._again.clicked.connect(self.retry_requested)
        follow_theme(self._apply_theme)
        self.hide()

    def _apply_theme(self) -> None:
        theme = current_theme()
        mark = icon("warning", theme.warning, theme.line)
        self._mark.setPixmap(mark.pixmap(QSize(ICON_SIZE, ICON_SIZE), self.devicePixelRatioF()))
        self.setStyleSheet(
            f"QTextEdit {{ background: transparent; border: none; color: {theme.text_muted.name()};"
            f" font-size: {scaled_px(SMALL_PX)}px; }}"
            f"#problemMessage {{ color: {theme.text.name()}; font-weight: 600; }}"
        )

    def show_error(self, error: UserError) -> None:
        message, hint = translate_text(error.message), translate_text(error.hint)
        self._message.setPlainText(message)
        self._hint.setPlainText(hint)
        self._address = _page(error)
        self._page.setVisible(bool(self._address))
        self._token.setVisible(isinstance(error, HubAccessError) and "{tokens}" in error.hint.template)
        self.setAccessibleName(message)
        self.setAccessibleDescription(hint)
        self.show()
        self._buttons.update_layout()
        announce(self, f"{message} {hint}")

    def words(self) -> str:
        return f"{self._message.toPlainText()} {self._hint.toPlainText()}"

    def _arrange(self) -> None:
        self.setProperty("card", True)
        for button, what in ((self._page, "Page"), (self._token, "Token"), (self._again, "Again")):
            button.setObjectName(f"{self.objectName()}{what}")
            self._buttons.add_widget(button)
        self._buttons.add_stretch()
        words = QVBoxLayout()
        words.setSpacing(GRID // 2)
        words.addWidget(self._message)
        words.addWidget(self._hint)
        words.addSpacing(GRID // 2)
        words.addWidget(self._buttons)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(3 * GRID // 2, 3 * GRID // 2, 3 * GRID // 2, 3 * GRID // 2)
        layout.setSpacing(GRID)
        layout.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(words, 1)


def _page(error: UserError) -> str:
    """Where access is given."""
    if not isinstance(error, HubAccessError):
        return ""
    repo = error.message.values.get("repo", "")
    return error.hint.values.get("page", page_url(repo) if repo else "")
