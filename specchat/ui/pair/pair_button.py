"""The button in the header that shows the loaded pair and opens the picker."""

from dataclasses import dataclass, replace

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionToolButton, QStylePainter, QToolButton, QWidget

from specchat.services.bench.method_names import guess_count_phrase
from specchat.ui.widgets.icons import draw_icon
from specchat.ui.widgets.theme import BODY_PX, GRID, body_font, tabular_figures
from specchat.ui.widgets.theme_service import current_theme
from specchat.ui.widgets.tooltip import tooltip_text
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_number, format_percent

_WIDEST = 80 * GRID
_NARROWEST = 16 * GRID
_WIDEST_ENGINE = 24 * GRID
_ICON = 2 * GRID
_SHARE_OF_DRAFT = 0.45
_LEAST_FOR_NAMES = 20 * GRID
"""The width below which only the tooltip shows the guesses per pass."""


@dataclass(frozen=True, slots=True)
class PairButtonState:
    """No target: nothing is loaded."""

    target: str = ""
    draft: str = ""
    """Whoever guesses; empty: nobody."""
    most_guesses: int | None = None
    """In one pass; None: as many as pay."""
    exactness: str = ""
    """Whether the answer is the same with and without guesses; empty: nobody asked."""
    why_one_answer: str = ""
    """Why chats can't be answered at the same time; empty: they can, or nobody wanted it."""
    engine: str = ""
    """What the one that serves it is called, where it is another one: who guesses there is not known."""
    engine_kind: str = ""
    """"llama-server"; empty: its name tells."""
    is_unloaded: bool = False
    """What is asked next loads it again."""
    loading: float | None = None
    """How much of it, from 0 to 1."""
    measuring: tuple[int, int] | None = None
    """How many answers of how many: it made room for a benchmark. Of 0: that is not known yet."""


