"""Embeddings and rankings, as OpenAI's client, Ollama's, llama-server's and Jina's users ask for them."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from ollama import Client
from openai import OpenAI
from support.api_servers import ANSWER_S, Api, serving
from support.embedders import make_bert

from specchat.domain.embeddings import Pooling

TEXTS = ["hello world", "what is a token?", "water"]
MODEL = "any"


@pytest.fixture(scope="module")
def embedder(home: Path, models_dir: Path) -> Iterator[Api]:
    with serving(home, "-m", make_bert(models_dir / "embedder.gguf")) as api:
        yield api


@pytest.fixture(scope="module")
def ranker(home: Path, models_dir: Path) -> Iterator[Api]:
    with serving(home, "-m", make_bert(models_dir / "ranker.gguf", Pooling.RANK)) as api:
        yield api


@pytest.fixture
def client(embedder: Api) -> Iterator[OpenAI]:
    with embedder.client() as client:
        yield client


def test_openais_client(client: OpenAI, embedder: Api) -> None:
    """It asks for base64 unless it is told otherwise."""
    found = client.embeddings.create(model=MODEL, input=TEXTS)
    assert [each.index for each in found.data] == [0, 1, 2]
    assert found.usage.prompt_tokens == found.usage.total_tokens
    assert found.usage.prompt_tokens == sum(
        len(embedder.post("/tokenize", {"content": text, "add_special": True}).json["tokens"]) for text in TEXTS
    )
    plain = client.embeddings.create(model=MODEL, input=TEXTS, encoding_format="float")
    vectors = np.array([each.embedding for each in plain.data])
    np.testing.assert_allclose([each.embedding for each in found.data], vectors, rtol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, rtol=1e-5)
    short = client.embeddings.create(model=MODEL, input=TEXTS[0], dimensions=8)
    np.testing.assert_allclose(short.data[0].embedding, vectors[0][:8] / np.linalg.norm(vectors[0][:8]), rtol=1e-4)
    tokens = embedder.post("/tokenize", {"content": TEXTS[0], "add_special": True}).json["tokens"]
    by_ids = client.embeddings.create(model=MODEL, input=[tokens, tokens])
    np.testing.assert_allclose([each.embedding for each in by_ids.data], [vectors[0]] * 2, rtol=1e-4, atol=1e-6)


def test_llama_servers_form(embedder: Api) -> None:
    asked = {"content": TEXTS, "embd_normalize": -1}
    replies = [embedder.post(path, asked).body for path in ("/embedding", "/embeddings", "/v1/embeddings")]
    assert replies[0] == replies[1] == replies[2]
    raw = json.loads(replies[0])
    assert [each["index"] for each in raw] == [0, 1, 2]
    unit = embedder.post("/v1/embeddings", {"input": TEXTS}).json["data"]
    for each, normed in zip(raw, unit, strict=True):
        (vector,) = each["embedding"]
        np.testing.assert_allclose(np.array(vector) / np.linalg.norm(vector), normed["embedding"], rtol=1e-4)


def test_ollamas_client(embedder: Api) -> None:
    with Client(host=embedder.url.removesuffix("/v1"), timeout=ANSWER_S) as client:
        found = client.embed(MODEL, TEXTS)
        expected = [each["embedding"] for each in embedder.post("/v1/embeddings", {"input": TEXTS}).json["data"]]
        np.testing.assert_allclose(np.array(found.embeddings), expected, rtol=1e-6)
        assert found.prompt_eval_count
        assert len(client.embed(MODEL, "water " * 1000).embeddings) == 1
        assert client.embed(MODEL, []).embeddings == []
        single = client.embeddings(MODEL, TEXTS[0]).embedding
        np.testing.assert_allclose(np.array(single) / np.linalg.norm(single), expected[0], rtol=1e-4)
        assert client.show(MODEL).capabilities == ["embedding"]


def test_a_ranking(ranker: Api) -> None:
    asked = {"query": "what is water?", "documents": TEXTS}
    replies = [ranker.post(path, asked) for path in ("/v1/rerank", "/rerank", "/v1/reranking", "/reranking")]
    assert {reply.status for reply in replies} == {200}
    reply = replies[0].json
    scores = [each["relevance_score"] for each in reply["results"]]
    assert scores == sorted(scores, reverse=True)
    assert {each["index"] for each in reply["results"]} == {0, 1, 2}
    assert reply["usage"]["total_tokens"] > 9
    best = ranker.post("/rerank", {**asked, "documents": [{"text": text} for text in TEXTS], "top_n": 1})
    assert best.json["results"] == reply["results"][:1]
    with_texts = ranker.post("/rerank", {**asked, "return_documents": True}).json["results"]
    assert [each["document"]["text"] for each in with_texts] == [TEXTS[each["index"]] for each in reply["results"]]
    tei = json.loads(ranker.post("/rerank", {"query": "what is water?", "texts": TEXTS, "return_text": True}).body)
    assert [(each["score"], each["text"]) for each in tei] == [
        (each["relevance_score"], each["document"]["text"]) for each in with_texts
    ]


@pytest.mark.parametrize(
    ("path", "fields", "said"),
    [
        ("/v1/embeddings", {}, "input is missing"),
        ("/v1/embeddings", {"input": []}, "input is empty"),
        ("/v1/embeddings", {"input": [[]]}, "input has an empty entry"),
        ("/v1/embeddings", {"input": ["x", 1]}, "input must be a list of tokens"),
        ("/v1/embeddings", {"input": "x", "encoding_format": "hex"}, "encoding_format must be float or base64"),
        ("/v1/embeddings", {"input": "x", "dimensions": 65}, "have only 64 dimensions"),
        ("/v1/embeddings", {"input": ["x", "water " * 100]}, "Input 2 has 102 tokens, but the context holds only 64."),
        ("/v1/embeddings", {"input": ["x"] * 2049}, "at most 2048 entries"),
        ("/rerank", {"documents": ["x"]}, "query is missing"),
        ("/rerank", {"query": "x", "documents": []}, "documents is empty"),
        ("/rerank", {"query": "x", "documents": [1]}, "documents must be a list of strings"),
    ],
)
def test_what_is_wrong_is_named(embedder: Api, path: str, fields: dict[str, object], said: str) -> None:
    refused = embedder.post(path, fields)
    assert refused.status == 400
    assert said in refused.error["message"]


def test_each_model_does_what_it_is_made_for(embedder: Api, ranker: Api, api: Api) -> None:
    inputs, documents = {"input": "x"}, {"query": "x", "documents": ["y"]}
    for asked, path, fields, said in (
        (api, "/v1/embeddings", inputs, "target.gguf generates text. It can't make embeddings"),
        (api, "/v1/rerank", documents, "target.gguf generates text"),
        (embedder, "/v1/rerank", documents, "embedder.gguf is an embedding model and can't rank documents"),
        (embedder, "/v1/chat/completions", {"messages": [{"role": "user", "content": "x"}]}, "can't chat"),
        (ranker, "/v1/embeddings", inputs, "ranker.gguf is a reranking model. It can't make embeddings"),
        (ranker, "/completion", {"prompt": "x"}, "or chat"),
    ):
        refused = asked.post(path, fields)
        assert (refused.status, refused.error["code"]) == (501, "not_supported")
        assert said in refused.error["message"]
    assert "can't chat" in embedder.post("/api/chat", {"messages": [{"role": "user", "content": "x"}]}).json["error"]
    assert api.post("/api/embed", {"input": "x"}).status == 501
