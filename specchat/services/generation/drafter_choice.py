"""Determines which drafters a pair uses before anything is loaded."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from specchat.domain.compute_settings import MOST_BRANCHES, MOST_WINDOWS
from specchat.domain.drafter_types import AUTO, DRAFTER_TYPES, EARLY_EXIT, MODEL, NONE, DraftRequirement
from specchat.domain.errors import SettingError
from specchat.domain.heads import HeadKind
from specchat.domain.model_ref import ModelRef
from specchat.domain.speculation_status import SpeculationOff
from specchat.domain.types import DRAFT, LOOKAHEAD, NGRAM, ModelSettings, PairChoice
from specchat.drafters import require_known_drafter
from specchat.engine.exploration import REHEARSED
from specchat.engine.lookahead_strategy import LARGEST
from specchat.engine.selftest import LARGEST_BATCH
from specchat.services.generation.slot_limits import why_one_slot
from specchat.services.models.early_exit_store import no_early_exit_error
from specchat.services.models.head_lookup import draft_type_of, has_mtp

MAX_AUTO_DRAFT = 16


@dataclass(frozen=True, slots=True)
class ChosenHead:
    """`file`: None if the head is in the target's file."""

    kind: HeadKind
    file: ModelRef | None


def drafter_name(choice: PairChoice) -> str | None:
    """Returns the drafter's name. None if there is no drafter."""
    match choice.draft_type:
        case "none":
            return None
        case "auto":
            if choice.draft is not None:
                return draft_type_of(choice.draft)
            if has_mtp(choice.target):
                return HeadKind.MTP.value
            return NGRAM if choice.draft_max is None else None
        case "model" if choice.draft is None:
            raise SettingError("--draft-type model needs a draft.", "Pass one with -md, or use --draft-type ngram.")
        case "early-exit" if choice.draft is None:
            raise no_early_exit_error(choice.target)
        case name:
            require_known_drafter(name)
            _require_head(name, choice)
            return name


def require_draft_type(name: str) -> None:
    """It exists, whatever pairs it is for."""
    if name not in (AUTO, NONE):
        require_known_drafter(name)


def _require_head(name: str, choice: PairChoice) -> None:
    """Raises a SettingError if the draft type needs a draft or head that is missing."""
    drafted = draft_type_of(choice.draft) if choice.draft is not None else None
    needs = DRAFTER_TYPES[name].needs if name in DRAFTER_TYPES else None
    if needs is DraftRequirement.MODEL and drafted != MODEL:
        raise SettingError(
            "{name} is a draft head, not a draft model.",
            "Omit --draft-type, or use --draft-type {kind}.",
            name=choice.draft.name if choice.draft is not None else "",
            kind=drafted or "",
        )
    if needs is not DraftRequirement.STATES or drafted == name:
        return
    if drafted is None and name == HeadKind.MTP and has_mtp(choice.target):
        return
    raise SettingError(
        "No {name} head was found for this target.", "Pass the head's file with -md, or omit --draft-type.", name=name
    )


def speculation_off_reason(choice: PairChoice) -> SpeculationOff | None:
    if choice.draft_type == NONE:
        return SpeculationOff.SWITCHED_OFF
    if drafter_name(choice) is None:
        return SpeculationOff.NO_DRAFT
    return SpeculationOff.NO_LENGTH if choice.draft_max == 0 else None


def drafter_names(choice: PairChoice) -> Sequence[str]:
    """Returns all drafters except earlier text. With auto, these can be both a draft and the target's MTP layers."""
    name = drafter_name(choice)
    if name is None or name == NGRAM or speculation_off_reason(choice) is not None:
        return ()
    is_auto = choice.draft_type == AUTO and choice.draft_max is None
    if is_auto and choice.draft is not None and name != HeadKind.MTP and has_mtp(choice.target):
        return name, HeadKind.MTP.value
    return (name,)


def draft_origin(choice: PairChoice) -> str:
    """Returns the origin of the draft model's tokens."""
    return EARLY_EXIT if choice.draft_type == EARLY_EXIT else DRAFT


def chosen_heads(choice: PairChoice) -> Sequence[ChosenHead]:
    """Returns the heads to load."""
    in_file = draft_type_of(choice.draft) if choice.draft is not None else None
    found = (DRAFTER_TYPES.get(name) for name in drafter_names(choice))
    return tuple(
        ChosenHead(HeadKind(each.name), choice.draft if each.name == in_file else None)
        for each in found
        if each is not None and each.needs is DraftRequirement.STATES
    )


def needs_draft(choice: PairChoice) -> bool:
    """Whether the draft has to be loaded; an installed drafter may need it, too."""
    if choice.draft is None or speculation_off_reason(choice) is not None:
        return False
    known = DRAFTER_TYPES.get(drafter_name(choice) or "")
    return known is None or known.is_draft


def build_target_settings(choice: PairChoice) -> ModelSettings:
    """Returns the target's settings with room for guesses, and with its MTP layers if they guess."""
    mtp = any(head.kind is HeadKind.MTP and head.file is None for head in chosen_heads(choice))
    reason = why_one_slot(drafter_names(choice), exact=choice.target_settings.exact)
    slots = 1 if reason else choice.target_settings.slots
    return replace(
        choice.target_settings,
        max_draft=max_draft_length(choice),
        branches=_max_branches(choice),
        mtp=mtp,
        slots=slots,
    )


def _max_branches(choice: PairChoice) -> int:
    """A fixed number of guesses means a chain, unless an installed drafter makes a tree."""
    names = drafter_names(choice)
    if LOOKAHEAD in names:
        return MOST_WINDOWS
    may_branch = names and (choice.draft_max is None or any(name not in DRAFTER_TYPES for name in names))
    return MOST_BRANCHES if may_branch else choice.target_settings.branches


def build_draft_settings(choice: PairChoice, n_ctx: int, head: HeadKind | None = None) -> ModelSettings:
    """With auto, the draft rehearses several tokens at once. Otherwise it needs room for two tokens, in case it has a
    different vocabulary. It need not be exact, because the target decides.
    """
    rehearsed = REHEARSED - 1 if choice.draft_max is None else 1
    mtp, slots = head is HeadKind.MTP, choice.target_settings.slots
    return replace(
        choice.draft_settings, n_ctx=n_ctx, max_draft=rehearsed, exact=False, guesses=True, mtp=mtp, slots=slots
    )


def max_draft_length(choice: PairChoice) -> int:
    """Returns the largest number of guesses that one pass must have room for."""
    longest = choice.draft_max
    if longest is None:
        longest = LARGEST if drafter_name(choice) == LOOKAHEAD else MAX_AUTO_DRAFT
    if speculation_off_reason(choice) is not None:
        longest = 0
    if choice.target_settings.exact:  # the self-test compares batches
        longest = max(longest, LARGEST_BATCH - 1)
    return longest
