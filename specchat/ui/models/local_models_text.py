"""Formats the text that describes models on this computer, and groups them by source."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject

from specchat.domain.hub import parse_hub_reference
from specchat.services.models.origins import ORIGINS, Origin
from specchat.services.models.pair_fit import LocalModel
from specchat.services.models.quantization_labels import describe_quantization
from specchat.ui.pair.load_options import context_length_text
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_number, format_parameters, format_size

_ORDER = tuple(ORIGINS)


@dataclass(frozen=True, slots=True)
class ModelGroup:
    """Models that live in the same place."""

    origin: Origin
    models: tuple[LocalModel, ...]
    folder: Path | None = None
    """Named by the user, who may take it off the list."""


def group_models(models: Sequence[LocalModel], folders: Iterable[Path]) -> list[ModelGroup]:
    """A folder is a group of its own, even an empty one. What cannot be used comes last in each."""
    rest, groups = sorted(models, key=lambda model: bool(model.problems)), []
    for folder in folders:
        inside = [model for model in rest if model.origin is Origin.FOLDER and model.path.is_relative_to(folder)]
        rest = [model for model in rest if model not in inside]
        groups.append(ModelGroup(Origin.FOLDER, tuple(inside), folder))
    for origin in _ORDER:
        if found := tuple(model for model in rest if model.origin is origin):
            groups.append(ModelGroup(origin, found))
    return sorted(groups, key=lambda group: _ORDER.index(group.origin))


class LocalModelText(QObject):
    def heading(self, group: ModelGroup) -> str:
        match group.origin:
            case Origin.HUB:
                return self.tr("Downloaded from Hugging Face")
            case Origin.FOLDER:
                return short_path(group.folder) if group.folder else self.tr("In specchat's folder")
            case Origin.ADDED:
                return self.tr("Added files")
            case Origin.DEMO:
                return self.tr("Included with specchat")
            case Origin.EARLY_EXIT:
                return self.tr("Early exit drafts")
            case program:
                return ORIGINS[program].label

    def source(self, model: LocalModel) -> str:
        """Where it comes from, as its publisher or its program names it."""
        if model.early_exit_of is not None:
            return self.tr("Made from {name}").format(name=model.early_exit_of.name)
        reference = parse_hub_reference(model.reference)
        return reference.repo if reference else model.reference or short_path(model.path)

    def facts(self, model: LocalModel) -> str:
        facts = [format_size(model.whole_size)] if model.size else []
        if model.parameters:
            facts.append(self.tr("{n} parameters").format(n=format_parameters(model.parameters)))
        if model.n_ctx_train is not None:
            facts.append(context_length_text(model.n_ctx_train))
        return " · ".join(facts)

    def problems(self, model: LocalModel) -> str:
        return " ".join(translate_text(problem) for problem in model.problems)

    def details(self, model: LocalModel) -> str:
        """What there is no room for, until it is asked for."""
        said = describe_quantization(model.quantization)
        lines = [str(model.path)]
        if model.reference:
            lines.append(self.tr("Command-line reference: {reference}").format(reference=model.reference))
        if said:
            lines.append(f"{model.quantization}: {translate_text(said)}")
        if model.n_layer is not None:
            lines.append(self.tr("{n} layers").format(n=format_number(model.n_layer)))
        return "\n".join(lines)

    def quantisation(self, model: LocalModel) -> str:
        said = describe_quantization(model.quantization)
        return translate_text(said) if said else ""

    def summary(self, models: Sequence[LocalModel], shown: int) -> str:
        if shown < len(models):
            return self.tr("{shown} of {all} models").format(shown=shown, all=len(models))
        usable = [model for model in models if not model.problems]
        if not usable:
            return self.tr("No usable models")
        encoders = {model.mmproj: model.mmproj_size for model in usable}  # which several may share
        total = format_size(sum(model.size for model in usable) + sum(encoders.values()))
        words = self.tr("1 model, {size}") if len(usable) == 1 else self.tr("{n} models, {size}")
        rest = self.tr("{n} unusable").format(n=format_number(shown - len(usable)))
        found = words.format(n=format_number(len(usable)), size=total)
        return f"{found} · {rest}" if len(usable) < shown else found

    def remove_label(self, model: LocalModel) -> str:
        """The menu text for deleting a model; empty if it can't be deleted."""
        if model.origin is Origin.DEMO:
            return ""
        if model.ours or model.early_exit_of is not None:
            return self.tr("Delete the file ({size})…").format(size=format_size(model.size))
        return self.tr("Remove from list…") if model.origin is Origin.ADDED else self.tr("Delete…")


def short_path(path: Path) -> str:
    """As one says it at home."""
    home = Path.home()
    return f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) and path != home else str(path)
