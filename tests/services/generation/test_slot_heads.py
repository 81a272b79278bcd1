"""Several answers at once with a head: each has its own text there, too."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from support.choices import choice_of
from support.ggufs import make_model
from support.head_labs import HEAD_CASES, HeadCase, Lab, fresh_proposal
from support.pairs import DRAFT, EXACT
from support.slots import N_SLOTS, Asked, alone, answer_all, check, load, requests

from specchat.domain.ports import DraftContext
from specchat.domain.proposal import Proposal
from specchat.domain.types import FinishReason, GenerationRequest, PairChoice, SamplingParams
from specchat.drafters.head_drafter import HeadDrafter
from specchat.services.generation.loaded_pair import LoadedPair

CASES = {case.name: case for case in HEAD_CASES}
GREEDY = SamplingParams(temperature=0)
OF_EACH_KIND = (
    "EAGLE-3, llama",
    "DFlash, llama",
    "DSpark, qwen3",
    "MTP, qwen35",
    "MTP of three layers, step35",
    "assistant, gemma4",
    "Medusa, llama",
)


def choice_for(case: HeadCase, folder: Path, *, exact: bool, n_ctx: int = 512) -> PairChoice:
    recipe = replace(case.recipe, n_ctx=1024)
    head = case.make(folder / "head.gguf", recipe) if case.make else None
    settings = replace(EXACT, n_ctx=n_ctx, slots=N_SLOTS, threads=1, exact=exact)
    target = make_model(folder / "target.gguf", recipe)
    choice = choice_of(target, head, settings, replace(DRAFT, threads=1))
    return replace(choice, draft_type=case.kind.value, draft_max=3)


@dataclass(frozen=True)
class Guessed:
    text: tuple[int, ...]
    budget: int
    tokens: tuple[int, ...]
    n_answers: int


def record(pair: LoadedPair, monkeypatch: pytest.MonkeyPatch) -> list[Guessed]:
    guessed = list[Guessed]()
    propose = HeadDrafter.propose

    def recorded(drafter: HeadDrafter, context: DraftContext, budget: int) -> Proposal:
        proposal = propose(drafter, context, budget)
        text = tuple(context.tokens.tolist())
        if proposal.tokens:
            guessed.append(Guessed(text, budget, proposal.tokens, pair.scheduler.n_answers))
        return proposal

    monkeypatch.setattr(HeadDrafter, "propose", recorded)
    return guessed


def check_guesses(pair: LoadedPair, guessed: Sequence[Guessed]) -> None:
    """They are those of a head that has read only this text."""
    slot = pair.slots.first
    lab = Lab(slot.target, pair.heads[0], slot.head_drafters[pair.heads[0].kind])
    assert guessed
    for each in guessed:
        assert fresh_proposal(lab, each.text, each.budget).tokens == each.tokens


def greedy(asked: Sequence[Asked]) -> list[Asked]:
    return [Asked(replace(one.request, sampling=GREEDY, max_tokens=20)) for one in asked]


@pytest.mark.parametrize("name", OF_EACH_KIND)
def test_text_and_guesses_are_those_of_the_request_alone(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = CASES[name]
    choice = choice_for(case, tmp_path, exact=True)
    asked = [*greedy(requests(1, 6)), *requests(2, 6)]
    pair = load(choice)
    pair.keep_prompt_states()
    try:
        assert (pair.n_slots, pair.slots_reason) == (N_SLOTS, "")
        with monkeypatch.context() as patch:
            guessed = record(pair, patch)
            answer_all(pair, asked[:6], random.Random(1))
            n_greedy = len(guessed)
            answer_all(pair, asked[6:], random.Random(2), cancels=0.03)
        check(asked, list(alone(choice, asked)))
        together = [each for each in guessed[:n_greedy] if each.n_answers > 1]
        if pair.target.weights.is_recurrent:
            assert not together
        else:
            check_guesses(pair, together[::7])
    finally:
        pair.close()


@pytest.mark.parametrize("name", ["DFlash, llama", "MTP of three layers, step35"])
def test_a_beginning_that_others_have_read_is_not_read_again(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The head has read it, too."""
    pair = load(choice_for(CASES[name], tmp_path, exact=False, n_ctx=1024))
    beginning = tuple(3 + i * i % 89 for i in range(400))
    asked = [Asked(GenerationRequest((*beginning, 5 + i), GREEDY, max_tokens=8, ignore_eos=True)) for i in range(3)]
    try:
        with monkeypatch.context() as patch:
            guessed = record(pair, patch)
            answer_all(pair, asked, random.Random(1))
        reused = sorted(one.end.stats.n_prompt_reused for one in asked if one.end is not None)
        assert reused[0] == 0
        assert reused[1] >= 399
        check_guesses(pair, guessed)
    finally:
        pair.close()


@pytest.mark.parametrize("name", ["EAGLE-3, llama", "assistant, gemma4", "Medusa, llama"])
def test_answers_wait_where_the_context_has_no_room_for_all(name: str, tmp_path: Path) -> None:
    pair = load(choice_for(CASES[name], tmp_path, exact=False))
    try:
        asked = [Asked(replace(one.request, max_tokens=40)) for one in requests(3, 12)]
        answer_all(pair, asked, random.Random(3))
        assert [len(one.tokens) for one in asked] == [40] * len(asked)
        stats = [one.end.stats for one in asked if one.end is not None]
        assert any(each.drafted_per_source for each in stats)
        assert not any("failed" in each.speculation for each in stats)
    finally:
        pair.close()


def test_the_end_of_the_context(tmp_path: Path) -> None:
    pair = load(choice_for(CASES["EAGLE-3, llama"], tmp_path, exact=True, n_ctx=256))
    try:
        asked = [Asked(replace(one.request, prompt=one.request.prompt[:200], max_tokens=300)) for one in requests(4, 4)]
        answer_all(pair, asked, random.Random(4))
        for one in asked:
            assert one.end is not None
            assert one.end.reason is FinishReason.LENGTH
            assert one.end.context_full
            assert len(one.request.prompt) + len(one.tokens) == 257
    finally:
        pair.close()
