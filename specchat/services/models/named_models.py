"""Gives the models on this computer the names that requests call them by: never a path, and no two the same."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from specchat.domain.errors import UnknownModelError
from specchat.domain.hub import parse_hub_reference
from specchat.domain.model_ref import ModelRef
from specchat.domain.printable_text import printable_text
from specchat.services.models.demo_pair import DEMO
from specchat.services.models.model_discovery import OLLAMA_PREFIX
from specchat.services.models.origins import Origin
from specchat.services.models.pair_fit import LocalModel

_LATEST = ":latest"
"""What Ollama's clients add to a name without a tag."""
_TOLD_AT_MOST = 20


class NamedModels:
    def __init__(self, models: Iterable[LocalModel] = ()) -> None:
        """Heads and first layers, which only guess, have no names here. What cannot be loaded has one, to say why."""
        self._models = _named([model for model in models if model.can_answer and not model.missing])
        self._others = _other_names(self._models)

    @property
    def names(self) -> Sequence[str]:
        """Of those that can be loaded, as far as one can tell. The demo comes last."""
        usable = {name: model for name, model in self._models.items() if not model.problems}
        return sorted(usable, key=lambda name: (usable[name].origin is Origin.DEMO, name.casefold(), name))

    def __getitem__(self, name: str) -> LocalModel:
        return self._models[name]

    def find(self, given: str) -> str | None:
        """The name of the model that is meant; None: there is none, or there are several."""
        if given in self._models:
            return given
        key = given.casefold()
        meant = self._others.get(key) or self._others.get(key.removesuffix(_LATEST)) or set()
        return next(iter(meant)) if len(meant) == 1 else None

    def name_of(self, ref: ModelRef) -> str | None:
        return next((name for name in self.names if self._models[name].ref == ref), None)

    def only(self) -> str | None:
        """The one that is meant where none is named. The demo is for who has no other."""
        own = [name for name in self.names if self._models[name].origin is not Origin.DEMO]
        return own[0] if len(own) == 1 else None if own else self.find(DEMO)

    def unknown_error(self, given: str) -> UnknownModelError:
        names = self.names
        more = len(names) - _TOLD_AT_MOST
        return UnknownModelError(
            "The model {name} is not on this computer." if given else "The request doesn't name a model.",
            "Available: {names}, and {n} more." if more > 0 else "Available: {names}.",
            name=printable_text(given),
            names=", ".join(names[:_TOLD_AT_MOST]) or "none",
            n=more,
        )


def _named(models: Sequence[LocalModel]) -> dict[str, LocalModel]:
    """Each by its shortest name that is no other's."""
    options = [list(_names(model)) for model in models]
    taken = Counter(name for names in options for name in names)
    named: dict[str, LocalModel] = {}
    for model, names in zip(models, options, strict=True):
        own = next((name for name in names if taken[name] == 1), names[-1])
        named.setdefault(own, model)
    return named


def _names(model: LocalModel) -> Iterator[str]:
    """The shortest first; the last one is no other's."""
    if model.reference:
        yield from dict.fromkeys((model.reference.removeprefix(OLLAMA_PREFIX), model.reference))
        return
    if model.origin is Origin.DEMO:
        yield model.path.stem
    parts = model.path.parts[1:] if model.path.anchor else model.path.parts
    for length in range(1, len(parts) + 1):
        yield printable_text("/".join(parts[-length:]))


def _other_names(models: Mapping[str, LocalModel]) -> Mapping[str, set[str]]:
    """Of each what else it may be called, in small letters."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, model in models.items():
        for other in _further_names(name, model):
            found[other.casefold()].add(name)
    return found


def _further_names(name: str, model: LocalModel) -> Iterator[str]:
    yield from (name, name.removesuffix(".gguf"), name.removesuffix(_LATEST), model.name)
    if model.reference:
        yield model.reference
    if remote := parse_hub_reference(model.reference):
        yield from (remote.name, remote.name.removesuffix(".gguf"), remote.repo, f"{remote.repo}:{model.quantization}")
    if model.origin is Origin.DEMO and name.endswith("target"):
        yield DEMO
