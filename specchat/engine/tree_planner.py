"""Plans trees: for which guesses the second-best candidate is verified, too, in case they are wrong.

A second-best candidate costs the draft nothing, and the target one more column, like a deeper guess. The more likely
one of both is added first. A second-best candidate is accepted if all guesses before it are right, the guess beside it
is wrong, and the target chooses it.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from specchat.domain.proposal import Proposal
from specchat.engine.draft_sources import SourceProposal
from specchat.engine.horizon import best_prefix

_EDGES = (0.55, 0.65, 0.75, 0.85, 0.95)
_TRUSTED_FOR, _FIRST_CHANCE = 4.0, 0.4
"""The chance assumed at first, with the weight of so many misses."""
_KEPT = 0.99


class SecondChances:
    """How often the second-best candidate is right if the best was wrong, by the score of the best."""

    def __init__(self) -> None:
        bins = len(_EDGES) + 1
        self._tried, self._held = [_TRUSTED_FOR] * bins, [_TRUSTED_FOR * _FIRST_CHANCE] * bins

    def chance(self, score: float) -> float:
        at = bisect_right(_EDGES, score)
        return self._held[at] / self._tried[at]

    def observe(self, score: float, *, held: bool) -> None:
        at = bisect_right(_EDGES, score)
        self._tried[at] = self._tried[at] * _KEPT + 1
        self._held[at] = self._held[at] * _KEPT + held


@dataclass(frozen=True, slots=True)
class TreePlan:
    n_main: int
    places: tuple[int, ...] = ()
    """Guesses of the main branch whose second-best candidate is added."""


class TreePlanner:
    """Plans trees, and learns from each step of every source."""

    def __init__(self) -> None:
        self._sources: dict[str, SecondChances] = {}

    def plan(
        self,
        tail: SourceProposal,
        chances: Sequence[float],
        passes: Sequence[float],
        rate: float,
        max_branches: int,
    ) -> TreePlan:
        """`chances`: the chances of the guesses before the tail, and of the tail."""
        if max_branches == 1:
            return TreePlan(best_prefix(chances, passes, rate))
        proposal, seconds = tail.proposal, [0.0] * len(chances)
        learned = self._sources.get(tail.source.name) or SecondChances()
        for place, second in enumerate(proposal.seconds, tail.behind):
            if second is not None:
                seconds[place] = learned.chance(proposal.confidences[place - tail.behind])
        return plan_tree(chances, seconds, passes, rate, max_branches)

    def observe(self, source: str, proposal: Proposal, emitted: Sequence[int]) -> None:
        """Learns from the token in place of the first wrong guess, even if the second best was not verified."""
        pairs = zip(proposal.tokens, emitted, strict=False)
        place = next((place for place, (guess, token) in enumerate(pairs) if guess != token), None)
        if place is None or place >= len(proposal.seconds) or proposal.seconds[place] is None:
            return
        learned = self._sources.setdefault(source, SecondChances())
        learned.observe(proposal.confidences[place], held=proposal.seconds[place] == emitted[place])


def plan_tree(
    chances: Sequence[float],
    second_chances: Sequence[float],
    passes: Sequence[float],
    rate: float,
    max_branches: int,
) -> TreePlan:
    """`passes[k]`: seconds to verify k guesses. `second_chances`: that the second best is right if the first is not."""
    again = 1 - rate * (passes[-1] - passes[0]) / max(1, len(passes) - 1)
    """The value of a token that the next pass has to compute again."""
    best, most, tokens = TreePlan(0), -rate * passes[0], 0.0
    all_right, n_main = 1.0, 0
    beside: dict[int, float] = {}
    places: list[int] = []
    for seconds in passes[1:]:
        deeper = all_right * chances[n_main] if n_main < len(chances) else 0.0
        place = max(beside, key=beside.__getitem__, default=None)
        if place is not None and beside[place] > deeper and len(places) < max_branches - 1:
            tokens += beside.pop(place)
            places.append(place)
        elif n_main < len(chances):
            beside[n_main] = again * (all_right - deeper) * second_chances[n_main]
            all_right, n_main, tokens = deeper, n_main + 1, tokens + deeper
        else:
            break
        if tokens - rate * seconds > most:
            best, most = TreePlan(n_main, tuple(sorted(places))), tokens - rate * seconds
    return best


def add_branches(proposal: Proposal, seconds: Sequence[int | None], places: Sequence[int]) -> Proposal:
    """`seconds`: the second-best candidates of the proposal's guesses."""
    for place in places:
        second = seconds[place]
        if second is not None:
            proposal = proposal.with_branch(second, place)
    return proposal


def add_all_branches(proposal: Proposal, room: int, max_branches: int) -> Proposal:
    """Adds second-best candidates as far as there is room, for the first guesses first because they matter most."""
    places = [place for place, second in enumerate(proposal.seconds) if second is not None]
    n_more = max(0, min(room - len(proposal.tokens), max_branches - 1))
    return add_branches(proposal, proposal.seconds, places[:n_more])
