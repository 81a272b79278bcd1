"""The panel for composing a pair: models, compatibility, memory and the next step."""

from collections.abc import Sequence

from PySide6.QtCore import QMargins, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from specchat.domain.errors import UserError
from specchat.services.models.model_description import ModelDescription
from specchat.ui.models.manager_pane import ManagerPane
from specchat.ui.pair.compatibility_panel import CompatibilityPanel
from specchat.ui.pair.drafts_page import DraftsPage
from specchat.ui.pair.memory_panel import MemoryPanel
from specchat.ui.pair.model_slot import ModelSlot
from specchat.ui.pair.next_step import DraftAlternative
from specchat.ui.pair.next_step_bar import NextStepBar
from specchat.ui.pair.pair_problem_card import PairProblemCard
from specchat.ui.widgets.content_scroll_area import ContentScrollArea
from specchat.ui.widgets.controls import IconButton, Separator, TextButton
from specchat.ui.widgets.theme import GRID

_PADDING = 2 * GRID


class PairEditor(ManagerPane):
    drafts_requested = Signal()
    no_draft_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._search = IconButton("search", self.tr("Find another draft"), self)
        self.target = ModelSlot("targetSlot", self.tr("Target"), self)
        self._find = TextButton(self.tr("Find a draft"), self)
        self._without = TextButton(self.tr("Use without a draft"), self)
        self.draft = ModelSlot(
            "draftSlot",
            self.tr("Draft"),
            self,
            tools=(self._search,),
            deeds=(self._find, self._without),
            words_when_empty=self.tr("Draft (optional)"),
        )
        self.problem = PairProblemCard("trayProblem", self)
        self.verdict = CompatibilityPanel(self)
        self._line = Separator(self)
        self.memory = MemoryPanel(self)
        self.step = NextStepBar(self)
        self.drafts = DraftsPage(self)
        self._pair = QWidget(self)
        self._pages = QStackedWidget(self)
        self._inside = QWidget(self)
        self._scroll = ContentScrollArea(self._inside, QMargins(_PADDING, _PADDING, _PADDING, _PADDING), self)
        self._arrange()
        self._connect()
        self.show_target(None)
        self.show_draft(None, has_target=False)
        self.show_parts()

    def show_target(self, model: ModelDescription | None) -> None:
        if model is not None:
            self.target.show_model(model)
        else:
            self.target.show_empty(self.tr("Choose a target: the model that answers."))

    def show_draft(
        self,
        model: ModelDescription | None,
        *,
        has_target: bool,
        instead: DraftAlternative = DraftAlternative.NOT_CHOSEN,
    ) -> None:
        is_chosen = model is not None or instead is not DraftAlternative.NOT_CHOSEN
        self._search.setVisible(has_target and is_chosen)
        if model is not None:
            self.draft.show_model(model)
        elif instead is DraftAlternative.NOTHING:
            self.draft.show_words(self.tr("No speculation"), self.tr("The target writes every token"))
        elif instead is DraftAlternative.EARLIER_TEXT:
            line = self.tr("No draft: guesses from earlier text")
            self.draft.show_words(self.tr("Earlier text"), line)
        elif has_target:
            sentence = self.tr("A draft is a small model of the same family that guesses ahead to save time.")
            self.draft.show_empty(sentence, offers_deeds=True)
        else:
            self.draft.show_empty(self.tr("Then choose a draft: a small model of the same family that guesses ahead."))

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

    def show_drafts(self, *, shown: bool) -> None:
        """In place of the pair."""
        self._pages.setCurrentWidget(self.drafts if shown else self._pair)

    @property
    def shows_drafts(self) -> bool:
        return self._pages.currentWidget() is self.drafts

    def go_back(self) -> bool:
        """Out of the list of drafts; False: the pair is on show already."""
        if self.shows_drafts:
            self.drafts.closed.emit()
            return True
        return False

    def _connect(self) -> None:
        for finding in (self._find, self._search):
            finding.clicked.connect(self.drafts_requested)
        self._without.clicked.connect(self.no_draft_requested)

    def _arrange(self) -> None:
        self.setObjectName("pairTray")
        self.setAccessibleName(self.tr("Selected pair"))
        self._find.setObjectName("findDraftButton")
        self._without.setObjectName("withoutDraftButton")
        self._search.setObjectName("findAnotherDraft")
        layout = QVBoxLayout(self._pair)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._arrange_inside()
        layout.addWidget(self._scroll, 1)
        layout.addWidget(Separator(self._pair))
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
