"""The routes of the server."""

from collections.abc import Mapping

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Route
from starlette.types import ASGIApp, ExceptionHandler

from specchat.domain.completions import ServerSettings
from specchat.domain.errors import UserError
from specchat.server.answer_endpoints import AnswerEndpoints
from specchat.server.catalog_endpoints import CatalogEndpoints
from specchat.server.dispatcher import RequestDispatcher
from specchat.server.embedding_endpoints import EmbeddingEndpoints
from specchat.server.errors import ApiError, on_api_error, on_http_error, on_internal_error, on_user_error
from specchat.server.guard_middleware import GuardMiddleware
from specchat.server.model_endpoints import ModelEndpoints
from specchat.server.request_documents import RequestDocuments
from specchat.services.generation.server_stats import ServerStats


def make_app(settings: ServerSettings, asking: RequestDispatcher, served: ServerStats) -> ASGIApp:
    documents = RequestDocuments()
    answers = AnswerEndpoints(asking, documents)
    models = ModelEndpoints(asking, served, documents, settings.idle_unload_s)
    embedder = EmbeddingEndpoints(asking)
    asked = {
        **dict.fromkeys(("/v1/chat/completions", "/chat/completions"), answers.chat_completions),
        "/v1/completions": answers.completions,
        "/v1/responses": answers.responses,
        "/v1/messages": answers.messages,
        "/v1/messages/count_tokens": models.count_tokens,
        **dict.fromkeys(("/completion", "/completions"), answers.llama_completion),
        "/infill": answers.infill,
        "/tokenize": models.tokenize,
        "/detokenize": models.detokenize,
        "/apply-template": models.apply_template,
        "/v1/embeddings": embedder.embeddings,
        "/embeddings": embedder.llama_embeddings,
        "/embedding": embedder.llama_embeddings,
        **dict.fromkeys(("/v1/rerank", "/rerank", "/v1/reranking", "/reranking"), embedder.rerank),
        "/api/chat": answers.ollama_chat,
        "/api/generate": answers.ollama_prompt,
        "/api/embed": embedder.ollama_embed,
        "/api/embeddings": embedder.ollama_prompt_embedding,
        "/api/show": models.ollama_show,
    }
    looked_at = {
        "/": models.root,
        **dict.fromkeys(("/health", "/v1/health"), models.health),
        "/metrics": models.metrics,
        "/props": models.props,
        "/slots": models.slots,
        "/models": models.models,
        "/v1/models": models.models,
        "/v1/models/{name:path}": models.model,
        "/api/tags": models.ollama_tags,
        "/api/ps": models.ollama_ps,
        "/api/version": models.ollama_version,
    }
    if asking.catalog is not None:
        by_name = CatalogEndpoints(asking, asking.catalog, models)
        asked |= by_name.asked
        looked_at |= by_name.looked_at
    routes = [
        *(Route(path, endpoint) for path, endpoint in looked_at.items()),
        *(Route(path, endpoint, methods=["POST"]) for path, endpoint in asked.items()),
    ]
    handlers: Mapping[object, ExceptionHandler] = {
        ApiError: on_api_error,
        UserError: on_user_error,
        HTTPException: on_http_error,
        Exception: on_internal_error,
    }
    app = Starlette(routes=routes, exception_handlers=handlers)
    paths = frozenset(route.path for route in routes)
    return GuardMiddleware(app, settings, served, paths, lambda: asking.reads_media)
