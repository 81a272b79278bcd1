"""A loaded embedding model or reranker."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from specchat.backends.embedding_model import EmbeddingModel, Floats
from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import AboutQuery, DetokenizeQuery, ModelDescription, TokenizeQuery
from specchat.domain.embeddings import (
    EUCLIDEAN,
    NO_NORM,
    EmbeddingQuery,
    Embeddings,
    Pooling,
    Purpose,
    Ranking,
    RankingQuery,
)
from specchat.domain.engine import EngineTask
from specchat.domain.errors import ContextFullError, IncapableError, SettingError
from specchat.domain.translatable_text import group_digits
from specchat.domain.types import PairChoice
from specchat.engine.slot_scheduler import SlotScheduler
from specchat.services.generation.model_queries import describe_model, detokenize, tokenize

_MOST_PER_TOKEN = 128
"""Characters per token of the context. A longer input is certainly too long and is not processed."""
_PART_OF_PAIR = re.compile(r"\{(query|document)\}")
_INT16 = 32760.0


class LoadedEmbedder:
    def __init__(self, choice: PairChoice, model: EmbeddingModel, pooling: Pooling) -> None:
        self.choice = choice
        self.model = model
        self.purpose = pooling.purpose
        self.scheduler = SlotScheduler()
        """Unused, because there are no answers to schedule."""
        self._pair_template = model.weights.metadata("tokenizer.chat_template.rerank")

    def answer(self, task: EngineTask, cancel: CancelToken) -> object:
        match task:
            case EmbeddingQuery() if self.purpose is Purpose.EMBEDDINGS:
                return self._embed(task, cancel)
            case RankingQuery() if self.purpose is Purpose.RANKING:
                return self._rank(task, cancel)
            case TokenizeQuery():
                return tokenize(self.model.vocabulary, task)
            case DetokenizeQuery(tokens):
                return detokenize(self.model.vocabulary, tokens)
            case AboutQuery():
                return self._description()
        raise self._incapable(task)

    def close(self) -> None:
        self.model.close()

    def _incapable(self, task: EngineTask) -> IncapableError:
        name = self.choice.target.name
        if self.purpose is Purpose.RANKING:
            return IncapableError(
                "{name} is a reranking model. It can't make embeddings or chat.",
                "Use /v1/rerank, or load another model.",
                name=name,
            )
        if isinstance(task, RankingQuery):
            return IncapableError(
                "{name} is an embedding model and can't rank documents.",
                "Load a reranking model, such as bge-reranker-v2-m3.",
                name=name,
            )
        return IncapableError(
            "{name} is an embedding model and can't chat.", "Use /v1/embeddings, or load another model.", name=name
        )

    def _embed(self, query: EmbeddingQuery, cancel: CancelToken) -> Embeddings:
        width = self.model.width
        if query.dimensions is not None and query.dimensions > width:
            raise SettingError(
                "The embeddings of {name} have only {n} dimensions.",
                "Ask for fewer dimensions, or omit the field.",
                name=self.choice.target.name,
                n=group_digits(width),
            )
        texts = [self._tokens(text, number, cuts=query.cuts) for number, text in enumerate(query.inputs)]
        vectors = self.model.pool([np.array(text, dtype=np.int32) for text in texts], cancel)
        shown = (normalize(vector[: query.dimensions], query.norm) for vector in vectors)
        return Embeddings(tuple(vector.astype("<f4").tobytes() for vector in shown), sum(map(len, texts)))

    def _tokens(self, text: str | tuple[int, ...], number: int, *, cuts: bool) -> Sequence[int]:
        """Tokenizes an input. Control tokens in its text are recognized, as in llama-server."""
        if isinstance(text, str):
            longest = _MOST_PER_TOKEN * self.model.n_ctx
            if len(text) > longest and not cuts:
                raise self._too_long(number, None)
            tokens = self.model.vocabulary.tokenize(text[:longest], add_special=True, parse_special=True)
        else:
            self._require_known(text)
            tokens = list(text)
        if not tokens:
            raise SettingError("Input {n} is empty.", "Omit it, or pass some text.", n=number + 1)
        if len(tokens) <= self.model.n_ctx:
            return tokens
        if not cuts:
            raise self._too_long(number, len(tokens))
        end = tokens[-1:] if tokens[-1] in self.model.vocabulary.markers else []
        return tokens[: self.model.n_ctx - len(end)] + end

    def _rank(self, query: RankingQuery, cancel: CancelToken) -> Ranking:
        longest = _MOST_PER_TOKEN * self.model.n_ctx
        pairs = list[list[int]]()
        for number, document in enumerate(query.documents):
            if len(query.query) + len(document) > longest:
                raise self._too_long(number, None)
            pairs.append(self._pair(query.query, document))
            if len(pairs[-1]) > self.model.n_ctx:
                raise self._too_long(number, len(pairs[-1]))
            if not pairs[-1]:
                raise SettingError("Input {n} is empty.", "Omit it, or pass some text.", n=number + 1)
        vectors = self.model.pool([np.array(pair, dtype=np.int32) for pair in pairs], cancel)
        return Ranking(tuple(float(vector[0]) for vector in vectors), sum(map(len, pairs)))

    def _pair(self, query: str, document: str) -> list[int]:
        """Builds the tokens of query and document like llama-server, with the model's template if it has one."""
        vocabulary = self.model.vocabulary
        if self._pair_template is not None:
            parts = {"query": query, "document": document}
            written = _PART_OF_PAIR.sub(lambda part: parts[part[1]], self._pair_template)
            return vocabulary.tokenize(written, add_special=False, parse_special=True)
        between, after = vocabulary.added_in_pair()
        first, second = (
            vocabulary.tokenize(text, add_special=False, parse_special=False) for text in (query, document)
        )
        return [*vocabulary.added_before(), *first, *between, *second, *after]

    def _require_known(self, tokens: Sequence[int]) -> None:
        if any(not 0 <= token < self.model.vocabulary.size for token in tokens):
            raise SettingError(
                "The input contains a token that is not in the model's vocabulary.",
                "The vocabulary has {n} tokens, numbered from 0.",
                n=group_digits(self.model.vocabulary.size),
            )

    def _too_long(self, number: int, n_tokens: int | None) -> ContextFullError:
        """`n_tokens`: None if there are too many to count."""
        is_all = self.model.n_ctx >= self.model.weights.n_ctx_train
        return ContextFullError(
            "Input {number} is far longer than the context, which holds {all} tokens."
            if n_tokens is None
            else "Input {number} has {n} tokens, but the context holds only {all}.",
            "Split it into several inputs."
            if is_all
            else "Split it into several inputs, or use a larger context (-c).",
            number=number + 1,
            n=group_digits(n_tokens or 0),
            all=group_digits(self.model.n_ctx),
        )

    def _description(self) -> ModelDescription:
        model = self.model
        return describe_model(model.weights, n_ctx=model.n_ctx, purpose=self.purpose)


def normalize(vector: Floats, norm: int) -> NDArray[np.float32]:
    """Scales the vector so that this norm becomes 1, like llama.cpp."""
    if norm == NO_NORM:
        return vector
    if norm == EUCLIDEAN:
        total = float(np.sqrt(np.square(vector).sum(dtype=np.float64)))
    elif norm == 0:
        total = float(np.abs(vector).max()) / _INT16
    else:
        total = float(np.power(np.abs(vector).astype(np.float64), norm).sum() ** (1.0 / norm))
    return vector * np.float32(1.0 / total if total > 0 else 0.0)
