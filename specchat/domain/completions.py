"""Tasks, events and interfaces shared by the API server and the engine."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.cancel_token import CancelToken
from specchat.domain.embeddings import EmbeddingQuery, Purpose, RankingQuery
from specchat.domain.errors import UserError
from specchat.domain.media import TEXT_ONLY, Senses
from specchat.domain.types import GenerationEvent, Message, SamplingParams, Tool


@dataclass(frozen=True, slots=True)
class TextFile:
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class InfillPrompt:
    """A text with a gap that the answer fills."""

    prefix: str
    suffix: str
    files: tuple[TextFile, ...] = ()
    """What may help, the most important last."""
    begun: str = ""
    """What stands in the gap already."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Seconds, after which the answer ends as it is; None: as long as it takes."""

    prompt_s: float | None = None
    answer_s: float | None = None


@dataclass(frozen=True, slots=True)
class CompletionTask:
    prompt: tuple[Message, ...] | str | tuple[int, ...] | InfillPrompt
    """A conversation, a raw text, tokens, or a gap in a text."""
    sampling: SamplingParams = SamplingParams()
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    ignore_eos: bool = False
    top_logprobs: int | None = None
    """How many alternatives to each token; None: no probabilities at all."""
    begun: str = ""
    """The answer to a conversation so far, which is continued."""
    json_schema: str = ""
    """The answer is JSON that conforms to it; "{}": any JSON; empty: any text."""
    grammar: str = ""
    """The same as a grammar (GBNF)."""
    tools: tuple[Tool, ...] = ()
    tool_choice: str = "auto"
    """Or "none", "required", or the name of the one to call."""
    one_call: bool = False
    """At most."""
    thoughts_apart: bool = False
    """What the model thinks aloud is told apart from its answer."""
    template_variables: Mapping[str, object] = field(default_factory=dict)
    client: str = ""
    """Who asks, as it calls itself."""
    logit_bias: tuple[tuple[int, float], ...] = ()
    """What is added to the scores of these tokens."""
    limits: TimeLimits = TimeLimits()
    min_indent: int = 0
    """The answer ends before a line that is indented less, but for its first one."""
    narrows_gap: bool = False
    """As in `GenerationRequest`."""

    @property
    def messages(self) -> tuple[Message, ...]:
        """The messages of a conversation; empty if the prompt is none."""
        if isinstance(self.prompt, str | InfillPrompt):
            return ()
        return tuple(part for part in self.prompt if isinstance(part, Message))

    @property
    def has_pictures(self) -> bool:
        return any(message.pictures for message in self.messages)

    @property
    def has_recordings(self) -> bool:
        return any(message.recordings for message in self.messages)


@dataclass(frozen=True, slots=True)
class TokenizeQuery:
    """Answered with a `TokenizedText`."""

    text: str
    add_special: bool = False
    parse_special: bool = True
    with_pieces: bool = False


@dataclass(frozen=True, slots=True)
class TokenizedText:
    """There may be a million tokens: an object for each would take seconds to pass on."""

    tokens: tuple[int, ...]
    pieces: Mapping[int, bytes] = field(default_factory=dict, hash=False)
    """The text of each token, if it was asked for."""


@dataclass(frozen=True, slots=True)
class DetokenizeQuery:
    """Answered with a text."""

    tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PromptQuery:
    """Asks for the prompt that the model would read. Answered with a `WrittenPrompt`."""

    task: CompletionTask


@dataclass(frozen=True, slots=True)
class WrittenPrompt:
    text: str
    """Of a conversation."""
    n_tokens: int


@dataclass(frozen=True, slots=True)
class AboutQuery:
    """Answered with a `ModelDescription`."""


@dataclass(frozen=True, slots=True)
class ModelDescription:
    path: str
    template: str
    bos: str
    eos: str
    n_vocab: int
    n_ctx: int
    n_ctx_trained: int
    n_embd: int
    n_parameters: int
    size: int
    architecture: str
    kind: str
    """Architecture, size and quantization in llama.cpp's words."""
    fills_gaps: bool
    calls_tools: bool
    purpose: Purpose = Purpose.TEXT
    sees_pictures: bool = False
    hears_recordings: bool = False


Lookup = TokenizeQuery | DetokenizeQuery | PromptQuery | AboutQuery
"""Queries that need no pass, and are answered while answers are written."""
ModelQuery = Lookup | EmbeddingQuery | RankingQuery
"""Queries to the loaded model that need no generated answer."""


