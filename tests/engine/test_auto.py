"""What auto does with pairs of all kinds."""

from collections.abc import Sequence

import numpy as np
import pytest
from support.timed_pair import CPU, CURVES, GPU, LONGEST, N_VOCAB, Clock, Lab

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import DrafterError
from specchat.domain.ports import DraftContext
from specchat.domain.proposal import Proposal
from specchat.domain.speculation_status import DrafterFailure, SpeculationOff
from specchat.domain.types import GenerationRequest, GenerationStats, SamplingParams, TokenEvent
from specchat.drafters.model_drafter import ModelDrafter
from specchat.drafters.suffix_drafter import SuffixDrafter
from specchat.engine.auto_strategy import AutoStrategy
from specchat.engine.cost_measurement import measure_costs
from specchat.engine.costs import PassCosts
from specchat.engine.draft_sources import DraftSource
from specchat.engine.speculative import Generation, NoSpeculation, Speculation


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("acceptance", [0.0, 0.6, 0.97])
def test_about_as_good_as_the_best_fixed_length(curve: str, acceptance: float) -> None:
    labs = [Lab(CURVES[curve], acceptance, seed=seed) for seed in (1, 2, 3)]
    plain = [lab.rate(NoSpeculation(SpeculationOff.NO_DRAFT)) for lab in labs]
    fixed = [max(lab.rate(lab.fixed(k)) for k in (1, 2, 3, 5, 8)) for lab in labs]
    auto = np.array([lab.rate(lab.auto()) for lab in labs])
    assert np.mean(auto / plain) >= 0.98
    assert np.mean(auto / fixed) >= 0.92, "which need not learn first"


def test_a_hopeless_draft_is_given_up_and_rarely_asked_again() -> None:
    lab = Lab(CPU, 0.0)
    auto = lab.auto()
    *_, last = lab.answers(auto)
    assert last.n_drafted <= 2
    assert last.draft_time_s <= 0.015 * last.target_time_s
    assert auto.off_reason is not None


def test_a_text_that_a_good_draft_cannot_guess_is_noticed_within_a_short_answer() -> None:
    lab = Lab(CPU, 0.9)
    auto = lab.auto()
    *_, usual = lab.answers(auto)
    assert usual.n_drafted > 100
    lab.draft.says.clear()
    (other,) = lab.answer_after(20, auto, 60)
    assert other.draft_time_s < 0.045 * other.target_time_s


def test_until_enough_was_guessed_nobody_knows_whether_it_pays() -> None:
    lab = Lab(CPU, 0.0, draft_cost=0.5)
    auto = lab.auto()
    reasons = [auto.off_reason for _ in lab.answers(auto, n=30)]
    assert reasons[0] is SpeculationOff.MEASURING
    assert reasons[-1] is SpeculationOff.COSTS_MORE


def said_after(lab: Lab, n: int, speculation: Speculation) -> str:
    (stats,) = lab.answer_after(20, speculation, n)
    assert not stats.n_drafted
    return stats.speculation


def test_a_short_answer_without_guesses_tells_why() -> None:
    dear, steep = Lab(CPU, 0.0, draft_cost=0.5), Lab(CPU, 0.0)
    assert said_after(dear, 14, dear.auto()) == f"off: {SpeculationOff.MEASURING}"
    taught = dear.auto()
    list(dear.answers(taught, n=30, count=4))
    assert said_after(dear, 14, taught) == f"off: {SpeculationOff.COSTS_MORE}"
    assert said_after(steep, 14, steep.auto(text=True, draft=False)) == f"off: {SpeculationOff.NOTHING_TO_REPEAT}"
    for speculation in (steep.auto(), steep.auto(text=True), steep.fixed(4)):
        assert said_after(steep, 1, speculation) == f"off: {SpeculationOff.ENDED_FIRST}"


def test_where_the_costs_are_not_known_yet_they_are_measured_first() -> None:
    lab = Lab(CPU, 0.9)
    lab.costs = PassCosts()
    assert said_after(lab, 3, lab.fixed(4)) == f"off: {SpeculationOff.MEASURING}"


