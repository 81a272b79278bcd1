"""The pair that is being put together: which models, whether they match and fit, and what to do next."""

from collections.abc import Sequence

from PySide6.QtCore import QMargins, Signal
from PySide6.QtWidgets import QFrame, QStackedWidget, QVBoxLayout, QWidget

from specchat.domain.errors import UserError
from specchat.services.models.chosen_model import ChosenModel
from specchat.ui.manager.tray_bottom import StepBar
from specchat.ui.manager.tray_drafts import DraftsPage
from specchat.ui.manager.tray_memory import MemoryView
from specchat.ui.manager.tray_problem import TrayProblem
from specchat.ui.manager.tray_slot import Slot
from specchat.ui.manager.tray_step import Instead, Step
from specchat.ui.manager.tray_verdict import VerdictView
from specchat.ui.widgets.controls import IconButton, Line, TextButton
from specchat.ui.widgets.scrolled import Scrolled
from specchat.ui.widgets.theme import GRID, Theme

_PADDING = 2 * GRID


class PairTray(QFrame):
    targetRemoved = Signal()
    draftRemoved = Signal()
    draftsWanted = Signal()
    noDraftWanted = Signal()
    acted = Signal(object)
    """What a button at the bottom is for: an Act."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._search = IconButton("search", self.tr("Find another draft"), theme, self)
        self.target = Slot("targetSlot", self.tr("Target"), theme, self)
        self._find = TextButton(self.tr("Find a draft"), self)
        self._without = TextButton(self.tr("Without a draft"), self)
        self.draft = Slot(
            "draftSlot", self.tr("Draft"), theme, self, tools=(self._search,), deeds=(self._find, self._without)
        )
        self.problem = TrayProblem("trayProblem", theme, self)
        self.verdict = VerdictView(theme, self)
        self._line = Line(self)
        self.memory = MemoryView(theme, self)
        self.step = StepBar(theme, self)
        self.drafts = DraftsPage(theme, self)
        self._pair = QWidget(self)
        self._pages = QStackedWidget(self)
        self._inside = QWidget(self)
        self._scroll = Scrolled(self._inside, QMargins(_PADDING, _PADDING, _PADDING, _PADDING), self)
        self._arrange()
        self._connect()
        self.show_target(None)
        self.show_draft(None, has_target=False)
        self.show_parts()

    def set_theme(self, theme: Theme) -> None:
        themed = (self.target, self.draft, self._search, self.problem, self.verdict, self.memory, self.step)
        for part in (*themed, self.drafts):
            part.set_theme(theme)
        self._line.update()

    def show_target(self, model: ChosenModel | None) -> None:
        if model is not None:
            self.target.show_model(model)
        else:
            self.target.show_empty(self.tr("Choose a target: the model whose answers you want."))

    def show_draft(self, model: ChosenModel | None, *, has_target: bool, instead: Instead = Instead.NOT_CHOSEN) -> None:
        is_chosen = model is not None or instead is not Instead.NOT_CHOSEN
        self._search.setVisible(has_target and is_chosen)
        if model is not None:
            self.draft.show_model(model)
        elif instead is Instead.NOTHING:
            self.draft.show_words(self.tr("No guesses"), self.tr("The target writes alone"))
        elif instead is Instead.EARLIER_TEXT:
            line = self.tr("No draft: repeats what was said before")
            self.draft.show_words(self.tr("Earlier text"), line)
        elif has_target:
            sentence = self.tr("A draft is a small model of the same family. It guesses ahead, which saves time.")
            self.draft.show_empty(sentence, offers_deeds=True)
        else:
            self.draft.show_empty(self.tr("Then a draft: a small model of the same family that guesses ahead."))

    def show_parts(self, *, verdict: bool = False, memory: bool = False) -> None:
        """Which of them there is anything to say about. What went wrong before no longer counts."""
        self.problem.hide()
        self.verdict.setVisible(verdict)
        self.memory.setVisible(memory)
        self._line.setVisible(memory)

    def show_problem(self, error: UserError) -> None:
        self.show_parts()
        self.problem.show_error(error)
        self._scroll.ensureWidgetVisible(self.problem)

    def show_step(self, step: Step) -> None:
        self.step.show_step(step)

    def show_drafts(self, *, shown: bool) -> None:
        """In place of the pair."""
        self._pages.setCurrentWidget(self.drafts if shown else self._pair)

    @property
    def shows_drafts(self) -> bool:
        return self._pages.currentWidget() is self.drafts

    def step_back(self) -> bool:
        """Out of the list of drafts; False: the pair is on show already."""
        if self.shows_drafts:
            self.drafts.closed.emit()
            return True
        return False

    def _connect(self) -> None:
        self.target.removed.connect(self.targetRemoved)
        self.draft.removed.connect(self.draftRemoved)
        for finding in (self._find, self._search):
            finding.clicked.connect(self.draftsWanted)
        for without in (self._without.clicked, self.verdict.noDraftWanted, self.drafts.withoutWanted):
            without.connect(self.noDraftWanted)
        self.verdict.draftsWanted.connect(self.draftsWanted)
        self.step.acted.connect(self.acted)

    def _arrange(self) -> None:
        self.setObjectName("pairTray")
        self.setAccessibleName(self.tr("The pair"))
        self._find.setObjectName("findDraftButton")
        self._without.setObjectName("withoutDraftButton")
        self._search.setObjectName("findAnotherDraft")
        layout = QVBoxLayout(self._pair)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._arrange_inside()
        layout.addWidget(self._scroll, 1)
        layout.addWidget(Line(self._pair))
        layout.addWidget(self._bottom())
        self._pages.addWidget(self._pair)
        self._pages.addWidget(self.drafts)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)

    def _arrange_inside(self) -> None:
        layout = QVBoxLayout(self._inside)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3 * GRID // 2)
        parts: Sequence[QWidget] = (
            self.target,
            self.draft,
            self.problem,
            self.verdict,
            self._line,
            self.memory,
        )
        for part in parts:
            layout.addWidget(part)
        layout.addStretch(1)
        self._scroll.setObjectName("trayScroll")

    def _bottom(self) -> QWidget:
        bottom = QWidget(self._pair)
        layout = QVBoxLayout(bottom)
        layout.setContentsMargins(_PADDING, 3 * GRID // 2, _PADDING, 3 * GRID // 2)
        layout.addWidget(self.step)
        return bottom