@dataclass(frozen=True, slots=True)
class QueryAnswered:
    value: object


@dataclass(frozen=True, slots=True)
class RequestQueued:
    """The request waits. Only told to who watches all of them."""


@dataclass(frozen=True, slots=True)
class RequestStarted:
    """The request does not wait any more."""

    pair: PairInfo
    """Which answers it."""


@dataclass(frozen=True, slots=True)
class ModelAwaited:
    """The request had to wait until its model was loaded."""

    seconds: float


@dataclass(frozen=True, slots=True)
class TaskFailed:
    error: UserError | None
    """None: cancelled before it ended by itself."""


ServedTask = CompletionTask | ModelQuery
ServingEvent = RequestQueued | RequestStarted | ModelAwaited | GenerationEvent | QueryAnswered | TaskFailed


class ModelStatus(StrEnum):
    """As llama-server's router calls it."""

    UNLOADED = "unloaded"
    LOADING = "loading"
    LOADED = "loaded"


@dataclass(frozen=True, slots=True)
class OfferedModel:
    """A model of this computer that requests may name."""

    name: str
    size: int
    parameters: int
    quantization: str
    n_ctx_trained: int | None
    status: ModelStatus = ModelStatus.UNLOADED
    failure: UserError | None = None
    """Why it could not be loaded the last time."""
    pair: PairInfo | None = None
    """As it is loaded."""
    senses: Senses = TEXT_ONLY


class ModelCatalog(Protocol):
    """The models that a server loads by name. A name is looked up among these, and never opened as a path."""

    def models(self) -> Sequence[OfferedModel]: ...
    def refresh(self) -> None:
        """Looks which models there are now, which may take a while."""

    def has(self, name: str) -> bool: ...
    def find(self, name: str) -> OfferedModel:
        """Like the others, this raises UnknownModelError."""

    def describe(self, name: str) -> ModelDescription:
        """From its file, without loading it."""

    def load(self, name: str) -> bool:
        """Begins to. False: it is loaded already, or loading."""

    def unload(self, name: str) -> bool:
        """After the answers that it owes; while it loads, at once. False: it is not loaded."""


class Completions(Protocol):
    """Answers as many requests at once as the pair has slots; the others wait."""

    @property
    def catalog(self) -> ModelCatalog | None:
        """None: there is one pair, whatever name requests call it by."""

    @property
    def pair(self) -> PairInfo | None:
        """The pair that answered last; None: no pair is loaded."""

    @property
    def is_asleep(self) -> bool:
        """Whether the models are unloaded until the next request."""

    @property
    def description(self) -> ModelDescription | None:
        """Of the one pair, if it is known without waking it."""

    @property
    def n_waiting(self) -> int: ...

    def not_ready(self) -> UserError:
        """Why nothing is loaded."""

    def submit(self, task: ServedTask, hear: Callable[[list[ServingEvent]], None], model: str = "") -> CancelToken:
        """`hear` is told, in the engine's thread, all that happens, a step at a time; the last event is Finished,
        QueryAnswered or TaskFailed. `model`: its name; empty: the one that was asked last. Raises QueueFullError,
        UnknownModelError, or NotReadyError where nothing is loaded nor can be.
        """


@dataclass(frozen=True, slots=True)
class ServerSettings:
    host: str = "127.0.0.1"
    port: int = 8080
    """0: any that is free."""
    api_key: str = field(default="", repr=False)
    origins: tuple[str, ...] = ()
    """Web pages that may ask, such as "https://chat.example"."""
    idle_unload_s: float | None = None
    """After so long without a request the models are unloaded, until the next one; None: never."""
    models_max: int | None = None
    """Of those that are loaded by name, so many at once; None: as many as fit in memory."""
    in_window: bool = False
    """The window serves, which has no option for origins."""


OnWaiting = Callable[[bool], None]
"""Is told whether Ctrl-C (SIGINT) ends the server."""


class ApiServer(Protocol):
    """Holds its address from the beginning, so that nothing is loaded in vain."""

    @property
    def url(self) -> str: ...
    def run(self, waits: OnWaiting = lambda by_ctrl_c: None) -> None:
        """Until `stop`; in the main thread also until SIGINT or SIGTERM. Running answers get some time to finish;
        `waits` is told so if there are any. A second SIGINT ends the wait.
        """

    def stop(self) -> None:
        """From any thread. Asked again, it waits for nobody."""


MakeServer = Callable[[ServerSettings, Completions], ApiServer]
