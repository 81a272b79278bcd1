"""The card of a model among the results of a Hub search."""

from PySide6.QtCore import QCoreApplication, QDate, QLocale, Qt
from PySide6.QtWidgets import QWidget

from specchat.domain.hub import Gating, HubModel
from specchat.services.hub.hub_search import FoundModel
from specchat.services.models.file_choice import default_quantization
from specchat.services.models.pair_fit import Fit
from specchat.ui.models.cards import Badge, Card
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.pair.load_options import context_length_text
from specchat.ui.widgets.form_fields import muted_label
from specchat.ui.widgets.wrapping_row import WrappingRow
from specchat.ui.words.number_format import format_number, format_parameters, format_size

translate = QCoreApplication.translate

_TONES = {Fit.FITS: "good", Fit.TIGHT: "warning", Fit.DOES_NOT_FIT: "danger"}


class HubModelCard(Card):
    def __init__(self, found: FoundModel, free: str, requests: ManagerRequests, parent: QWidget | None = None) -> None:
        model = found.model
        super().__init__(model.repo, model.repo.partition("/")[2], model_facts(model), parent)
        self.activated.connect(lambda: requests.repository_requested.emit(model.repo))
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


def model_facts(model: HubModel) -> str:
    facts = [model.repo.partition("/")[0]]
    if model.parameters:
        facts.append(translate("Hub", "{n} parameters").format(n=format_parameters(model.parameters)))
    if model.n_ctx_train:
        facts.append(context_length_text(model.n_ctx_train))
    if model.licence:
        facts.append(translate("Hub", "license: {name}").format(name=model.licence))
    return " · ".join(facts)


def popularity(model: HubModel) -> str:
    facts = []
    if model.downloads:
        words = translate("Hub", "1 download") if model.downloads == 1 else translate("Hub", "{n} downloads")
        facts.append(words.format(n=format_number(model.downloads)))
    if model.updated is not None:
        month = QLocale().toString(QDate(model.updated.year, model.updated.month, model.updated.day), "MMM yyyy")
        facts.append(translate("Hub", "updated {month}").format(month=month))
    return " · ".join(facts)


def gating_badge(gating: Gating) -> Badge | None:
    match gating:
        case Gating.OPEN:
            return None
        case Gating.AUTO:
            return described_badge(
                translate("Hub", "License agreement required"),
                "warning",
                translate("Hub", "You can download it after accepting its license."),
            )
        case Gating.MANUAL:
            return described_badge(
                translate("Hub", "Access on request"),
                "warning",
                translate("Hub", "Its authors review each access request."),
            )


def private_badge() -> Badge:
    words = translate("Hub", "Visible only to authorized users.")
    return described_badge(translate("Hub", "Private"), "plain", words)


def model_fit_badge(found: FoundModel, free: str) -> Badge | None:
    """Explains the fit of the default quantization; larger files of the repository may not fit."""
    if found.fit is None:
        return None
    usual = default_quantization(found.model.parameters, is_draft=False)
    why = translate("Hub", "Rough estimate: needs about {size} with {quantization}. Free: {memory}.")
    why = why.format(size=format_size(found.size), quantization=usual, memory=free)
    if found.fit is not Fit.FITS:
        return fit_badge(found.fit, why)
    words = translate("Hub", "Fits with {quantization}").format(quantization=usual)
    return described_badge(words, _TONES[found.fit], why)


def fit_badge(fit: Fit, why: str) -> Badge:
    return described_badge(_fit_words(fit), _TONES[fit], why)


def _fit_words(fit: Fit) -> str:
    match fit:
        case Fit.FITS:
            return translate("Hub", "Fits")
        case Fit.TIGHT:
            return translate("Hub", "Tight")
        case Fit.DOES_NOT_FIT:
            return translate("Hub", "Too large")


def described_badge(words: str, tone: str, why: str) -> Badge:
    badge = Badge(words, tone)
    badge.setToolTip(why)
    badge.setAccessibleDescription(why)
    return badge
