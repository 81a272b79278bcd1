"""The endpoints that tell of the server and its models."""

import time
from collections.abc import Callable
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from specchat import __version__
from specchat.domain.answer_tasks import PairInfo
from specchat.domain.completions import (
    AboutQuery,
    CompletionTask,
    DetokenizeQuery,
    ModelDescription,
    PromptQuery,
    TokenizedText,
    TokenizeQuery,
    WrittenPrompt,
)
from specchat.domain.embeddings import Purpose
from specchat.domain.media import TEXT_ONLY, Senses
from specchat.server.anthropic_request import parse_anthropic_prompt
from specchat.server.client_request import client_name, read_body
from specchat.server.completion_request import parse_chat_request, parse_token_list
from specchat.server.dispatcher import RequestDispatcher
from specchat.server.metrics import CONTENT_TYPE, render_metrics
from specchat.server.query_response import QueryResponse
from specchat.server.request_documents import RequestDocuments
from specchat.server.request_fields import raise_invalid_value
from specchat.services.generation.server_stats import ServerStats
from specchat.services.models.model_names import parameter_size

_FOREVER_S = 200 * 365 * 24 * 3600.0
"""Ollama's command calls this "Forever"."""
_LONGEST_TEXT = 1 << 20
"""Characters. While they become tokens, answers wait for their next pass."""
_OLLAMA_VERSION = "0.12.0"
"""Clients look whether it is new enough for what they send."""


class ModelEndpoints:
    def __init__(
        self,
        asking: RequestDispatcher,
        served: ServerStats,
        documents: RequestDocuments,
        idle_unload_s: float | None = None,
    ) -> None:
        self._asking = asking
        self._served = served
        self._documents = documents
        self._idle_unload_s = idle_unload_s
        self._started = int(time.time())

    async def root(self, _: Request) -> Response:
        """Ollama's command looks here first, and gives up without a 200."""
        return PlainTextResponse("specchat is running")

    async def health(self, _: Request) -> Response:
        """503 until a model is loaded."""
        return JSONResponse({"status": "ok", "model": self._asking.pair.target})

    async def metrics(self, _: Request) -> Response:
        return PlainTextResponse(
            render_metrics(self._served, self._asking.n_waiting, self._asking.n_slots), media_type=CONTENT_TYPE
        )

    async def models(self, _: Request) -> Response:
        return JSONResponse({"object": "list", "data": [self._about(self._asking.pair)]})

    async def model(self, _: Request) -> Response:
        """Whatever name is asked for: requests that name another model are answered, too."""
        return JSONResponse(self._about(self._asking.pair))

    async def props(self, request: Request) -> Response | QueryResponse:
        def form(about: ModelDescription, pair: PairInfo) -> dict[str, object]:
            return {
                "default_generation_settings": {"n_ctx": about.n_ctx},
                "total_slots": pair.n_slots,
                "model_alias": pair.target,
                "model_path": about.path,
                "chat_template": about.template,
                "chat_template_caps": {"supports_tools": about.calls_tools, "supports_tool_calls": about.calls_tools},
                "bos_token": about.bos,
                "eos_token": about.eos,
                "modalities": {"vision": pair.sees_pictures, "audio": pair.hears_recordings},
                "is_sleeping": self._asking.is_asleep,
                "build_info": f"specchat {__version__}",
            }

        return self._described(form, request.query_params.get("model", ""))

    def _described(
        self, form: Callable[[ModelDescription, PairInfo], dict[str, object]], model: str
    ) -> Response | QueryResponse:
        """Neither wakes the models nor keeps them awake, once it is known what they are."""
        pair, about = self._asking.pair if self._asking.catalog is None else None, self._asking.description
        if pair is not None and about is not None:
            return JSONResponse(form(about, pair))
        return QueryResponse(self._asking, AboutQuery(), form, model)

    async def slots(self, _: Request) -> Response:
        return JSONResponse(self._asking.slots.describe(self._asking.pair))

    async def tokenize(self, request: Request) -> QueryResponse:
        body = await read_body(request)
        text = body.required_text("content")
        if len(text) > _LONGEST_TEXT:
            raise_invalid_value("content", f"is too long: at most {_LONGEST_TEXT:,} characters")
        query = TokenizeQuery(
            text,
            add_special=body.get_flag("add_special"),
            parse_special=body.get_flag("parse_special", default=True),
            with_pieces=body.get_flag("with_pieces"),
        )

        def form(text: TokenizedText, _: PairInfo) -> dict[str, object]:
            if not query.with_pieces:
                return {"tokens": text.tokens}
            pieces = {token: _shown_piece(piece) for token, piece in text.pieces.items()}
            return {"tokens": [{"id": token, "piece": pieces[token]} for token in text.tokens]}

        return QueryResponse(self._asking, query, form, body.model)

    async def detokenize(self, request: Request) -> QueryResponse:
        body = await read_body(request)
        tokens = parse_token_list(body.required("tokens"), "tokens")
        return QueryResponse(self._asking, DetokenizeQuery(tokens), lambda text, _: {"content": text}, body.model)

    async def apply_template(self, request: Request) -> QueryResponse:
        asked = parse_chat_request(await self._documents.read_body(request), client_name(request))
        return self._prompt(asked.task, lambda prompt: {"prompt": prompt.text}, asked.model)

    async def count_tokens(self, request: Request) -> QueryResponse:
        body = await self._documents.read_body(request)
        task = parse_anthropic_prompt(body, client_name(request))
        return self._prompt(task, lambda prompt: {"input_tokens": prompt.n_tokens}, body.model)

    async def ollama_tags(self, _: Request) -> Response:
        return JSONResponse({"models": [self._tag(self._asking.pair)]})

    async def ollama_ps(self, _: Request) -> Response:
        pair = self._asking.pair
        if self._asking.is_asleep:
            return JSONResponse({"models": []})
        return JSONResponse({"models": [self.running(self._tag(pair), pair)]})

    def running(self, tag: dict[str, object], pair: PairInfo) -> dict[str, object]:
        """Its size is that in memory, which Ollama's command compares with the part on GPUs."""
        idle_s = _FOREVER_S if self._idle_unload_s is None else self._idle_unload_s
        used = self._asking.last_used.get(pair.target, self._started)
        return tag | {
            "size": pair.size,
            "expires_at": _moment(used + idle_s),
            "size_vram": pair.size_on_gpus,
            "context_length": pair.n_ctx,
        }

    def _tag(self, pair: PairInfo) -> dict[str, object]:
        return ollama_model(pair.target, self._started, pair.file_size)

    async def ollama_version(self, _: Request) -> Response:
        return JSONResponse({"version": _OLLAMA_VERSION})

    async def ollama_show(self, request: Request) -> Response | QueryResponse:
        name = (await read_body(request)).model
        return self._described(lambda about, pair: ollama_shown(about, pair.senses), name)

    def _prompt(
        self, task: CompletionTask, form: Callable[[WrittenPrompt], dict[str, object]], model: str
    ) -> QueryResponse:
        return QueryResponse(self._asking, PromptQuery(task), lambda prompt, _: form(prompt), model)

    def _about(self, pair: PairInfo) -> dict[str, object]:
        meta = {"draft": pair.draft, "n_ctx": pair.n_ctx, "drafting": pair.drafting, "exact": pair.exact}
        return {
            "id": pair.target,
            "object": "model",
            "created": self._started,
            "owned_by": "specchat",
            "architecture": modalities(pair.senses),
            "meta": meta,
        }


