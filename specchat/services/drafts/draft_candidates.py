"""Values that describe draft candidates and runnable pairs before anything is downloaded."""

from dataclasses import dataclass
from enum import StrEnum
from math import log2

from specchat.domain.translatable_text import TranslatableText
from specchat.services.models.pair_fit import DraftVerdict, Fit

_WORTH_SAYING = 1.05
_WORTH_STAYING = 1.3
_BEST_RATIO = 1 / 10
"""A draft's size to its target's: guidance says 5 to 10 times smaller, more for very large targets."""


class ModelLocation(StrEnum):
    HERE = "here"
    HUB = "hub"


@dataclass(frozen=True, slots=True)
class SpeedupEstimate:
    """The expected speed-up of a draft, from its cost and its acceptance."""

    speedup: float
    """Against plain decoding; below 1 it slows the target down."""
    draft_length: int
    """With which that is reached."""
    acceptance: float
    """Of each guess."""
    is_known: bool
    """The acceptance was measured or published for this pair; otherwise it is what related models usually reach."""
    measured: bool = False
    """A benchmark on this computer found all of it."""
    in_chats: bool = False
    """Answers on this computer have taught it."""
    tiny: bool = False
    """So small a target that reading is the least of a pass: only measuring tells whether guessing pays."""
    guesses: int | None = None
    """With at most so many in a pass that was measured; None: with as many as pay, or not measured."""

    @property
    def rank(self) -> tuple[int, float]:
        """Estimates that look the same rank the same."""
        speedup = self.speedup if self.measured or self.in_chats else round(self.speedup, 1)
        return speed_rank(speedup, measured=self.measured, in_chats=self.in_chats)


def is_faster(speedup: float) -> bool:
    """Returns whether a speed-up is large enough to mention."""
    return speedup >= _WORTH_SAYING


def speed_rank(speedup: float, *, measured: bool, in_chats: bool) -> tuple[int, float]:
    """The best is the least. What a benchmark found to be faster goes before what chats taught, both before estimates:
    the three are no figures of the same kind. A draft that hardly gained in chats counts as no gain: it ranks among the
    untried ones.
    """
    if in_chats and speedup < _WORTH_STAYING:
        speedup = min(speedup, 1.0)
    known = 0 if measured else 1 if in_chats else 2
    return known if is_faster(speedup) else 2, -round(speedup, 2)


def distance_from_best_size(draft: int, target: int) -> float:
    """Ranks drafts of which nothing else is known, by the sizes of the files."""
    return abs(log2(max(1, draft) / max(1, target) / _BEST_RATIO))


def slowdown_percent(speedup: float) -> int:
    """Returns the slowdown in percent; 0: not slower."""
    return max(0, round(100 * (1 - speedup)))


@dataclass(frozen=True, slots=True)
class DraftCandidate:
    reference: str
    """What commands and downloads take: a path, or owner/repo:file.gguf."""
    name: str
    size: int
    quantization: str
    where: ModelLocation
    known: bool
    """From the list of known pairs."""
    verdict: DraftVerdict
    reason: str
    """Why it may or may not draft, a `TranslatableText`."""
    expected: SpeedupEstimate | None
    """None: it may not draft."""
    fit: Fit | None
    """Together with the target on this machine; None: not worked out."""
    left: int | None = None
    """Bytes that stay free on the fullest device."""


@dataclass(frozen=True, slots=True)
class DraftSearchResult:
    drafts: tuple[DraftCandidate, ...]
    """The best first; those that cannot guess for the target last."""
    hub_problem: TranslatableText | None = None
    """Why what is on the Hub is not, or not all, among them."""


@dataclass(frozen=True, slots=True)
class PairMember:
    reference: str
    """A path, owner/repo:file.gguf, or owner/repo where the file is still to be chosen."""
    name: str
    quantization: str
    parameters: int
    size: int
    """Estimated from the parameters until the Hub was asked."""
    here: bool
    named: str = ""
    """How commands name it where that is not its reference."""


@dataclass(frozen=True, slots=True)
class PairOffer:
    """A pair that could be run on this machine."""

    target: PairMember
    draft: PairMember
    fit: Fit
    needed: int
    expected: SpeedupEstimate
    note: TranslatableText | None = None
    own: bool = False
    """The user's own entry."""
    chats: bool = True
    """Otherwise it completes code and was not trained to answer."""
    tokens_per_s: float | None = None
    """Roughly, with these guesses, or as measured; None: there is no telling."""

    @property
    def to_download(self) -> int:
        return sum(side.size for side in (self.target, self.draft) if not side.here)


@dataclass(frozen=True, slots=True)
class TargetOffer:
    """A model that is here and has no draft of its own file."""

    target: PairMember
    fit: Fit
    needed: int
    has_mtp: bool = False
    """It guesses with layers of its own."""


@dataclass(frozen=True, slots=True)
class PairOffers:
    """Returns the usable candidates, the best first."""

    pairs: tuple[PairOffer, ...]
    alone: tuple[TargetOffer, ...]
