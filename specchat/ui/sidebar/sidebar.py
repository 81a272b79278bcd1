"""The sidebar: new chat, search, the list of conversations, and the entries of the pages."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedLayout, QToolButton, QVBoxLayout, QWidget

from specchat.domain.conversations import Conversation, SearchHit
from specchat.domain.projects import Project
from specchat.services.chat.conversation_service import MOST_HITS
from specchat.ui.sidebar.conversation_list_view import ConversationListView
from specchat.ui.sidebar.row_painting import SIDEBAR_WIDTH
from specchat.ui.sidebar.rows import SidebarRow, build_rows
from specchat.ui.sidebar.search_box import SearchBox
from specchat.ui.widgets.accessibility import announce
from specchat.ui.widgets.controls import IconButton, Separator, TextButton
from specchat.ui.widgets.focus_restorer import FocusRestorer
from specchat.ui.widgets.icons import icon
from specchat.ui.widgets.theme import GRID, SMALL_PX, scaled_px
from specchat.ui.widgets.theme_service import current_theme, follow_theme

_ICON = QSize(2 * GRID, 2 * GRID)


class Sidebar(QWidget):
    new_chat_requested = Signal()
    search_changed = Signal(str)
    """Empty when the search is over."""
    models_requested = Signal()
    benchmark_requested = Signal()
    settings_requested = Signal()
    collapse_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar")
        self.setAccessibleName(self.tr("Sidebar"))
        self.setFixedWidth(SIDEBAR_WIDTH)
        self._conversations: Sequence[SidebarRow] = ()
        self._hits: Sequence[SearchHit] | None = None
        """None until the results of the last search are there."""
        self._collapse = IconButton("sidebar", self.tr("Hide the sidebar"), self)
        self._new = TextButton(" " + self.tr("New chat"), self)
        self._search = SearchBox(self)
        self._count = QLabel(self)
        self.list = ConversationListView(self)
        self._nothing = QLabel(self)
        self._models, self._benchmark, self._settings = (QToolButton(self) for _ in range(3))
        self._focus_before_search = FocusRestorer(self._search)
        self._name_widgets()
        self._arrange()
        self._connect()
        follow_theme(self._apply_theme)

    def show_conversations(
        self, conversations: Sequence[Conversation], now: float, projects: Sequence[Project] = ()
    ) -> None:
        self._conversations = build_rows(conversations, now, projects)
        self._refresh()

    def show_hits(self, hits: Sequence[SearchHit]) -> None:
        if self._search.query:
            self._hits = hits
            self._refresh()
            announce(self, self._count.text() if hits else self._nothing.text())

    @property
    def listed_chats(self) -> list[int]:
        """In the order of the list, also while something else is shown."""
        return [row.id for row in self._conversations if isinstance(row, Conversation)]

    def rename_project(self, project: int) -> None:
        self.end_search()
        self.list.rename_project(project)

    def focus_search(self) -> None:
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def rename(self) -> None:
        """Returns the focused conversation, or the open one."""
        if not self.list.rename_current():
            self.end_search()
            self.list.rename_open()

    def end_search(self) -> None:
        self._search.clear()

    def _apply_theme(self) -> None:
        theme = current_theme()
        self.setStyleSheet(_sheet())
        self._new.setIcon(icon("new-chat", theme.text, theme.line))
        for button, name in ((self._models, "model"), (self._benchmark, "benchmark"), (self._settings, "settings")):
            button.setIcon(icon(name, theme.text_muted, theme.line))
        self.update()

    def _name_widgets(self) -> None:
        self._collapse.setObjectName("collapseButton")
        self._new.setObjectName("newChatButton")
        self._new.setAccessibleName(self.tr("New chat"))
        self._new.setIconSize(_ICON)
        self._count.setObjectName("searchCount")
        self._count.setProperty("muted", True)
        self._count.setContentsMargins(2 * GRID, 0, 2 * GRID, 0)
        self._count.hide()
        self._nothing.setObjectName("nothingToShow")
        self._nothing.setProperty("muted", True)
        self._nothing.setWordWrap(True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        self._nothing.setContentsMargins(2 * GRID, 3 * GRID, 2 * GRID, 0)
        for button, name, words in (
            (self._models, "modelsButton", self.tr("Models")),
            (self._benchmark, "benchmarkButton", self.tr("Benchmark")),
            (self._settings, "settingsButton", self.tr("Settings")),
        ):
            button.setObjectName(name)
            button.setText(f" {words}")
            button.setAccessibleName(words)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setIconSize(_ICON)
            button.setFixedHeight(4 * GRID)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def _arrange(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(GRID, 0, GRID, 0)
        top.addWidget(self._collapse)
        top.addWidget(self._new, 1)
        search = QHBoxLayout()
        search.setContentsMargins(GRID, 0, GRID, 0)
        search.addWidget(self._search)
        self._stack = QStackedLayout()
        self._stack.addWidget(self.list)
        self._stack.addWidget(self._nothing)
        chats = QVBoxLayout()
        chats.setSpacing(0)
        chats.addLayout(self._stack, 1)
        chats.addWidget(Separator(self))  # chats look like the entries below them
        bottom = QVBoxLayout()
        bottom.setContentsMargins(GRID, 0, GRID, 0)
        bottom.setSpacing(0)
        for button in (self._models, self._benchmark, self._settings):
            bottom.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, GRID, 0, GRID)
        layout.setSpacing(GRID)
        layout.addLayout(top)
        layout.addLayout(search)
        layout.addWidget(self._count)
        layout.addLayout(chats, 1)
        layout.addLayout(bottom)

    def _connect(self) -> None:
        self._collapse.clicked.connect(self.collapse_requested)
        self._new.clicked.connect(self.new_chat_requested)
        self._models.clicked.connect(self.models_requested)
        self._benchmark.clicked.connect(self.benchmark_requested)
        self._settings.clicked.connect(self.settings_requested)
        self._search.search_changed.connect(self._search_changed)
        self._search.list_focus_requested.connect(self.list.focus_first)
        self._search.first_hit_requested.connect(self._open_first_hit)

    def _search_changed(self, query: str) -> None:
        self._hits = None
        if not query:
            self._refresh()
        self.search_changed.emit(query)

    def _refresh(self) -> None:
        """Keeps the list until the results of a search are there."""
        if not self._search.query:
            self._show(self._conversations, self.tr("Your chats appear here."))
        elif self._hits is not None:
            self._show(self._hits, self.tr("Nothing found"))

    def _show(self, rows: Sequence[SidebarRow], otherwise: str) -> None:
        hits = [row for row in rows if isinstance(row, SearchHit)]
        self._count.setText(self._count_words(hits))
        self._count.setVisible(bool(hits))
        self._nothing.setText(otherwise)
        self.list.show_rows(rows)
        self._stack.setCurrentWidget(self.list if rows else self._nothing)

    def _count_words(self, hits: Sequence[SearchHit]) -> str:
        n, n_chats = len(hits), len({hit.conversation for hit in hits})
        if n >= MOST_HITS:
            words = (
                self.tr("First {n} results, in 1 chat") if n_chats == 1 else self.tr("First {n} results, in {m} chats")
            )
        elif n == 1:
            words = self.tr("1 result")
        else:
            words = self.tr("{n} results in 1 chat") if n_chats == 1 else self.tr("{n} results in {m} chats")
        return words.format(n=n, m=n_chats)

    def _open_first_hit(self) -> None:
        if self._hits:
            self.list.open_first()

    @property
    def _in_search(self) -> bool:
        return bool(self._search.text()) or self._search.hasFocus()

    def _leave_search(self) -> None:
        self._search.clear()
        self._focus_before_search.restore_focus()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and self._in_search:
            event.setAccepted(event.key() == Qt.Key.Key_Escape)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._in_search:
            self._leave_search()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), current_theme().surface if current_theme().dark else current_theme().sunken)


def _sheet() -> str:
    return f"""
        QLineEdit, QToolButton {{ font-size: {scaled_px(SMALL_PX)}px; }}
        QLineEdit#searchBox {{ padding: 0 {GRID // 4}px; }}
        QLineEdit#renameField {{ padding: 0 5px; min-height: 28px; }}
    """
