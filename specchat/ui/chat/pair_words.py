"""What the button says of the pair, and what is being done while one is loaded."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from specchat.domain.answering import PairInfo
from specchat.domain.errors import ModelFileError
from specchat.domain.loading import LoadStage
from specchat.domain.types import NGRAM, PairChoice
from specchat.ui.overlay.words import exactness
from specchat.ui.picker.pair_button import PairState

translate = QCoreApplication.translate

_BUILT_IN = ("auto", "model", NGRAM, "none")


def pair_state(pair: PairInfo, choice: PairChoice, name_of: Callable[[str], str]) -> PairState:
    exact = exactness(pair.exact) if pair.exact else ""
    return PairState(name_of(pair.target), _guesser(pair, choice, name_of), choice.draft_max, exact)


def _guesser(pair: PairInfo, choice: PairChoice, name_of: Callable[[str], str]) -> str:
    if pair.draft is not None:
        return name_of(pair.draft)
    if pair.drafting != "on":
        return ""
    return translate("Pair", "earlier text") if choice.draft_type in ("auto", NGRAM) else choice.draft_type


def other_drafter(choice: PairChoice | None) -> str:
    """The name of the one from an installed package."""
    return choice.draft_type if choice is not None and choice.draft_type not in _BUILT_IN else ""


def loading_words(stage: LoadStage | None, target: str, draft: str) -> str:
    match stage:
        case LoadStage.CHECKING_TARGET:
            words = translate("Pair", "Checking whether {target} can be loaded")
        case LoadStage.CHECKING_DRAFT:
            words = translate("Pair", "Checking whether {draft} can be loaded")
        case LoadStage.LOADING_DRAFT:
            words = translate("Pair", "Loading {draft}")
        case LoadStage.SELF_TEST:
            words = translate("Pair", "Testing whether answers stay exact")
        case LoadStage.MEASURING_SPEED:
            words = translate("Pair", "Measuring how fast the models are")
        case LoadStage.LOADING_TARGET | None:
            words = translate("Pair", "Loading {target}")
    return words.format(target=target, draft=draft)


def not_there(path: Path) -> ModelFileError:
    """Of a pair that was to take the place of another."""
    message = translate("Pair", "{path} is not there any more.")
    hint = translate("Pair", "What is loaded stays. Choose another pair, or put the file back and load it again.")
    return ModelFileError(message, hint, path=path)


def gone(last: PairChoice, instead: PairChoice | None) -> ModelFileError:
    """Of the last pair a file is missing: which one, and what is loaded now."""
    missing = last.target
    hint = translate("Pair", "Choose another pair, or put the file back and load it again.")
    if instead is not None and instead.target == last.target:
        missing = last.draft or last.target
        hint = translate(
            "Pair", "{target} is loaded without it. Choose another draft, or put the file back and load it again."
        )
    elif instead is not None:
        hint = translate(
            "Pair", "The demo is loaded instead. Choose another pair, or put the file back and load it again."
        )
    message = translate("Pair", "{path} is not there any more.")
    return ModelFileError(message, hint, path=missing, target=last.target.name)
