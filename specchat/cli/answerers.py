"""The sources of answers in `specchat chat`: a local pair or another engine."""

import argparse
import logging
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from specchat.cli import App
from specchat.cli.chat_arguments import ChatInput, is_interactive
from specchat.cli.engine_arguments import require_no_local_options, served_model
from specchat.cli.output import finish_progress, print_note, show_progress
from specchat.cli.pair_arguments import pair_choice
from specchat.domain.answer_tasks import PairInfo
from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import CompletionTask, QueryAnswered
from specchat.domain.connections import Lacks
from specchat.domain.engine import ChatTask, Engine, EngineTask, PromptPrepared, ToolsRefused
from specchat.domain.media import Senses
from specchat.domain.picture_errors import blind_error
from specchat.domain.recording_errors import deaf_error
from specchat.domain.types import GenerationEvent, Message, PairChoice, Reasoning
from specchat.services.answers.reasoning_switch import why_no_reasoning
from specchat.services.chat.request_builder import (
    AnswerOptions,
    build_chat_prompt,
    build_prompt_request,
    build_raw_request,
)
from specchat.services.generation.completion import generate_completion
from specchat.services.generation.loaded_pair import LoadedPair
from specchat.services.generation.prefill import find_prefill_opening
from specchat.services.models.mmproj_lookup import with_mmproj

log = logging.getLogger(__name__)

AnswerEvent = PromptPrepared | GenerationEvent
AnswerEvents = Generator[AnswerEvent, None, None]


class Answerer(Protocol):
    @property
    def target(self) -> str: ...
    @property
    def senses(self) -> Senses: ...
    @property
    def is_elsewhere(self) -> bool:
        """Another engine answers."""

    @property
    def facts(self) -> Mapping[str, object]:
        """What is told of it with an answer."""

    @property
    def lacks(self) -> Lacks: ...
    @property
    def n_ctx(self) -> int:
        """0: not known."""

    @property
    def can_grow(self) -> bool:
        """A larger context would help, and -c sets it."""

    def answer(self, asked: ChatInput, options: AnswerOptions, cancel: CancelToken) -> AnswerEvents: ...
    def close(self) -> None: ...


LoadAnswerer = Callable[[CancelToken], Answerer]


def plan_answerer(arguments: argparse.Namespace, app: App) -> LoadAnswerer:
    """What is wrong with the arguments is told before anything is loaded."""
    load = _plan(arguments, app)

    def load_with_notes(cancel: CancelToken) -> Answerer:
        answerer = load(cancel)
        wanted = Reasoning(arguments.reasoning)
        if wanted is not Reasoning.AUTO and (reason := why_no_reasoning(wanted, answerer.lacks)):
            print_note(f"Note: --reasoning has no effect. {reason}")
        return answerer

    return load_with_notes


def _plan(arguments: argparse.Namespace, app: App) -> LoadAnswerer:
    if arguments.engine is None:
        choice = pair_choice(arguments, app)
        has_media = arguments.image or arguments.audio or (is_interactive(arguments) and _has_encoder(choice))
        if choice.target_settings.rpc or has_media:  # what goes wrong there ends the process that computes
            return lambda cancel: _load_engine(app.engine_process(), choice, cancel)
        return lambda cancel: _load_pair(app, choice, cancel, raw=arguments.raw)
    require_no_local_options(arguments)
    target = served_model(arguments.engine, app, arguments.model or "")
    return lambda cancel: _load_engine(app.connections().engine(), PairChoice(target), cancel)


def _has_encoder(choice: PairChoice) -> bool:
    return with_mmproj(choice).target_settings.mmproj is not None


