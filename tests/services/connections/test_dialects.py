"""What each kind of engine answers, and what is made of it."""

from base64 import b64encode
from typing import Any

import pytest
from support.pictures import picture
from support.recordings import mp3
from support.scripted_engine import Reply, ScriptedEngine, delta, events, reply, usage

from specchat.domain.answer_tasks import CountTask, PairInfo
from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import CompletionTask
from specchat.domain.connections import Capability, GuessTotals
from specchat.domain.data_uris import to_data_uri
from specchat.domain.engine import ChatTask, EngineTask, PromptPrepared
from specchat.domain.engine_address import parse_engine_address
from specchat.domain.errors import Cancelled, ModelLoadError, NotReadyError, SettingError
from specchat.domain.media import Senses
from specchat.domain.model_ref import ServedModel
from specchat.domain.recordings import Recording
from specchat.domain.speculation_status import SpeculationOff
from specchat.domain.types import (
    FinishReason,
    GenerationFinished,
    Message,
    PairChoice,
    PromptProgress,
    Reasoning,
    Role,
    SamplingParams,
    TokenEvent,
    ToolCall,
)
from specchat.services.connections.dialects import detect_dialect
from specchat.services.connections.engine_api import EngineApi
from specchat.services.connections.remote_engine import RemoteEngine
from specchat.sources.engine_http import EngineHttp

ASKED = (Message(Role.USER, "Is it warm?"),)
SAMPLING = SamplingParams(0.5, 30, 0.9, 0.1, 1.1, 0.2, 0.3, 40, 7)
ANSWER = (delta("It"), delta(" is.", "stop"), usage(7, 2))
CHAT = "/v1/chat/completions"


def load(engine: RemoteEngine, server: ScriptedEngine, name: str = "") -> PairInfo:
    return engine.load(PairChoice(ServedModel(server.url, name)), CancelToken(), lambda *_: None)


def ask(engine: RemoteEngine, task: EngineTask | None = None) -> tuple[str, GenerationFinished]:
    *told, end = engine.generate(task or ChatTask(ASKED, SAMPLING), CancelToken())
    assert isinstance(end, GenerationFinished)
    return "".join(event.text for event in told if isinstance(event, TokenEvent)) + end.text, end


def models(*entries: dict[str, Any]) -> Reply:
    return reply({"object": "list", "data": list(entries)})


def make_vllm(server: ScriptedEngine) -> None:
    server.replies |= {
        "/v1/models": models({"id": "org/small", "owned_by": "vllm", "max_model_len": 4096}),
        "/tokenize": lambda body: reply({"count": len(body.get("prompt", "twelve tokens")), "max_model_len": 4096}),
        CHAT: events(*ANSWER),
    }


def make_sglang(server: ScriptedEngine) -> None:
    server.replies |= {
        "/v1/models": models({"id": "/models/small", "owned_by": "sglang", "max_model_len": 2048}),
        CHAT: events(*ANSWER),
    }


def make_lm_studio(server: ScriptedEngine) -> None:
    entries: list[dict[str, Any]] = [
        {"id": "small", "type": "llm", "state": "loaded", "loaded_context_length": 4096, "max_context_length": 32768},
        {"id": "other", "type": "vlm", "state": "not-loaded", "max_context_length": 8192},
        {"id": "embed", "type": "embeddings", "state": "loaded"},
    ]
    server.replies |= {
        "/v1/models": models(*({"id": each["id"], "owned_by": "organization_owner"} for each in entries)),
        "/api/v0/models": models(*entries),
        "/api/v0/chat/completions": events(*ANSWER),
    }


def make_ollama(server: ScriptedEngine) -> None:
    running: list[dict[str, Any]] = []

    def loaded(body: Any) -> Reply:
        running.append({"name": body["model"], "context_length": 8192})
        return reply({"done": True})

    server.replies |= {
        "/v1/models": models({"id": "qwen3:8b", "owned_by": "library"}),
        "/api/tags": reply({"models": [{"name": "qwen3:8b"}]}),
        "/api/ps": lambda _: reply({"models": running}),
        "/api/generate": loaded,
        CHAT: events(*ANSWER),
    }


