"""The table model for the stats of each reply, below a total row."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from specchat.domain.types import GenerationStats
from specchat.ui.overlay import stats_text
from specchat.ui.overlay.reply_stats import ReplyStats, TotalStats
from specchat.ui.widgets.theme import SMALL_PX, body_font, tabular_figures
from specchat.ui.widgets.tooltip import tooltip_text
from specchat.ui.words.number_format import SEPARATOR, UNKNOWN, format_number, format_percent, format_speed

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_TOKENS, _GUESSED, _COMPARED, _ACCEPTED = 1, 3, 4, 5
_NUMBERS = range(1, 8)


class ReplyTableModel(QAbstractTableModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._replies: Sequence[ReplyStats] = ()
        self._total: TotalStats | None = None
        self.update_fonts()

    def update_fonts(self) -> None:
        """For the size of text that is chosen now."""
        self._font = tabular_figures(body_font(SMALL_PX))
        self._bold = QFont(self._font)
        self._bold.setWeight(QFont.Weight.DemiBold)

    def show_replies(self, replies: Sequence[ReplyStats], total: TotalStats) -> None:
        self.beginResetModel()
        self._replies, self._total = replies, total
        self.endResetModel()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() or not self._replies else 1 + len(self._replies)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._headings())

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is Qt.Orientation.Vertical:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._headings()[section]
            case Qt.ItemDataRole.ToolTipRole:
                return tooltip_text(self._explanations().get(section, ""))
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(section)
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._cells(index.row())[index.column()]
            case Qt.ItemDataRole.ToolTipRole:
                return tooltip_text(self._tip(index))
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(index.column())
            case Qt.ItemDataRole.FontRole:
                return self._font if index.row() else self._bold
            case _:
                return None

    def _headings(self) -> tuple[str, ...]:
        return (
            self.tr("Answer"),
            self.tr("Tokens"),
            self.tr("Tokens/s"),
            self.tr("Guessed"),
            self.tr("Checked"),
            self.tr("Accepted"),
            self.tr("Tokens/pass"),
            self.tr("Time"),
            self.tr("Drafter"),
        )

    def _explanations(self) -> dict[int, str]:
        """By column."""
        return {
            _TOKENS: self.tr("All tokens in the answer, including those that the target chose without a guess."),
            _GUESSED: self.tr("Guesses sent to the target for verification."),
            _COMPARED: self.tr("Guesses up to the point that the answer reached. Later guesses can't be judged."),
            _ACCEPTED: self.tr("Accepted guesses, and their share of all guesses."),
        }

    def reply_title(self, row: int) -> str:
        return f"{row}. {self._replies[row - 1].title}"

    def _cells(self, row: int) -> tuple[str, ...]:
        if row == 0 and self._total is not None:
            return (self.tr("All answers"), *_numbers(self._total), "")
        reply = self._replies[row - 1]
        return (self.reply_title(row), *_numbers(reply.stats), _drafter(reply))

    def _tip(self, index: _Index) -> str:
        words_there = self._cells(index.row())[index.column()]
        if index.row() == 0 or index.column() > 0:
            return words_there
        reply = self._replies[index.row() - 1]
        return f"{words_there}\n{stats_text.models_text(reply.target, reply.draft)}"


def _alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column in _NUMBERS else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def _numbers(stats: GenerationStats | TotalStats) -> tuple[str, ...]:
    guessed = stats.n_drafted > 0
    return (
        format_number(stats.n_generated) if stats.is_length_known else UNKNOWN,
        format_speed(stats.tokens_per_s) if _is_speed_known(stats) else UNKNOWN,
        format_number(stats.n_drafted) if guessed else UNKNOWN,
        format_number(stats.n_checked) if stats.n_checked else UNKNOWN,
        f"{format_number(stats.n_accepted)} · {format_percent(stats.acceptance_rate)}" if guessed else UNKNOWN,
        format_number(stats.mean_accepted_length, 2) if stats.mean_accepted_length else UNKNOWN,
        stats_text.time_saved_text(stats.saved_s, is_rough=stats.saved_is_rough)
        if stats_text.has_saving(stats.n_drafted, stats.saved_s) and _is_saving_known(stats)
        else UNKNOWN,
    )


def _is_speed_known(stats: GenerationStats | TotalStats) -> bool:
    return stats.tokens_per_s > 0 and (isinstance(stats, TotalStats) or stats.is_length_known)


def _is_saving_known(stats: GenerationStats | TotalStats) -> bool:
    return stats.is_saving_known if isinstance(stats, TotalStats) else "saved_s" not in stats.unreported


def _drafter(reply: ReplyStats) -> str:
    """Who guessed, and why nobody did any more."""
    names = ", ".join(stats_text.source_name(source, reply.draft) for source in reply.stats.drafted_per_source)
    return SEPARATOR.join(filter(None, (names, stats_text.guessing_text(reply.stats)))) or UNKNOWN
