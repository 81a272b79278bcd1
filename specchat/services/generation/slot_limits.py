"""Says how many answers at once a pair can write, and why only one where more were wanted."""

from collections.abc import Sequence

from specchat.backends.llama_model import LlamaModel
from specchat.domain.drafter_types import DRAFTER_TYPES
from specchat.domain.types import LOOKAHEAD, PairChoice
from specchat.services.generation.drafter_choice import drafter_name

_CACHE = "{name} keeps more than the keys and values of all tokens"
_HEAD = "draft heads follow one answer"
_LOOKAHEAD = "lookahead uses all branches of the cache"
_PLUGIN = "drafters of other packages follow one answer"


def count_slots(
    choice: PairChoice, target: LlamaModel, draft: LlamaModel | None, heads: Sequence[object]
) -> tuple[int, str]:
    """With the reason, empty where there are as many as were wanted. The others wait for their turn then."""
    wanted = choice.target_settings.slots
    if wanted == 1:
        return 1, ""
    name = drafter_name(choice)
    if heads:
        return 1, _HEAD
    if name == LOOKAHEAD:
        return 1, _LOOKAHEAD
    if name is not None and name not in DRAFTER_TYPES:
        return 1, _PLUGIN
    for model in (target, draft):
        if model is not None and model.shared.n_slots < wanted:
            return 1, _CACHE.format(name=model.weights.path.name)
    return wanted, ""
