"""Cards for models found on the Hub and for the files of a repository."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from specchat.domain.hub import RemoteModel
from specchat.services.hub.hub_search import FoundModel, RepositoryFile
from specchat.services.models.pair_fit import LocalModel
from specchat.ui.manager.cards import Badge, Card
from specchat.ui.manager.hub_text import (
    downloaded_badge,
    file_fit_badge,
    file_meaning,
    file_title,
    gating_badge,
    model_facts,
    model_fit_badge,
    popularity,
    private_badge,
    sidecar_description,
)
from specchat.ui.manager.local_models_text import LocalModelText
from specchat.ui.manager.wide_card import WideCard
from specchat.ui.widgets.controls import ElidedLabel, IconButton, TextButton
from specchat.ui.widgets.form_fields import heading_label, muted_label
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.wrapping_row import WrappingRow
from specchat.ui.words.number_format import format_size


def card_heading(words: str, parent: QWidget) -> QLabel:
    """Level with the titles of the cards."""
    label = heading_label(words, parent)
    label.setContentsMargins(GRID * 3 // 2, GRID, 0, 0)
    return label


class HubModelCard(Card):
    def __init__(self, found: FoundModel, free: int, parent: QWidget | None = None) -> None:
        model = found.model
        super().__init__(model.repo, model.repo.partition("/")[2], model_facts(model), parent)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        if (fits := model_fit_badge(found, free)) is not None:
            self.add_badge(fits)
        self._add_last_line(popularity(model), [private_badge()] if model.private else [], gating_badge(model.gating))

    def _add_last_line(self, words: str, badges: list[Badge], gating: Badge | None) -> None:
        """Beside the title they would leave it no room."""
        badges += [gating] if gating is not None else []
        line = WrappingRow(self)
        if words:
            used = muted_label(words, line)
            used.setWordWrap(False)
            line.add_widget(used)
        line.add_stretch()
        for badge in badges:
            line.add_widget(badge)
        self.below.addWidget(line)
        accessible_text = (self.accessibleDescription(), *(badge.text() for badge in badges))
        self.setAccessibleDescription(", ".join(filter(None, accessible_text)))


class PairMemberCard(WideCard):
    """Can become a part of the pair."""

    target_requested = Signal(str)
    """Its reference."""
    draft_requested = Signal(str)

    def __init__(
        self,
        reference: str,
        title: str,
        line: str,
        name: str,
        parent: QWidget | None = None,
        *,
        answers: bool = True,
    ) -> None:
        """`answers`: it can be a target; a head cannot."""
        super().__init__(reference, title, line, "", parent)
        if answers:
            target = TextButton(self.tr("Use as target"), self)
            target.setObjectName("useAsTargetButton")
            target.setAccessibleName(self.tr("Use {name} as target").format(name=name))
            target.clicked.connect(lambda: self.target_requested.emit(reference))
            self.add_button(target)
        draft = TextButton(self.tr("Use as draft"), self)
        draft.setObjectName("useAsDraftButton")
        draft.setAccessibleName(self.tr("Use {name} as draft").format(name=name))
        draft.clicked.connect(lambda: self.draft_requested.emit(reference))
        self.add_button(draft)


class LocalMatchCard(PairMemberCard):
    def __init__(self, model: LocalModel, words: LocalModelText, parent: QWidget | None = None) -> None:
        line = " · ".join(filter(None, (model.quantization, words.facts(model))))
        super().__init__(str(model.path), model.name, line, model.name, parent)
        self._text = words.details(model)


class HubFileCard(PairMemberCard):
    header_requested = Signal(object)
    """Into its header: a RemoteModel."""
    download_requested = Signal(str)
    """Its reference."""

    def __init__(self, file: RepositoryFile, free: int, parent: QWidget | None = None) -> None:
        model, path = file.model, file.model.first.path
        is_head = model.kind.is_head
        meaning = sidecar_description(model.kind) if is_head else file_meaning(model)
        super().__init__(str(model.reference), file_title(model), meaning, path, parent, answers=not is_head)
        self.model = model
        self._is_known = False
        self._download = IconButton("import", self.tr("Download {name}").format(name=path), self)
        self._download.setObjectName("downloadButton")
        self._download.clicked.connect(lambda: self.download_requested.emit(self.key))
        self.add_button(self._download)
        self._look = IconButton("info", self.tr("Look into the header of {name}").format(name=path), self)
        self._look.setObjectName("lookInsideButton")
        self._look.clicked.connect(self._toggle_details)
        self.add_button(self._look)
        self._accessible_text = self.accessibleDescription()
        self._here, self._fit = downloaded_badge(), file_fit_badge(file, free)
        self.add_badge(self._here)
        self.add_badge(self._fit)
        self.show_downloaded(here=file.here)
        self.facts.addWidget(_FileName(path, self))

    def show_downloaded(self, *, here: bool) -> None:
        self._here.setVisible(here)
        self._download.setVisible(not here)
        accessible_text = (self._accessible_text, self._here.text() if here else "", self._fit.text())
        self.setAccessibleDescription(", ".join(filter(None, accessible_text)))

    def show_header_loading(self) -> None:
        self._tell(self.tr("Reading its header…"))

    def show_details(self, words: str) -> None:
        self._is_known = True
        self._tell(words)

    def reset_header_loading(self) -> None:
        """It came to nothing: the next click tries again."""
        if not self._is_known:
            self._tell("")

    def _toggle_details(self) -> None:
        if self._is_known:
            super()._toggle_details()
        else:
            self.header_requested.emit(self.model)

    def _tell(self, words: str) -> None:
        self._text = words
        if self._details is None:
            super()._toggle_details()
        if self._details is not None:
            self._details.setPlainText(words)
            self._details.setVisible(bool(words))


class SidecarCard(Card):
    def __init__(self, model: RemoteModel, parent: QWidget | None = None) -> None:
        super().__init__(
            str(model.reference),
            model.first.path,
            f"{format_size(model.size)} · {sidecar_description(model.kind)}",
            parent,
        )


class _FileName(ElidedLabel):
    def __init__(self, path: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("muted", True)
        self.setText(path)
