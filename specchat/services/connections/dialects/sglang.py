"""SGLang."""

from collections.abc import Mapping

from specchat.domain.cancel_token import CancelToken
from specchat.domain.connections import Capability, ListedModel
from specchat.services.connections.dialects.openai import (
    NO_COUNT,
    NO_GUESSES,
    NO_SETTING,
    STANDARD_SAMPLING,
    OpenAiDialect,
    Probe,
    read_context,
)
from specchat.services.connections.engine_api import EngineApi, JsonObject
from specchat.services.connections.reported_figures import read_text


class SglangDialect(OpenAiDialect):
    """It tells how long its guesses were accepted for all requests together, which says nothing about one."""

    name = "SGLang"
    port = 30000
    sampling = {**STANDARD_SAMPLING, "top_k": "top_k", "min_p": "min_p", "repeat_penalty": "repetition_penalty"}
    lacks = {
        Capability.GUESSES: NO_GUESSES,
        Capability.COUNT: NO_COUNT,
        Capability.PENALTY_WINDOW: NO_SETTING,
        Capability.GRAMMAR: NO_SETTING,
    }
    continuing: Mapping[str, object] = {"continue_final_message": True}

    def recognises(self, probe: Probe, api: EngineApi, cancel: CancelToken) -> bool:
        return probe.has_owner("sglang")

    def read_model(self, entry: JsonObject) -> ListedModel:
        return ListedModel(read_text(entry.get("id")), n_ctx=read_context(entry, "max_model_len"))
