"""Scripted engines of each kind, and how they are loaded and asked."""

from typing import Any

import pytest
from support.scripted_engine import Reply, ScriptedEngine, delta, events, reply, usage

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.cancel_token import CancelToken
from specchat.domain.engine import ChatTask, EngineTask
from specchat.domain.model_ref import ServedModel
from specchat.domain.types import (
    GenerationFinished,
    Message,
    PairChoice,
    Role,
    SamplingParams,
    TokenEvent,
)
from specchat.services.connections.remote_engine import RemoteEngine

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
each_engine = pytest.mark.parametrize("name", ENGINES)


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
