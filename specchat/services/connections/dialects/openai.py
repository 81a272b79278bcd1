"""Any engine with OpenAI's API, and what the others differ from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from specchat.domain.cancel_token import CancelToken
from specchat.domain.connections import Capability, GuessTotals, Lacks, ListedModel
from specchat.domain.errors import RemoteEngineError
from specchat.domain.loading import OnLoading
from specchat.domain.media import TEXT_ONLY, Senses
from specchat.domain.printable_text import printable_text
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import Message
from specchat.services.connections.engine_api import EngineApi, JsonObject
from specchat.services.connections.reported_figures import (
    GuessReport,
    read_count,
    read_object,
    read_objects,
    read_text,
)

_MOST_MODELS = 10_000
_LONGEST_VERSION = 40


@dataclass(frozen=True, slots=True)
class Probe:
    """The reply of an address to a request for its models."""

    models: Sequence[JsonObject]
    server: str
    """As it calls itself; mostly empty."""

    def has_owner(self, *names: str) -> bool:
        return any(read_text(model.get("owned_by")) in names for model in self.models)


STANDARD_SAMPLING: Mapping[str, str] = {
    name: name for name in ("temperature", "top_p", "frequency_penalty", "presence_penalty", "seed")
}
LLAMA_CPP_SAMPLING: Mapping[str, str] = {
    **STANDARD_SAMPLING,
    "top_k": "top_k",
    "min_p": "min_p",
    "repeat_penalty": "repeat_penalty",
    "penalty_last_n": "repeat_last_n",
}
TRANSFORMERS_SAMPLING: Mapping[str, str] = {
    **STANDARD_SAMPLING,
    "top_k": "top_k",
    "min_p": "min_p",
    "repeat_penalty": "repetition_penalty",
}
CONTINUE_FINAL_MESSAGE: Mapping[str, object] = {"continue_final_message": True, "add_generation_prompt": False}
NO_CONTINUE = TranslatableText("This engine can't continue an answer. Regenerate it instead.")
NO_GUESSES = TranslatableText("This engine doesn't report guesses.")
NO_COUNT = TranslatableText("This engine doesn't count tokens in advance, so they are estimated.")
NO_CONTEXT = TranslatableText("This engine doesn't report the size of its context.")
NO_SETTING = TranslatableText("This engine doesn't support this setting.")
NO_TOOLS_HINT = TranslatableText("The answer was written without tools. Choose a model that can call them.")


@dataclass(frozen=True, slots=True)
class Abilities:
    """Of a model."""

    senses: Senses
    calls_tools: bool = True


class OpenAiDialect:
    name = "OpenAI-compatible"
    port: int | None = None
    """Where it usually is."""
    sampling: Mapping[str, str] = STANDARD_SAMPLING
    """What fields of SamplingParams are called in a request. Others it might reject."""
    lacks: Lacks = {
        Capability.CONTINUE: NO_CONTINUE,
        Capability.GUESSES: NO_GUESSES,
        Capability.COUNT: NO_COUNT,
        Capability.CONTEXT: NO_CONTEXT,
        Capability.TOP_K: NO_SETTING,
        Capability.MIN_P: NO_SETTING,
        Capability.REPEAT_PENALTY: NO_SETTING,
        Capability.PENALTY_WINDOW: NO_SETTING,
        Capability.IGNORE_EOS: NO_SETTING,
        Capability.REASONING: NO_SETTING,
        Capability.REASONING_EFFORT: NO_SETTING,
        Capability.GRAMMAR: NO_SETTING,
    }
    continuing: Mapping[str, object] = {}
    """Fields of a request whose last message is the beginning of the answer."""
    extra: Mapping[str, object] = {}
    """Fields of every request that is streamed."""
    forgetting: Mapping[str, object] = {}
    """Fields of a request that is to be read from its beginning, whatever was read before."""
    no_limit: int | None = None
    """The length of a text that ends by itself; None: it has to be told how much room there is."""
    version_field: tuple[str, str] | None = None
    """The path that tells its version, and the field there."""
    tools_hint = NO_TOOLS_HINT
    """Of an error that says that it can't call any."""
    scores_with_tools = True
    """It tells probabilities where tools are offered, too."""
    reads_thoughts = False
    """What the model thought before a call can be sent back."""
    knows_tokens = False
    """A prompt may be tokens; each piece of an answer may carry its token's number."""

    def recognises(self, probe: Probe, api: EngineApi, cancel: CancelToken) -> bool:
        """The last one that is tried."""
        return True

    def list_models(self, api: EngineApi, cancel: CancelToken) -> tuple[ListedModel, ...]:
        found = read_objects(api.get(api.address.api("/models"), cancel).get("data"), _MOST_MODELS)
        return tuple(model for each in found if (model := self.read_model(each)).id)

    def read_version(self, api: EngineApi, cancel: CancelToken) -> str:
        """Empty: it does not tell."""
        if self.version_field is None:
            return ""
        path, name = self.version_field
        try:
            found = read_text(api.get(api.address.at(path), cancel).get(name))
        except RemoteEngineError:  # it may be closed to others
            return ""
        return printable_text(" ".join(found[:_LONGEST_VERSION].split()))

    def read_totals(self, api: EngineApi, cancel: CancelToken) -> GuessTotals | None:
        """Reads the totals for all clients."""
        return None

    def read_model(self, entry: JsonObject) -> ListedModel:
        n_ctx = read_context(entry, "max_model_len") or read_context(read_object(entry.get("meta")), "n_ctx")
        return ListedModel(read_text(entry.get("id")), n_ctx=n_ctx)

    def load_model(self, api: EngineApi, model: ListedModel, cancel: CancelToken, progress: OnLoading) -> ListedModel:
        """Ready to answer: as it is then."""
        return model

    def abilities(self, api: EngineApi, model: str, cancel: CancelToken) -> Abilities:
        """Most engines do not tell: where the model can't, they refuse the request, or it just answers."""
        return Abilities(Senses(sees=True, hears=True))

    def chat_url(self, api: EngineApi, *, offers_tools: bool = False) -> str:
        return api.address.api("/chat/completions")

    def count_tokens(self, api: EngineApi, model: str, text: str, cancel: CancelToken) -> int | None:
        """None: it cannot."""
        return None

    def count_prompt(self, api: EngineApi, model: str, messages: Sequence[Message], cancel: CancelToken) -> int | None:
        """Counts a prompt, including what the chat template adds."""
        return None

    def read_guesses(self, chunk: JsonObject) -> GuessReport | None:
        """Reads the guesses so far from a chunk of a stream."""
        return None

    def read_further_stats(self, chunk: JsonObject) -> JsonObject:
        """Fields of GenerationStats that no other engine tells."""
        return {}


def read_abilities(api: EngineApi, model: str, cancel: CancelToken) -> Abilities:
    """As llama-server and specchat tell them; older ones do not tell of tools."""
    try:
        props = api.get(api.address.at("/props"), cancel, model=model)
    except RemoteEngineError:  # it may be closed to others
        return Abilities(TEXT_ONLY)
    told, able = read_object(props.get("modalities")), read_object(props.get("chat_template_caps"))
    senses = Senses(sees=told.get("vision") is True, hears=told.get("audio") is True)
    return Abilities(senses, able.get("supports_tools") is not False or able.get("supports_tool_calls") is True)


def read_context(entry: JsonObject, *names: str) -> int:
    """The first of them that tells one."""
    return next((count for name in names if (count := read_count(entry.get(name)))), 0)