def test_the_reason_is_of_this_answer() -> None:
    lab = Lab(GPU, 0.97)
    auto = lab.auto()
    (none,) = lab.answer_after(20, auto, 1)
    (some,) = lab.answer_after(20, auto, 60)
    assert [none.speculation, some.speculation] == [f"off: {SpeculationOff.ENDED_FIRST}", "on"]


def test_while_earlier_text_guesses_it_is_told_that_the_draft_is_off() -> None:
    lab = Lab(CPU, 0.0, text=repeated)
    auto = lab.auto(text=True)
    before = auto.draft_off_reason
    *_, last = lab.answers(auto)
    assert set(last.drafted_per_source) == {"ngram"}
    assert [before, auto.off_reason, auto.draft_off_reason] == [None, None, SpeculationOff.COSTS_MORE]


def test_a_long_text_is_not_read_whole_for_a_short_answer() -> None:
    lab = Lab(CPU, 0.97)
    auto = lab.auto()
    list(lab.answers(auto, count=4))
    whole = lab.draft_cost * CPU[33] / 33 * 1800
    (short,) = lab.answer_after(1800, auto, 24)
    assert short.n_drafted > 0
    assert short.draft_time_s < 0.3 * whole


def test_a_short_text_is_read_from_its_beginning() -> None:
    lab = Lab(CPU, 0.85)
    drafter = ModelDrafter(lab.draft)
    auto = AutoStrategy(lab.costs, LONGEST, None, [DraftSource(drafter)], lab.clock)
    hidden = []
    for n_prompt in (90, 120, 150, 180):
        (stats,) = lab.answer_after(n_prompt, auto, 60)
        hidden += [drafter.n_skipped] if stats.n_drafted else []
    assert len(hidden) >= 3
    assert set(hidden) == {0}


def test_a_draft_that_got_better_is_found_out() -> None:
    lab = Lab(GPU, 0.0)
    auto = lab.auto()
    list(lab.answers(auto, count=4))
    lab.draft.says = {seen: (token, 0.995) for seen, (token, _) in lab.target.says.items()}
    *_, last = lab.answers(auto, n=190)
    assert last.acceptance_rate > 0.9
    assert auto.off_reason is None


