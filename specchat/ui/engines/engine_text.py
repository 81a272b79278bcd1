"""Texts for other engines: what answers, what it can't do, and which models it has."""

from collections import Counter

from PySide6.QtCore import QCoreApplication

from specchat.domain.connections import Capability, EngineReport, Lacks, ListedModel
from specchat.domain.model_ref import ServedModel
from specchat.domain.printable_text import printable_text
from specchat.ui.engines.engine_list import EngineEntry
from specchat.ui.pair.choice_rows import ChoiceRow
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_number, format_percent

translate = QCoreApplication.translate

_IN_THE_WINDOW = (Capability.CONTINUE, Capability.GUESSES, Capability.COUNT, Capability.CONTEXT)
"""Others are settings, or only programs use them."""


def report_text(report: EngineReport) -> str:
    """One sentence."""
    if Capability.GUESSES in report.lacks:
        words = translate("Engines", "{engine} serves {models}. It doesn't report accepted guesses.")
    else:
        words = translate("Engines", "{engine} serves {models}. It can report accepted guesses.")
    return words.format(engine=engine_name(report), models=_count(len(report.models)))


def totals_text(report: EngineReport) -> str:
    """Empty where it tells none."""
    totals = report.totals
    if totals is None:
        return ""
    if totals.drafted:
        words = translate(
            "Engines", "Since startup, for all clients: {accepted} of {drafted} guesses accepted ({share})."
        )
        share = format_percent(totals.accepted / totals.drafted)
        counts = {"accepted": format_number(totals.accepted), "drafted": format_number(totals.drafted)}
        return words.format(share=share, **counts)
    words = translate("Engines", "Since startup, for all clients: {n} tokens per pass.")
    return words.format(n=format_number(totals.mean_length or 0.0, 1))


def engine_name(report: EngineReport) -> str:
    return " ".join(filter(None, (report.engine, report.version)))


def error_text(entry: EngineEntry) -> str:
    """Empty where it answers."""
    if entry.error is None:
        return ""
    return f"{translate_text(entry.error.message)} {translate_text(entry.error.hint)}"


def lacks_texts(lacks: Lacks) -> list[str]:
    """A sentence for each thing that it can't do and the window can."""
    told = [translate_text(lacks[capability]) for capability in _IN_THE_WINDOW if capability in lacks]
    settings = [label for capability, label in _setting_labels().items() if capability in lacks]
    if settings:
        told.append(translate("Engines", "Not supported: {settings}.").format(settings=", ".join(settings)))
    return [*told, translate("Engines", "It doesn't report where each token came from, so tokens have no colors.")]


def model_list_text(report: EngineReport) -> str:
    """One a line."""
    return "\n".join(" · ".join(filter(None, (_shown(model.id), _facts(model)))) for model in report.models)


def picker_rows(entries: tuple[EngineEntry, ...]) -> list[ChoiceRow]:
    """Each engine's name above its models; one that does not answer says why."""
    return [row for entry in entries for row in _rows(entry)]


def _rows(entry: EngineEntry) -> list[ChoiceRow]:
    name, report = entry.connection.name, entry.report
    if entry.error is not None:
        reason = translate_text(entry.error.message)
        return [ChoiceRow(entry.connection, name, reason, selectable=False, hint=entry.connection.url)]
    if report is None or not report.models:
        waiting, nothing = translate("Engines", "connecting…"), translate("Engines", "no models")
        return [_heading(entry, nothing if report is not None else waiting)]
    names = Counter(ServedModel(report.url, model.id).name for model in report.models)
    return [_heading(entry, engine_name(report)), *(_model_row(report, model, names) for model in report.models)]


def _heading(entry: EngineEntry, place: str) -> ChoiceRow:
    return ChoiceRow(entry.connection, entry.connection.name, "", selectable=False, place=place, is_heading=True)


def _model_row(report: EngineReport, model: ListedModel, names: Counter[str]) -> ChoiceRow:
    """By the last part of its name, which may be a path, where that is enough."""
    target = ServedModel(report.url, model.id)
    return ChoiceRow(
        target,
        _shown(target.name if names[target.name] == 1 else model.id),
        _facts(model),
        hint=f"{_shown(model.id)}\n{report.url}",
    )


def _facts(model: ListedModel) -> str:
    loaded = translate("Engines", "Loaded") if model.is_loaded else translate("Engines", "Loaded when you choose it")
    return " · ".join([loaded, *([_context(model)] if model.n_ctx else [])])


def _context(model: ListedModel) -> str:
    return translate("Engines", "context {n} tokens").format(n=format_number(model.n_ctx))


def _shown(name: str) -> str:
    return printable_text(name)


def _count(models: int) -> str:
    if not models:
        return translate("Engines", "no models")
    words = translate("Engines", "1 model") if models == 1 else translate("Engines", "{n} models")
    return words.format(n=format_number(models))


def _setting_labels() -> dict[Capability, str]:
    return {
        Capability.TOP_K: translate("Engines", "top-k"),
        Capability.MIN_P: translate("Engines", "min-p"),
        Capability.REPEAT_PENALTY: translate("Engines", "repeat penalty"),
    }
