"""The overlay with live speculation stats."""

from dataclasses import replace

from PySide6.QtCore import QMargins, QSize, Signal
from PySide6.QtWidgets import QWidget

from specchat.domain.speculation_status import OffReason
from specchat.services.generation.stats_tracker import StatsSnapshot, StepSummary
from specchat.ui.overlay.dockable_panel import DockablePanel, PanelSlot
from specchat.ui.overlay.floating_panel import SHADOW
from specchat.ui.overlay.placement import OverlayState
from specchat.ui.overlay.readout import Readout, WhyEmpty, make_readout, waiting_readout
from specchat.ui.overlay.stats_card import StatsCard
from specchat.ui.overlay.stats_pill import StatsPill
from specchat.ui.overlay.stats_rounding import StatsRounder
from specchat.ui.overlay.stats_text import rough_text, spoken_summary
from specchat.ui.widgets.controls import IconButton
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.theme_service import follow_theme
from specchat.ui.widgets.throttle import Throttle
from specchat.ui.widgets.tooltip import tooltip_text

_READABLE_MS = 200
_SPEAKABLE_MS = 5000
_CARD_RADIUS = 12.0
_BUTTON = 3 * GRID


class StatsOverlay(DockablePanel):
    hidden = Signal()
    """By its button."""

    def __init__(self, parent: QWidget, over: QWidget | None = None, dock: PanelSlot | None = None) -> None:
        super().__init__(parent, over, dock)
        self.setObjectName("acceptanceOverlay")
        self.setAccessibleName(self.tr("Time saved by speculation"))
        self._draft_name: str | None = None
        self._why_off: OffReason | str | None = None
        self._asked_by = ""
        self._figures: StatsSnapshot | None = None
        self._why_empty = WhyEmpty.NO_ANSWER
        self._steady = StatsRounder()
        self._card = StatsCard(self)
        self._pill = StatsPill(self)
        self._fold = self._button("overlayFoldButton", "chevron-up")
        self._hide = self._button("overlayHideButton", "close")
        self._hide.set_label(self.tr("Hide"))
        self._numbers = Throttle(_READABLE_MS, self._show_numbers, self)
        self._accessible_text = Throttle(_SPEAKABLE_MS, self._speak, self)
        self._fold.clicked.connect(self._toggle)
        self._hide.clicked.connect(self._hide_on_request)
        self.double_clicked.connect(self._toggle)
        self.show_waiting()
        follow_theme(self._arrange)

    def show_stats(self, figures: StatsSnapshot) -> None:
        if self._figures is not None and self._figures.final and not figures.final:
            self._steady = StatsRounder()
        self._figures = figures
        self._show_steps(figures.steps, more_may_come=not figures.final)
        if figures.final:
            self._numbers.show_now(figures)
            self._accessible_text.show_now(figures)
        else:
            self._numbers.submit(figures)
            self._accessible_text.submit(figures)

    def show_waiting(self, why: WhyEmpty = WhyEmpty.NO_ANSWER) -> None:
        self._figures, self._why_empty = None, why
        self._steady = StatsRounder()
        self._show_steps((), more_may_come=True)
        self._numbers.show_now(None)
        self._accessible_text.show_now(None)

    def set_pair(
        self,
        draft_name: str | None,
        *,
        why_off: OffReason | str | None = None,
        asked_by: str = "",
    ) -> None:
        """`why_off`: why nobody will guess; `asked_by`: who else is answered."""
        if (self._draft_name, self._why_off, self._asked_by) == (draft_name, why_off, asked_by):
            return
        self._draft_name, self._why_off, self._asked_by = draft_name, why_off, asked_by
        self._numbers.show_now(self._figures)

    def state(self) -> OverlayState:
        return self._state

    def restore_state(self, state: OverlayState) -> None:
        self._state = state
        self._arrange()
        self.rearranged.emit()

    def set_folded(self, folded: bool) -> None:
        self._state = replace(self._state, folded=folded)
        self._arrange()
        self.rearranged.emit()

    def setVisible(self, visible: bool) -> None:
        super().setVisible(visible)
        self._arrange()

    @property
    def is_at_right(self) -> bool:
        return self._state.right

    @property
    def covered_width(self) -> int:
        """How much at that side is no room for text."""
        if self.isHidden() or self.is_docked:
            return 0
        width = self.width() if self.is_folded else self.upright_size.width()
        return self._state.dx + SHADOW + width

    @property
    def is_at_bottom(self) -> bool:
        return self._state.bottom

    @property
    def covered_height(self) -> int:
        """How much above or below the text; folded it is no more than a pill, which may lie on it."""
        return 0 if self.isHidden() or self.is_folded else self._state.dy + SHADOW + self.height()

    @property
    def unfolded_width(self) -> int:
        """Where it stands at first."""
        return self._card.upright_size.width() + 4 * GRID

    @property
    def upright_size(self) -> QSize:
        """Unfolded, with all that it can show."""
        return self._card.upright_size.grownBy(QMargins(SHADOW, SHADOW, SHADOW, SHADOW))

    def set_flat_width(self, room: int | None) -> None:
        """The largest width if there is little height; None: no limit."""
        self._card.set_flat_width(None if room is None else room - 2 * SHADOW)
        self._arrange()

    def _show_steps(self, steps: tuple[StepSummary, ...], *, more_may_come: bool) -> None:
        height = self._card.height()
        self._card.show_steps(steps, has_strip=more_may_come or bool(steps))
        if self._card.height() != height:
            self._arrange()

    def _show_numbers(self, figures: StatsSnapshot | None) -> None:
        texts = self._read(figures) if figures is not None else self._waiting
        self._card.show_readout(texts)
        self._pill.show_readout(texts)
        hint = self.tr("Click for the stats of the whole chat. Drag to move. Double-click to collapse.")
        per_pass = self.tr("Per pass: tokens per target pass, including the target's own.")
        rough = rough_text() if texts.is_rough else ""
        lines = (self._asked_by, texts.why_not or texts.who, rough, per_pass, hint)
        self.setToolTip(tooltip_text("\n".join(filter(None, lines))))
        if self._state.folded:
            self._arrange()

    @property
    def _waiting(self) -> Readout:
        return waiting_readout(self._draft_name, self._why_off, self._why_empty)

    def _read(self, figures: StatsSnapshot) -> Readout:
        found = make_readout(self._steady.round_stats(figures), self._draft_name)
        return replace(found, asked_by=self._asked_by)

    def _speak(self, figures: StatsSnapshot | None) -> None:
        words = spoken_summary(figures) if figures is not None else self._waiting.who
        self.setAccessibleDescription(f"{self._asked_by}: {words}" if self._asked_by else words)

    def _button(self, name: str, icon: str) -> IconButton:
        button = IconButton(icon, "", self)
        button.setObjectName(name)
        button.setFixedSize(_BUTTON, _BUTTON)
        button.setIconSize(QSize(2 * GRID, 2 * GRID))
        return button

    def _toggle(self) -> None:
        self.set_folded(not self._state.folded)

    def _hide_on_request(self) -> None:
        self.hide()
        self.hidden.emit()

    def _arrange(self) -> None:
        folded = self._state.folded
        face: QWidget = self._pill if folded else self._card
        face.move(SHADOW, SHADOW)
        self._keep_dock(self._pill)
        if folded:
            self._pill.resize(self._pill.size_within(self._room))
        self._card.setVisible(not folded)
        self._pill.setVisible(folded)
        self._hide.setVisible(not folded)
        self._fold.set_icon("chevron-up" if folded is self.docks_when_folded else "chevron-down")
        self._fold.set_label(self.tr("Expand") if folded else self.tr("Collapse"))
        right = SHADOW + face.width() - GRID // 2
        top = SHADOW + GRID // 2
        self._hide.move(right - _BUTTON, top + 2)
        self._fold.move(right - _BUTTON if folded else right - 2 * _BUTTON, top if folded else top + 2)
        self._set_face(face.size(), face.height() / 2 if folded else _CARD_RADIUS, flat=self.is_docked)