def make_other(server: ScriptedEngine) -> None:
    server.replies |= {"/v1/models": models({"id": "gpt", "owned_by": "somebody"}), CHAT: events(*ANSWER)}


ENGINES = {
    "vLLM": (make_vllm, "small", 4096, {"penalty_last_n", "grammar"}),
    "SGLang": (make_sglang, "small", 2048, {"guesses", "count", "penalty_last_n", "grammar"}),
    "LM Studio": (
        make_lm_studio,
        "small",
        4096,
        {"continue", "count", "penalty_last_n", "ignore_eos", "reasoning", "reasoning_effort", "grammar"},
    ),
    "Ollama": (make_ollama, "qwen3:8b", 8192, None),
    "OpenAI-compatible": (make_other, "gpt", 0, None),
}
STANDARD = {"temperature": 0.5, "top_p": 0.9, "frequency_penalty": 0.2, "presence_penalty": 0.3, "seed": 7}
EXTRA = {
    "vLLM": {"top_k": 30, "min_p": 0.1, "repetition_penalty": 1.1},
    "SGLang": {"top_k": 30, "min_p": 0.1, "repetition_penalty": 1.1},
    "LM Studio": {"top_k": 30, "min_p": 0.1, "repeat_penalty": 1.1},
}
BESIDE = {"model", "messages", "stream", "stream_options"}
each_engine = pytest.mark.parametrize("name", ENGINES)


@each_engine
def test_it_is_recognised(engine: RemoteEngine, server: ScriptedEngine, name: str) -> None:
    make, model, n_ctx, lacks = ENGINES[name]
    make(server)
    loaded = load(engine, server)
    assert (loaded.engine, loaded.target, loaded.n_ctx) == (name, model, n_ctx)
    if lacks is not None:
        assert set(loaded.lacks) == lacks
    assert (Capability.CONTEXT in loaded.lacks) == (not n_ctx)
    assert all(str(reason).endswith(".") for reason in loaded.lacks.values())


@each_engine
def test_it_is_sent_what_it_knows(engine: RemoteEngine, server: ScriptedEngine, name: str) -> None:
    ENGINES[name][0](server)
    load(engine, server)
    text, end = ask(engine)
    assert (text, end.reason) == ("It is.", FinishReason.STOP)
    assert (end.stats.n_prompt, end.stats.n_generated) == (7, 2)
    assert "acceptance_rate" in end.stats.unreported
    steps = [event.step for event in engine.generate(ChatTask(ASKED), CancelToken()) if isinstance(event, TokenEvent)]
    assert [step and step.why_off for step in steps] == [SpeculationOff.NOT_REPORTED] * 2
    body = next(asked.body for asked in server.asked if asked.line.endswith("/chat/completions"))
    assert {key: value for key, value in body.items() if key not in BESIDE} == STANDARD | EXTRA.get(name, {})


@each_engine
def test_reasoning_is_turned_off_where_it_can_be(engine: RemoteEngine, server: ScriptedEngine, name: str) -> None:
    ENGINES[name][0](server)
    lacks = load(engine, server).lacks
    ask(engine, ChatTask(ASKED, SAMPLING, reasoning=Reasoning.OFF))
    sent = server.last("/chat/completions").get("chat_template_kwargs")
    assert sent == (None if Capability.REASONING in lacks else {"enable_thinking": False, "thinking": False})


@each_engine
def test_an_answer_is_continued_where_it_can_be(engine: RemoteEngine, server: ScriptedEngine, name: str) -> None:
    ENGINES[name][0](server)
    lacks = load(engine, server).lacks
    task = ChatTask(ASKED, SAMPLING, begun="It")
    if Capability.CONTINUE in lacks:
        with pytest.raises(SettingError, match=f"{name} can't continue an answer"):
            ask(engine, task)
        return
    ask(engine, task)
    body = server.last("/chat/completions")
    assert body["messages"][-1] == {"role": "assistant", "content": "It"}
    assert body["continue_final_message"] is True