def _shown_piece(piece: bytes) -> str | list[int]:
    """As llama-server does: a part of a character is a list of bytes."""
    try:
        return piece.decode()
    except UnicodeDecodeError:
        return list(piece)


def ollama_model(
    name: str, started: int, size: int = 0, parameters: int = 0, quantization: str = ""
) -> dict[str, object]:
    """In a list. Ollama's command shows the first twelve characters of the digest, and crashes if there are fewer."""
    details = {"format": "gguf"}
    if parameters:
        details |= {"parameter_size": parameter_size(parameters), "quantization_level": quantization}
    digest = sha256(f"{name} {size} {quantization}".encode()).hexdigest()
    return {
        "name": name,
        "model": name,
        "modified_at": _moment(started),
        "size": size,
        "digest": digest,
        "details": details,
    }


def _moment(at: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))


def modalities(senses: Senses) -> dict[str, object]:
    """As llama-server tells them."""
    further = [name for name, is_read in (("image", senses.sees), ("audio", senses.hears)) if is_read]
    return {"input_modalities": ["text", *further], "output_modalities": ["text"]}


def ollama_shown(about: ModelDescription, senses: Senses = TEXT_ONLY) -> dict[str, object]:
    able = {
        "completion": about.purpose is Purpose.TEXT,
        "embedding": about.purpose is Purpose.EMBEDDINGS,
        "tools": about.calls_tools,
        "insert": about.fills_gaps,
        "vision": senses.sees,
        "audio": senses.hears,
    }
    quantization = about.kind.rpartition(" ")[2]
    return {
        "modelfile": "",
        "parameters": "",
        "template": about.template,
        "details": {
            "parent_model": "",
            "format": "gguf",
            "family": about.architecture,
            "families": [about.architecture],
            "parameter_size": parameter_size(about.n_parameters) if about.n_parameters else "",
            "quantization_level": quantization,
        },
        "model_info": {
            "general.architecture": about.architecture,
            "general.parameter_count": about.n_parameters,
            f"{about.architecture}.context_length": about.n_ctx_trained,
            f"{about.architecture}.embedding_length": about.n_embd,
        },
        "capabilities": [name for name, is_able in able.items() if is_able],
    }
