"""The cards of the files in a repository of the Hub."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from specchat.domain.hub import HubFileKind, RemoteModel
from specchat.services.hub.hub_search import RepositoryFile
from specchat.services.models.quantization_labels import describe_quantization
from specchat.ui.models.cards import Badge, Card
from specchat.ui.models.hub_model_card import described_badge, fit_badge
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.models.wide_card import PairMemberCard
from specchat.ui.pair.load_options import context_length_text
from specchat.ui.widgets.controls import ElidedLabel, IconButton
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_number, format_parameters, format_size

if TYPE_CHECKING:  # it takes its time to import
    from specchat.gguf.summary import ModelSummary

translate = QCoreApplication.translate


class HubFileCard(PairMemberCard):
    def __init__(
        self, file: RepositoryFile, free: str, requests: ManagerRequests, parent: QWidget | None = None
    ) -> None:
        model, path = file.model, file.model.first.path
        is_head = model.kind.is_head
        meaning = _sidecar_description(model.kind) if is_head else _file_meaning(model)
        super().__init__(str(model.reference), _file_title(model), meaning, "", parent)
        self.model, self._requests = model, requests
        self._is_known = False
        self.add_use_buttons(requests, str(model.reference), path, answers=not is_head)
        self._download = IconButton("import", self.tr("Download {name}").format(name=path), self)
        self._download.setObjectName("downloadButton")
        self._download.setToolTip(self.tr("Download only"))
        self._download.clicked.connect(lambda: requests.download_requested.emit(str(model.reference)))
        self.add_button(self._download)
        self._inspect = IconButton("info", self.tr("Show details for {name}").format(name=path), self)
        self._inspect.setObjectName("lookInsideButton")
        self._inspect.clicked.connect(self._toggle_details)
        self.add_button(self._inspect)
        self._accessible_text = self.accessibleDescription()
        self._here, self._fit = _downloaded_badge(), _file_fit_badge(file, free)
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
        self._show_text(self.tr("Reading the header…"))

    def show_details(self, words: str) -> None:
        self._is_known = True
        self._show_text(words)

    def reset_header_loading(self) -> None:
        """It came to nothing: the next click tries again."""
        if not self._is_known:
            self._show_text("")

    def _toggle_details(self) -> None:
        if self._is_known:
            super()._toggle_details()
        else:
            self._requests.header_requested.emit(self.model)

    def _show_text(self, words: str) -> None:
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
            f"{format_size(model.size)} · {_sidecar_description(model.kind)}",
            parent,
        )


class _FileName(ElidedLabel):
    def __init__(self, path: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("muted", True)
        self.setText(path)


def _file_fit_badge(file: RepositoryFile, free: str) -> Badge:
    why = translate("Hub", "Rough estimate: the file is {size}. Free: {memory}.")
    return fit_badge(file.fit, why.format(size=format_size(file.model.size), memory=free))


def _downloaded_badge() -> Badge:
    why = translate("Hub", "Already on this computer.")
    return described_badge(translate("Hub", "Downloaded"), "plain", why)


def _file_title(model: RemoteModel) -> str:
    facts = [model.quantization or translate("Hub", "Model"), format_size(model.size)]
    if len(model.files) > 1:
        facts.append(translate("Hub", "{n} files").format(n=len(model.files)))
    return " · ".join(facts)


def _file_meaning(model: RemoteModel) -> str:
    said = describe_quantization(model.quantization)
    return translate_text(said) if said is not None else ""


def header_summary(summary: "ModelSummary") -> str:
    """What a look into a file has shown."""
    shape = [summary.architecture, translate("Hub", "{n} parameters").format(n=format_parameters(summary.parameters))]
    if summary.n_layer is not None:
        shape.append(translate("Hub", "{n} layers").format(n=format_number(summary.n_layer)))
    if summary.n_ctx_train is not None:
        shape.append(context_length_text(summary.n_ctx_train))
    lines = [" · ".join(shape), _tokenizer(summary)]
    if not summary.chat_template:
        lines.append(translate("Hub", "No chat template: it may not be a chat model."))
    lines += [translate_text(problem) for problem in summary.problems]
    lines.append(
        translate("Hub", "specchat read {size} of the file to show this.").format(size=format_size(summary.bytes_read))
    )
    return "\n".join(filter(None, lines))


def _tokenizer(summary: "ModelSummary") -> str:
    if summary.tokenizer is None or summary.n_vocab is None:
        return ""
    kind = "/".join(filter(None, (summary.tokenizer.model, summary.tokenizer.pre)))
    words = translate("Hub", "Tokenizer {kind}, {n} tokens, {digest}")
    return words.format(kind=kind, n=format_number(summary.n_vocab), digest=summary.tokenizer.sha256[:8])


def _sidecar_description(kind: HubFileKind) -> str:
    """What it is."""
    match kind:
        case HubFileKind.MMPROJ:
            return translate("Hub", "Encoder for pictures or audio (mmproj). Downloaded with a model from here.")
        case HubFileKind.IMATRIX:
            return translate("Hub", "Calibration data for quantizing. Not needed to run the model.")
        case HubFileKind.MTP:
            return translate("Hub", "MTP head that drafts for this model.")
        case HubFileKind.EAGLE3:
            return translate("Hub", "EAGLE-3 head that drafts for this model.")
        case HubFileKind.DFLASH:
            return translate("Hub", "DFlash head that drafts for this model.")
        case HubFileKind.DSPARK:
            return translate("Hub", "DSpark head that drafts for this model.")
        case HubFileKind.MEDUSA:
            return translate("Hub", "Medusa heads that draft for this model.")
        case HubFileKind.MODEL:
            return ""
