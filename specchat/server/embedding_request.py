"""Parses requests for embeddings and rankings: OpenAI's, llama-server's, Ollama's, Jina's and TEI's."""

from dataclasses import dataclass

from specchat.domain.embeddings import NO_NORM, EmbeddingQuery, RankingQuery
from specchat.server.completion_request import parse_token_list
from specchat.server.request_fields import RequestFields, raise_invalid_value, require_list

_MOST_INPUTS = 2048
_MOST_DIMENSIONS = 1 << 16
_HIGHEST_NORM = 100


@dataclass(frozen=True, slots=True)
class RankingRequest:
    query: RankingQuery
    top_n: int
    with_documents: bool
    is_tei: bool
    """In the form of text-embeddings-inference."""


def parse_embedding_request(body: RequestFields) -> EmbeddingQuery:
    """OpenAI's, or llama-server's, which calls it content."""
    name = "input" if "input" in body or "content" not in body else "content"
    norm = body.get_integer("embd_normalize", NO_NORM, _HIGHEST_NORM)
    query = EmbeddingQuery(_inputs(body, name), body.get_integer("dimensions", 1, _MOST_DIMENSIONS))
    return query if norm is None else EmbeddingQuery(query.inputs, query.dimensions, norm)


def is_base64(body: RequestFields) -> bool:
    match body.get_text("encoding_format"):
        case None | "float":
            return False
        case "base64":
            return True
    return raise_invalid_value("encoding_format", "must be float or base64")


def parse_ollama_embed(body: RequestFields) -> EmbeddingQuery:
    inputs = () if body.get("input") in (None, "", []) else _inputs(body, "input")
    dimensions = body.get_integer("dimensions", 0, _MOST_DIMENSIONS) or None
    return EmbeddingQuery(inputs, dimensions, cuts=body.get_flag("truncate", default=True))


def parse_ollama_prompt_embedding(body: RequestFields) -> EmbeddingQuery:
    """Of the older endpoint, which takes one text and leaves the numbers as they are."""
    prompt = body.get_text("prompt")
    return EmbeddingQuery((prompt,) if prompt else (), norm=NO_NORM, cuts=True)


def parse_ranking_request(body: RequestFields) -> RankingRequest:
    is_tei = "documents" not in body and "texts" in body
    name = "texts" if is_tei else "documents"
    documents = tuple(_document(body, name, each) for each in _list(body, name))
    query = RankingQuery(body.required_text("query"), documents)
    top_n = body.get_integer("top_n", 1, 1 << 31) or len(documents)
    with_documents = body.get_flag("return_text" if is_tei else "return_documents")
    return RankingRequest(query, top_n, with_documents, is_tei)


def _document(body: RequestFields, name: str, given: object) -> str:
    """A text, or an object that has one."""
    text = given.get("text") if isinstance(given, dict) else given
    return text if isinstance(text, str) else raise_invalid_value(body.param(name), "must be a list of strings")


def _list(body: RequestFields, name: str) -> list[object]:
    given = require_list(body.required(name), body.param(name), _MOST_INPUTS)
    return given or raise_invalid_value(body.param(name), "is empty")


def _inputs(body: RequestFields, name: str) -> tuple[str | tuple[int, ...], ...]:
    """A text, the tokens of one, or a list of these."""
    given = body.required(name)
    if isinstance(given, str):
        return (given,)
    if isinstance(given, list) and given and type(given[0]) is int:
        return (parse_token_list(given, name),)
    return tuple(_input(each, name) for each in _list(body, name))


def _input(given: object, name: str) -> str | tuple[int, ...]:
    if isinstance(given, str):
        return given
    tokens = parse_token_list(given, name)
    return tokens or raise_invalid_value(name, "has an empty entry")
