"""Ways of guessing: one file each, listed here. Installed packages add theirs through `specchat.drafters`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points

from specchat.domain.errors import BugError, SettingError
from specchat.domain.ports import Drafter, LanguageModel
from specchat.domain.types import NGRAM
from specchat.drafters.checked import Checked
from specchat.drafters.draft_model import DraftModel
from specchat.drafters.suffix import Suffix
from specchat.drafters.suffix_index import SuffixIndex

ENTRY_POINT_GROUP = "specchat.drafters"


@dataclass(frozen=True, slots=True)
class DrafterSetup:
    """What a drafter is made from."""

    target: LanguageModel
    tokenize: Callable[[str], list[int]]
    draft: LanguageModel | None = None
    options: Mapping[str, int] = field(default_factory=dict)
    past: SuffixIndex | None = None
    """Earlier answers."""


DrafterFactory = Callable[[DrafterSetup], Drafter]


def _draft_model(setup: DrafterSetup) -> Drafter:
    if setup.draft is None:
        raise BugError("the drafter model without a draft")
    return DraftModel(setup.draft)


def _suffix(setup: DrafterSetup) -> Drafter:
    return Suffix(setup.past, **setup.options)


BUILT_IN: Mapping[str, DrafterFactory] = {"model": _draft_model, NGRAM: _suffix}


def require_known(name: str) -> None:
    if name not in BUILT_IN and name not in (found := installed()):
        known = ", ".join(["auto", "none", *BUILT_IN, *sorted(found)])
        raise SettingError("There is no draft type {name}.", "Choose one of: {known}.", name=name, known=known)


def make_drafter(name: str, setup: DrafterSetup) -> Drafter:
    require_known(name)
    if name in BUILT_IN:
        return BUILT_IN[name](setup)
    return Checked.load(name, lambda: installed()[name].load()(setup))


def installed() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}