@each_engine
def test_tokens_are_counted_or_estimated(engine: RemoteEngine, server: ScriptedEngine, name: str) -> None:
    ENGINES[name][0](server)
    lacks = load(engine, server).lacks
    if Capability.CONTEXT in lacks:
        with pytest.raises(NotReadyError, match="doesn't report the size of its context"):
            engine.count(CountTask(ASKED))
    else:
        assert engine.count(CountTask(ASKED)).is_estimate == (Capability.COUNT in lacks)


def test_vllm_tells_what_was_accepted_at_the_end(engine: RemoteEngine, server: ScriptedEngine) -> None:
    make_vllm(server)
    metrics = {"speculative_decoding": {"num_draft_tokens": 30, "num_accepted_draft_tokens": 12, "num_spec_steps": 10}}
    server.replies[CHAT] = events(delta("It"), delta(" is.", "stop"), usage(7, 22, metrics=metrics))
    load(engine, server)
    stats = ask(engine)[1].stats
    assert (stats.n_drafted, stats.n_accepted, stats.n_verify_steps) == (30, 12, 10)
    assert (stats.acceptance_rate, stats.mean_accepted_length) == (0.4, 2.2)
    assert stats.drafted_per_source == {"unknown": 30}
    assert stats.speculation == "on"


@pytest.mark.parametrize("place", ["stats", "usage"])
def test_lm_studio_tells_what_was_accepted(engine: RemoteEngine, server: ScriptedEngine, place: str) -> None:
    make_lm_studio(server)
    counts = {"total_draft_tokens_count": 30, "accepted_draft_tokens_count": 12, "rejected_draft_tokens_count": 18}
    last = usage(7, 22)
    last[place] = {**last.get(place, {}), **counts}  # type: ignore[dict-item]
    server.replies["/api/v0/chat/completions"] = events(delta("It is.", "stop"), last)
    load(engine, server)
    stats = ask(engine)[1].stats
    assert (stats.n_drafted, stats.n_accepted, stats.n_verify_steps) == (30, 12, 10)


def test_lm_studio_and_ollama_without_any_model(engine: RemoteEngine, server: ScriptedEngine) -> None:
    for make, path in ((make_lm_studio, "/api/v0/models"), (make_ollama, "/api/tags")):
        server.replies.clear()
        make(server)
        server.replies["/v1/models"] = models()
        server.replies[path] = reply({"data": [], "models": []})
        with pytest.raises(SettingError, match="has no models"):
            load(engine, server)


def test_an_ollama_that_tells_less(engine: RemoteEngine, server: ScriptedEngine) -> None:
    make_ollama(server)
    server.replies["/api/ps"] = reply({"models": [{"name": "qwen3:8b"}]})
    for shown, n_ctx in (
        ({"parameters": "stop x\nnum_ctx                        16384"}, 16384),
        ({"model_info": {"qwen3.context_length": 40960}}, 4096),
        ({"model_info": {"qwen3.context_length": 2048}}, 2048),
        ({}, 0),
    ):
        server.replies["/api/show"] = reply(shown)
        assert load(engine, server).n_ctx == n_ctx


def make_router(server: ScriptedEngine, *later: dict[str, Any]) -> None:
    """Its model becomes in turn what `later` says."""
    path = "/models/small.gguf"
    statuses = [{"value": "unloaded"}, *later]

    def listed(_: Any) -> Reply:
        entry = {"id": path, "owned_by": "llamacpp", "status": statuses[0]}
        return models(entry, {"id": "b", "owned_by": "llamacpp", "status": {"value": "unloaded"}})

    def listed_later(body: Any) -> Reply:
        statuses.pop(0) if len(statuses) > 1 else None
        return listed(body)

    server.replies |= {
        "/v1/models": listed,
        "/models": listed_later,
        "/models/load": reply({"success": True}),
        "/props": reply({"default_generation_settings": {"n_ctx": 3072}}),
        CHAT: events(*ANSWER),
    }


