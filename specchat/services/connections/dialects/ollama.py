"""Ollama."""

from specchat.domain.cancel_token import CancelToken
from specchat.domain.connections import ListedModel
from specchat.domain.errors import RemoteEngineError
from specchat.domain.loading import LoadStage, OnLoading
from specchat.domain.media import TEXT_ONLY, Senses
from specchat.services.connections.dialects.openai import Abilities, OpenAiDialect, Probe, read_context
from specchat.services.connections.engine_api import EngineApi
from specchat.services.connections.reported_figures import read_object, read_objects, read_text

_LOADING_S = 900.0


class OllamaDialect(OpenAiDialect):
    name = "Ollama"
    port = 11434
    version_field: tuple[str, str] | None = ("/api/version", "version")

    def recognises(self, probe: Probe, api: EngineApi, cancel: CancelToken) -> bool:
        if probe.models and not probe.has_owner("library"):
            return False
        try:
            return isinstance(api.get(api.address.at("/api/tags"), cancel).get("models"), list)
        except RemoteEngineError:
            return False

    def list_models(self, api: EngineApi, cancel: CancelToken) -> tuple[ListedModel, ...]:
        here = read_objects(api.get(api.address.at("/api/tags"), cancel).get("models"))
        running = self._running(api, cancel)
        names = [name for each in here if (name := read_text(each.get("name")))]
        return tuple(ListedModel(name, name in running, running.get(name, 0)) for name in names)

    def load_model(self, api: EngineApi, model: ListedModel, cancel: CancelToken, progress: OnLoading) -> ListedModel:
        """How large its context is depends on the memory that is free: it is known once the model is loaded."""
        if not model.is_loaded:
            progress(LoadStage.LOADING_TARGET, 0.0)
            api.post(api.address.at("/api/generate"), {"model": model.id, "stream": False}, cancel, _LOADING_S)
        n_ctx = self._running(api, cancel).get(model.id, 0) or self._set_context(api, model.id, cancel)
        return ListedModel(model.id, True, n_ctx)

    def abilities(self, api: EngineApi, model: str, cancel: CancelToken) -> Abilities:
        """An older Ollama does not tell them."""
        try:
            able = api.post(api.address.at("/api/show"), {"model": model}, cancel).get("capabilities")
        except RemoteEngineError:
            able = None
        if not isinstance(able, list):
            return Abilities(TEXT_ONLY)
        return Abilities(Senses(sees="vision" in able), "tools" in able)

    def _running(self, api: EngineApi, cancel: CancelToken) -> dict[str, int]:
        """With their contexts."""
        found = read_objects(api.get(api.address.at("/api/ps"), cancel).get("models"))
        return {read_text(each.get("name")): read_context(each, "context_length") for each in found}

    def _set_context(self, api: EngineApi, model: str, cancel: CancelToken) -> int:
        """Of its Modelfile; of an Ollama that does not tell more."""
        shown = api.post(api.address.at("/api/show"), {"model": model}, cancel)
        for line in read_text(shown.get("parameters")).splitlines():
            name, _, value = line.partition(" ")
            if name == "num_ctx" and value.strip().isdecimal():
                return read_context({"num_ctx": int(value.strip()[:9])}, "num_ctx")
        info = read_object(shown.get("model_info"))
        trained = next((read_context(info, name) for name in info if name.endswith(".context_length")), 0)
        return min(trained, _DEFAULT_CONTEXT)


_DEFAULT_CONTEXT = 4096
"""Ollama's default context size."""
