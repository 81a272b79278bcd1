import numpy as np
import pytest

from specchat.domain.errors import ComputeError
from specchat.domain.types import SampledToken, SamplingParams
from specchat.engine.noise import uniform
from specchat.engine.sampling import Logits, Sampler, Scores, top_k
from specchat.engine.tokens import Tokens

EMPTY: Tokens = np.array([], dtype=np.int32)


def random_logits(n: int, seed: int = 0) -> Logits:
    return np.random.default_rng(seed).normal(0, 3, n).astype(np.float32)


def tokens(*values: int) -> Tokens:
    return np.array(values, dtype=np.int32)


@pytest.mark.parametrize("n", [10, 64, 1000, 32_000, 151_936])
@pytest.mark.parametrize("k", [1, 5, 40, 500])
def test_top_k_finds_the_best(n: int, k: int) -> None:
    logits = random_logits(n, seed=n + k)
    expected = np.sort(np.argsort(-logits, kind="stable")[: min(k, n)])
    assert np.array_equal(top_k(logits, k), expected)


def test_top_k_zero_keeps_all() -> None:
    assert len(top_k(random_logits(1000), 0)) == 1000


def test_top_k_keeps_all_that_tie_with_the_last() -> None:
    assert len(top_k(np.zeros(1000, dtype=np.float32), 3)) == 1000


def test_greedy_takes_the_best_and_its_probability() -> None:
    logits = random_logits(500)
    choice = Sampler(SamplingParams(temperature=0), probabilities=True).choose(logits, EMPTY)
    assert Sampler(SamplingParams(temperature=0)).choose(logits, EMPTY) == SampledToken(choice.token, None)
    weights = np.exp(logits - logits.max())
    assert choice.token == int(logits.argmax())
    assert choice.probability == pytest.approx(weights.max() / weights.sum(), rel=1e-5)


def test_a_guess_is_the_choice_and_leaves_the_logits_alone() -> None:
    logits, sampler = random_logits(500), Sampler(SamplingParams(temperature=0))
    before = logits.copy()
    guess = sampler.guess(logits, EMPTY, [])
    assert guess.token == sampler.choose(logits, EMPTY).token
    best, second = np.sort(logits)[[-1, -2]]
    assert guess.probability == pytest.approx(np.exp(best) / (np.exp(best) + np.exp(second)), rel=1e-4)
    assert np.array_equal(logits, before)


def restated(logits: Logits, p: SamplingParams) -> Scores:
    """The distribution after top-k, top-p, min-p and temperature, without any shortcut."""
    order = np.argsort(-logits, kind="stable")
    if p.top_k > 0:
        order = order[: p.top_k]
    chances = np.exp(logits[order].astype(np.float64) - logits.max())
    chances /= chances.sum()
    order = order[: int(np.searchsorted(np.cumsum(chances), p.top_p)) + 1] if p.top_p < 1 else order
    kept = [i for i in order if np.exp(logits[i] - logits.max()) >= p.min_p]
    result = np.zeros(len(logits))
    weights = np.exp(logits[kept].astype(np.float64) / p.temperature)
    result[kept] = weights / weights.sum()
    return result


@pytest.mark.parametrize(
    "params",
    [
        SamplingParams(temperature=0.8),
        SamplingParams(temperature=1.0, top_k=0, top_p=1.0, min_p=0.0),
        SamplingParams(temperature=1.5, top_k=5, top_p=1.0, min_p=0.0),
        SamplingParams(temperature=0.7, top_k=0, top_p=0.5, min_p=0.0),
        SamplingParams(temperature=1.0, top_k=0, top_p=1.0, min_p=0.2),
    ],
)
def test_frequencies_follow_the_distribution(params: SamplingParams) -> None:
    logits, expected = random_logits(50, seed=3), restated(random_logits(50, seed=3), params)
    sampler, draws = Sampler(params), 4000
    counts = np.zeros(len(logits))
    for position in range(draws):
        choice = sampler.choose(logits, np.zeros(position, dtype=np.int32))
        counts[choice.token] += 1
        assert choice.probability == pytest.approx(expected[choice.token], rel=1e-4)
    assert np.all(counts[expected == 0] == 0)
    spread = np.sqrt(expected * (1 - expected) * draws)
    assert np.all(np.abs(counts - expected * draws) <= 4.5 * spread + 1)


