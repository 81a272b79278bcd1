"""An answer as it arrives in the terminal, and the line about it."""

from dataclasses import asdict, dataclass, field

from specchat.cli.output import note, write
from specchat.domain.types import (
    Event,
    Finished,
    FinishReason,
    GenerationStats,
    SamplingParams,
    TokenEvent,
)
from specchat.services.chat.chat import AnswerOptions
from specchat.services.chat.figures import amounts, guesses
from specchat.services.generation.pair import LoadedPair


@dataclass(slots=True)
class Answer:
    streams: bool = True
    tokens: list[TokenEvent] = field(default_factory=list)
    exact: dict[str, object] = field(default_factory=dict)
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
        note(_summary(self.end, self.exact, options.sampling))

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


def _summary(end: Finished, exact: dict[str, object], sampling: SamplingParams) -> str:
    parts = [_speed(end.stats), ", ".join(guesses(end.stats))]
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
