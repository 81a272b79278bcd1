"""What each kind of engine is sent, and what it lacks."""

from base64 import b64encode

import pytest
from support.pictures import picture
from support.recordings import mp3
from support.scripted_dialects import (
    ASKED,
    ENGINES,
    SAMPLING,
    ask,
    each_engine,
    load,
    make_lm_studio,
    make_ollama,
    make_other,
    make_router,
    make_vllm,
    models,
)
from support.scripted_engine import Reply, ScriptedEngine, reply

from specchat.domain.answer_tasks import CountTask
from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import CompletionTask
from specchat.domain.connections import Capability
from specchat.domain.data_uris import to_data_uri
from specchat.domain.engine import ChatTask, PromptPrepared
from specchat.domain.errors import Cancelled, NotReadyError, SettingError
from specchat.domain.media import Senses
from specchat.domain.model_ref import ServedModel
from specchat.domain.recordings import Recording
from specchat.domain.speculation_status import SpeculationOff
from specchat.domain.types import (
    FinishReason,
    Message,
    PairChoice,
    Reasoning,
    Role,
    TokenEvent,
)
from specchat.services.connections.remote_engine import RemoteEngine

STANDARD = {"temperature": 0.5, "top_p": 0.9, "frequency_penalty": 0.2, "presence_penalty": 0.3, "seed": 7}
EXTRA = {
    "vLLM": {"top_k": 30, "min_p": 0.1, "repetition_penalty": 1.1},
    "SGLang": {"top_k": 30, "min_p": 0.1, "repetition_penalty": 1.1},
    "LM Studio": {"top_k": 30, "min_p": 0.1, "repeat_penalty": 1.1},
}
BESIDE = {"model", "messages", "stream", "stream_options"}


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


def test_what_an_engine_cannot_do_is_refused(engine: RemoteEngine, server: ScriptedEngine) -> None:
    make_other(server)
    load(engine, server)
    for task in (ChatTask(ASKED, ignore_eos=True), CompletionTask((1, 2)), CompletionTask(ASKED, grammar="root ::= x")):
        with pytest.raises(SettingError, match="OpenAI-compatible"):
            ask(engine, task)


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
        server.asked.clear()
        assert load(engine, server).sees_pictures == ("vision" in (able or []))
        assert [each.line for each in server.asked].count("POST /api/show") == 1
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