def test_the_choice_depends_on_seed_and_position_alone() -> None:
    logits, params = random_logits(1000), SamplingParams(temperature=1.0, top_k=0, top_p=1.0, min_p=0.0, seed=7)
    history = np.arange(9, dtype=np.int32)
    chosen = Sampler(params).choose(logits, history)
    assert Sampler(params).choose(logits, history) == chosen
    assert Sampler(params).guess(logits, history[:4], [4, 5, 6, 7, 8]).token == chosen.token
    others = {Sampler(params).choose(logits, np.arange(n, dtype=np.int32)).token for n in range(20)}
    assert len(others) > 5


def test_noise_is_uniform_in_every_argument() -> None:
    ids = np.arange(20_000)
    by_token = uniform(1, 2, ids)
    by_position = np.array([uniform(1, position, ids[:1])[0] for position in range(5000)])
    by_seed = np.array([uniform(seed, 2, ids[:1])[0] for seed in range(5000)])
    for values in (by_token, by_position, by_seed):
        assert 0 < values.min() <= values.max() < 1
        shares = np.histogram(values, bins=10, range=(0, 1))[0] / len(values)
        assert np.all(np.abs(shares - 0.1) < 0.015)
        assert abs(np.corrcoef(values[:-1], values[1:])[0, 1]) < 0.05


def test_repeat_penalty_divides_what_is_positive_and_multiplies_what_is_not() -> None:
    logits = np.array([4.0, 3.9, -1.0, 0.0], dtype=np.float32)
    sampler = Sampler(SamplingParams(temperature=0, repeat_penalty=2.0))
    assert sampler.choose(logits, tokens(0)).token == 1
    assert sampler.choose(logits, tokens(0, 1)).token == 0
    assert sampler.choose(np.array([-1.0, -1.5], dtype=np.float32), tokens(0)).token == 1


def test_frequency_counts_and_presence_does_not() -> None:
    logits = np.array([2.0, 1.0], dtype=np.float32)
    assert Sampler(SamplingParams(temperature=0, frequency_penalty=0.6)).choose(logits, tokens(0)).token == 0
    assert Sampler(SamplingParams(temperature=0, frequency_penalty=0.6)).choose(logits, tokens(0, 0)).token == 1
    assert Sampler(SamplingParams(temperature=0, presence_penalty=0.6)).choose(logits, tokens(0, 0)).token == 0


def test_penalties_see_guesses_and_look_back_a_window() -> None:
    logits = np.array([2.0, 1.0], dtype=np.float32)
    sampler = Sampler(SamplingParams(temperature=0, presence_penalty=1.5, penalty_last_n=2))
    assert sampler.guess(logits, tokens(1), [0]).token == 0, "both were seen"
    assert sampler.guess(logits, EMPTY, [0]).token == 1
    assert sampler.guess(logits, tokens(0, 1), [1]).token == 0, "the first is out of the window"
    assert sampler.guess(logits, tokens(0), [1, 5]).token == 0, "tokens without logits do no harm"


def test_penalties_do_not_touch_the_models_logits() -> None:
    logits = random_logits(100)
    before = logits.copy()
    Sampler(SamplingParams(repeat_penalty=1.3)).choose(logits, np.arange(50, dtype=np.int32))
    assert np.array_equal(logits, before)


@pytest.mark.parametrize("temperature", [0.0, 0.8])
@pytest.mark.parametrize("top", [0, 40])
def test_values_that_are_not_numbers_are_an_error(temperature: float, top: int) -> None:
    logits = random_logits(5000)
    logits[17] = np.nan
    with pytest.raises(ComputeError, match=r"invalid values \(NaN\)"):
        Sampler(SamplingParams(temperature=temperature, top_k=top)).choose(logits, EMPTY)
