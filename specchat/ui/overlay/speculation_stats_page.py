"""The page with speculation stats for each reply of a conversation."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QMargins, Qt, QTimer
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from specchat.domain.drafter_types import is_draft_origin
from specchat.domain.types import UNKNOWN
from specchat.ui.overlay import stats_text
from specchat.ui.overlay.bar_chart import Bar, BarChart
from specchat.ui.overlay.reply_stats import ReplyStats, compute_total
from specchat.ui.overlay.reply_table_model import ReplyTableModel
from specchat.ui.widgets.content_scroll_area import ContentScrollArea
from specchat.ui.widgets.copyable_table import CopyableTable
from specchat.ui.widgets.table_style import HEADING_PADDING, table_style
from specchat.ui.widgets.theme import GRID, SMALL_PX, body_font, scaled_px
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.window.window_page import WindowPage
from specchat.ui.words.number_format import drop_noise, format_axis_seconds, format_percent, format_seconds

_SIDE = 3 * GRID
_PADDING = GRID // 2
_TITLE, _DRAFTER = 0, 8
_LEAST = {_TITLE: 130, _DRAFTER: 110}
"""The least widths of columns whose text may be cut, this one first; the tooltip shows it in full."""


class SpeculationStatsPage(WindowPage):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("speculationDetails")
        self.setWindowTitle(self.tr("Speculation stats"))
        self._replies: Sequence[ReplyStats] = ()
        self._total = compute_total(())
        self._summary = QLabel(self)
        self._summary.setObjectName("speculationSummary")
        self._summary.setWordWrap(True)
        self._summary.setStyleSheet("font-weight: 600")
        self._summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._positions = BarChart(self.tr("Position of the guess"), format_percent, format_percent, self)
        self._rates = BarChart(self.tr("Answer"), format_percent, format_percent, self)
        self._savings = BarChart(
            self.tr("Answer"), stats_text.time_saved_text, format_axis_seconds, self, format_seconds
        )
        self._position_title, self._savings_title, self._legend = QLabel(self), QLabel(self), QLabel(self)
        self._savings_title.setText(self.tr("Time saved or lost per answer"))
        self._model = ReplyTableModel(self)
        self._table = CopyableTable(self)
        self._charts, self._contents = QWidget(self), QWidget(self)
        self._page = ContentScrollArea(self._contents, QMargins(_SIDE, 0, _SIDE, 0), self)
        self._empty = QLabel(self.tr("Stats appear here after the next answer."), self)
        self._arrange()
        follow_theme(self._apply_theme)
        self.show_replies(())

    @property
    def help_topic(self) -> str:
        return "window.md#the-overlay"

    def show_replies(self, replies: Sequence[ReplyStats]) -> None:
        self._replies, self._total = replies, compute_total(replies)
        self._summary.setText(stats_text.conversation_summary(self._total))
        self._rates.show_bars([_bar(reply, reply.stats.acceptance_rate) for reply in replies])
        self._savings.show_bars([_savings_bar(reply) for reply in replies])
        self._model.show_replies(replies, self._total)
        self._table.selectRow(0)
        self._show_positions()
        self._fit_columns()
        self._show_legend()
        saved, unknown = self.tr("Time saved or lost per answer"), self.tr("Time saved or lost: not reported")
        self._savings_title.setText(saved if self._total.is_saving_known else unknown)
        self._charts.setVisible(self._total.n_drafted > 0)
        self._stack.setCurrentWidget(self._page if replies else self._empty)

    def _apply_theme(self) -> None:
        self._model.update_fonts()
        self._table.setStyleSheet(table_style(current_theme(), padding=_PADDING))
        self._fit_columns()
        self._show_legend()

    def _show_legend(self) -> None:
        theme = current_theme()
        meanings = [
            (theme.accepted, self.tr("Mostly from the draft")),
            (theme.ngram, self.tr("Mostly from earlier text")),
            (theme.danger, self.tr("Time lost")),
        ]
        if any(_is_of_draft([reply]) is None for reply in self._replies):
            meanings.append((theme.rejected, self.tr("Drafter not reported")))
        self._legend.setText(
            "&nbsp;&nbsp; ".join(f'<font color="{c.name()}">■</font> {words}' for c, words in meanings)
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self._fit_columns)

    def _fit_columns(self) -> None:
        """Heads and figures are never cut: words are, and what is still too wide can be scrolled."""
        table, header = self._table, self._table.horizontalHeader()
        heads = [self._heading_width(column) for column in range(header.count())]
        widths = [max(table.sizeHintForColumn(column), head) for column, head in enumerate(heads)]
        for column, least in _LEAST.items():
            missing = max(0, sum(widths) - table.viewport().width())
            widths[column] = max(heads[column], min(widths[column], scaled_px(least)), widths[column] - missing)
        for column, width in enumerate(widths):
            header.resizeSection(column, width)

    def _heading_width(self, column: int) -> int:
        """Qt's hint leaves room for an arrow that is never shown."""
        words = self._model.headerData(column, Qt.Orientation.Horizontal)
        return QFontMetrics(body_font(SMALL_PX)).horizontalAdvance(str(words)) + 2 * (HEADING_PADDING + _PADDING)

    def _show_positions(self) -> None:
        row = self._table.currentIndex().row()
        chosen = self._replies[row - 1].stats if row > 0 else self._total
        is_of_draft = _is_of_draft([self._replies[row - 1]] if row > 0 else self._replies)
        names = self.tr("Guess {n}")
        self._positions.show_bars(
            [
                Bar(rate, names.format(n=at), is_of_draft)
                for at, rate in enumerate(chosen.accepted_per_position, start=1)
            ]
        )
        whose = self._model.reply_title(row) if row > 0 else self.tr("all answers")
        words = self.tr("Accepted by position, {whose}")
        if chosen.n_drafted and not chosen.accepted_per_position:
            words = self.tr("Accepted by position, {whose}: not reported")
        self._position_title.setText(words.format(whose=whose))
        self._positions.setAccessibleName(self._position_title.text())

    def _arrange(self) -> None:
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._page)
        self._stack.addWidget(self._empty)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setProperty("muted", True)
        layout = QVBoxLayout(self._contents)
        layout.setContentsMargins(0, 0, 0, _SIDE)
        layout.setSpacing(2 * GRID)
        layout.addWidget(self._summary)
        self._arrange_charts()
        layout.addWidget(self._charts, 3)
        layout.addWidget(self._table, 2)
        self._arrange_table()

    def _arrange_charts(self) -> None:
        grid = QGridLayout(self._charts)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(4 * GRID)
        grid.setVerticalSpacing(GRID)
        rates = QLabel(self.tr("Accepted per answer"), self)
        for title, chart, place in (
            (self._position_title, self._positions, (0, 0, 3)),
            (rates, self._rates, (0, 1, 1)),
            (self._savings_title, self._savings, (2, 1, 1)),
        ):
            row, column, rows = place
            title.setProperty("small", True)
            grid.addWidget(title, row, column)
            grid.addWidget(chart, row + 1, column, rows, 1)
            grid.setRowStretch(row + 1, 1)
            chart.setAccessibleName(title.text())
        for chart in (self._positions, self._rates):
            chart.set_axis_maximum(1.0)
        self._legend.setObjectName("chartLegend")
        self._legend.setProperty("muted", True)
        grid.addWidget(self._legend, 4, 0, 1, 2)
        for column in range(2):
            grid.setColumnStretch(column, 1)

    def _arrange_table(self) -> None:
        table = self._table
        table.setObjectName("replyTable")
        table.setAccessibleName(self.tr("Stats per answer"))
        table.setModel(self._model)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        table.setTabKeyNavigation(False)
        table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(4 * GRID)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        table.selectionModel().currentRowChanged.connect(self._show_positions)


def _bar(reply: ReplyStats, value: float) -> Bar:
    return Bar(value if reply.stats.n_drafted else None, reply.title, _is_of_draft([reply]))


def _savings_bar(reply: ReplyStats) -> Bar:
    stats, saved = reply.stats, drop_noise(reply.stats.saved_s)
    is_known = "saved_s" not in stats.unreported and stats_text.has_saving(stats.n_drafted, saved)
    return replace(_bar(reply, saved), value=saved if is_known else None)


def _is_of_draft(replies: Sequence[ReplyStats]) -> bool | None:
    """Whether it made most of the guesses; None: nobody says who made them."""
    guesses: Counter[str] = Counter()
    for reply in replies:
        guesses.update(reply.stats.drafted_per_source)
    if guesses and guesses.keys() == {UNKNOWN}:
        return None
    of_drafts = sum(count for origin, count in guesses.items() if is_draft_origin(origin))
    return 2 * of_drafts >= guesses.total()
