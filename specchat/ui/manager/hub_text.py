"""Formats labels and badges for models on the Hub."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from specchat.domain.hub import Gating, HubFileKind, HubModel, HubSortOrder, RemoteModel
from specchat.services.hub.hub_search import FoundModel, RepositoryFile
from specchat.services.models.pair_fit import Fit
from specchat.services.models.quantization_labels import describe_quantization
from specchat.ui.manager.cards import Badge
from specchat.ui.manager.local_models_text import format_parameters
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_number, format_size

if TYPE_CHECKING:  # it takes its time to import
    from specchat.gguf.summary import ModelSummary

translate = QCoreApplication.translate

_TONES = {Fit.FITS: "good", Fit.TIGHT: "warning", Fit.DOES_NOT_FIT: "danger"}


def sorting_label(sorting: HubSortOrder) -> str:
    match sorting:
        case HubSortOrder.TRENDING:
            return translate("Hub", "Trending")
        case HubSortOrder.DOWNLOADS:
            return translate("Hub", "Most downloads")
        case HubSortOrder.LIKES:
            return translate("Hub", "Most likes")
        case HubSortOrder.UPDATED:
            return translate("Hub", "Updated last")


def model_facts(model: HubModel) -> str:
    told = [model.repo.partition("/")[0]]
    if model.parameters:
        told.append(translate("Hub", "{n} parameters").format(n=format_parameters(model.parameters)))
    if model.n_ctx_train:
        told.append(translate("Hub", "up to {n} tokens").format(n=format_number(model.n_ctx_train)))
    if model.licence:
        told.append(translate("Hub", "licence {name}").format(name=model.licence))
    return " · ".join(told)


def popularity(model: HubModel) -> str:
    told = []
    if model.downloads:
        told.append(translate("Hub", "{n} downloads").format(n=format_number(model.downloads)))
    if model.updated is not None:
        month = QLocale().toString(QDate(model.updated.year, model.updated.month, model.updated.day), "MMM yyyy")
        told.append(translate("Hub", "updated {month}").format(month=month))
    return " · ".join(told)


def gating_badge(gating: Gating) -> Badge | None:
    match gating:
        case Gating.OPEN:
            return None
        case Gating.AUTO:
            return _badge(
                translate("Hub", "Licence must be accepted"),
                "warning",
                translate("Hub", "Whoever accepts its licence may download it."),
            )
        case Gating.MANUAL:
            return _badge(
                translate("Hub", "By request"), "warning", translate("Hub", "Its authors decide who may download it.")
            )


def private_badge() -> Badge:
    words = translate("Hub", "Only those who are allowed to can see it.")
    return _badge(translate("Hub", "Private"), "plain", words)


def model_fit_badge(found: FoundModel, free: int) -> Badge | None:
    if found.fit is None:
        return None
    why = translate("Hub", "First estimate: about {size} with Q4_K_M, and {free} of memory are free.")
    return _badge(_fit(found.fit), _TONES[found.fit], why.format(size=format_size(found.size), free=format_size(free)))


def file_fit_badge(file: RepositoryFile, free: int) -> Badge:
    why = translate("Hub", "First estimate: the file has {size}, and {free} of memory are free.")
    return _badge(
        _fit(file.fit), _TONES[file.fit], why.format(size=format_size(file.model.size), free=format_size(free))
    )


def downloaded_badge() -> Badge:
    why = translate("Hub", "It is on this computer already, and need not be downloaded.")
    return _badge(translate("Hub", "Here"), "plain", why)


def file_title(model: RemoteModel) -> str:
    told = [model.quantization or translate("Hub", "Model"), format_size(model.size)]
    if len(model.files) > 1:
        told.append(translate("Hub", "{n} files").format(n=len(model.files)))
    return " · ".join(told)


def file_meaning(model: RemoteModel) -> str:
    said = describe_quantization(model.quantization)
    return translate_text(said) if said is not None else ""


def header_summary(summary: "ModelSummary") -> str:
    """What a look into a file has shown."""
    shape = [summary.architecture, translate("Hub", "{n} parameters").format(n=format_parameters(summary.parameters))]
    if summary.n_layer is not None:
        shape.append(translate("Hub", "{n} layers").format(n=format_number(summary.n_layer)))
    if summary.n_ctx_train is not None:
        shape.append(translate("Hub", "up to {n} tokens").format(n=format_number(summary.n_ctx_train)))
    lines = [" · ".join(shape), _tokenizer(summary)]
    if not summary.chat_template:
        lines.append(translate("Hub", "It has no chat template: it may not be made for conversations."))
    lines += [translate_text(problem) for problem in summary.problems]
    lines.append(translate("Hub", "{size} were read to know this.").format(size=format_size(summary.bytes_read)))
    return "\n".join(filter(None, lines))


def _tokenizer(summary: "ModelSummary") -> str:
    if summary.tokenizer is None or summary.n_vocab is None:
        return ""
    kind = "/".join(filter(None, (summary.tokenizer.model, summary.tokenizer.pre)))
    words = translate("Hub", "Tokenizer {kind}, {n} tokens, {digest}")
    return words.format(kind=kind, n=format_number(summary.n_vocab), digest=summary.tokenizer.sha256[:8])


def sidecar_description(kind: HubFileKind) -> str:
    """What it is."""
    match kind:
        case HubFileKind.MMPROJ:
            return translate("Hub", "Lets a model look at pictures; specchat does not use it.")
        case HubFileKind.IMATRIX:
            return translate("Hub", "Was used to make the small files; nothing needs it any more.")
        case HubFileKind.MTP:
            return translate("Hub", "Guesses ahead for this model (MTP).")
        case HubFileKind.EAGLE3:
            return translate("Hub", "Guesses ahead for this model (EAGLE-3).")
        case HubFileKind.DFLASH:
            return translate("Hub", "Guesses ahead for this model (DFlash).")
        case HubFileKind.DSPARK:
            return translate("Hub", "Guesses ahead for this model (DSpark).")
        case HubFileKind.MODEL:
            return ""


def _fit(fit: Fit) -> str:
    match fit:
        case Fit.FITS:
            return translate("Hub", "Fits")
        case Fit.TIGHT:
            return translate("Hub", "Tight")
        case Fit.DOES_NOT_FIT:
            return translate("Hub", "Too large")


def _badge(words: str, tone: str, why: str) -> Badge:
    badge = Badge(words, tone)
    badge.setToolTip(why)
    badge.setAccessibleDescription(why)
    return badge
