"""llama.cpp's llama-server, with one model or as a router of several."""

from collections.abc import Iterator, Mapping, Sequence

from specchat.domain.cancel_token import CancelToken
from specchat.domain.connections import GuessTotals, ListedModel
from specchat.domain.errors import EngineLoadingError, ModelLoadError, RemoteEngineError
from specchat.domain.loading import LoadStage, OnLoading
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import Message
from specchat.services.connections.chat_messages import plain_messages
from specchat.services.connections.dialects.openai import (
    CONTINUE_FINAL_MESSAGE,
    LLAMA_CPP_SAMPLING,
    Abilities,
    OpenAiDialect,
    Probe,
    read_abilities,
    read_context,
)
from specchat.services.connections.engine_api import EngineApi, JsonObject
from specchat.services.connections.guess_totals import read_prometheus_totals
from specchat.services.connections.reported_figures import (
    GuessReport,
    read_guesses,
    read_object,
    read_objects,
    read_text,
)

_READY = ("loaded", "sleeping")
_POLL_S = 0.5
_POLLS = 7200


class LlamaServerDialect(OpenAiDialect):
    name = "llama-server"
    port = 8080
    version_field: tuple[str, str] | None = ("/props", "build_info")
    sampling = LLAMA_CPP_SAMPLING
    lacks = {}
    continuing = CONTINUE_FINAL_MESSAGE
    extra: Mapping[str, object] = {"timings_per_token": True, "return_progress": True}
    forgetting: Mapping[str, object] = {"cache_prompt": False}
    no_limit = -1
    knows_tokens = True
    reads_thoughts = True
    scores_with_tools = False
    tools_hint = TranslatableText("The answer was written without tools. Start llama-server with --jinja.")

    def recognises(self, probe: Probe, api: EngineApi, cancel: CancelToken) -> bool:
        return probe.server == "llama.cpp" or probe.has_owner("llamacpp")

    def read_model(self, entry: JsonObject) -> ListedModel:
        status = read_object(entry.get("status"))
        is_loaded = not status or status.get("value") in _READY
        n_ctx = read_context(read_object(entry.get("meta")), "n_ctx")
        return ListedModel(read_text(entry.get("id")), is_loaded, n_ctx)

    def load_model(self, api: EngineApi, model: ListedModel, cancel: CancelToken, progress: OnLoading) -> ListedModel:
        if not model.is_loaded:
            progress(LoadStage.LOADING_TARGET, 0.0)
            self._load(api, model, cancel)
        return ListedModel(model.id, True, self._context(api, model, cancel))

    def abilities(self, api: EngineApi, model: str, cancel: CancelToken) -> Abilities:
        return read_abilities(api, model, cancel)

    def count_tokens(self, api: EngineApi, model: str, text: str, cancel: CancelToken) -> int | None:
        reply = api.post(api.address.at("/tokenize"), {"model": model, "content": text}, cancel)
        tokens = reply.get("tokens")
        return len(tokens) if isinstance(tokens, list) else None

    def count_prompt(self, api: EngineApi, model: str, messages: Sequence[Message], cancel: CancelToken) -> int | None:
        asked = {"model": model, "messages": plain_messages(messages)}
        prompt = api.post(api.address.at("/apply-template"), asked, cancel).get("prompt")
        if not isinstance(prompt, str):
            return None
        body = {"model": model, "content": prompt, "add_special": True, "parse_special": True}
        tokens = api.post(api.address.at("/tokenize"), body, cancel).get("tokens")
        return len(tokens) if isinstance(tokens, list) else None

    def read_totals(self, api: EngineApi, cancel: CancelToken) -> GuessTotals | None:
        return read_prometheus_totals(api, "llamacpp", cancel)

    def read_guesses(self, chunk: JsonObject) -> GuessReport | None:
        found = read_object(chunk.get("timings"))
        return read_guesses(found.get("draft_n"), found.get("draft_n_accepted"))

    def _load(self, api: EngineApi, model: ListedModel, cancel: CancelToken) -> None:
        """Of a router. It says when it has begun, not when it is done."""
        api.post(api.address.at("/models/load"), {"model": model.id}, cancel)
        for status in self._statuses(api, model, cancel):
            if status.get("value") in _READY:
                return
            if status.get("failed"):
                break
        raise ModelLoadError("{where} couldn't load {name}.", "Check the engine's log.", where=api.where, name=model.id)

    def _statuses(self, api: EngineApi, model: ListedModel, cancel: CancelToken) -> Iterator[JsonObject]:
        for _ in range(_POLLS):
            entries = read_objects(api.get(api.address.at("/models"), cancel).get("data"))
            found = next((entry for entry in entries if entry.get("id") == model.id), None)
            if found is None:
                return
            yield read_object(found.get("status"))
            cancel.wait(_POLL_S)

    def _context(self, api: EngineApi, model: ListedModel, cancel: CancelToken) -> int:
        """That of one answer."""
        try:
            props = api.get(api.address.at("/props"), cancel, model=model.id)
        except EngineLoadingError:
            raise
        except RemoteEngineError:  # it may be closed to others
            return model.n_ctx
        return read_context(read_object(props.get("default_generation_settings")), "n_ctx") or model.n_ctx
