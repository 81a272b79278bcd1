"""What llama-server replies, also as a router of several models."""

import pytest
from support.scripted_dialects import ASKED, CHAT, ask, load, make_router, models
from support.scripted_engine import ScriptedEngine, delta, events, reply

from specchat.domain.cancel_token import CancelToken
from specchat.domain.engine import ChatTask
from specchat.domain.errors import ModelLoadError, SettingError
from specchat.domain.types import (
    PromptProgress,
    TokenEvent,
)
from specchat.services.connections.remote_engine import RemoteEngine


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
