import numpy as np
import pytest

from specchat.engine.logprobs import token_logprobs


def piece(token: int) -> bytes:
    return bytes((token,))


def test_the_chances_of_all_tokens_add_up() -> None:
    logits = np.random.default_rng(0).standard_normal(200).astype(np.float32) * 5 + 300
    found = token_logprobs(logits, 7, 200, piece)
    assert sum(np.exp(chance.logprob) for chance in found.best) == pytest.approx(1)
    assert [chance.logprob for chance in found.best] == sorted((c.logprob for c in found.best), reverse=True)
    assert {chance.token: chance.logprob for chance in found.best}[7] == found.chosen.logprob
    assert [chance.piece for chance in found.best] == [piece(chance.token) for chance in found.best]


def test_as_many_as_wanted() -> None:
    logits = np.array([1, 3, 3, 3, 0, -np.inf], dtype=np.float32)
    assert [chance.token for chance in token_logprobs(logits, 4, 2, piece).best] == [1, 2]
    assert token_logprobs(logits, 4, 0, piece).best == ()
    assert token_logprobs(logits, 5, 1, piece).chosen.logprob == -np.inf
