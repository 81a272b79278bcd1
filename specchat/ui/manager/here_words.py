"""What is said of the models on this computer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject

from specchat.domain.hub import parse_reference
from specchat.services.models.origins import ORIGINS, Origin
from specchat.services.models.pair_values import ShelfModel
from specchat.services.models.quantisations import meaning
from specchat.ui.picker.rows import size
from specchat.ui.words.amounts import number
from specchat.ui.words.said import in_words

_NO_BREAK = "\u00a0"
_ORDER = tuple(ORIGINS)


@dataclass(frozen=True, slots=True)
class Group:
    """Models that live in the same place."""

    origin: Origin
    models: tuple[ShelfModel, ...]
    folder: Path | None = None
    """Named by the user, who may take it off the list."""


def grouped(models: Sequence[ShelfModel], folders: Iterable[Path]) -> list[Group]:
    """A folder is a group of its own, even an empty one. What cannot be used comes last in each."""
    rest, groups = sorted(models, key=lambda model: bool(model.problems)), []
    for folder in folders:
        inside = [model for model in rest if model.origin is Origin.FOLDER and model.path.is_relative_to(folder)]
        rest = [model for model in rest if model not in inside]
        groups.append(Group(Origin.FOLDER, tuple(inside), folder))
    for origin in _ORDER:
        if found := tuple(model for model in rest if model.origin is origin):
            groups.append(Group(origin, found))
    return sorted(groups, key=lambda group: _ORDER.index(group.origin))


class HereWords(QObject):
    def heading(self, group: Group) -> str:
        match group.origin:
            case Origin.HUB:
                return self.tr("Downloaded from the Hub")
            case Origin.FOLDER:
                return short(group.folder) if group.folder else self.tr("In specchat's folder")
            case Origin.ADDED:
                return self.tr("Added files")
            case Origin.DEMO:
                return self.tr("Comes with specchat")
            case program:
                return ORIGINS[program].label

    def place(self, model: ShelfModel) -> str:
        """Where it comes from, as its publisher or its program names it."""
        reference = parse_reference(model.reference)
        return reference.repo if reference else model.reference or short(model.path)

    def facts(self, model: ShelfModel) -> str:
        facts = [size(model.size)] if model.size else []
        if model.parameters:
            facts.append(self.tr("{n} parameters").format(n=parameters(model.parameters)))
        if model.n_ctx_train is not None:
            facts.append(self.tr("up to {n} tokens").format(n=number(model.n_ctx_train)))
        return " · ".join(facts)

    def problems(self, model: ShelfModel) -> str:
        return " ".join(in_words(problem) for problem in model.problems)

    def details(self, model: ShelfModel) -> str:
        """What there is no room for, until it is asked for."""
        said = meaning(model.quantization)
        lines = [str(model.path)]
        if model.reference:
            lines.append(self.tr("Commands call it {reference}").format(reference=model.reference))
        if said:
            lines.append(f"{model.quantization}: {in_words(said)}")
        if model.n_layer is not None:
            lines.append(self.tr("{n} layers").format(n=number(model.n_layer)))
        return "\n".join(lines)

    def quantisation(self, model: ShelfModel) -> str:
        said = meaning(model.quantization)
        return in_words(said) if said else ""

    def summary(self, models: Sequence[ShelfModel], shown: int) -> str:
        if shown < len(models):
            return self.tr("{shown} of {all} models").format(shown=shown, all=len(models))
        usable = [model for model in models if not model.problems]
        total = size(sum(model.size for model in usable))
        words = self.tr("1 model, {size}") if len(usable) == 1 else self.tr("{n} models, {size}")
        rest = self.tr("{n} cannot be used").format(n=number(shown - len(usable)))
        found = words.format(n=number(len(usable)), size=total)
        return f"{found} · {rest}" if len(usable) < shown else found

    def removal(self, model: ShelfModel) -> str:
        """In the menu: what would happen; empty: it cannot go."""
        if model.origin is Origin.DEMO:
            return ""
        if model.ours:
            return self.tr("Delete the file ({size})…").format(size=size(model.size))
        return self.tr("Take off the list…") if model.origin is Origin.ADDED else self.tr("Delete…")


def parameters(count: int) -> str:
    """As models are called: 7.6 B, 494 M."""
    for unit, letter in ((10**9, "B"), (10**6, "M"), (10**3, "K")):
        if count >= unit:
            return number(count / unit, 1 if count < 100 * unit and count % unit else 0) + _NO_BREAK + letter
    return number(count)


def short(path: Path) -> str:
    """As one says it at home."""
    home = Path.home()
    return f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) and path != home else str(path)
