"""The endpoints of models that make vectors of texts, or rank documents."""

import base64
import struct
import time
from collections.abc import Sequence

from starlette.requests import Request

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.embeddings import Embeddings, Ranking
from specchat.server.client_request import read_body
from specchat.server.dispatcher import RequestDispatcher
from specchat.server.embedding_request import (
    RankingRequest,
    is_base64,
    parse_embedding_request,
    parse_ollama_embed,
    parse_ollama_prompt_embedding,
    parse_ranking_request,
)
from specchat.server.query_response import QueryResponse, load_only
from specchat.server.request_fields import RequestFields

_NS = 1_000_000_000
_NUMBER = struct.Struct("<f")


class EmbeddingEndpoints:
    def __init__(self, asking: RequestDispatcher) -> None:
        self._asking = asking

    async def embeddings(self, request: Request) -> QueryResponse:
        body = await read_body(request)
        return self._as_llama(body) if "input" not in body and "content" in body else self._as_openai(body)

    async def llama_embeddings(self, request: Request) -> QueryResponse:
        """llama-server's own, before it had OpenAI's."""
        return self._as_llama(await read_body(request))

    async def ollama_embed(self, request: Request) -> QueryResponse:
        body = await read_body(request)
        query, began = parse_ollama_embed(body), time.monotonic()
        if not query.inputs:
            return load_only(
                self._asking, lambda pair: {"model": body.model or pair.target, "embeddings": []}, body.model
            )

        def form(found: Embeddings, pair: PairInfo) -> dict[str, object]:
            return {
                "model": body.model or pair.target,
                "embeddings": list(map(_numbers, found.vectors)),
                "total_duration": round((time.monotonic() - began) * _NS),
                "load_duration": round(response.load_s * _NS),
                "prompt_eval_count": found.n_tokens,
            }

        response = QueryResponse(self._asking, query, form, body.model)  # which `form` reads
        return response

    async def ollama_prompt_embedding(self, request: Request) -> QueryResponse:
        body = await read_body(request)
        query = parse_ollama_prompt_embedding(body)
        if not query.inputs:
            return load_only(self._asking, lambda _: {"embedding": []}, body.model)

        def form(found: Embeddings, _: PairInfo) -> dict[str, object]:
            return {"embedding": _numbers(found.vectors[0])}

        return QueryResponse(self._asking, query, form, body.model)

    async def rerank(self, request: Request) -> QueryResponse:
        body = await read_body(request)
        asked = parse_ranking_request(body)

        def form(found: Ranking, pair: PairInfo) -> object:
            results = _results(asked, found.scores)
            if asked.is_tei:
                return results
            return {"model": pair.target, "object": "list", "usage": _usage(found.n_tokens), "results": results}

        return QueryResponse(self._asking, asked.query, form, body.model)

    def _as_openai(self, body: RequestFields) -> QueryResponse:
        query, encoded = parse_embedding_request(body), is_base64(body)

        def form(found: Embeddings, pair: PairInfo) -> dict[str, object]:
            data = [
                {"object": "embedding", "index": index, "embedding": _base64(vector) if encoded else _numbers(vector)}
                for index, vector in enumerate(found.vectors)
            ]
            return {"object": "list", "data": data, "model": pair.target, "usage": _usage(found.n_tokens)}

        return QueryResponse(self._asking, query, form, body.model)

    def _as_llama(self, body: RequestFields) -> QueryResponse:
        query = parse_embedding_request(body)

        def form(found: Embeddings, _: PairInfo) -> object:
            return [{"index": n, "embedding": [_numbers(vector)]} for n, vector in enumerate(found.vectors)]

        return QueryResponse(self._asking, query, form, body.model)


def _results(asked: RankingRequest, scores: Sequence[float]) -> list[dict[str, object]]:
    """The best first."""
    score = "score" if asked.is_tei else "relevance_score"
    best = sorted(range(len(scores)), key=lambda index: -scores[index])[: asked.top_n]
    results: list[dict[str, object]] = [{"index": index, score: scores[index]} for index in best]
    if asked.with_documents:
        for result, index in zip(results, best, strict=True):
            text = asked.query.documents[index]
            result |= {"text": text} if asked.is_tei else {"document": {"text": text}}
    return results


def _usage(n_tokens: int) -> dict[str, int]:
    return {"prompt_tokens": n_tokens, "total_tokens": n_tokens}


def _numbers(vector: bytes) -> list[float]:
    return [number for (number,) in _NUMBER.iter_unpack(vector)]


def _base64(vector: bytes) -> str:
    return base64.b64encode(vector).decode()
