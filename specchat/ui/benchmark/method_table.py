"""The table model and table view with the stats of each method."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from specchat.domain.benchmark import BenchReport, BenchRow, Speedup
from specchat.ui.benchmark.method_labels import MethodLabels, is_speculative
from specchat.ui.benchmark.report_stats import best_row, rows_by_method
from specchat.ui.widgets.copyable_table import CopyableTable
from specchat.ui.widgets.table_style import table_style
from specchat.ui.widgets.theme import GRID, SMALL_PX, body_font, scaled_px, tabular_figures
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.widgets.tooltip import tooltip_text
from specchat.ui.words.number_format import UNKNOWN, format_number, format_percent, format_seconds, format_speed

translate = QCoreApplication.translate

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_WAY = 0
_LEAST_WAY = 18 * GRID
_PADDING = GRID // 2


class MethodTableModel(QAbstractTableModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._cells: Sequence[tuple[str, ...]] = ()
        self._hints: Sequence[str] = ()
        """Of the last column."""
        self._best: int | None = None
        self.update_fonts()

    def update_fonts(self) -> None:
        """For the size of text that is chosen now."""
        self.font = tabular_figures(body_font(SMALL_PX))
        self._bold = QFont(self.font)
        self._bold.setWeight(QFont.Weight.DemiBold)

    def show_report(self, report: BenchReport) -> None:
        names, best = MethodLabels(report.plan), best_row(report)
        rows = list(rows_by_method(report).values())
        self.beginResetModel()
        self._cells = [(names.method_label(row.method), *self._figures(row)) for row in rows]
        self._hints = [self._hint(row, exact=report.plan.exact) for row in rows]
        self._best = rows.index(best) if best is not None else None
        self.endResetModel()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._cells)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._headings())

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is Qt.Orientation.Vertical:
            return None
        words, explanation = self._headings()[section]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return words
            case Qt.ItemDataRole.ToolTipRole:
                return explanation or None
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(section)
            case _:
                return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._cells[index.row()][index.column()]
            case Qt.ItemDataRole.ToolTipRole:
                is_last = index.column() == self.columnCount() - 1
                hint = self._hints[index.row()] if is_last else ""
                return tooltip_text(hint or self._cells[index.row()][index.column()])
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(index.column())
            case Qt.ItemDataRole.FontRole:
                return self._bold if index.row() == self._best else self.font
            case _:
                return None

    def _headings(self) -> tuple[tuple[str, str], ...]:
        return (
            (self.tr("Method"), ""),
            (self.tr("Tokens/s"), self.tr("Median of all answers")),
            (self.tr("Speed-up"), self.tr("Median speed-up over plain decoding. Lowest and highest in parentheses.")),
            (self.tr("Accepted"), self.tr("Share of guesses accepted")),
            (self.tr("Per pass"), self.tr("Tokens per target pass, including the target's own")),
            (self.tr("First token"), self.tr("Time to first token, including prompt processing")),
            (
                self.tr("Same answer"),
                self.tr("How many answers match plain decoding token for token"),
            ),
        )

    def _figures(self, row: BenchRow) -> tuple[str, ...]:
        drafts = is_speculative(row.method)
        return (
            format_speed(row.tokens_per_s),
            UNKNOWN if row.ratio is None else format_ratio(row.ratio),
            format_percent(row.acceptance_rate) if row.n_drafted else UNKNOWN,
            format_number(row.mean_accepted_length, 2) if drafts else UNKNOWN,
            format_seconds(row.ttft_s),
            self._same(row) if drafts else UNKNOWN,
        )

    def _same(self, row: BenchRow) -> str:
        if not row.n_compared:
            return UNKNOWN
        if row.n_same == row.n_compared:
            return self.tr("yes")
        return self.tr("{n} of {all}").format(n=format_number(row.n_same), all=format_number(row.n_compared))

    def _hint(self, row: BenchRow, *, exact: bool) -> str:
        if not is_speculative(row.method) or row.n_same == row.n_compared:
            return ""
        words = self.tr("Answers that match plain decoding token for token: {n} of {all}.")
        counts = words.format(n=format_number(row.n_same), all=format_number(row.n_compared))
        return f"{counts} {differing_answers_note(exact=exact)}"


class MethodTableView(CopyableTable):
    """A table with the height of its rows: the page scrolls, not the table."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = MethodTableModel(self)
        self.setObjectName("benchTable")
        self.setAccessibleName(self.tr("Results by method"))
        self.setModel(self._model)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(4 * GRID)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        follow_theme(self._apply_theme)

    def show_report(self, report: BenchReport) -> None:
        self._model.show_report(report)
        self._share_width()

    def _apply_theme(self) -> None:
        theme = current_theme()
        self._model.update_fonts()
        self.setStyleSheet(table_style(theme, padding=_PADDING))
        self._share_width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        """The figures have the room they need, the methods what is left; too little, and the table scrolls."""
        header, least = self.horizontalHeader(), scaled_px(_LEAST_WAY)
        needed = [self._needed(column) for column in range(header.count())]
        rest = self.viewport().width() - sum(needed[_WAY + 1 :])
        gap = min(2 * GRID, max(0, rest - needed[_WAY]) // header.count())
        for column, width in enumerate(needed):
            header.resizeSection(column, width + gap)
        header.resizeSection(_WAY, max(rest - gap * (header.count() - 1), min(least, needed[_WAY])))
        bar = self.horizontalScrollBar().sizeHint().height() if header.length() > self.viewport().width() else 0
        self.setFixedHeight((1 + self._model.rowCount()) * 4 * GRID + 2 + bar)

    def _needed(self, column: int) -> int:
        """Qt's own hint keeps room for a mark of sorting, too."""
        heading = self._model.headerData(column, Qt.Orientation.Horizontal)
        words = QFontMetrics(self._model.font).horizontalAdvance(str(heading))
        return max(self.sizeHintForColumn(column), words + 2 * (_PADDING + 4))


def differing_answers_note(*, exact: bool) -> str:
    why = translate(
        "Benchmark",
        "If answers differ, rounding changed the choice between two tokens that were almost equally likely.",
    )
    remedy = translate("Benchmark", "Turn on “Exact” to prevent that.")
    return why if exact else f"{why} {remedy}"


def two_medians_note() -> str:
    return translate(
        "Benchmark",
        "“Speed-up” compares answers to the same prompt in the same round. “Tokens/s” is the median of "
        "all answers. The two can differ.",
    )


def format_ratio(ratio: Speedup) -> str:
    lowest, highest = format_number(ratio.lowest, 2), format_number(ratio.highest, 2)
    return f"{format_number(ratio.median, 2)}× ({lowest}–{highest})"


def _alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if column == _WAY else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
