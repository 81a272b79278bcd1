"""Tasks, events and results exchanged by a chat and the engine that answers it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from specchat.domain.cancel_token import CancelToken
from specchat.domain.connections import Lacks
from specchat.domain.conversations import Answer, Mark, MessageState
from specchat.domain.documents import DocumentSource
from specchat.domain.embeddings import Purpose
from specchat.domain.media import Senses
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import Message, Reasoning, SamplingParams, Tool, ToolCall


@dataclass(frozen=True, slots=True)
class PairInfo:
    """A loaded pair, as it is shown."""

    target: str
    draft: str | None
    n_ctx: int
    drafting: str
    """"on", or "off: " and why."""
    exact: str
    """The self-test's verdict; empty without exact mode."""
    guesser: str = ""
    """The draft type in use; empty: nobody guesses."""
    pass_s: float = 0.0
    """What a pass of one token usually takes; 0: not known."""
    engine: str = ""
    """What computes, where it is not specchat itself."""
    lacks: Lacks = field(default_factory=dict, hash=False)
    """What it cannot do, and why."""
    n_slots: int = 1
    """Answers at once."""
    slots_reason: TranslatableText | None = None
    """Why no more, where more were wanted."""
    purpose: Purpose = Purpose.TEXT
    sees_pictures: bool = False
    hears_recordings: bool = False
    calls_tools: bool = False
    size: int = 0
    """Of the target's tensors in bytes; 0: not known."""
    size_on_gpus: int = 0
    file_size: int = 0
    """Of the target's files in bytes; 0: not known."""
    n_ctx_trained: int = 0
    """The largest context of the target; 0: not known."""

    @property
    def senses(self) -> Senses:
        return Senses(self.sees_pictures, self.hears_recordings)


@dataclass(frozen=True, slots=True)
class CondensedPrompt:
    messages: tuple[Message, ...]
    sources: tuple[DocumentSource, ...]


class DocumentPrompt(Protocol):
    """A conversation with documents, which a context may have no room for."""

    def is_certainly_too_long(self, n_ctx: int) -> bool: ...
    def prepare(self, n_ctx: int, cancel: CancelToken) -> Iterator[tuple[int, int]]:
        """To be run before `condense`. Yields how much is done of what takes long, if anything does."""

    def condense(self, n_ctx: int) -> CondensedPrompt | None:
        """With the passages that the question is about. Takes its time. None: no document is worth it."""


class Compared(StrEnum):
    """Who writes an answer that is timed beside another one: its caches begin empty, and it guesses from no other
    answer.
    """

    PAIR = "pair"
    TARGET_ONLY = "target only"


@dataclass(frozen=True, slots=True)
class AnswerTask:
    message: int
    """Whose text is written."""
    messages: tuple[Message, ...]
    sampling: SamplingParams = SamplingParams()
    max_tokens: int | None = None
    begun: str = ""
    """The answer so far, which is continued."""
    marks: tuple[Mark, ...] = ()
    """Its marks."""
    prefill: str = ""
    """The user's words that a new answer starts with."""
    probabilities: bool = False
    documents: DocumentPrompt | None = None
    compared: Compared | None = None
    """None: an answer like any other."""
    tools: tuple[Tool, ...] = ()
    stop: tuple[str, ...] = ()
    ignore_eos: bool = False
    reasoning: Reasoning = Reasoning.AUTO


@dataclass(frozen=True, slots=True)
class PromptRead:
    message: int
    done: int
    total: int
    n_left_out: int = 0
    """The oldest messages, for which the context has no room."""
    n_prompt: int = 0
    """Tokens of the whole prompt: of what was read before, too."""


@dataclass(frozen=True, slots=True)
class AnswerEnded:
    message: int
    state: MessageState
    answer: Answer
    calls: tuple[ToolCall, ...] = ()
    """Tools that the model wants to be called before it goes on."""


@dataclass(frozen=True, slots=True)
class CountTask:
    """Counts the tokens in the context and those that would be added."""

    messages: tuple[Message, ...]
    question: str = ""
    attachments: tuple[str, ...] = ()
    max_tokens: int | None = None
    """Of the answer, for which room is kept."""
    condensed: "CountTask | None" = None
    """Counted instead where this does not fit."""
    searched: tuple[str, ...] = ()
    """The names of the documents of which it has passages."""
    pictures: tuple[int, ...] = ()
    """Tokens of pictures and recordings that are attached, before the rest: estimates, as sending these takes long."""
    tools: tuple[Tool, ...] = ()


@dataclass(frozen=True, slots=True)
class ContextCount:
    system: int
    conversation: int
    """As much of it as would be sent."""
    attachments: tuple[int, ...]
    question: int
    n_ctx: int
    limit: int
    """Of system prompt and question: the rest is room for an answer."""
    n_left_out: int = 0
    """The oldest messages, for which there is no room."""
    is_estimate: bool = False
    """The engine does not count tokens before it reads them."""
    searched: tuple[str, ...] = ()
    """The names of the documents of which passages were counted: the whole ones do not fit."""
    n_tools_left_out: int = 0
    """The last of the tools, for which there is no room."""

    @property
    def message_total(self) -> int:
        return sum(self.attachments) + self.question

    @property
    def fits(self) -> bool:
        return not self.n_left_out and self.message_total <= self.free

    @property
    def free(self) -> int:
        """The room for a message without earlier ones."""
        return max(0, self.limit - self.system)
