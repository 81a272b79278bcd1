"""Answers benchmark prompts with a loaded pair, a llama-server process, or another engine."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Protocol

from specchat.backends.cores import physical_cores
from specchat.domain.benchmark import BenchMethod, BenchPlan, BenchPrompt, StepPoint
from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import CompletionTask
from specchat.domain.compute_settings import DEFAULT_CONTEXT
from specchat.domain.engine import Engine
from specchat.domain.errors import BugError, Cancelled, IncapableError
from specchat.domain.loading import OnLoading
from specchat.domain.model_ref import ServedModel
from specchat.domain.types import (
    FinishReason,
    GenerationFinished,
    GenerationRequest,
    GenerationStats,
    Message,
    PairChoice,
    Role,
    TokenEvent,
)
from specchat.gguf.files import read_model
from specchat.services.bench.host_specs import HostSpec, build_pair_choice
from specchat.services.bench.llama_server import LlamaServer, build_server_command, find_free_port
from specchat.services.chat.request_builder import AnswerOptions, build_chat_request
from specchat.services.generation.pair_loader import PairLoader


@dataclass(frozen=True, slots=True)
class HostReply:
    stats: GenerationStats
    steps: tuple[StepPoint, ...] = ()
    tokens: tuple[int, ...] | None = None
    """None: they are not told."""


BenchRequest = GenerationRequest | CompletionTask
"""Tokens for who has the models, text for other engines: their tokens may differ."""


class BenchHost(Protocol):
    def answer(self, method: BenchMethod, request: BenchRequest, cancel: CancelToken) -> HostReply:
        """Raises Cancelled where it was cut off."""

    def close(self) -> None: ...


class PairHost:
    def __init__(
        self, spec: HostSpec, plan: BenchPlan, loader: PairLoader, cancel: CancelToken, on_loading: OnLoading
    ) -> None:
        self.pair = loader.load(build_pair_choice(spec, plan), cancel, on_loading)
        self._speculations = {
            method: self.pair.create_speculation(method.draft_type, method.draft_max, policy=method.policy)
            for method in spec.methods
        }

    def build_request(self, prompt: BenchPrompt, options: AnswerOptions) -> GenerationRequest:
        return build_chat_request(self.pair, _messages(prompt), options)

    def answer(self, method: BenchMethod, request: BenchRequest, cancel: CancelToken) -> HostReply:
        """Answers with empty caches, so that no method profits from another."""
        assert isinstance(request, GenerationRequest)
        self.pair.slots.first.clear()
        tokens: list[int] = []
        steps: list[StepPoint] = []
        draft_times: list[float] = []
        for event in self.pair.generate(request, cancel, self._speculations[method]):
            match event:
                case TokenEvent(token=token, step=step):
                    tokens.append(token)
                    if step is not None:
                        steps.append(StepPoint(len(tokens) - step.emitted, step.drafted, step.accepted, step.reach))
                    if step is not None and step.drafted:
                        draft_times.append(step.draft_s)
                case GenerationFinished(reason=FinishReason.CANCELLED):
                    raise Cancelled
                case GenerationFinished(stats=stats):
                    return HostReply(_with_drafts_reading(stats, draft_times), tuple(steps), tuple(tokens))
        raise BugError("an answer without an end")

    def close(self) -> None:
        self.pair.close()


class LlamaServerHost:
    def __init__(self, spec: HostSpec, plan: BenchPlan, cancel: CancelToken) -> None:
        (method,) = spec.methods
        port = find_free_port()
        command = build_server_command(
            method,
            port,
            n_ctx=plan.n_ctx or min(read_model(method.target).n_ctx_train or DEFAULT_CONTEXT, DEFAULT_CONTEXT),
            threads=plan.threads or physical_cores(),
            layers=plan.gpu_layers,
            draft_layers=plan.draft_gpu_layers,
        )
        self._server = LlamaServer(command, port, cancel)
        self.found_no_gpu = self._server.found_no_gpu

    def answer(self, method: BenchMethod, request: BenchRequest, cancel: CancelToken) -> HostReply:
        assert isinstance(request, GenerationRequest)
        return HostReply(self._server.answer(request, cancel))

    def close(self) -> None:
        self._server.close()


class EngineHost:
    def __init__(self, engine: Engine, model: ServedModel, cancel: CancelToken, on_loading: OnLoading) -> None:
        self._engine, self._where = engine, model.url
        self._engine.load(PairChoice(model), cancel, on_loading)

    def build_task(self, prompt: BenchPrompt, options: AnswerOptions) -> CompletionTask:
        asked = tuple(_messages(prompt))
        return CompletionTask(asked, options.sampling, options.max_tokens, ignore_eos=options.ignore_eos)

    def answer(self, method: BenchMethod, request: BenchRequest, cancel: CancelToken) -> HostReply:
        assert isinstance(request, CompletionTask)
        n_tokens = 0
        steps: list[StepPoint] = []
        for event in self._engine.generate(request, cancel):
            match event:
                case TokenEvent(step=step):
                    n_tokens += 1
                    if step is not None and step.drafted:
                        steps.append(StepPoint(n_tokens - step.emitted, step.drafted, step.accepted, step.reach))
                case GenerationFinished(reason=FinishReason.CANCELLED):
                    raise Cancelled
                case GenerationFinished(stats=stats):
                    if not stats.is_length_known:
                        raise IncapableError(
                            "{where} doesn't report how many tokens an answer has.",
                            "Without that, its speed can't be measured. Choose another engine.",
                            where=self._where,
                        )
                    return HostReply(stats, tuple(steps))
        raise BugError("an answer without an end")

    def close(self) -> None:
        self._engine.close()


def _messages(prompt: BenchPrompt) -> list[Message]:
    asked = [Message(Role.SYSTEM, prompt.system)] if prompt.system else []
    return [*asked, Message(Role.USER, prompt.text)]


def _with_drafts_reading(stats: GenerationStats, draft_times: Sequence[float]) -> GenerationStats:
    """The draft reads the prompt when it is first asked: what that takes beyond its usual time is waited for, too."""
    if not draft_times:
        return stats
    first, *others = draft_times
    reading = max(0.0, first - median(others)) if others else first
    return replace(stats, ttft_s=stats.ttft_s + reading)