class PairButton(QToolButton):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = PairButtonState()
        self.setObjectName("pairButton")
        self.setFont(tabular_figures(body_font(BODY_PX)))
        self.setFixedHeight(4 * GRID)
        self.setMaximumWidth(_WIDEST)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.show_state(PairButtonState())

    def show_state(self, state: PairButtonState) -> None:
        resized = _shape(state) != _shape(self._state)
        self._state = state
        accessible_text = self._accessible_text()
        self.setAccessibleName(accessible_text)
        self.setToolTip(tooltip_text(accessible_text))
        if resized:
            self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        before, after = self._words()
        if self._state.loading is not None:
            after = _percent(1.0)
        width = self._width(before) + self._width(after) + 2 * _ICON + 4 * GRID
        return QSize(max(_NARROWEST, min(_WIDEST, width)), 4 * GRID)

    def minimumSizeHint(self) -> QSize:
        return QSize(_NARROWEST, 4 * GRID)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = current_theme()
        line = self.rect().adjusted(GRID, 0, -GRID, 0)
        draw_icon(painter, "model", theme.text_muted, _square(line.left(), line))
        draw_icon(painter, "chevron-down", theme.text_muted, _square(line.right() + 1 - _ICON, line))
        self._paint_words(painter, line.adjusted(_ICON + GRID, 0, -_ICON - GRID // 2, 0))
        if self._state.loading is not None:
            self._paint_progress(painter, self._state.loading)

    def _paint_words(self, painter: QPainter, place: QRect) -> None:
        first, second = self._fitting(place.width())
        painter.setPen(current_theme().text)
        painter.drawText(place, _LEFT, first)
        painter.setPen(current_theme().text_muted)
        painter.drawText(place.adjusted(self._width(first), 0, 0, 0), _LEFT, second)

    def _fitting(self, room: int) -> tuple[str, str]:
        """The number of guesses goes first. What is cut then are names, never the words around them."""
        state, said = self._state, self._specials()
        before, after = self._words()
        if state.most_guesses and self._width(before + after) > room:
            after, said = (words.replace(f" · {self._guesses()}", "") for words in (after, said))
        specials = self._width(said)
        if self._width(before + after) > room and room - specials < _LEAST_FOR_NAMES:
            after, specials = after.removesuffix(said), 0
        width = self._width(after)
        if state.loading is None and state.measuring is None:  # how far it is always stays whole
            width = min(width, max(specials + int((room - specials) * _SHARE_OF_DRAFT), room - self._width(before)))
        first = self._shortened(before, state.target, room - width)
        return first, self._shortened(after, state.draft, room - self._width(first))

    def _paint_progress(self, painter: QPainter, done: float) -> None:
        track = QRectF(GRID, self.height() - 3, self.width() - 2 * GRID, 2)
        painter.fillRect(track, current_theme().line)
        track.setWidth(track.width() * max(0.0, min(1.0, done)))
        painter.fillRect(track, current_theme().accent)

    def _words(self) -> tuple[str, str]:
        state = self._state
        if state.measuring is not None:
            return state.target, self._measured(*state.measuring)
        if not state.target:
            return self.tr("Choose a model"), ""
        if state.loading is not None:
            return self.tr("Loading {target}").format(target=state.target), _percent(state.loading)
        return state.target, (f" + {state.draft}" if state.draft else "") + self._specials()

    def _specials(self) -> str:
        """What differs from the usual: another engine, not loaded, a fixed number of guesses, and exact mode."""
        state = self._state
        most = self._guesses() if state.draft and state.most_guesses is not None else ""
        exact = state.exactness.partition(":")[0]  # why it is not is told by the tooltip
        unloaded = self.tr("not loaded") if state.is_unloaded else ""
        engine = self._elided(state.engine, _WIDEST_ENGINE)
        return "".join(f" · {special}" for special in (engine, unloaded, most, exact) if special)

    def _measured(self, done: int, total: int) -> str:
        words = self.tr("measuring {n} of {total}").format(
            n=format_number(min(done + 1, total)), total=format_number(total)
        )
        words = words if total else self.tr("measuring")
        return f" · {words}" if self._state.target else words

    def _guesses(self) -> str:
        return translate_text(guess_count_phrase(self._state.most_guesses))

    def _most(self) -> str:
        most = self._state.most_guesses
        return self.tr("auto") if most is None else self.tr("up to {n}").format(n=format_number(most))

    def _accessible_text(self) -> str:
        state = self._state
        if state.measuring is not None:
            return ". ".join(("".join(self._words()), self.tr("Opens the benchmark")))
        if not state.target or state.loading is not None:
            return " ".join(filter(None, map(str.strip, self._words())))
        if state.engine:
            words = self.tr("Model: {target}, served by {engine}.")
            engine = f"{state.engine} ({state.engine_kind})" if state.engine_kind else state.engine
            sentences = [words.format(target=state.target, engine=engine)]
        else:
            words = self.tr("Target: {target}. Draft: {draft}.")
            sentences = [words.format(target=state.target, draft=state.draft or self.tr("none"))]
        if state.is_unloaded:
            sentences.append(self.tr("Not loaded until your next message."))
        if state.draft:
            sentences.append(self.tr("Guesses per pass: {n}.").format(n=self._most()))
        if state.exactness:
            sentences.append(self.tr("Answers: {exactness}.").format(exactness=state.exactness))
        if state.why_one_answer:
            sentences.append(self.tr("Answers one chat at a time: {reason}.").format(reason=state.why_one_answer))
        return " ".join([*sentences, self.tr("Choose models")])

    def _shortened(self, words: str, name: str, width: int) -> str:
        room = width - self._width(words) + self._width(name)
        return words.replace(name, self._elided(name, room), 1) if name else self._elided(words, width)

    def _width(self, words: str) -> int:
        return QFontMetrics(self.font()).horizontalAdvance(words)

    def _elided(self, words: str, width: int) -> str:
        return QFontMetrics(self.font()).elidedText(words, Qt.TextElideMode.ElideMiddle, width + 1)


_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def _shape(state: PairButtonState) -> PairButtonState:
    """What decides how wide it is."""
    return replace(state, loading=None if state.loading is None else 0.0)


def _percent(done: float) -> str:
    return f"  {format_percent(max(0.0, min(1.0, done)))}"


def _square(left: int, line: QRect) -> QRectF:
    return QRectF(left, line.top() + (line.height() - _ICON) / 2, _ICON, _ICON)
