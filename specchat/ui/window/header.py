"""The bar above the conversation with the title, the pair button and the view toggles."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QCursor, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from specchat.ui.pair.pair_button import PairButton
from specchat.ui.widgets.controls import ElidedLabel, IconButton
from specchat.ui.widgets.theme import GRID

_ROOM_FOR_TITLE = 88 * GRID
_NARROWEST_LABEL, _WIDEST_LABEL = 7 * GRID, 28 * GRID


class Header(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(6 * GRID)
        self.sidebar = IconButton("sidebar", self.tr("Show chats"), self)
        self.sidebar.setObjectName("showSidebarButton")
        self.sidebar.hide()
        self._title = ElidedLabel(self)
        self._title.setObjectName("chatTitle")
        self.serving = ElidedLabel(self)
        self.serving.setObjectName("servingLabel")
        self.serving.setProperty("muted", True)
        self.serving.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.serving.setMinimumWidth(_NARROWEST_LABEL)
        self.serving.setMaximumWidth(_WIDEST_LABEL)
        self.serving.hide()
        self.pair = PairButton(self)
        self.pair.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.colours = IconButton("colours", self.tr("Highlight draft tokens"), self)
        self.colours.setObjectName("colouringButton")
        self.colours.setCheckable(True)
        self.overlay = IconButton("speed", self.tr("Live stats overlay"), self)
        self.overlay.setObjectName("overlayButton")
        self.overlay.setCheckable(True)
        self.more = IconButton("more", self.tr("More"), self)
        self.more.setObjectName("moreButton")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._arrange()

    def set_title(self, title: str) -> None:
        self._title.setText(title)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The title is in the list and over the window as well; the pair is nowhere else."""
        super().resizeEvent(event)
        self._title.setVisible(event.size().width() >= _ROOM_FOR_TITLE)

    def show_serving(self, words: str, explanation: str) -> None:
        """Empty: other programs are not served."""
        self.serving.setVisible(bool(words))
        if words != self.serving.text():
            self.serving.setText(words)
            self.serving.setAccessibleName(words)
        self.serving.setAccessibleDescription(explanation)

    def set_menu(self, menu: QMenu) -> None:
        self.more.setMenu(menu)
        menu.aboutToHide.connect(self._note_where_the_mouse_is)

    def _note_where_the_mouse_is(self) -> None:
        """Nobody told the button that it left, while the menu was open."""
        place = self.more.mapFromGlobal(QCursor.pos())
        self.more.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, self.more.rect().contains(place))
        self.more.update()

    def _arrange(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 0, GRID, 0)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self.sidebar)
        layout.addWidget(self._title, 1)
        layout.addStretch()
        layout.addWidget(self.serving)
        layout.addWidget(self.pair, 2)  # the name of the pair may take two thirds, but no more than it needs
        for widget in (self.colours, self.overlay, self.more):
            layout.addWidget(widget)
