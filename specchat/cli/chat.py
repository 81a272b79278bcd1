"""specchat chat -m TARGET [-md DRAFT] -p PROMPT"""

import argparse
import logging
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field

from specchat.cli import App
from specchat.cli.chat_arguments import Question, add_chat_arguments, answer_options, question
from specchat.cli.exit_codes import INTERRUPTED
from specchat.cli.interrupt import beside, cancelled_by_ctrl_c
from specchat.cli.output import add_json, end_progress, note, show_progress, write, write_json
from specchat.cli.pair_arguments import add_pair_arguments, pair_choice
from specchat.cli.parser import examples
from specchat.domain.types import (
    Event,
    Finished,
    FinishReason,
    GenerationRequest,
    GenerationStats,
    SamplingParams,
    TokenEvent,
)
from specchat.services.chat.chat import AnswerOptions, chat_request, raw_request
from specchat.services.chat.figures import amounts, guesses
from specchat.services.generation.pair import LoadedPair

log = logging.getLogger(__name__)


class Chat:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.usage = "%(prog)s -m TARGET [-md DRAFT] (-p PROMPT | --messages FILE) [OPTIONS]"
        add_pair_arguments(parser)
        add_chat_arguments(parser)
        add_json(parser)
        parser.epilog = examples(
            'specchat chat -m demo -p "What is a draft model?"',
            'specchat chat -m TARGET.gguf -md DRAFT.gguf -p "Write a story" --temp 1',
            "specchat chat -m demo -p - < question.txt",
        )

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        asked, choice, options = question(arguments), pair_choice(arguments), answer_options(arguments)
        answer = _Answer(streams=not arguments.json)

        def events() -> Iterator[Event]:
            loader = app.pair_loader()
            with closing(loader.load(choice, cancel, show_progress, raw=arguments.raw)) as pair:
                end_progress()
                answer.exact = exactness(pair)
                yield from pair.generate(_request(pair, asked, options), cancel)

        with cancelled_by_ctrl_c() as cancel, closing(beside(events, cancel)) as arriving:
            for event in arriving:
                answer.add(event)
        answer.show(options)
        return INTERRUPTED if answer.end.reason is FinishReason.CANCELLED else 0


@dataclass(slots=True)
class _Answer:
    streams: bool
    text: list[str] = field(default_factory=list)
    tokens: list[TokenEvent] = field(default_factory=list)
    ends: list[Finished] = field(default_factory=list)
    exact: dict[str, object] = field(default_factory=dict)

    @property
    def end(self) -> Finished:
        return self.ends[-1]

    def add(self, event: Event) -> None:
        match event:
            case TokenEvent():
                self.tokens.append(event)
                self._say(event.text)
            case Finished():
                self.ends.append(event)
                self._say(event.text)

    def _say(self, text: str) -> None:
        self.text.append(text)
        if self.streams and text:
            write(text)

    def show(self, options: AnswerOptions) -> None:
        if self.streams:
            write("\n")
            note(summary(self.end, self.exact, options.sampling))
            return
        write_json(
            {
                "text": "".join(self.text),
                "tokens": [event.token for event in self.tokens],
                "origins": [event.origin for event in self.tokens],
                "finish_reason": str(self.end.reason),
                "context_full": self.end.context_full,
                "seed": options.sampling.seed,
                "stats": asdict(self.end.stats),
                "exact": self.exact,
            }
        )


def _request(pair: LoadedPair, asked: Question, options: AnswerOptions) -> GenerationRequest:
    request = raw_request(pair, asked, options) if isinstance(asked, str) else chat_request(pair, asked, options)
    log.info("A prompt of %d tokens", len(request.prompt))
    return request


def exactness(pair: LoadedPair) -> dict[str, object]:
    selftest = pair.selftest
    return {
        "mode": pair.choice.target_settings.exact,
        "selftest": "not run" if selftest is None else selftest.verdict,
    }


def summary(end: Finished, exact: dict[str, object], sampling: SamplingParams) -> str:
    parts = [_speed(end.stats), _speculation(end.stats)]
    if end.reason is FinishReason.CANCELLED:
        parts.insert(0, "interrupted")
    if sampling.temperature > 0:
        parts.append(f"seed {sampling.seed}")
    if exact.get("mode"):
        parts.append("exact: " + str(exact["selftest"]))
    if end.context_full:
        parts.append("the context is full: use a larger one with -c")
    return " · ".join(parts)


def _speed(stats: GenerationStats) -> str:
    return ", ".join([*amounts(stats), f"first after {stats.ttft_s:.2f} s"])


def _speculation(stats: GenerationStats) -> str:
    state = "no guesses made" if stats.speculation == "on" else f"guessing {stats.speculation}"
    figures = guesses(stats)
    return ", ".join(figures if figures and stats.speculation == "on" else [*figures, state])
