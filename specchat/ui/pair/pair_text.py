"""Texts for the pair button and for the progress of loading a pair."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.drafter_types import AUTO, DRAFTER_TYPES, NONE
from specchat.domain.errors import ModelFileError
from specchat.domain.hub import HubReference
from specchat.domain.loading import LoadStage
from specchat.domain.model_ref import ModelFile, ModelRef, ServedModel
from specchat.domain.types import NGRAM, PairChoice
from specchat.ui.overlay.stats_text import exactness_text
from specchat.ui.pair.pair_button import PairButtonState
from specchat.ui.words.message_translation import translate_text

translate = QCoreApplication.translate


def pair_state(pair: PairInfo, choice: PairChoice, name_of: Callable[[str], str], engine: str = "") -> PairButtonState:
    """`engine`: what another one that serves it is called."""
    exact = exactness_text(pair.exact) if pair.exact else ""
    guesser = _guesser(pair, choice, name_of)
    why_one = translate_text(pair.slots_reason) if pair.slots_reason and pair.n_slots == 1 else ""
    kind = pair.engine if pair.engine != engine else ""
    return PairButtonState(
        name_of(pair.target), guesser, choice.draft_max, exact, why_one, engine=engine, engine_kind=kind
    )


def _guesser(pair: PairInfo, choice: PairChoice, name_of: Callable[[str], str]) -> str:
    if pair.draft is not None:
        return name_of(pair.draft)
    if pair.drafting != "on":
        return ""
    known = DRAFTER_TYPES.get(pair.guesser or NGRAM)
    return translate_text(known.noun) if known is not None else choice.draft_type


def plugin_drafter_name(choice: PairChoice | None) -> str:
    """The name of the one from an installed package."""
    built_in = {AUTO, NONE, *DRAFTER_TYPES}
    return choice.draft_type if choice is not None and choice.draft_type not in built_in else ""


def loading_text(stage: LoadStage | None, target: str, draft: str) -> str:
    match stage:
        case LoadStage.CHECKING_TARGET:
            words = translate("Pair", "Checking {target}")
        case LoadStage.CHECKING_DRAFT:
            words = translate("Pair", "Checking {draft}")
        case LoadStage.LOADING_DRAFT:
            words = translate("Pair", "Loading {draft}")
        case LoadStage.SELF_TEST:
            words = translate("Pair", "Running the exact-mode self-test")
        case LoadStage.MEASURING_SPEED:
            words = translate("Pair", "Measuring speed")
        case LoadStage.LOADING_TARGET | None:
            words = translate("Pair", "Loading {target}")
    return words.format(target=target, draft=draft)


def missing_model_error(model: ModelRef) -> ModelFileError:
    """Of a pair that was to take the place of another."""
    return _gone(model, translate("Pair", "The current pair stays loaded."))


def missing_last_pair_error(last: PairChoice, instead: PairChoice | None) -> ModelFileError:
    """Of the last pair a file is missing: which one, and what is loaded now."""
    if instead is not None and instead.target == last.target:
        said = translate("Pair", "{target} was loaded without it.")
        return _gone(last.draft or last.target, said, target=last.target.name)
    return _gone(last.target, translate("Pair", "The demo was loaded instead.") if instead is not None else "")


def _gone(model: ModelRef, loaded: str, **named: str) -> ModelFileError:
    """`loaded`: what is."""
    message = translate("Pair", "{name} wasn't found.")
    match model:
        case ModelFile(path):
            advice = translate("Pair", "Put the file back in {folder} or connect its disk, or choose another model.")
            return ModelFileError(message, f"{loaded} {advice}".strip(), name=path.name, folder=path.parent, **named)
        case HubReference():
            advice = translate("Pair", "Download it again from Hugging Face, or choose another model.")
        case ServedModel():
            advice = translate("Pair", "Start its engine, or choose another model.")
    return ModelFileError(message, f"{loaded} {advice}".strip(), name=model, **named)
