"""The choices for a side: pairs, and targets without their draft."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from specchat.domain.answer_tasks import Compared
from specchat.domain.connections import EngineReport
from specchat.domain.drafter_types import AUTO, NONE
from specchat.domain.embeddings import Purpose
from specchat.domain.model_ref import ServedModel
from specchat.domain.types import PairChoice
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.model_refs import is_local, path_for_ref
from specchat.services.models.pair_fit import LocalModel
from specchat.services.settings.pair_settings import PairSettings


@dataclass(frozen=True, slots=True)
class Side:
    choice: PairChoice
    compared: Compared = Compared.PAIR

    @property
    def is_elsewhere(self) -> bool:
        """Whether another engine computes, which decides whether to speculate."""
        return isinstance(self.choice.target, ServedModel)


def list_sides(loaded: PairChoice | None, library: ModelLibrary, settings: PairSettings) -> list[Side]:
    """Those of the loaded target first, the pair before it alone. Reads files: the first time this takes a while."""
    targets = [model for model in library.models() if _can_answer(model)]
    first = loaded if loaded is not None and any(model.ref == loaded.target for model in targets) else None
    sides = list(_of_target(first, library, settings)) if first is not None else []
    for model in targets:
        if first is None or model.ref != first.target:
            sides += _pair_and_target(settings.for_target(model.ref))
    if loaded is not None and first is None:
        sides.insert(0, Side(loaded))
    return sides


def served_sides(reports: Iterable[EngineReport]) -> list[Side]:
    """Those of other engines."""
    reports = {report.url: report for report in reports}.values()  # one may be saved under two names
    return [Side(PairChoice(ServedModel(report.url, model.id))) for report in reports for model in report.models]


def default_sides(sides: Sequence[Side]) -> tuple[Side, Side] | None:
    """Returns a pair, and its target alone."""
    if not sides:
        return None
    left = next((side for side in sides if side.compared is Compared.PAIR), sides[0])
    alone = next((side for side in sides if _is_target_alone(side, left)), None)
    return left, alone or next((side for side in sides if side != left), left)


def settled_choices(sides: Sequence[Side], loaded: PairChoice | None, library: ModelLibrary) -> list[PairChoice]:
    """What is loaded for them. A target alone is the one of the other side, or the loaded one, where it can be."""
    pairs = [side.choice for side in sides if side.compared is Compared.PAIR]
    known = [choice if choice == loaded else library.with_best_draft(choice) for choice in pairs]
    shared = [*known, *([loaded] if loaded is not None else [])]
    choices = []
    for side in sides:
        if side.compared is Compared.PAIR:
            choices.append(known.pop(0))
        else:
            same = (choice for choice in shared if choice.target == side.choice.target)
            choices.append(next(same, side.choice))
    return choices


def _can_answer(model: LocalModel) -> bool:
    return model.can_answer and model.purpose is Purpose.TEXT and not (model.problems or model.missing)


def _of_target(choice: PairChoice, library: ModelLibrary, settings: PairSettings) -> Iterator[Side]:
    """Yields the target with each of its drafts."""
    yield from _pair_and_target(choice)
    if is_local(choice.target):
        for option in library.draft_options(path_for_ref(choice.target)):
            draft = option.model.ref if option.model is not None else None
            is_other = option.selectable and option.draft_type not in (AUTO, NONE) and draft != choice.draft
            if is_other and (draft is not None or option.draft_type != choice.draft_type):
                yield Side(settings.recall(choice.target, draft, AUTO if draft is not None else option.draft_type))


def _pair_and_target(choice: PairChoice) -> list[Side]:
    alone = replace(choice, draft=None, draft_type=NONE, draft_max=None)
    pair = replace(choice, draft_type=AUTO, draft_max=None) if choice.draft_type == NONE else choice
    return [Side(pair), Side(alone, Compared.TARGET_ONLY)]


def _is_target_alone(side: Side, pair: Side) -> bool:
    return side.compared is Compared.TARGET_ONLY and side.choice.target == pair.choice.target
