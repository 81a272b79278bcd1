"""Builds the rows of the picker's lists of targets and drafts."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject

from specchat.domain.drafter_types import DRAFTER_TYPES, MODEL
from specchat.domain.heads import HeadKind
from specchat.domain.model_ref import ModelRef
from specchat.domain.types import NGRAM
from specchat.services.models.pair_fit import DraftOption, DraftVerdict, LocalModel, Origin
from specchat.ui.pair.load_options import context_length_text
from specchat.ui.words.measured_speed import chat_speed_text, estimated_speed_text, measured_speed_text
from specchat.ui.words.message_translation import translate_text, translate_value
from specchat.ui.words.number_format import format_size


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    key: object
    title: str
    line: str
    selectable: bool = True
    removable: bool = False
    hint: str = ""
    """Where the file is."""
    place: str = ""
    """What tells it from others of its name."""
    badges: tuple[str, ...] = ()
    is_heading: bool = False
    """Of the rows below it."""


@dataclass(frozen=True, slots=True)
class DraftKey:
    """What a line of the drafts stands for: "auto" without a model is the best that is here."""

    draft_type: str
    draft: ModelRef | None = None


class ChoiceRowBuilder(QObject):
    def target_row(self, model: LocalModel, place: str = "") -> ChoiceRow:
        return ChoiceRow(
            key=model.ref,
            title=model.name,
            line=translate_text(model.problems[0]) if model.problems else self.facts(model),
            selectable=not model.problems,
            removable=model.origin is Origin.ADDED,
            hint=str(model.path),
            place=place,
            badges=self._badges(model) if not model.problems else (),
        )

    def _badges(self, model: LocalModel) -> tuple[str, ...]:
        senses = ((self.tr("Vision"), model.senses.sees), (self.tr("Audio"), model.senses.hears))
        return tuple(words for words, has_it in senses if has_it)

    def draft_row(self, option: DraftOption, place: str = "", *, has_mtp: bool = False) -> ChoiceRow:
        """`has_mtp`: the target has layers of its own that guess."""
        key = DraftKey(option.draft_type)
        match option.draft_type, option.model:
            case "auto", None if has_mtp:
                return ChoiceRow(key, self.tr("Automatic"), self.tr("Guesses with the target's MTP layers"))
            case "auto", None:
                return ChoiceRow(
                    key,
                    self.tr("Automatic"),
                    self.tr("Guesses from earlier text: no draft on this computer is faster"),
                )
            case "auto", LocalModel(name=name):
                words = self.tr("Best draft for this target: {name}")
                short = Path(place).name
                return ChoiceRow(key, self.tr("Automatic"), words.format(name=f"{name} ({short})" if short else name))
            case kind, _ if kind == NGRAM:
                line = self.tr("Copies from earlier text (n-grams). Needs no draft model.")
                return ChoiceRow(key, self.tr("Earlier text"), prepend_speed(line, option))
            case HeadKind.MTP, None:
                line = self.tr("Layers in the target's file that guess the next tokens")
                return ChoiceRow(key, self.tr("MTP"), prepend_speed(line, option))
            case "none", _:
                return ChoiceRow(key, self.tr("No speculation"), self.tr("The target writes every token"))
            case _, LocalModel() as model:
                return self._draft_model(option, model, place)
        return ChoiceRow(key, option.draft_type, self.tr("A drafter from an installed package"))

    def facts(self, model: LocalModel) -> str:
        parts = [format_size(model.whole_size), model.quantization]
        if model.n_ctx_train is not None:
            parts.append(context_length_text(model.n_ctx_train))
        return " · ".join(filter(None, parts))

    def draft_facts(self, model: LocalModel, verdict: DraftVerdict) -> str:
        kind = DRAFTER_TYPES.get(model.head)
        if kind is None:
            if verdict is not DraftVerdict.TRANSLATABLE:
                return self.facts(replace(model, mmproj_size=0))  # drafts see nothing
            words = self.tr("different vocabulary (guesses are translated)")  # no room for the context beside it
            return " · ".join(filter(None, (format_size(model.size), model.quantization, words)))
        return " · ".join(filter(None, (translate_text(kind.label), format_size(model.size), model.quantization)))

    def _draft_model(self, option: DraftOption, model: LocalModel, place: str) -> ChoiceRow:
        return ChoiceRow(
            key=DraftKey("auto", model.ref),
            title=translate_value(model.name_as_draft),
            line=prepend_speed(self.draft_facts(model, option.verdict), option)
            if option.selectable
            else translate_text(option.reason),
            selectable=option.selectable,
            hint=str(model.path),
            place=place,
        )


def prepend_speed(line: str, option: DraftOption) -> str:
    if option.speedup is None:
        return line
    if option.is_estimate:
        speed = estimated_speed_text(option.speedup)
    elif option.in_chats:
        speed = chat_speed_text(option.speedup)
    else:
        speed = measured_speed_text(option.speedup, option.guesses)
    return f"{speed} · {line}"


def target_rows(models: Sequence[LocalModel], words: ChoiceRowBuilder) -> tuple[ChoiceRow, ...]:
    """Those that cannot be used last, and without heads, which only guess."""
    apart = model_disambiguations(models)
    listed = sorted((model for model in models if model.can_answer), key=lambda model: bool(model.problems))
    return tuple(words.target_row(model, apart.get(model.path, "")) for model in listed)


def with_chosen_draft(options: Sequence[DraftOption], draft: LocalModel | None) -> Sequence[DraftOption]:
    """A draft that isn't offered may have been chosen elsewhere: one as large as its target, or the target itself."""
    if draft is None or draft.problems:
        return options
    listed = (option for option in options if option.draft_type == MODEL)
    known = next((option for option in listed if option.model is not None and option.model.ref == draft.ref), None)
    if known is not None and known.verdict is not DraftVerdict.TOO_LARGE:
        return options
    others = [option for option in options if option is not known]
    n_before = next((at for at, option in enumerate(others) if option.draft_type == NGRAM), len(others))
    return [*others[:n_before], DraftOption(MODEL, draft), *others[n_before:]]


