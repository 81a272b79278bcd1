"""An answer as it arrives in the terminal, and the line about it."""

from dataclasses import asdict, dataclass, field

from specchat.cli.output import note, write
from specchat.domain.types import (
    Event,
    Finished,
    FinishReason,
    GenerationStats,
    PairChoice,
    SamplingParams,
    TokenEvent,
)
from specchat.services.chat.chat import AnswerOptions
from specchat.services.chat.figures import amounts, guesses
from specchat.services.generation.pair import LoadedPair

_NOTHING_IN_TEXT = "nothing in the text to guess from"
_NO_DRAFT = f"no draft given (-md), and {_NOTHING_IN_TEXT}"
_SHORT = "the answer is too short"


@dataclass(slots=True)
class Answer:
    streams: bool = True
    tokens: list[TokenEvent] = field(default_factory=list)
    exact: dict[str, object] = field(default_factory=dict)
    _why_silent: str = ""
    _text: list[str] = field(default_factory=list)
    _ends: list[Finished] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self._text)

    @property
    def end(self) -> Finished:
        return self._ends[-1]

    @property
    def is_cancelled(self) -> bool:
        return self.end.reason is FinishReason.CANCELLED

    def begin(self, pair: LoadedPair) -> None:
        selftest = pair.selftest
        self._why_silent = _why_silent(pair.choice)
        self.exact = {
            "mode": pair.choice.target_settings.exact,
            "selftest": "not run" if selftest is None else selftest.verdict,
        }

    def add(self, event: Event) -> None:
        match event:
            case TokenEvent():
                self.tokens.append(event)
                self._say(event.text)
            case Finished():
                self._ends.append(event)
                self._say(event.text)

    def _say(self, text: str) -> None:
        self._text.append(text)
        if self.streams and text:
            write(text)

    def sum_up(self, options: AnswerOptions) -> None:
        write("\n")
        note(_summary(self.end, self.exact, options.sampling, self._why_silent))

    def as_json(self, options: AnswerOptions) -> dict[str, object]:
        return {
            "text": self.text,
            "tokens": [event.token for event in self.tokens],
            "origins": [event.origin for event in self.tokens],
            "finish_reason": str(self.end.reason),
            "context_full": self.end.context_full,
            "seed": options.sampling.seed,
            "stats": asdict(self.end.stats),
            "exact": self.exact,
        }


def _why_silent(choice: PairChoice) -> str:
    """Where no guesses were made."""
    match choice.draft_type:
        case "auto" | "model":
            return _NO_DRAFT if choice.draft is None else _SHORT
        case "ngram":
            return _NOTHING_IN_TEXT
    return f"the drafter {choice.draft_type} made none that can be used"


def _summary(end: Finished, exact: dict[str, object], sampling: SamplingParams, why_silent: str) -> str:
    parts = [_speed(end.stats), _speculation(end.stats, why_silent)]
    if end.reason is FinishReason.CANCELLED:
        parts.insert(0, "interrupted")
    if sampling.temperature > 0:
        parts.append(f"seed {sampling.seed}")
    if exact.get("mode"):
        parts.append("exact: " + str(exact["selftest"]))
    if end.context_full:
        parts.append("the context is full: use a larger one with -c")
    elif end.reason is FinishReason.LENGTH:
        parts.append("cut off by -n")
    return " · ".join(parts)


def _speed(stats: GenerationStats) -> str:
    return ", ".join([*amounts(stats), f"first after {stats.ttft_s:.2f} s"])


def _speculation(stats: GenerationStats, why_silent: str) -> str:
    figures = guesses(stats)
    if stats.speculation != "on":
        return ", ".join([*figures, f"guessing {stats.speculation}"])
    return ", ".join(figures) or f"no guesses made: {why_silent}"
