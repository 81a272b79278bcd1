"""Prints an answer to the terminal as it arrives, followed by a summary."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from specchat.cli.answerers import AnswerEvent
from specchat.cli.output import print_note, write_answer, write_output
from specchat.cli.word_wrap import WordWrap
from specchat.domain.engine import PromptPrepared
from specchat.domain.errors import UserError
from specchat.domain.printable_text import without_controls
from specchat.domain.types import (
    NO_TOKEN,
    FinishReason,
    GenerationFinished,
    GenerationStats,
    SamplingParams,
    TokenEvent,
)
from specchat.services.chat.request_builder import AnswerOptions
from specchat.services.chat.stats_text import format_amounts, format_guesses, plain_stats


@dataclass(slots=True)
class AnswerPrinter:
    streams: bool = True
    tokens: list[TokenEvent] = field(default_factory=list)
    facts: Mapping[str, object] = field(default_factory=dict)
    """What is told of who answers."""
    can_grow: bool = False
    """A larger context would help."""
    wrap: WordWrap | None = None
    _text: list[str] = field(default_factory=list)
    _ends: list[GenerationFinished] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self._text)

    @property
    def end(self) -> GenerationFinished:
        return self._ends[-1]

    @property
    def is_cancelled(self) -> bool:
        return self.end.reason is FinishReason.CANCELLED

    def add(self, event: AnswerEvent) -> None:
        match event:
            case PromptPrepared():
                self._say(event.begun)
            case TokenEvent():
                self.tokens.append(event)
                self._say(event.text)
            case GenerationFinished():
                self._ends.append(event)
                self._say(event.text)

    @property
    def _token_numbers(self) -> list[int] | None:
        """None: the engine doesn't tell them."""
        numbers = [event.token for event in self.tokens]
        return None if NO_TOKEN in numbers else numbers

    def _say(self, text: str) -> None:
        self._text.append(text)
        if self.streams and text:
            write_answer(text if self.wrap is None else self.wrap.add(without_controls(text)))

    def break_off(self) -> None:
        """What is said next is no part of it."""
        if self.streams and self.text:
            self._end_line()

    def _end_line(self) -> None:
        write_output("\n" if self.wrap is None else f"{self.wrap.rest()}\n")

    def as_broken_json(self, error: UserError) -> dict[str, object]:
        """Of an answer that an error ended: what there is of it."""
        return {
            "text": self.text,
            "tokens": self._token_numbers,
            "origins": [event.origin for event in self.tokens],
            "finish_reason": "error",
            "error": str(error.message),
            "hint": str(error.hint),
            **self.facts,
        }

    def print_summary(self, options: AnswerOptions) -> None:
        self._end_line()
        print_note(_summary(self.end, self.facts, options.sampling, can_grow=self.can_grow))

    def as_json(self, options: AnswerOptions) -> dict[str, object]:
        return {
            "text": self.text,
            "tokens": self._token_numbers,
            "origins": [event.origin for event in self.tokens],
            "finish_reason": str(self.end.reason),
            "context_full": self.end.context_full,
            "seed": options.sampling.seed,
            "stats": plain_stats(self.end.stats),
            **self.facts,
        }


def _summary(end: GenerationFinished, facts: Mapping[str, object], sampling: SamplingParams, *, can_grow: bool) -> str:
    parts = [_speed(end.stats), ", ".join(format_guesses(end.stats))]
    if end.reason is FinishReason.CANCELLED:
        parts.insert(0, "interrupted")
    if sampling.temperature > 0:
        parts.append(f"seed {sampling.seed}")
    match facts.get("exact"):
        case {"mode": True, "selftest": verdict}:
            parts.append(f"exact: {verdict}")
    if end.context_full:
        parts.append("the context is full; use a larger one with -c" if can_grow else "the context is full")
    elif end.reason is FinishReason.LENGTH:
        parts.append("stopped at the -n limit")
    return " · ".join(parts)


def _speed(stats: GenerationStats) -> str:
    first = [f"first token after {stats.ttft_s:.2f} s"] if stats.n_generated else []
    return ", ".join([*format_amounts(stats), *first])
