"""Who will guess, known before anything is loaded."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from specchat.domain.draft_types import AUTO, DRAFT_TYPES, MODEL, NONE, Needs
from specchat.domain.errors import SettingError
from specchat.domain.guessing import Off
from specchat.domain.heads import HeadKind
from specchat.domain.model_ref import ModelRef
from specchat.domain.types import NGRAM, ModelSettings, PairChoice
from specchat.drafters import require_known
from specchat.engine.auto import REHEARSED
from specchat.engine.selftest import LARGEST_BATCH
from specchat.services.models.heads import draft_type_of, has_mtp

LONGEST_AUTO_DRAFT = 16


@dataclass(frozen=True, slots=True)
class ChosenHead:
    """`file`: None where the target's own holds it."""

    kind: HeadKind
    file: ModelRef | None


def guesser(choice: PairChoice) -> str | None:
    """The drafter's name; None: nobody."""
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
            raise SettingError("Drafting with a model needs a draft.", "Name one with -md, or use --draft-type ngram.")
        case name:
            require_known(name)
            _require_head(name, choice)
            return name


def _require_head(name: str, choice: PairChoice) -> None:
    """The head that the draft type names is there."""
    drafted = draft_type_of(choice.draft) if choice.draft is not None else None
    needs = DRAFT_TYPES[name].needs if name in DRAFT_TYPES else None
    if needs is Needs.MODEL and drafted != MODEL:
        raise SettingError(
            "{name} is a head, not a draft model.",
            "Leave out --draft-type, or use --draft-type {kind}.",
            name=choice.draft.name if choice.draft is not None else "",
            kind=drafted or "",
        )
    if needs is not Needs.STATES or drafted == name:
        return
    if drafted is None and name == HeadKind.MTP and has_mtp(choice.target):
        return
    raise SettingError(
        "There is no head for draft type {name}.", "Name its file with -md, or leave out --draft-type.", name=name
    )


def why_nobody_guesses(choice: PairChoice) -> Off | None:
    if choice.draft_type == NONE:
        return Off.SWITCHED_OFF
    if guesser(choice) is None:
        return Off.NO_DRAFT
    return Off.NO_LENGTH if choice.draft_max == 0 else None


def drafts(choice: PairChoice) -> Sequence[str]:
    """All who guess besides the text: with auto, a draft and the target's own MTP layers, whichever pays more."""
    name = guesser(choice)
    if name is None or name == NGRAM or why_nobody_guesses(choice) is not None:
        return ()
    is_auto = choice.draft_type == AUTO and choice.draft_max is None
    if is_auto and choice.draft is not None and name != HeadKind.MTP and has_mtp(choice.target):
        return name, HeadKind.MTP.value
    return (name,)


def heads(choice: PairChoice) -> Sequence[ChosenHead]:
    """Those that are to be loaded."""
    in_file = draft_type_of(choice.draft) if choice.draft is not None else None
    found = (DRAFT_TYPES.get(name) for name in drafts(choice))
    return tuple(
        ChosenHead(HeadKind(each.name), choice.draft if each.name == in_file else None)
        for each in found
        if each is not None and each.needs is Needs.STATES
    )


def needs_draft(choice: PairChoice) -> bool:
    """An installed drafter may want the draft too."""
    return choice.draft is not None and why_nobody_guesses(choice) is None and guesser(choice) != NGRAM


def target_settings(choice: PairChoice) -> ModelSettings:
    """With room for what is guessed, and with the layers that guess."""
    mtp = any(head.kind is HeadKind.MTP and head.file is None for head in heads(choice))
    return replace(choice.target_settings, max_draft=longest_draft(choice), mtp=mtp)


def draft_settings(choice: PairChoice, n_ctx: int, head: HeadKind | None = None) -> ModelSettings:
    """Where it may be off at times, it rehearses several tokens at once. It need not be exact: the target decides."""
    rehearsed = REHEARSED - 1 if choice.draft_max is None else 0
    mtp = head is HeadKind.MTP
    return replace(choice.draft_settings, n_ctx=n_ctx, max_draft=rehearsed, exact=False, guesses=True, mtp=mtp)


def longest_draft(choice: PairChoice) -> int:
    """What one pass must have room for."""
    longest = LONGEST_AUTO_DRAFT if choice.draft_max is None else choice.draft_max
    if why_nobody_guesses(choice) is not None:
        longest = 0
    if choice.target_settings.exact:  # the self-test compares batches
        longest = max(longest, LARGEST_BATCH - 1)
    return longest