class PairAnswerer:
    def __init__(self, pair: LoadedPair) -> None:
        self._pair = pair

    @property
    def target(self) -> str:
        return self._pair.choice.target.name

    @property
    def senses(self) -> Senses:
        return Senses(self._pair.prompts.sees_pictures, self._pair.prompts.hears_recordings)

    @property
    def is_elsewhere(self) -> bool:
        return False

    @property
    def lacks(self) -> Lacks:
        return self._pair.lacks

    @property
    def n_ctx(self) -> int:
        return self._pair.target.n_ctx

    @property
    def can_grow(self) -> bool:
        return self._pair.target.n_ctx < self._pair.target.n_ctx_trained

    @property
    def facts(self) -> Mapping[str, object]:
        selftest = self._pair.selftest
        return {
            "exact": {
                "mode": self._pair.choice.target_settings.exact,
                "selftest": "not run" if selftest is None else selftest.verdict,
            }
        }

    def answer(self, asked: ChatInput, options: AnswerOptions, cancel: CancelToken) -> AnswerEvents:
        if options.json_schema or options.grammar:
            yield from generate_completion(self._pair, _completion(asked, options), cancel)
            return
        if isinstance(asked, str):
            request = build_raw_request(self._pair, asked, options)
        else:
            if options.prefill:
                opening = find_prefill_opening(self._pair, asked, variables=options.template_variables)
                options = replace(options, opening=opening)
            prompt = build_chat_prompt(self._pair, asked, options)
            begun = options.opening + options.prefill
            yield PromptPrepared(len(prompt.tokens), prompt.n_left_out, begun=begun)
            request = build_prompt_request(self._pair, prompt, options)
        log.info("A prompt of %d tokens", len(request.prompt))
        yield from self._pair.generate(request, cancel)

    def close(self) -> None:
        self._pair.close()


class EngineAnswerer:
    def __init__(self, engine: Engine, choice: PairChoice, info: PairInfo) -> None:
        self._engine = engine
        self._name, self.target, self.senses = info.engine, info.target, info.senses
        self._is_exact, self._selftest = choice.target_settings.exact, info.exact
        self._n_ctx, self._n_ctx_trained = info.n_ctx, info.n_ctx_trained
        self.lacks = info.lacks

    @property
    def is_elsewhere(self) -> bool:
        return bool(self._name)

    @property
    def n_ctx(self) -> int:
        return self._n_ctx

    @property
    def can_grow(self) -> bool:
        return self._n_ctx < self._n_ctx_trained

    @property
    def facts(self) -> Mapping[str, object]:
        named = {"engine": self._name, "model": self.target} if self._name else {}
        return {"exact": {"mode": self._is_exact, "selftest": self._selftest or "not run"}} | named

    def answer(self, asked: ChatInput, options: AnswerOptions, cancel: CancelToken) -> AnswerEvents:
        if not isinstance(asked, str):
            self._require_senses(asked)
        for event in self._engine.generate(_task(asked, options), cancel):
            if not isinstance(event, QueryAnswered | ToolsRefused):
                yield event

    def _require_senses(self, asked: Sequence[Message]) -> None:
        """An engine elsewhere may answer as if the picture were not there."""
        if not self.senses.sees and any(message.pictures for message in asked):
            raise blind_error(self.target, is_elsewhere=self.is_elsewhere)
        if not self.senses.hears and any(message.recordings for message in asked):
            raise deaf_error(self.target, is_elsewhere=self.is_elsewhere)

    def close(self) -> None:
        self._engine.close()


def _task(asked: ChatInput, options: AnswerOptions) -> EngineTask:
    sampling, longest, stop, ignore_eos = options.sampling, options.max_tokens, options.stop, options.ignore_eos
    if isinstance(asked, str) or not (options.drop_oldest or options.prefill):
        return _completion(asked, options)
    return ChatTask(
        tuple(asked),
        sampling,
        longest,
        prefill=options.prefill,
        stop=stop,
        ignore_eos=ignore_eos,
        reasoning=options.reasoning,
    )


def _completion(asked: ChatInput, options: AnswerOptions) -> CompletionTask:
    return CompletionTask(
        asked if isinstance(asked, str) else tuple(asked),
        options.sampling,
        options.max_tokens,
        options.stop,
        options.ignore_eos,
        json_schema=options.json_schema,
        grammar=options.grammar,
        template_variables=options.template_variables,
    )


def _load_pair(app: App, choice: PairChoice, cancel: CancelToken, *, raw: bool) -> Answerer:
    pair = app.pair_loader().load(choice, cancel, show_progress, raw=raw)
    finish_progress("loaded")
    return PairAnswerer(pair)


def _load_engine(engine: Engine, choice: PairChoice, cancel: CancelToken) -> Answerer:
    info = engine.load(choice, cancel, show_progress)
    finish_progress("loaded")
    return EngineAnswerer(engine, choice, info)
