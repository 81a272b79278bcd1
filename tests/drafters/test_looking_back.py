"""A draft that looks only at the last tokens guesses what it would in a text that begins there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest
from support.ggufs import ModelRecipe, make_model
from support.pairs import DRAFT, GREEDY, loaded

from specchat.backends.llama_model import LlamaModel
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import ComputeError, DrafterError
from specchat.domain.ports import Constraint
from specchat.domain.types import SampledToken
from specchat.drafters.model_drafter import ModelDrafter
from specchat.engine.sampling import Logits, Sampler
from specchat.engine.tokens import Tokens

TEXT = np.random.default_rng(3).integers(5, 200, 120).astype(np.int32)


@dataclass
class Text:
    tokens: Tokens
    target: LlamaModel
    cancel: CancelToken
    constraint: Constraint | None = None

    @property
    def draft_tokens(self) -> Tokens:
        return self.tokens

    @property
    def text_tokens(self) -> Tokens:
        return self.tokens

    def guess(self, logits: Logits, drafted: Sequence[int]) -> SampledToken:
        return Sampler(GREEDY).guess(logits.copy(), self.tokens, drafted)

    def guess_earlier(self, logits: Logits, length: int) -> SampledToken:
        return Sampler(GREEDY).guess(logits.copy(), self.tokens[:length], ())

    def worth_another(self, score: float) -> bool:
        return True


@pytest.fixture
def model(models_dir: Path) -> Iterator[LlamaModel]:
    path = models_dir / "looking-back.gguf"
    if not path.exists():
        make_model(path, ModelRecipe())
    with loaded(path, replace(DRAFT, max_draft=15)) as found:
        yield found


def text(model: LlamaModel, n_tokens: int = len(TEXT)) -> Text:
    return Text(TEXT[:n_tokens], model, CancelToken())


def guesses(model: LlamaModel, tokens: Tokens) -> tuple[int, ...]:
    return ModelDrafter(model).propose(Text(tokens, model, CancelToken()), 4).tokens


def test_only_the_last_tokens_are_read(model: LlamaModel) -> None:
    expected = guesses(model, TEXT[-32:])
    drafter = ModelDrafter(model)
    drafter.restart_with_last(text(model), 32)
    assert (drafter.n_skipped, drafter.n_missed(text(model))) == (len(TEXT) - 32, 32)
    assert drafter.propose(text(model), 4).tokens == expected
    assert len(model.cached) == 32 + 3


def test_the_text_goes_on_from_there(model: LlamaModel) -> None:
    drafter = ModelDrafter(model)
    drafter.restart_with_last(text(model, 100), 32)
    drafter.propose(text(model, 100), 4)
    assert drafter.n_missed(text(model)) <= 20
    assert drafter.propose(text(model), 4).tokens == guesses(model, TEXT[68:])


def test_all_can_be_read_later(model: LlamaModel) -> None:
    drafter = ModelDrafter(model)
    drafter.restart_with_last(text(model), 32)
    drafter.propose(text(model), 4)
    drafter.restart_with_last(text(model), len(TEXT))
    assert (drafter.n_skipped, drafter.n_missed(text(model))) == (0, len(TEXT))
    assert drafter.propose(text(model), 4).tokens == guesses(model, TEXT)


@pytest.mark.parametrize("other", [TEXT[::-1].copy(), TEXT[:40]])
def test_in_another_text_all_is_looked_at(model: LlamaModel, other: Tokens) -> None:
    drafter = ModelDrafter(model)
    drafter.restart_with_last(text(model), 32)
    drafter.propose(text(model), 4)
    changed = Text(other, model, CancelToken())
    assert drafter.n_missed(changed) == len(other)
    assert drafter.n_skipped == 0
    assert drafter.propose(changed, 4).tokens == guesses(model, other)


def test_a_text_shorter_than_what_is_hidden_before_anything_is_read(model: LlamaModel) -> None:
    drafter = ModelDrafter(model)
    drafter.restart_with_last(text(model), 32)
    assert drafter.propose(text(model, 40), 4).tokens == guesses(model, TEXT[:40])


def test_a_text_longer_than_its_context_can_be_looked_at_in_part(models_dir: Path, model: LlamaModel) -> None:
    with loaded(models_dir / "looking-back.gguf", replace(DRAFT, n_ctx=256)) as small:
        long = Text(np.tile(TEXT, 5), small, CancelToken())
        drafter = ModelDrafter(small)
        assert drafter.propose(long, 4).tokens == ()
        drafter.restart_with_last(long, 32)
        assert len(drafter.propose(long, 4).tokens) == 4


def test_what_it_would_have_guessed_is_told_of_the_right_tokens(model: LlamaModel) -> None:
    drafter = ModelDrafter(model)
    drafter.restart_with_last(text(model, 60), 32)
    drafter.propose(text(model, 60), 1)
    heard = drafter.rehearse(text(model, 80), 4)
    model.keep(0)
    alone = ModelDrafter(model)
    alone.propose(Text(TEXT[28:60], model, CancelToken()), 1)
    assert heard == alone.rehearse(Text(TEXT[28:80], model, CancelToken()), 4)
    assert len(heard) == 4


def test_what_goes_wrong_at_looking_back_is_the_drafters_failure(
    model: LlamaModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    drafter = ModelDrafter(model)
    monkeypatch.setattr(model, "evaluate", fail)
    with pytest.raises(DrafterError, match="out of memory"):
        drafter.rehearse(text(model, 80), 4)


def fail(*_: object) -> NoReturn:
    raise ComputeError("out of memory", "")
