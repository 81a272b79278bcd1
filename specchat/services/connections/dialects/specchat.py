"""Another specchat: `specchat serve`, or a window that serves."""

from dataclasses import asdict, dataclass, fields

from specchat.domain.cancel_token import CancelToken
from specchat.domain.connections import Capability
from specchat.domain.serialization import from_plain
from specchat.services.connections.dialects.openai import (
    CONTINUE_FINAL_MESSAGE,
    LLAMA_CPP_SAMPLING,
    NO_COUNT,
    Abilities,
    OpenAiDialect,
    Probe,
    read_abilities,
)
from specchat.services.connections.engine_api import EngineApi, JsonObject
from specchat.services.connections.reported_figures import GuessReport, read_guesses, read_object


class SpecchatDialect(OpenAiDialect):
    name = "specchat"
    port = 8080
    sampling = LLAMA_CPP_SAMPLING
    lacks = {Capability.COUNT: NO_COUNT}
    continuing = CONTINUE_FINAL_MESSAGE
    no_limit = -1
    knows_tokens = True
    reads_thoughts = True

    def recognises(self, probe: Probe, api: EngineApi, cancel: CancelToken) -> bool:
        return probe.has_owner("specchat")

    def abilities(self, api: EngineApi, model: str, cancel: CancelToken) -> Abilities:
        return read_abilities(api, model, cancel)

    def read_guesses(self, chunk: JsonObject) -> GuessReport | None:
        """Reads the guesses at the end of the answer."""
        found = read_object(chunk.get("speculation"))
        return read_guesses(found.get("n_drafted"), found.get("n_accepted"), found.get("n_verify_steps"))

    def read_further_stats(self, chunk: JsonObject) -> JsonObject:
        """Reads further stats if all of them are plausible."""
        found = read_object(chunk.get("speculation"))
        try:
            told = from_plain(_Further, {name: found[name] for name in _NAMES if name in found})
        except ValueError:
            return {}
        times = (told.target_time_s, told.draft_time_s, told.sample_time_s, *told.accepted_per_position)
        return asdict(told) if min(times, default=0.0) >= 0 and abs(told.saved_s) < _LONGEST_S else {}


@dataclass(frozen=True, slots=True)
class _Further:
    """Measured by the other specchat; without any of them it is an older one."""

    saved_s: float
    target_time_s: float
    draft_time_s: float
    sample_time_s: float
    n_checked: int
    accepted_per_position: tuple[float, ...]
    saved_is_rough: bool = False


_NAMES = tuple(field.name for field in fields(_Further))
_LONGEST_S = 1e6