def draft_rows(options: Sequence[DraftOption], words: ChoiceRowBuilder) -> tuple[ChoiceRow, ...]:
    models = [option.model for option in options if option.draft_type == "model" and option.model is not None]
    apart = model_disambiguations(models)
    has_mtp = any(option.draft_type == HeadKind.MTP for option in options)
    return tuple(
        words.draft_row(option, apart.get(option.model.path, "") if option.model else "", has_mtp=has_mtp)
        for option in options
    )


def unique_model_names(models: Iterable[LocalModel]) -> Mapping[Path, str]:
    """With what tells it from others of its name: the quantisation where that is enough, else the file."""
    there = [model for model in models if not model.missing]
    names, kinds = Counter(model.name for model in there), Counter((model.name, model.quantization) for model in there)

    def apart(model: LocalModel) -> str:
        if names[model.name] == 1:
            return model.name
        is_enough = model.quantization and kinds[model.name, model.quantization] == 1
        return f"{model.name} {model.quantization}" if is_enough else f"{model.name} ({model.path.name})"

    return {model.path: apart(model) for model in there}


def model_disambiguations(
    models: Iterable[LocalModel], called: Callable[[LocalModel], str] = lambda model: model.name
) -> Mapping[Path, str]:
    """What tells models apart that are called the same."""
    return disambiguations((called(model), model.path) for model in models)


def disambiguations(named: Iterable[tuple[str, Path]]) -> Mapping[Path, str]:
    """Of those with the same name: their files' names, or where these are the same too, their folders."""
    of_name: dict[str, list[Path]] = {}
    for name, path in dict.fromkeys(named):
        of_name.setdefault(name, []).append(path)
    found: dict[Path, str] = {}
    for paths in of_name.values():
        names = Counter(path.name for path in paths)
        if len(paths) > 1:
            found |= {path: path.name if names[path.name] == 1 else str(path.parent) for path in paths}
    return found