def repeated(rng: np.random.Generator, n: int) -> list[int]:
    block: list[int] = rng.integers(0, N_VOCAB, 120).tolist()
    return (block * (n // 120 + 1))[:n]


@pytest.mark.parametrize("curve", CURVES)
def test_the_text_itself_is_guessed_from_without_a_draft(curve: str) -> None:
    lab = Lab(CURVES[curve], 0.0, text=repeated)
    plain = lab.rate(NoSpeculation(SpeculationOff.NO_DRAFT))
    assert lab.rate(lab.auto(text=True, draft=False)) > (1.9 if curve == "steep" else 6) * plain


def test_few_guesses_from_the_text_until_some_held() -> None:
    lab = Lab(GPU, 0.0, text=repeated)
    auto = lab.auto(text=True, draft=False)
    for n_prompt in (400, 600):
        request = GenerationRequest(tuple(lab.tokens[:n_prompt]), SamplingParams(temperature=0), 120, (), True)
        events = Generation(lab.target, request, auto, lab.costs, CancelToken(), lab.clock).events()
        steps = [event.step.drafted for event in events if isinstance(event, TokenEvent) and event.step]
        first = next(n for n in steps if n)
        assert first <= 3
        assert max(steps) > 8


def test_the_source_that_pays_most_guesses() -> None:
    repeating = Lab(GPU, 0.5, text=repeated)
    *_, found = repeating.answers(repeating.auto(text=True))
    assert found.drafted_per_source["ngram"] > 10 * found.drafted_per_source.get("draft", 0)
    novel = Lab(GPU, 0.9)
    *_, guessed = novel.answers(novel.auto(text=True))
    assert guessed.drafted_per_source["draft"] > 10 * guessed.drafted_per_source.get("ngram", 0)


class Dice:
    name = "dice"

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        return Proposal((1,) * budget, ("dice",) * budget, (0.9,) * budget)

    def observe(self, accepted: int, proposal: Proposal) -> None:
        pass


def test_another_drafter_that_guesses_all_at_once_costs_little() -> None:
    lab = Lab(CPU, 0.0)
    auto = AutoStrategy(lab.costs, LONGEST, None, [DraftSource(Dice())], lab.clock)
    plain = lab.rate(NoSpeculation(SpeculationOff.NO_DRAFT))
    assert lab.rate(auto) >= 0.97 * plain


class Broken:
    name = "broken"

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        raise DrafterError(DrafterFailure("out of memory"))

    def observe(self, accepted: int, proposal: Proposal) -> None:
        pass


def test_a_source_that_fails_leaves_the_other() -> None:
    lab = Lab(GPU, 0.5, text=repeated)
    auto = AutoStrategy(lab.costs, LONGEST, DraftSource(SuffixDrafter()), [DraftSource(Broken())], lab.clock)
    *_, stats = lab.answers(auto)
    assert stats.n_accepted > 0
    assert stats.speculation == "on"
    alone = AutoStrategy(lab.costs, LONGEST, None, [DraftSource(Broken())], lab.clock)
    *_, stats = lab.answers(alone)
    assert stats.speculation == "off: the draft failed: out of memory"


def test_what_is_saved_is_measured_against_plain_decoding() -> None:
    lab = Lab(GPU, 0.9)
    plain = sum(stats.target_time_s for stats in lab.answers(NoSpeculation(SpeculationOff.NO_DRAFT)))
    auto: Sequence[GenerationStats] = list(lab.answers(lab.auto()))
    took = sum(stats.target_time_s + stats.draft_time_s for stats in auto)
    assert sum(stats.saved_s for stats in auto) == pytest.approx(plain - took, rel=0.15)


def test_guesses_are_not_to_blame_where_the_machine_is_held_up() -> None:
    lab = Lab(GPU, 0.97)
    (usual,) = lab.answer_after(20, lab.fixed(4), 24)
    lab.target.held_up = lab.draft.held_up = 20.0
    (held_up,) = lab.answer_after(20, lab.fixed(4), 24)
    assert held_up.saved_s > 0.5 * usual.saved_s > 0


QUICK = {n: seconds / 100 for n, seconds in GPU.items()}
"""All of it is measured before the first answer."""


def measured_anew(lab: Lab) -> PassCosts:
    costs = PassCosts()
    measure_costs(lab.target, [lab.draft_passes], costs, CancelToken(), lab.clock)
    return costs


def test_what_else_the_computer_does_while_costs_are_measured_is_not_the_models_doing() -> None:
    lab = Lab(QUICK, 0.97)
    lab.target.stalls = lab.draft.stalls = 0.3
    busy = measured_anew(lab)
    assert busy.passes(8) == pytest.approx(lab.costs.passes(8), rel=0.2)
    assert busy.guess("draft") == pytest.approx(lab.costs.guess("draft"), rel=0.2)


def test_nothing_is_saved_by_a_machine_that_is_no_longer_busy() -> None:
    lab = Lab(QUICK, 0.97)
    (usual,) = lab.answer_after(20, lab.fixed(4), 24)
    lab.target.held_up = lab.draft.held_up = 8.0
    lab.costs = measured_anew(lab)
    lab.target.held_up = lab.draft.held_up = 1.0
    (freed,) = lab.answer_after(20, lab.fixed(4), 24)
    assert 0 < freed.saved_s < 1.5 * usual.saved_s


def test_the_better_of_two_drafts_leads() -> None:
    for acceptances in ((0.9, 0.3), (0.3, 0.9)):
        lab = Lab(GPU, acceptances[0])
        _, second = lab.another_draft("second", acceptances[1])
        alone = max(
            lab.rate(AutoStrategy(lab.costs, LONGEST, None, [each], lab.clock)) for each in (lab.source(), second())
        )
        both = AutoStrategy(lab.costs, LONGEST, None, [lab.source(), second()], lab.clock)
        assert lab.rate(both) >= 0.97 * alone
        *_, last = lab.answers(both)
        better, worse = ("draft", "second") if acceptances[0] > acceptances[1] else ("second", "draft")
        assert last.drafted_per_source[better] > 20 * last.drafted_per_source.get(worse, 0)


def test_a_draft_that_proves_better_takes_over() -> None:
    lab = Lab(QUICK, 0.8)
    draft, second = lab.another_draft("second", 0.0)
    auto = AutoStrategy(lab.costs, LONGEST, None, [lab.source(), second()], lab.clock)
    list(lab.answers(auto, count=4))
    draft.says = {seen: (token, 0.995) for seen, (token, _) in lab.target.says.items()}
    list(lab.answers(auto, n=190))
    *_, last = lab.answers(auto, n=190)
    assert last.drafted_per_source["second"] > last.drafted_per_source.get("draft", 0)


class BrokenRehearsal(ModelDrafter):
    def rehearse(self, context: DraftContext, count: int) -> Sequence[tuple[float, bool]]:
        raise DrafterError(DrafterFailure("out of memory"))


def test_a_draft_that_fails_at_rehearsing_leaves_the_other() -> None:
    lab = Lab(QUICK, 0.9)
    other, _ = lab.another_draft("second", 0.0)
    broken = BrokenRehearsal(other)
    broken.name = "second"
    auto = AutoStrategy(lab.costs, LONGEST, None, [lab.source(), DraftSource(broken)], lab.clock)
    *_, stats = lab.answers(auto)
    assert stats.drafted_per_source["draft"] > 0
    assert [draft.source.name for draft in auto._pool.drafts] == ["draft"]
    alone = AutoStrategy(lab.costs, LONGEST, None, [DraftSource(broken)], lab.clock)
    list(lab.answers(alone))
    assert alone._pool.drafts == []


class CostlyRehearsal(ModelDrafter):
    """As on a fast card, where logits of so many places take longer than reading the text."""

    clock: Clock
    n_rehearsals = 0

    def rehearse(self, context: DraftContext, count: int) -> Sequence[tuple[float, bool]]:
        self.clock.now += 4 * CPU[1]
        self.n_rehearsals += 1
        return super().rehearse(context, count)


def test_costly_rehearsals_do_not_make_reading_seem_costly() -> None:
    lab = Lab(CPU, 0.0)
    drafter = CostlyRehearsal(lab.draft)
    drafter.clock = lab.clock
    known = lab.costs.catch_up("draft", 32)
    list(lab.answers(AutoStrategy(lab.costs, LONGEST, None, [DraftSource(drafter)], lab.clock), count=10))
    assert drafter.n_rehearsals
    learned = lab.costs.catch_up("draft", 32)
    assert known is not None
    assert learned is not None
    assert learned < 1.5 * known


def test_one_of_two_drafts_fails() -> None:
    lab = Lab(GPU, 0.9)
    auto = AutoStrategy(lab.costs, LONGEST, None, [DraftSource(Broken()), lab.source()], lab.clock)
    *_, stats = lab.answers(auto)
    assert stats.drafted_per_source.keys() == {"draft"}
    assert stats.speculation == "on"


class Forced:
    """Knows three tokens in each ten."""

    name = "grammar"

    def __init__(self, says: Sequence[int]) -> None:
        self._says = says

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        at = len(context.tokens)
        guesses = tuple(self._says[at : at - at % 10 + 3])[:budget]
        return Proposal(guesses, (self.name,) * len(guesses), (0.999,) * len(guesses))

    def observe(self, accepted: int, proposal: Proposal) -> None:
        pass


@pytest.mark.parametrize("curve", CURVES)
def test_what_is_forced_comes_before_what_the_draft_guesses(curve: str) -> None:
    lab = Lab(CURVES[curve], 0.8)
    forced = DraftSource(Forced(lab.tokens))
    both = AutoStrategy(lab.costs, LONGEST, None, [lab.source()], lab.clock, grammar=forced)
    assert lab.rate(both) > 1.05 * lab.rate(lab.auto())
    *_, last = lab.answers(both)
    assert last.accepted_per_source["grammar"] == last.drafted_per_source["grammar"]
    assert last.accepted_per_source["draft"] > 0


def test_what_is_forced_is_guessed_without_a_draft() -> None:
    lab = Lab(CPU, 0.0)
    auto = AutoStrategy(lab.costs, LONGEST, clock=lab.clock, grammar=DraftSource(Forced(lab.tokens)))
    assert lab.rate(auto) > 1.05 * lab.rate(NoSpeculation(SpeculationOff.NO_DRAFT))