def test_a_routers_model_is_loaded(engine: RemoteEngine, server: ScriptedEngine) -> None:
    make_router(server, {"value": "loading"}, {"value": "loaded"})
    loaded = load(engine, server, "/models/small.gguf")
    assert (loaded.engine, loaded.target, loaded.n_ctx) == ("llama-server", "small.gguf", 3072)
    assert server.last("/models/load") == {"model": "/models/small.gguf"}
    assert "GET /props?model=%2Fmodels%2Fsmall.gguf" in [asked.line for asked in server.asked]
    assert ask(engine)[0] == "It is."
    assert server.last(CHAT)["model"] == "/models/small.gguf"


def test_a_router_that_cannot_load_it(engine: RemoteEngine, server: ScriptedEngine) -> None:
    make_router(server, {"value": "unloaded", "failed": True, "exit_code": 1})
    with pytest.raises(ModelLoadError, match=r"couldn't load /models/small\.gguf"):
        load(engine, server, "small.gguf")


def test_a_router_with_several_models_is_asked_which(engine: RemoteEngine, server: ScriptedEngine) -> None:
    make_router(server)
    with pytest.raises(SettingError, match="several models") as refused:
        load(engine, server)
    assert "/models/small.gguf, b" in refused.value.hint


def test_llama_server_that_still_loads(engine: RemoteEngine, server: ScriptedEngine) -> None:
    loading = reply({"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}}, status=503)
    replies = [loading, models({"id": "a", "owned_by": "llamacpp", "meta": {"n_ctx": 512}})]
    server.replies["/v1/models"] = lambda _: replies.pop(0) if len(replies) > 1 else replies[0]
    assert load(engine, server).n_ctx == 512


def test_acceptance_is_live(engine: RemoteEngine, server: ScriptedEngine) -> None:
    def piece(text: str, *counts: int) -> dict[str, object]:
        timings = {"draft_n": counts[0], "draft_n_accepted": counts[1]} if counts else {"predicted_n": 1}
        return delta(text, Timings=timings)

    progress = {"choices": [], "prompt_progress": {"total": 9, "cache": 0, "processed": 4}}
    server.replies |= {
        "/v1/models": models({"id": "a", "owned_by": "llamacpp"}),
        CHAT: events(
            progress, piece("It"), piece(" is", 4, 1), piece(" warm", 4, 1), piece(".", 8, 1), delta("", "stop")
        ),
    }
    load(engine, server)
    told = list(engine.generate(ChatTask(ASKED), CancelToken()))
    assert PromptProgress(4, 9) in told
    steps = [event.step for event in told if isinstance(event, TokenEvent)]
    assert [step and (step.drafted, step.accepted, step.emitted) for step in steps] == [
        (0, 0, 1),
        None,
        (4, 1, 2),
        (4, 0, 1),
    ]


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_thoughts(engine: RemoteEngine, server: ScriptedEngine, field: str) -> None:
    """In a chat they are part of the text, as with a model here."""
    make_vllm(server)
    thinking = [delta("", **{field: part}) for part in ("Let me", " see.")]
    server.replies[CHAT] = events(*thinking, delta("Yes"), delta(".", "stop"))
    load(engine, server)
    assert ask(engine)[0] == "<think>\nLet me see.\n</think>\n\nYes."
    told = list(engine.generate(CompletionTask(ASKED, thoughts_apart=True), CancelToken()))
    tokens = [event for event in told if isinstance(event, TokenEvent)]
    assert ["".join(token.thought for token in tokens), "".join(token.text for token in tokens)] == [
        "Let me see.",
        "Yes.",
    ]
    server.replies[CHAT] = events(*thinking, delta("", "length"))
    assert ask(engine)[0] == "<think>\nLet me see.\n</think>"


def test_a_text_goes_on_for_as_long_as_there_is_room(engine: RemoteEngine, server: ScriptedEngine) -> None:
    """Most engines would end it after 16 tokens."""
    for make, longest in ((make_vllm, 4096 - 9 - 8), (make_sglang, None), (make_other, None)):
        server.replies.clear()
        make(server)
        server.replies["/v1/completions"] = events({"choices": [{"text": " time", "finish_reason": "stop"}]})
        n_ctx = load(engine, server).n_ctx
        assert ask(engine, CompletionTask("Once upon"))[0] == " time"
        told = server.last("/v1/completions").get("max_tokens")
        assert told == longest if longest else told is None or 0 < told < n_ctx
        ask(engine, CompletionTask("Once upon", max_tokens=5))
        assert server.last("/v1/completions")["max_tokens"] == 5


def test_thoughts_in_tags_stay(engine: RemoteEngine, server: ScriptedEngine) -> None:
    make_vllm(server)
    server.replies[CHAT] = events(delta("<think>Hm</think>"), delta("Yes.", "stop"))
    load(engine, server)
    assert ask(engine)[0] == "<think>Hm</think>Yes."


def test_tools(engine: RemoteEngine, server: ScriptedEngine) -> None:
    make_vllm(server)
    parts = [
        {"index": 0, "id": "a", "function": {"name": "weather", "arguments": ""}},
        {"index": 0, "function": {"arguments": '{"city":'}},
        {"index": 0, "function": {"arguments": ' "Rome"}'}},
        {"index": 1, "id": "b", "function": {"name": "time"}},
    ]
    server.replies[CHAT] = events(*(delta(tool_calls=[part]) for part in parts), delta("", "tool_calls"))
    load(engine, server)
    tool = {"type": "function", "function": {"name": "weather"}}
    said = (
        *ASKED,
        Message(Role.ASSISTANT, "", (ToolCall("z", "weather", "{}"),)),
        Message(Role.TOOL, "warm", (), "z"),
    )
    end = ask(engine, CompletionTask(said, tools=(tool,), tool_choice="weather", one_call=True))[1]
    assert end.calls == (ToolCall("a", "weather", '{"city": "Rome"}'), ToolCall("b", "time", "{}"))
    assert end.reason is FinishReason.STOP
    body = server.last(CHAT)
    assert body["tools"] == [tool]
    assert body["tool_choice"] == {"type": "function", "function": {"name": "weather"}}
    assert body["parallel_tool_calls"] is False
    assert body["messages"][1]["tool_calls"][0]["function"] == {"name": "weather", "arguments": "{}"}
    assert body["messages"][2]["tool_call_id"] == "z"


def test_what_an_engine_cannot_do_is_refused(engine: RemoteEngine, server: ScriptedEngine) -> None:
    make_other(server)
    load(engine, server)
    for task in (ChatTask(ASKED, ignore_eos=True), CompletionTask((1, 2)), CompletionTask(ASKED, grammar="root ::= x")):
        with pytest.raises(SettingError, match="OpenAI-compatible"):
            ask(engine, task)


def test_the_context_is_full(engine: RemoteEngine, server: ScriptedEngine) -> None:
    make_sglang(server)
    load(engine, server)
    for counts, is_full in (((2000, 48), True), ((100, 48), False)):
        server.replies[CHAT] = events(delta("a", "length"), usage(*counts))
        end = ask(engine)[1]
        assert (end.reason, end.context_full) == (FinishReason.LENGTH, is_full)


METRICS = b"""# HELP vllm:spec_decode_num_draft_tokens_total Number of draft tokens.
vllm:spec_decode_num_draft_tokens_total{model_name="a"} 100.0
vllm:spec_decode_num_draft_tokens_total{model_name="b"} 20.0
vllm:spec_decode_num_accepted_tokens_total{model_name="a"} 90.0
vllm:spec_decode_num_accepted_tokens_per_pos_total{position="0"} 7.0
"""


@pytest.mark.parametrize(
    ("metrics", "totals"),
    [
        (METRICS, GuessTotals(120, 90)),
        (METRICS.replace(b" 90.0", b" 900.0"), None),
        (METRICS.replace(b" 90.0", b" NaN"), None),
        (b"", None),
    ],
)
def test_what_it_counts_for_everyone(server: ScriptedEngine, metrics: bytes, totals: GuessTotals | None) -> None:
    make_vllm(server)
    server.replies |= {"/metrics": Reply(metrics, kind="text/plain"), "/version": reply({"version": "0.32.0"})}
    api = EngineApi(EngineHttp(), parse_engine_address(server.url))
    dialect = detect_dialect(api, CancelToken())
    assert dialect.read_totals(api, CancelToken()) == totals
    assert dialect.read_version(api, CancelToken()) == "0.32.0"


@pytest.mark.parametrize(("told", "mean"), [(2.5, 2.5), (0.5, None), ("many", None), (None, None), (10**400, None)])
def test_a_mean_for_everyone(server: ScriptedEngine, told: object, mean: float | None) -> None:
    make_sglang(server)
    server.replies["/server_info"] = reply({"internal_states": [{"avg_spec_accept_length": told}]})
    api = EngineApi(EngineHttp(), parse_engine_address(server.url))
    found = detect_dialect(api, CancelToken()).read_totals(api, CancelToken())
    assert (found and found.mean_length) == mean


SEEING = (Message(Role.USER, "What?", pictures=(picture(),), recordings=(Recording(mp3()),)),)


@each_engine
def test_pictures_and_recordings_are_sent_as_data(engine: RemoteEngine, server: ScriptedEngine, name: str) -> None:
    ENGINES[name][0](server)
    load(engine, server)
    ask(engine, ChatTask(SEEING))
    (message,) = server.last("/chat/completions")["messages"]
    url = {"url": to_data_uri(picture())}
    audio = {"data": b64encode(mp3()).decode(), "format": "mp3"}
    assert message["content"] == [
        {"type": "image_url", "image_url": url},
        {"type": "input_audio", "input_audio": audio},
        {"type": "text", "text": "What?"},
    ]


def test_some_engines_tell_which_models_see(engine: RemoteEngine, server: ScriptedEngine) -> None:
    make_ollama(server)
    for able in (["completion", "vision"], ["completion"], None):
        server.replies["/api/show"] = reply({"capabilities": able})
        assert load(engine, server).sees_pictures == ("vision" in (able or []))
    server.replies.clear()
    make_lm_studio(server)
    assert [load(engine, server, model).sees_pictures for model in ("small", "other")] == [False, True]
    server.replies.clear()
    make_router(server, {"value": "loaded"})
    assert not load(engine, server, "small.gguf").sees_pictures
    server.replies["/props"] = reply({"modalities": {"vision": True}})
    assert load(engine, server, "small.gguf").senses == Senses(sees=True)
    server.replies["/props"] = reply({"modalities": {"vision": False, "audio": True}})
    assert load(engine, server, "small.gguf").senses == Senses(hears=True)
    server.replies.clear()
    make_other(server)
    assert load(engine, server).sees_pictures, "it refuses what it can't see"


def test_what_is_stopped_while_it_is_asked_is_not_loaded(engine: RemoteEngine, server: ScriptedEngine) -> None:
    make_ollama(server)
    cancel = CancelToken()

    def show(_: object) -> Reply:
        cancel.cancel()
        return reply({"capabilities": ["vision"]})

    server.replies["/api/show"] = show
    with pytest.raises(Cancelled):
        engine.load(PairChoice(ServedModel(server.url, "")), cancel, lambda *_: None)
    assert not engine.is_loaded


def test_an_estimate_of_pictures_keeps_no_message_back(engine: RemoteEngine, server: ScriptedEngine) -> None:
    make_vllm(server)
    load(engine, server)
    many = (Message(Role.USER, "What?", pictures=tuple(picture(f"{n}.png", 2000, 2000) for n in range(9))),)
    prepared, *_ = engine.generate(ChatTask(many), CancelToken())
    assert isinstance(prepared, PromptPrepared)
    assert prepared.n_tokens > 4096
