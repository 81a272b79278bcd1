"""Vectors and ranks as llama.cpp itself makes them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from support.choices import choice_of
from support.embedders import (
    N_CTX,
    RERANK_TEMPLATE,
    make_bert,
    make_embedding_decoder,
    make_ranking_decoder,
    plain_embedder,
)

from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import CompletionTask, TokenizeQuery
from specchat.domain.embeddings import NO_NORM, EmbeddingQuery, Embeddings, Pooling, Ranking, RankingQuery
from specchat.domain.errors import Cancelled, ContextFullError, IncapableError, ModelLoadError, SettingError
from specchat.domain.types import ModelSettings
from specchat.services.generation.embedder_loader import EmbedderLoader
from specchat.services.generation.loaded_embedder import LoadedEmbedder, normalize
from specchat.services.generation.pair_loader import PairLoader
from specchat.store.json_cache import JsonCache

TEXTS = ("hello world", "what is a token?", "the water of the people, " * 3, "unseen xylophone")
SETTINGS = ModelSettings(threads=1)
Make = Callable[[Path], Path]


@contextmanager
def embedder(path: Path, settings: ModelSettings = SETTINGS) -> Iterator[LoadedEmbedder]:
    loader = EmbedderLoader(JsonCache(path.with_suffix(".json")))
    choice = choice_of(path, None, settings)
    assert loader.is_for(choice)
    loaded = loader.load(choice, CancelToken())
    try:
        yield loaded
    finally:
        loaded.close()


@pytest.fixture(scope="module")
def bert(models_dir: Path) -> Iterator[LoadedEmbedder]:
    with embedder(make_bert(models_dir / "bert.gguf")) as loaded:
        yield loaded


def embed(loaded: LoadedEmbedder, query: EmbeddingQuery) -> list[NDArray[np.float32]]:
    found = loaded.answer(query, CancelToken())
    assert isinstance(found, Embeddings)
    return [np.frombuffer(vector, "<f4") for vector in found.vectors]


@pytest.mark.parametrize("pooling", [Pooling.MEAN, Pooling.CLS, None])
def test_an_encoder(pooling: Pooling | None, tmp_path: Path) -> None:
    path = make_bert(tmp_path / "bert.gguf", pooling)
    with embedder(path) as loaded, plain_embedder(path, 64, pooling or Pooling.MEAN) as plain:
        assert loaded.model.n_ctx == N_CTX
        raw = embed(loaded, EmbeddingQuery(TEXTS, norm=NO_NORM))
        for text, vector in zip(TEXTS, raw, strict=True):
            np.testing.assert_allclose(vector, plain.vector(plain.tokenize(text)), rtol=1e-4, atol=1e-5)
        unit = embed(loaded, EmbeddingQuery(TEXTS))
        assert [float(np.linalg.norm(vector)) for vector in unit] == pytest.approx([1.0] * len(TEXTS))


def test_a_decoder_and_what_is_longer_than_a_batch(tmp_path: Path) -> None:
    path = make_embedding_decoder(tmp_path / "decoder.gguf")
    texts = (*TEXTS, "hello world " * 400)
    with embedder(path) as loaded, plain_embedder(path, 128) as plain:
        found = embed(loaded, EmbeddingQuery(texts, norm=NO_NORM))
        tokens = [plain.tokenize(text) for text in texts]
        assert len(tokens[-1]) > 512
        for each, vector in zip(tokens, found, strict=True):
            np.testing.assert_allclose(vector, plain.vector(each), rtol=1e-2, atol=1e-2)
        assert len({each[-1] for each in tokens}) == 1, "the end token is added"
        facts = JsonCache(tmp_path / "facts.json")
        writing = PairLoader(facts, facts)
        with pytest.raises(ModelLoadError, match="can't chat: it is made for embeddings"):
            writing.load(choice_of(path, None, SETTINGS), CancelToken())


def test_long_runs_do_not_move_the_end_token(tmp_path: Path) -> None:
    with embedder(make_embedding_decoder(tmp_path / "decoder.gguf")) as loaded:
        vocabulary = loaded.model.vocabulary
        tokens = vocabulary.tokenize("x" * 5000, add_special=True, parse_special=True)
        ends = [at for at, token in enumerate(tokens) if vocabulary.is_end_token(token)]
        assert ends == [len(tokens) - 1]


@pytest.mark.parametrize(
    ("make", "width"), [(lambda path: make_bert(path, Pooling.RANK), 1), (make_ranking_decoder, 2)]
)
def test_ranks(make: Make, width: int, tmp_path: Path) -> None:
    path = make(tmp_path / "ranker.gguf")
    query, documents = "what is a token?", TEXTS
    with embedder(path) as loaded, plain_embedder(path, width) as plain:
        found = loaded.answer(RankingQuery(query, documents), CancelToken())
        assert isinstance(found, Ranking)
        assert len(set(found.scores)) == len(documents)
        for document, beside_others in zip(documents, found.scores, strict=True):
            if width == 2:
                pair = plain.tokenize(RERANK_TEMPLATE.format(query=query, document=document))
            else:
                pair = [*plain.tokenize(query), *plain.tokenize(document)[1:-1]]
            by_itself = loaded.answer(RankingQuery(query, (document,)), CancelToken())
            assert isinstance(by_itself, Ranking)
            assert by_itself.scores == pytest.approx([float(plain.vector(pair)[0])], rel=1e-4)
            assert beside_others == pytest.approx(by_itself.scores[0], abs=0.05), "another batch rounds otherwise"
        with pytest.raises(IncapableError, match="is a reranking model"):
            loaded.answer(EmbeddingQuery(("x",)), CancelToken())


def test_tokens_dimensions_and_norms(bert: LoadedEmbedder) -> None:
    whole, ids = embed(bert, EmbeddingQuery(("hello world",), norm=NO_NORM))[0], bert.model.vocabulary
    tokens = tuple(ids.tokenize("hello world", add_special=True, parse_special=True))
    assert np.array_equal(embed(bert, EmbeddingQuery((tokens,), norm=NO_NORM))[0], whole)
    (short,) = embed(bert, EmbeddingQuery(("hello world",), dimensions=8))
    np.testing.assert_allclose(short, whole[:8] / np.linalg.norm(whole[:8]), rtol=1e-5)
    assert np.abs(normalize(whole, 0)).max() == pytest.approx(32760.0)
    assert np.abs(normalize(whole, 1)).sum() == pytest.approx(1.0, rel=1e-5)
    for query, said in (
        (EmbeddingQuery(("x",), dimensions=65), "only 64 dimensions"),
        (EmbeddingQuery(((1 << 20,),)), "not in the model's vocabulary"),
    ):
        with pytest.raises(SettingError, match=said):
            bert.answer(query, CancelToken())


def test_what_is_too_long(bert: LoadedEmbedder) -> None:
    long = "hello " * (N_CTX - 1)
    with pytest.raises(ContextFullError, match=r"Input 2 has 65 tokens, but the context holds only 64\.") as refused:
        bert.answer(EmbeddingQuery(("x", long)), CancelToken())
    assert refused.value.hint == "Split it into several inputs."
    with pytest.raises(ContextFullError, match="far longer"):
        bert.answer(EmbeddingQuery((long * 1000,)), CancelToken())
    (cut,) = embed(bert, EmbeddingQuery((long,), cuts=True))
    assert np.array_equal(cut, embed(bert, EmbeddingQuery(("hello " * (N_CTX - 2),)))[0])


def test_what_it_is_not_made_for(bert: LoadedEmbedder) -> None:
    for task, said in (
        (CompletionTask("hello"), "is an embedding model and can't chat"),
        (RankingQuery("x", ("y",)), "can't rank documents"),
    ):
        with pytest.raises(IncapableError, match=said):
            bert.answer(task, CancelToken())
    assert bert.answer(TokenizeQuery("hello"), CancelToken())


def test_it_can_be_cancelled(bert: LoadedEmbedder) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        bert.answer(EmbeddingQuery(TEXTS), cancel)
