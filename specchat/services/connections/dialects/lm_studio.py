"""LM Studio, through its own API (v0), which reports more than OpenAI's."""

from specchat.domain.cancel_token import CancelToken
from specchat.domain.connections import Capability, ListedModel
from specchat.domain.errors import RemoteEngineError
from specchat.domain.loading import LoadStage, OnLoading
from specchat.domain.media import TEXT_ONLY, Senses
from specchat.services.connections.dialects.openai import (
    NO_CONTINUE,
    NO_COUNT,
    NO_SETTING,
    STANDARD_SAMPLING,
    Abilities,
    OpenAiDialect,
    Probe,
    read_context,
)
from specchat.services.connections.engine_api import EngineApi, JsonObject
from specchat.services.connections.reported_figures import (
    GuessReport,
    read_guesses,
    read_object,
    read_objects,
    read_text,
)

_VISION = "vlm"
_TEXT = ("llm", _VISION)


class LmStudioDialect(OpenAiDialect):
    name = "LM Studio"
    port = 1234
    sampling = {**STANDARD_SAMPLING, "top_k": "top_k", "min_p": "min_p", "repeat_penalty": "repeat_penalty"}
    lacks = {
        Capability.CONTINUE: NO_CONTINUE,
        Capability.COUNT: NO_COUNT,
        Capability.PENALTY_WINDOW: NO_SETTING,
        Capability.IGNORE_EOS: NO_SETTING,
        Capability.REASONING: NO_SETTING,
        Capability.REASONING_EFFORT: NO_SETTING,
        Capability.GRAMMAR: NO_SETTING,
    }

    def recognises(self, probe: Probe, api: EngineApi, cancel: CancelToken) -> bool:
        if not (probe.has_owner("organization_owner") or not probe.models):
            return False
        try:
            return isinstance(api.get(api.address.at("/api/v0/models"), cancel).get("data"), list)
        except RemoteEngineError:
            return False

    def list_models(self, api: EngineApi, cancel: CancelToken) -> tuple[ListedModel, ...]:
        found = read_objects(api.get(api.address.at("/api/v0/models"), cancel).get("data"))
        return tuple(_read_model(each) for each in found if each.get("id") and each.get("type", "llm") in _TEXT)

    def load_model(self, api: EngineApi, model: ListedModel, cancel: CancelToken, progress: OnLoading) -> ListedModel:
        """It loads models itself when they are asked."""
        if not model.is_loaded:
            progress(LoadStage.LOADING_TARGET, 0.0)
        return model

    def abilities(self, api: EngineApi, model: str, cancel: CancelToken) -> Abilities:
        try:
            listed = read_objects(api.get(api.address.at("/api/v0/models"), cancel).get("data"))
        except RemoteEngineError:
            return Abilities(TEXT_ONLY)
        sees = any(each.get("id") == model and each.get("type") == _VISION for each in listed)
        return Abilities(Senses(sees=sees))

    def chat_url(self, api: EngineApi, *, offers_tools: bool = False) -> str:
        """Its own API reports guesses, OpenAI's knows tools."""
        return super().chat_url(api) if offers_tools else api.address.at("/api/v0/chat/completions")

    def read_guesses(self, chunk: JsonObject) -> GuessReport | None:
        """With the end of the answer, in one place or the other."""
        for name in ("stats", "usage"):
            found = read_object(chunk.get(name))
            report = read_guesses(found.get("total_draft_tokens_count"), found.get("accepted_draft_tokens_count"))
            if report is not None:
                return report
        return None


def _read_model(entry: JsonObject) -> ListedModel:
    n_ctx = read_context(entry, "loaded_context_length", "max_context_length")
    return ListedModel(read_text(entry.get("id")), entry.get("state") == "loaded", n_ctx)
