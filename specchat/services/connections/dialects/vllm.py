"""vLLM."""

from collections.abc import Sequence

from specchat.domain.cancel_token import CancelToken
from specchat.domain.connections import Capability, GuessTotals
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import Message
from specchat.services.connections.chat_messages import plain_messages
from specchat.services.connections.dialects.openai import (
    CONTINUE_FINAL_MESSAGE,
    NO_SETTING,
    TRANSFORMERS_SAMPLING,
    OpenAiDialect,
    Probe,
)
from specchat.services.connections.engine_api import EngineApi, JsonObject
from specchat.services.connections.guess_totals import read_prometheus_totals
from specchat.services.connections.reported_figures import (
    GuessReport,
    read_count,
    read_guesses,
    read_object,
)


class VllmDialect(OpenAiDialect):
    name = "vLLM"
    port: int | None = 8000
    version_field: tuple[str, str] | None = ("/version", "version")
    sampling = TRANSFORMERS_SAMPLING
    lacks = {Capability.PENALTY_WINDOW: NO_SETTING, Capability.GRAMMAR: NO_SETTING}
    continuing = CONTINUE_FINAL_MESSAGE
    knows_tokens = True
    tools_hint = TranslatableText(
        "The answer was written without tools. Start vLLM with --enable-auto-tool-choice and --tool-call-parser."
    )

    def recognises(self, probe: Probe, api: EngineApi, cancel: CancelToken) -> bool:
        return probe.has_owner("vllm")

    def count_tokens(self, api: EngineApi, model: str, text: str, cancel: CancelToken) -> int | None:
        body = {"model": model, "prompt": text, "add_special_tokens": False}
        return read_count(api.post(api.address.at("/tokenize"), body, cancel).get("count"))

    def count_prompt(self, api: EngineApi, model: str, messages: Sequence[Message], cancel: CancelToken) -> int | None:
        body = {"model": model, "messages": plain_messages(messages)}
        return read_count(api.post(api.address.at("/tokenize"), body, cancel).get("count"))

    def read_totals(self, api: EngineApi, cancel: CancelToken) -> GuessTotals | None:
        return read_prometheus_totals(api, "vllm", cancel)

    def read_guesses(self, chunk: JsonObject) -> GuessReport | None:
        """With the end of the answer, where it was started with --per-request-spec-decode-metrics."""
        found = read_object(read_object(chunk.get("metrics")).get("speculative_decoding"))
        drafted, accepted = found.get("num_draft_tokens"), found.get("num_accepted_draft_tokens")
        return read_guesses(drafted, accepted, found.get("num_spec_steps"))
