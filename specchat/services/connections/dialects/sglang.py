"""SGLang."""

from collections.abc import Mapping

from specchat.domain.cancel_token import CancelToken
from specchat.domain.connections import Capability, GuessTotals
from specchat.services.connections.dialects.openai import (
    NO_COUNT,
    NO_GUESSES,
    NO_SETTING,
    TRANSFORMERS_SAMPLING,
    OpenAiDialect,
    Probe,
)
from specchat.services.connections.engine_api import EngineApi
from specchat.services.connections.guess_totals import read_sglang_totals


class SglangDialect(OpenAiDialect):
    """It tells how long its guesses were accepted for all requests together, which says nothing about one."""

    name = "SGLang"
    port = 30000
    sampling = TRANSFORMERS_SAMPLING
    lacks = {
        Capability.GUESSES: NO_GUESSES,
        Capability.COUNT: NO_COUNT,
        Capability.PENALTY_WINDOW: NO_SETTING,
        Capability.GRAMMAR: NO_SETTING,
    }
    continuing: Mapping[str, object] = {"continue_final_message": True}

    def recognises(self, probe: Probe, api: EngineApi, cancel: CancelToken) -> bool:
        return probe.has_owner("sglang")

    def read_totals(self, api: EngineApi, cancel: CancelToken) -> GuessTotals | None:
        return read_sglang_totals(api, cancel)
