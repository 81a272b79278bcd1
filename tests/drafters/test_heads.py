"""Heads guess the same whatever they read before, and answers stay those of plain decoding."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.head_labs import (
    HEAD,
    HEAD_CASES,
    GreedyContext,
    HeadCase,
    Lab,
    evaluate_text,
    fresh_proposal,
    head_lab,
    proposal_after,
)
from support.heads import make_assistant
from support.pairs import EXACT, GREEDY, Runner, random_prompts

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, DrafterError
from specchat.domain.heads import HeadKind
from specchat.domain.types import SamplingParams
from specchat.engine.selftest import run_selftest

SAMPLINGS = [
    GREEDY,
    SamplingParams(temperature=0.8, seed=11),
    SamplingParams(temperature=0.8, seed=12, repeat_penalty=1.1, frequency_penalty=0.2, presence_penalty=0.1),
]
PROMPTS = int(os.environ.get("SPECCHAT_CONTRACT_PROMPTS", "2"))
TOKENS = int(os.environ.get("SPECCHAT_CONTRACT_TOKENS", "40"))


@pytest.fixture(params=HEAD_CASES, ids=lambda case: case.name)
def lab(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Lab]:
    case: HeadCase = request.param
    with head_lab(case, tmp_path) as lab:
        yield lab


def text_of(n: int, seed: int = 0) -> list[int]:
    return [int(token) for token in np.random.default_rng(seed).integers(32, 120, n)]


@pytest.mark.parametrize("sampling", SAMPLINGS, ids=["greedy", "sampled", "with penalties"])
def test_tokens_equal_plain_decoding(lab: Lab, sampling: SamplingParams) -> None:
    lab.target.max_batch = run_selftest(lab.target, CancelToken()).max_batch
    runner = Runner(lab.target)
    drafted = 0
    for prompt in random_prompts(lab.target.n_vocab, PROMPTS):
        plain = runner.answer(None, prompt, sampling, TOKENS)
        found = runner.answer(lab.drafter, prompt, sampling, TOKENS)
        assert found.tokens == plain.tokens
        drafted += found.stats.n_drafted
    assert drafted > 0


def test_it_goes_on_where_its_target_does(lab: Lab) -> None:
    text = text_of(120)
    texts = [text[:60], text[:61], text[:64], text[:100], text[:101], text]
    found = [proposal_after(lab, each) for each in texts]
    assert [each.tokens for each in found] == [fresh_proposal(lab, each).tokens for each in texts]


def test_an_edit_and_another_chat(lab: Lab) -> None:
    text, other = text_of(120), text_of(90, seed=1)
    texts = [text, [*text[:50], *other], other, text, [*text[:-1], 40]]
    found = [proposal_after(lab, each) for each in texts]
    assert [each.tokens for each in found] == [fresh_proposal(lab, each).tokens for each in texts]


def test_the_same_question_again(lab: Lab) -> None:
    """It has read more than the text has now, and all of it is the same."""
    text = text_of(120)
    texts = [text, text[:80], text[:80], text[:81], text]
    found = [proposal_after(lab, each) for each in texts]
    assert [each.tokens for each in found] == [fresh_proposal(lab, each).tokens for each in texts]


def test_what_was_guessed_wrongly_leaves_no_trace(lab: Lab) -> None:
    text = text_of(60)
    first = proposal_after(lab, text)
    wrong = [*text, first.tokens[0] ^ 1, 50, 51]
    proposal_after(lab, wrong)
    assert proposal_after(lab, [*text, 60]).tokens == fresh_proposal(lab, [*text, 60]).tokens


def test_a_prompt_longer_than_the_states_that_are_kept(lab: Lab) -> None:
    """Read piece by piece as the target evaluates it, all of it counts."""
    assert lab.target.states is not None
    text = text_of(400)
    lab.target.states._capacity = 64
    lab.target.states._rows = lab.target.states._rows[:128]
    lab.target.keep(0)
    context = GreedyContext(lab.target, text)
    for at in range(0, 399, 60):
        evaluate_text(lab.target, text[at : min(at + 60, 399)])
        lab.drafter.follow(context)
    piecewise = lab.drafter.propose(context, 4)
    assert len(piecewise.tokens) > 0
    if not lab.head.shares_cache:
        assert lab.drafter._hidden == 0


def test_states_that_are_gone_are_done_without(lab: Lab) -> None:
    assert lab.target.states is not None
    text = text_of(200)
    proposal_after(lab, text[:100])
    evaluate_text(lab.target, text[99:-1])
    states = lab.target.states
    left = states.rows(150, states.end).copy()
    states.clear()
    states.add(150, len(left))[:] = left
    found = lab.drafter.propose(GreedyContext(lab.target, text), 4)
    assert len(found.tokens) > 0


def test_nothing_after_guesses_of_others(lab: Lab) -> None:
    text = text_of(60)
    proposal_after(lab, text)
    assert not lab.drafter.propose(GreedyContext(lab.target, [*text, 50]), 4).tokens


def test_cancelling_leaves_it_usable(lab: Lab) -> None:
    text = text_of(80)
    proposal_after(lab, text[:-1])
    evaluate_text(lab.target, text[-2:-1])
    cancelled = CancelToken()
    cancelled.cancel()
    with pytest.raises((Cancelled, DrafterError)):
        lab.drafter.propose(GreedyContext(lab.target, text, cancelled), 4)
    again = lab.drafter.propose(GreedyContext(lab.target, text), 4)
    assert len(again.tokens) > 0


def test_an_answer_that_was_cancelled_ends_no_later_one(lab: Lab) -> None:
    text = text_of(80)
    proposal_after(lab, text[:-1])
    evaluate_text(lab.target, text[-2:-1])
    earlier = CancelToken()
    lab.drafter.propose(GreedyContext(lab.target, text, earlier), 4)
    earlier.cancel()
    assert len(proposal_after(lab, [*text, 60]).tokens) > 0


def test_rehearsing_changes_no_guess(lab: Lab) -> None:
    text = text_of(90)
    proposal_after(lab, text[:50])
    evaluate_text(lab.target, text[49:-1])
    context = GreedyContext(lab.target, text)
    rehearsed = lab.drafter.rehearse(context, 16)
    assert len(rehearsed) <= 16
    assert lab.drafter.propose(context, 4).tokens == fresh_proposal(lab, text).tokens


def test_no_more_guesses_than_asked_for(lab: Lab) -> None:
    text = text_of(60)
    for budget in (1, 3, 5):
        assert 1 <= len(proposal_after(lab, text, budget).tokens) <= budget


def test_blocks_come_at_once(lab: Lab) -> None:
    assert lab.drafter.is_block == (lab.head.kind in (HeadKind.DFLASH, HeadKind.DSPARK))


@pytest.mark.parametrize("flash_attention", [False, True, None])
def test_an_assistant_reads_the_cache_as_its_target_wrote_it(flash_attention: bool | None, tmp_path: Path) -> None:
    """Flash attention lays values out in another way."""
    (case,) = (case for case in HEAD_CASES if case.make is make_assistant)
    settings = replace(EXACT, exact=False, flash_attention=flash_attention)
    found = []
    for guesses in (False, True):
        with head_lab(case, tmp_path, settings, replace(HEAD, guesses=guesses)) as lab:
            found.append([proposal_after(lab, text_of(n)).tokens for n in range(60, 70)])
    assert found[0] == found[1]
