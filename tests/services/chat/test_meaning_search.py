"""Passages ranked by meaning, with a real embedding model in its child process."""

import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from support.embedders import make_bert

from specchat.backends import passage_embedder
from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import Attachment, ConversationSettings, StoredMessage
from specchat.domain.documents import mark
from specchat.domain.errors import Cancelled
from specchat.domain.types import Role
from specchat.services.chat.document_prompt import PathDocuments
from specchat.services.chat.meaning_search import MeaningSearch
from specchat.store.passage_vectors import PassageVectors

PASSAGES = [f"a passage about the number {n}, which no other has: {n * n}" for n in range(20)]


@pytest.fixture(scope="module")
def model(models_dir: Path) -> Path:
    return make_bert(models_dir / "searching-bert.gguf")


def test_the_passage_itself_is_nearest_and_is_computed_once(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = MeaningSearch(model, tmp_path / "vectors.db")
    assert list(search.rank(PASSAGES, [PASSAGES[7], PASSAGES[19]], 5, CancelToken())) == [(16, 20), (20, 20)]
    assert [len(ranking) for ranking in search.rankings] == [5, 5]
    assert [ranking[0] for ranking in search.rankings] == [7, 19]
    asked = list[int]()

    def embed(_: object, texts: list[str], cancel: CancelToken) -> passage_embedder.Vectors:
        asked.append(len(texts))
        return np.ones((len(texts), 64), np.float16)

    monkeypatch.setattr(passage_embedder.PassageEmbedder, "embed", embed)
    again = MeaningSearch(model, tmp_path / "vectors.db")
    list(again.rank(PASSAGES, ["a question"], 5, CancelToken()))
    assert asked == [1]


def test_without_an_embedding_model_words_are_searched(tmp_path: Path) -> None:
    (tmp_path / "damaged.gguf").write_bytes(b"GGUF")
    for name in ("gone.gguf", "damaged.gguf"):
        search = MeaningSearch(tmp_path / name, tmp_path / "vectors.db")
        assert list(search.rank(PASSAGES, ["a question"], 5, CancelToken())) == []
        assert search.rankings == ()
        assert search.problem is not None
        assert search.problem.message == f"{name} is not an embedding model, or is not there any more."


def test_after_a_crash_words_are_searched(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passage_embedder, "child_command", lambda _: [sys.executable, "-c", "raise SystemExit(3)"])
    search = MeaningSearch(model, tmp_path / "vectors.db")
    assert list(search.rank(PASSAGES, ["a question"], 5, CancelToken())) == []
    assert search.rankings == ()


def test_cancelled_before_it_begins(model: Path, tmp_path: Path) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        list(MeaningSearch(model, tmp_path / "vectors.db").rank(PASSAGES, ["a question"], 5, cancel))


def test_a_cancelled_search_keeps_its_vectors(model: Path, tmp_path: Path) -> None:
    cancel, search = CancelToken(), MeaningSearch(model, tmp_path / "vectors.db")
    ranking = search.rank(PASSAGES, ["a question"], 5, cancel)
    assert next(ranking) == (16, 20)
    cancel.cancel()
    with pytest.raises(Cancelled):
        next(ranking)
    assert search.rankings == ()
    vectors = PassageVectors(tmp_path / "vectors.db")
    assert vectors.find(search._key(PASSAGES[:16])) is not None
    vectors.close()


def test_the_least_recently_used_vectors_are_removed(tmp_path: Path) -> None:
    vectors = PassageVectors(tmp_path / "vectors.db", most=25)
    for key in ("a", "b", "c"):
        vectors.add(key, bytes(10))
    assert vectors.find("a") == bytes(10)
    vectors.close()
    vectors = PassageVectors(tmp_path / "vectors.db")
    assert [vectors.find(key) is not None for key in ("a", "b", "c")] == [True, False, True]
    vectors.close()


@pytest.mark.parametrize("content", [b"no database at all" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_cache_is_replaced(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "vectors.db").write_bytes(content)
    with closing(PassageVectors(tmp_path / "vectors.db")) as vectors:
        vectors.add("a", bytes(10))
        assert vectors.find("a") == bytes(10)


def test_a_cache_that_cannot_be_written_is_read(tmp_path: Path) -> None:
    with closing(PassageVectors(tmp_path / "vectors.db")) as vectors:
        vectors.add("a", bytes(10))
        vectors._database.execute("PRAGMA query_only = 1")
        vectors.add("b", bytes(10))
        assert (vectors.find("a"), vectors.find("b")) == (bytes(10), None)


class _Ranked(MeaningSearch):
    """Finds what has no word in common with the question."""

    asked: list[list[str]]

    def rank(self, passages, queries, most, cancel):  # type: ignore[no-untyped-def]
        self.asked = [list(queries)]
        self.rankings = [[next(n for n, text in enumerate(passages) if "feline" in text)]]
        yield len(passages), len(passages)


def test_passages_with_the_same_meaning_are_found(tmp_path: Path) -> None:
    pages = "".join(
        f"{mark(f'p. {n}')}{'A feline rested there.' if n == 60 else 'Rain fell on the quiet town.'} {'word ' * 200}\n"
        for n in range(1, 100)
    )
    question = StoredMessage(
        1, 1, None, Role.USER, "Where did that cat sleep?", 1.0, attachments=(Attachment("a.txt", pages),)
    )
    search = _Ranked(tmp_path / "model.gguf", tmp_path / "vectors.db")
    for by_meaning, is_found in ((search, True), (None, False)):
        documents = PathDocuments((question,), ConversationSettings(), by_meaning=by_meaning)
        list(documents.prepare(2048, CancelToken()))
        condensed = documents.condense(2048)
        assert condensed is not None
        assert ("feline" in condensed.messages[0].content) == is_found
    assert search.asked == [["Where did that cat sleep?"]]
    small = PathDocuments((question,), ConversationSettings(), by_meaning=search)
    assert list(small.prepare(1 << 20, CancelToken())) == []
