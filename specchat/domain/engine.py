"""The `Engine` interface: loads a pair, generates answers, counts tokens and runs benchmarks.

All that crosses it is a plain value: an engine may compute here, in another process, or elsewhere. Conversations, marks
and journals stay with who asks.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Protocol

from specchat.domain.answer_tasks import Compared, ContextCount, CountTask, PairInfo
from specchat.domain.benchmark import BenchPlan, BenchReport, OnProgress
from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import CompletionTask, ModelQuery, QueryAnswered
from specchat.domain.errors import UserError
from specchat.domain.loading import OnLoading
from specchat.domain.types import GenerationEvent, Message, PairChoice, Reasoning, SamplingParams, Tool


@dataclass(frozen=True, slots=True)
class ChatTask:
    """The next answer of a conversation. The oldest messages are left out where the context has no room for them."""

    messages: tuple[Message, ...]
    sampling: SamplingParams = SamplingParams()
    max_tokens: int | None = None
    begun: str = ""
    """The answer so far, which is continued."""
    prefill: str = ""
    """The user's words that a new answer starts with, behind the reasoning where there would be some."""
    probabilities: bool = False
    stop: tuple[str, ...] = ()
    ignore_eos: bool = False
    condensed: tuple[Message, ...] = ()
    """The same with passages of its documents; read where `messages` don't fit. Empty: there is nothing to condense."""
    compared: Compared | None = None
    """None: an answer like any other."""
    reasoning: Reasoning = Reasoning.AUTO
    tools: tuple[Tool, ...] = ()
    """Those that the model may call; a model that can't call any gets none."""


@dataclass(frozen=True, slots=True)
class PromptPrepared:
    """The first event of a chat task."""

    n_tokens: int
    n_left_out: int
    """The oldest messages, for which the context has no room."""
    is_condensed: bool = False
    """The condensed messages were read."""
    begun: str = ""
    """What the answer starts with, if words were given for it."""
    n_tools_left_out: int = 0
    """For which the context has no room."""


@dataclass(frozen=True, slots=True)
class ToolsRefused:
    """The engine takes no tools: the answer is written without them. Told once for a loaded model."""

    error: UserError


AnswerTask = ChatTask | CompletionTask
EngineTask = AnswerTask | ModelQuery
EngineEvent = PromptPrepared | ToolsRefused | GenerationEvent | QueryAnswered


class Engine(Protocol):
    """One pair at a time, and all calls from one thread; only a CancelToken is used from others. Where the pair has
    several slots, as many threads may call `generate` at once, while nothing else is called. One more may look things
    up, or call `count`.

    What goes wrong is a UserError. After an EngineStoppedError nothing is loaded any more.
    """

    @property
    def is_loaded(self) -> bool: ...
    def load(self, choice: PairChoice, cancel: CancelToken, progress: OnLoading) -> PairInfo:
        """Replaces the loaded pair. Includes the self-test in exact mode and measuring the costs of passes."""

    def generate(self, task: EngineTask, cancel: CancelToken) -> Generator[EngineEvent, None, None]:
        """The last event is Finished, or what a query is answered with. It may be closed early."""

    def count(self, task: CountTask) -> ContextCount: ...
    def bench(self, plan: BenchPlan, on_progress: OnProgress, cancel: CancelToken) -> BenchReport:
        """The pair that is loaded goes: its memory is needed. When it is cancelled, what was measured."""

    def unload(self) -> None:
        """All that the pair took is free again."""

    def close(self) -> None: ...
