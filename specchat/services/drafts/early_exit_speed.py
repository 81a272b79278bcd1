"""Works out what a draft would bring from what it would have guessed of answers that are known, and what passes cost.

Each answer is gone through as auto goes through it: guess while the next guess is worth its time, verify, go on after
the first wrong one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from specchat.engine.confidence import Calibration
from specchat.engine.horizon import Horizon, solve_horizon

RightGuesses = Sequence[tuple[float, bool]]
"""For each token of an answer: the draft's confidence in its guess, and whether the guess was right."""


@dataclass(frozen=True, slots=True)
class ReplayedSpeed:
    speedup: float
    acceptance: float
    """Of each guess, wherever it was made."""


def replay(answers: Sequence[RightGuesses], passes: Sequence[float], guess_s: float) -> ReplayedSpeed:
    """`passes[k]`: seconds for verifying k guesses. Where auto would not guess at all, the best fixed number tells how
    far from paying it is.
    """
    guesses = [guess for answer in answers for guess in answer]
    acceptance = sum(held for _, held in guesses) / len(guesses) if guesses else 0.0
    calibration = _calibrate(answers)
    outlook = calibration.outlook(optimism=0.0)
    horizon = solve_horizon(lambda rate: Horizon(passes, guess_s, outlook, rate))

    def auto(n_guessed: int, all_right: float) -> bool:
        return horizon.worth_another(n_guessed, all_right)

    def up_to(most: int) -> Callable[[int, float], bool]:
        return lambda n_guessed, _: n_guessed < most

    rules = [auto] if horizon.pays else [up_to(most) for most in range(1, len(passes))]
    speeds = [_speedup(answers, passes, guess_s, calibration, rule) for rule in rules]
    return ReplayedSpeed(max(speeds, default=1.0), acceptance)


def _calibrate(answers: Sequence[RightGuesses]) -> Calibration:
    calibration = Calibration()
    for answer in answers:
        calibration.begin()
        for run in _runs(answer):
            calibration.observe([score for score, _ in run], sum(held for _, held in run))
    calibration.begin()
    return calibration


def _runs(answer: RightGuesses) -> Iterator[RightGuesses]:
    """Each up to a wrong guess."""
    start = 0
    for at, (_, held) in enumerate(answer):
        if not held:
            yield answer[start : at + 1]
            start = at + 1
    if start < len(answer):
        yield answer[start:]


def _speedup(
    answers: Sequence[RightGuesses],
    passes: Sequence[float],
    guess_s: float,
    calibration: Calibration,
    worth_another: Callable[[int, float], bool],
) -> float:
    took = 0.0
    for answer in answers:
        at = 0
        while at < len(answer):
            n_guessed, all_right = 0, 1.0
            while n_guessed < min(len(passes), len(answer) - at) - 1 and worth_another(n_guessed, all_right):
                all_right *= calibration.chance(answer[at + n_guessed][0])
                n_guessed += 1
            took += passes[n_guessed] + n_guessed * guess_s
            at += 1 + _count_accepted(answer[at : at + n_guessed])
    n_tokens = sum(map(len, answers))
    return n_tokens * passes[0] / took if took else 1.0


def _count_accepted(guesses: RightGuesses) -> int:
    return next((i for i, (_, held) in enumerate(guesses) if not held), len(guesses))
