"""Who will guess, known before anything is loaded."""

from dataclasses import replace

from specchat.domain.errors import SettingError
from specchat.domain.guessing import Off
from specchat.domain.types import NGRAM, ModelSettings, PairChoice
from specchat.drafters import require_known
from specchat.engine.auto import REHEARSED
from specchat.engine.selftest import LARGEST_BATCH

LONGEST_AUTO_DRAFT = 16


def guesser(choice: PairChoice) -> str | None:
    """The drafter's name; None: nobody."""
    match choice.draft_type:
        case "none":
            return None
        case "auto":
            if choice.draft is not None:
                return "model"
            return NGRAM if choice.draft_max is None else None
        case "model" if choice.draft is None:
            raise SettingError("Drafting with a model needs a draft.", "Name one with -md, or use --draft-type ngram.")
        case name:
            require_known(name)
            return name


def why_nobody_guesses(choice: PairChoice) -> Off | None:
    if choice.draft_type == "none":
        return Off.SWITCHED_OFF
    if guesser(choice) is None:
        return Off.NO_DRAFT
    return Off.NO_LENGTH if choice.draft_max == 0 else None


def needs_draft(choice: PairChoice) -> bool:
    """An installed drafter may want the draft too."""
    return choice.draft is not None and why_nobody_guesses(choice) is None and guesser(choice) != NGRAM


def draft_settings(choice: PairChoice, n_ctx: int) -> ModelSettings:
    """Where it may be off at times, it rehearses several tokens at once. It need not be exact: the target decides."""
    rehearsed = REHEARSED - 1 if choice.draft_max is None else 0
    return replace(choice.draft_settings, n_ctx=n_ctx, max_draft=rehearsed, exact=False, guesses=True)


def longest_draft(choice: PairChoice) -> int:
    """What one pass must have room for."""
    longest = LONGEST_AUTO_DRAFT if choice.draft_max is None else choice.draft_max
    if why_nobody_guesses(choice) is not None:
        longest = 0
    if choice.target_settings.exact:  # the self-test compares batches
        longest = max(longest, LARGEST_BATCH - 1)
    return longest
