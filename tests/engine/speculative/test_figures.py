import pytest
from engine.speculative.told import PROMPT, oracle
from support.pairs import GREEDY, Answer, Runner

from specchat.backends.llama_model import LlamaModel
from specchat.domain.ports import DraftContext, Drafter
from specchat.domain.proposal import Proposal
from specchat.domain.types import TARGET, SamplingParams, StepStats, TokenEvent
from specchat.drafters.model_drafter import ModelDrafter
from specchat.drafters.suffix_drafter import SuffixDrafter
from specchat.engine.stats import StatsRecorder
from specchat.services.generation.server_stats import ServerStats
from specchat.services.generation.stats_tracker import StatsTracker


def check_figures(answer: Answer, name: str) -> None:
    stats = answer.stats
    drafted_tokens = [origin for origin in answer.origins if origin != TARGET]
    assert stats.n_generated == len(answer.tokens)
    assert stats.n_accepted == len(drafted_tokens) == sum(stats.accepted_per_source.values())
    assert stats.n_drafted == sum(stats.drafted_per_source.values())
    assert stats.n_accepted <= stats.n_checked <= stats.n_drafted
    assert set(drafted_tokens) <= {name}
    assert stats.acceptance_rate == pytest.approx(stats.n_accepted / max(1, stats.n_drafted))
    assert stats.mean_accepted_length == pytest.approx(stats.n_generated / stats.n_verify_steps)
    assert all(a >= b for a, b in zip(stats.accepted_per_position, stats.accepted_per_position[1:], strict=False))


@pytest.mark.parametrize("sampling", [GREEDY, SamplingParams(temperature=0.8, seed=4)], ids=["greedy", "sampled"])
def test_figures_add_up(target: LlamaModel, draft: LlamaModel, sampling: SamplingParams) -> None:
    drafters: list[Drafter] = [ModelDrafter(draft), SuffixDrafter()]
    for drafter in drafters:
        check_figures(Runner(target).answer(drafter, PROMPT, sampling, 50), drafter.name)


def test_figures_of_a_tree() -> None:
    """The first guess was wrong and the one beside it right; then a guess of another source, and one not reached."""
    held = ((0, False), (1, None), (0, True), (1, True), (2, False))
    origins = ("draft", "draft", "draft", "ngram", "draft")
    step = StepStats(5, 2, 3, 0.0, 0.0, 0.0, origins, tree=held)
    recorder = StatsRecorder(lambda: 0.0)
    recorder.record_step(step, from_prompt=False)
    stats = recorder.result("on")
    assert (stats.n_drafted, stats.n_accepted, stats.n_checked) == (5, 2, 4)
    assert stats.accepted_per_position == (1.0, 1.0, 0.0)
    assert stats.drafted_per_source == {"draft": 4, "ngram": 1}
    assert stats.accepted_per_source == {"draft": 1, "ngram": 1}
    assert (stats.acceptance_rate, step.reach) == (2 / 5, 3)
    served, shown = ServerStats(), StatsTracker()
    served.record_step(step)
    shown.add_step(step)
    assert (served.guesses.drafted_at, served.guesses.accepted_at) == ({1: 1, 2: 1, 3: 1}, {1: 1, 2: 1})
    assert served.guesses.acceptance_rate == shown.snapshot().acceptance_rate == stats.acceptance_rate
    assert (shown.snapshot().drafted, shown.snapshot().steps[0].drafted) == (5, 3), "the strip shows its longest branch"


@pytest.mark.parametrize("n", [11, 12])
def test_events_of_a_tree(target: LlamaModel, n: int) -> None:
    answer = Runner(target).answer(None, PROMPT, n=12).tokens

    class Beside:
        name = "beside"

        def propose(self, context: DraftContext, budget: int) -> Proposal:
            at = len(context.tokens) - len(PROMPT)
            tokens = (answer[at] ^ 1, answer[at], answer[at + 1] ^ 1) if budget >= 3 else ()
            return Proposal(tokens, ("x", "y", "z")[: len(tokens)], (0.5,) * len(tokens), (-1, -1, 1)[: len(tokens)])

        def observe(self, accepted: int, proposal: Proposal) -> None:
            assert accepted == 0, "on the main branch"

    target.keep(0)
    events = [e for e in Runner(target).start(Beside(), PROMPT, n=n) if isinstance(e, TokenEvent)]
    assert [e.token for e in events] == answer[:n]
    cached = target.cached.tolist()
    assert cached == [*PROMPT, *answer][: len(cached)]
    assert len(cached) >= len(PROMPT) + n - 3
    assert [(e.origin, e.draft_position) for e in events[1:5]] == [("y", 0), (TARGET, None)] * 2


def test_plain_decoding_has_one_token_per_pass(target: LlamaModel) -> None:
    stats = Runner(target).answer(None, PROMPT, n=20).stats
    assert (stats.n_verify_steps, stats.mean_accepted_length, stats.n_drafted) == (20, 1.0, 0)
    assert stats.saved_s == 0
    assert stats.speculation.startswith("off: ")


def test_the_oracle_is_always_right(target: LlamaModel) -> None:
    answer = Runner(target).answer(None, PROMPT, n=31).tokens
    found = Runner(target, 5).answer(oracle(answer, len(PROMPT)), PROMPT, n=31)
    assert found.tokens == answer
    assert found.stats.acceptance_rate == 1.0
    assert found.stats.n_verify_steps == 1 + 5, "the first token, then 5 guesses and one more per pass"
    assert [event for event in found.origins[1:7]] == ["told"] * 5 + [TARGET]


def test_an_answer_that_ends_beside_the_main_branch(target: LlamaModel) -> None:
    """What was accepted last is not in the cache, and all before it is."""
    answer = Runner(target).answer(None, PROMPT, n=12, ignore_eos=True).tokens
    target.keep(0)

    class End:
        name = "end"

        def propose(self, context: DraftContext, budget: int) -> Proposal:
            at = len(context.tokens) - len(PROMPT)
            right = answer[at : at + 2]
            return Proposal((right[0], right[1] ^ 1, right[1]), ("x",) * 3, (0.5,) * 3, (-1, 0, 0))

        def observe(self, accepted: int, proposal: Proposal) -> None:
            pass

    stop = target.piece(answer[2]).decode("utf-8", "replace")
    events = Runner(target).start(End(), PROMPT, n=12, stop=(stop,))
    tokens = [event.token for event in events if isinstance(event, TokenEvent)]
    assert target.cached.tolist() == [*PROMPT, *tokens[:-1]]
