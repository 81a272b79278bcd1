"""Values that are shared by all layers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.domain.media import Media
from specchat.domain.model_ref import ModelRef
from specchat.domain.pictures import Picture
from specchat.domain.recordings import Recording
from specchat.domain.speculation_status import ON, OffReason

if TYPE_CHECKING:
    from specchat.domain.ports import Constraint

TARGET, DRAFT, NGRAM, LOOKAHEAD, GRAMMAR = "target", "draft", "ngram", "lookahead", "grammar"
"""Origins of tokens: the target's own choice, and guesses of the draft, from earlier text, lookahead, or a grammar."""
UNKNOWN = "unknown"
"""The origin of tokens from an engine that doesn't report where they came from."""
USER = "user"
"""The origin of text in an answer that the user wrote: its beginning, or an edit."""
NO_TOKEN = -1
"""Replaces a token id that such an engine doesn't report."""
_LONGEST_TOKENS = 10
"""Characters, on average."""

LAST_STATE = -1
"""Stands for the output of the last layer, from which the next token is chosen, in a list of layer inputs."""
OUTPUT_STATE = -2
"""The same as the output matrix gets it, of tokens that came few at a time; of others zeros."""


class VocabularyVerdict(StrEnum):
    """Do the tokens of two models go together?"""

    IDENTICAL = "identical"
    COMPATIBLE = "compatible"
    TRANSLATABLE = "translatable"
    """Another vocabulary: guesses are translated, token by token or as text."""
    INCOMPATIBLE = "incompatible"


class Reasoning(StrEnum):
    """Whether, or how long, a model thinks before it answers."""

    AUTO = "auto"
    """As it does by itself."""
    OFF = "off"
    ON = "on"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"

    @property
    def is_effort(self) -> bool:
        return self in (Reasoning.LOW, Reasoning.MEDIUM, Reasoning.HIGH)


class Role(StrEnum):
    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


Tool = Mapping[str, object]
"""A function as a client describes it: {"type": "function", "function": {"name", "description", "parameters"}}."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A function that the model wants to be called."""

    id: str
    name: str
    arguments: str
    """A JSON object."""


@dataclass(frozen=True, slots=True)
class Message:
    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    """What the assistant asked for."""
    tool_call_id: str = ""
    """Which of them a tool's message answers."""
    name: str = ""
    thought: str = ""
    """What the assistant thought before it, for templates that show it to the model again."""
    pictures: tuple[Picture, ...] = ()
    recordings: tuple[Recording, ...] = ()

    @property
    def media(self) -> tuple[Media, ...]:
        """They come before the text."""
        return (*self.pictures, *self.recordings)


class FinishReason(StrEnum):
    STOP = "stop"
    LENGTH = "length"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class SamplingParams:
    """Applied in this order: penalties, top-k, top-p, min-p, temperature."""

    temperature: float = 0.8
    top_k: int = 40
    top_p: float = 0.95
    min_p: float = 0.05
    repeat_penalty: float = 1.0
    frequency_penalty: float = 0.0
    presence_penalty: float = 0.0
    penalty_last_n: int = 64
    seed: int = 0


SAMPLING_LIMITS: Mapping[str, tuple[float, float]] = {
    "temperature": (0, 100),
    "top_k": (0, 1 << 24),
    "top_p": (0, 1),
    "min_p": (0, 1),
    "repeat_penalty": (0.01, 100),
    "frequency_penalty": (-100, 100),
    "presence_penalty": (-100, 100),
    "penalty_last_n": (-1, 1 << 24),
    "seed": (-1, (1 << 63) - 1),
}
"""The limits of its fields, for values from the user or a file; a negative seed means a new one each time."""


@dataclass(frozen=True, slots=True)
class GenerationRequest:
    prompt: tuple[int, ...]
    sampling: SamplingParams = SamplingParams()
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    ignore_eos: bool = False
    probabilities: bool = False
    """Wanted with temperature 0 too, where they cost a look at the whole vocabulary."""
    top_logprobs: int | None = None
    """How many of the likeliest tokens come with each token; None: no log-probabilities at all."""
    constraint: "Constraint | None" = None
    """Good for one answer."""
    markers: Mapping[int, bytes] = field(default_factory=dict)
    """Control tokens that are part of this answer's text, with what they add to it."""
    logit_bias: tuple[tuple[int, float], ...] = ()
    """What is added to the scores of these tokens."""
    text_before: tuple[int, ...] | None = None
    """What comes before the answer in the order of the text, where the prompt has another: guesses from the text."""
    narrows_gap: bool = False
    """The text ends where the model is unsure of more, as with llama.cpp's infill sampler."""


@dataclass(frozen=True, slots=True)
class SampledToken:
    token: int
    probability: float | None
    second: int | None = None
    """The second best, of a guess."""


@dataclass(frozen=True, slots=True)
class ScoredToken:
    token: int
    piece: bytes
    """What it adds to the text, perhaps a part of a character."""
    logprob: float


@dataclass(frozen=True, slots=True)
class TokenLogprobs:
    """Log probabilities of the model's own distribution, before penalties and sampling."""

    chosen: ScoredToken
    best: tuple[ScoredToken, ...]


@dataclass(frozen=True, slots=True)
class StepStats:
    """One pass of the target: what was guessed, what held, what it cost."""

    drafted: int
    accepted: int
    emitted: int
    draft_s: float
    target_s: float
    sample_s: float
    origins: tuple[str, ...] = ()
    saved_s: float = 0.0
    """Against plain passes; negative where the guesses cost more than they saved."""
    saved_is_rough: bool = False
    """Other programs slowed the passes down, so `saved_s` is a rough estimate."""
    why_off: OffReason | None = None
    """Nothing is guessed at present."""
    draft_off: OffReason | None = None
    """The draft is not asked at present, whoever else guesses."""
    tree: tuple[tuple[int, bool | None], ...] = ()
    """How many guesses each of them follows, and whether it was accepted; None: its place was not reached. Empty: they
    follow one another."""

    @property
    def reach(self) -> int:
        """Guesses on the longest branch."""
        return max((depth + 1 for depth, _ in self.tree), default=self.drafted)

    def guesses(self) -> Iterator[tuple[str, bool | None]]:
        """Yields the source of each guess, and whether it was accepted; None: its position was not reached."""
        held = [is_held for _, is_held in self.tree] or [True] * self.accepted + [False] + [None] * self.drafted
        return zip(self.origins, held, strict=False)


@dataclass(frozen=True, slots=True)
class PromptProgress:
    done: int
    total: int
    reused: int = 0
    """Of the prompt, before those."""


@dataclass(frozen=True, slots=True)
class TokenEvent:
    """One token of the answer. `text` may be empty while a character or a stop string is incomplete."""

    token: int
    text: str
    origin: str
    draft_position: int | None
    probability: float | None
    step: StepStats | None
    """Set on the last token of a step."""
    logprobs: TokenLogprobs | None = None
    calls: tuple[ToolCall, ...] = ()
    """Those that this token completes. They are not in the text."""
    thought: str = ""
    """What it adds to what the model thinks aloud. It is not in the text."""


@dataclass(frozen=True, slots=True)
class GenerationStats:
    n_prompt: int = 0
    n_prompt_reused: int = 0
    n_generated: int = 0
    n_drafted: int = 0
    n_accepted: int = 0
    n_checked: int = 0
    n_verify_steps: int = 0
    acceptance_rate: float = 0.0
    mean_accepted_length: float = 0.0
    accepted_per_position: tuple[float, ...] = ()
    drafted_per_source: Mapping[str, int] = field(default_factory=dict)
    accepted_per_source: Mapping[str, int] = field(default_factory=dict)
    ttft_s: float = 0.0
    tokens_per_s: float = 0.0
    target_time_s: float = 0.0
    draft_time_s: float = 0.0
    sample_time_s: float = 0.0
    saved_s: float = 0.0
    saved_is_rough: bool = False
    """Other programs slowed most passes down, so `saved_s` is a rough estimate."""
    speculation: str = ON
    """Or "off: " and why, or "not reported": `domain.speculation_status` reads it."""
    unreported: tuple[str, ...] = ()
    """Those of these figures that the engine does not report: they are not to be shown."""

    @property
    def is_length_known(self) -> bool:
        """Otherwise its tokens were not counted, and neither was their speed."""
        return "n_generated" not in self.unreported


def are_tokens(n_characters: int, n_pieces: int) -> bool:
    """Whether the pieces of a text are short enough to be a token each."""
    return n_characters <= _LONGEST_TOKENS * n_pieces


@dataclass(frozen=True, slots=True)
class GenerationFinished:
    reason: FinishReason
    text: str
    """What was held back as the possible beginning of a stop string."""
    stats: GenerationStats
    context_full: bool = False
    calls: tuple[ToolCall, ...] = ()
    """Those that were complete only now."""
    thought: str = ""
    """The end of one that the answer broke off."""
    stop_text: str = ""
    """The one of the request that ended it."""
    n_thought: int = 0
    """Tokens up to the end of the last thought, where thoughts are told apart."""


GenerationEvent = PromptProgress | TokenEvent | GenerationFinished


class CacheType(StrEnum):
    F16 = "f16"
    BF16 = "bf16"
    Q8_0 = "q8_0"
    Q4_0 = "q4_0"


class SplitMode(StrEnum):
    """How a model is split among several devices."""

    NONE = "none"
    """One device has all of it."""
    LAYER = "layer"
    ROW = "row"
    TENSOR = "tensor"


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How a model file is loaded. None lets the program choose."""

    n_ctx: int | None = None
    gpu_layers: int | None = None
    device: str | None = None
    """Its name, or several, separated by commas."""
    threads: int | None = None
    cache_type: CacheType = CacheType.F16
    flash_attention: bool | None = None
    """Exact mode and quantized caches need it in any case."""
    exact: bool = False
    max_draft: int = 0
    """The most guesses that one pass verifies."""
    branches: int = 1
    """How many branches these may form."""
    guesses: bool = False
    """A draft, which reads few tokens at a time: on a CPU, fused attention takes several times as long for these."""
    mtp: bool = False
    """With the layers of its file that guess further tokens."""
    slots: int | None = None
    """How many answers at once share its context. None: one, or as many as cost little where answers can be asked for
    at once.
    """
    rpc: tuple[str, ...] = ()
    """Addresses of other machines whose devices take part."""
    split_mode: SplitMode | None = None
    tensor_split: tuple[float, ...] = ()
    """What each device gets, in proportion; empty: by its free memory."""
    mmproj: Path | None = None
    """The file with which a target sees or hears. None: the one that lies beside it, if any."""
    text_only: bool = False
    """Without that."""

    @property
    def n_slots(self) -> int:
        return self.slots or 1


@dataclass(frozen=True, slots=True)
class Device:
    name: str
    description: str
    kind: str
    """cpu, gpu, igpu or accel"""
    total: int
    free: int


@dataclass(frozen=True, slots=True)
class PairChoice:
    """Which models, loaded how, and who guesses."""

    target: ModelRef
    draft: ModelRef | None = None
    target_settings: ModelSettings = ModelSettings()
    draft_settings: ModelSettings = ModelSettings()
    draft_type: str = "auto"
    draft_max: int | None = None
    """None: as many as pay."""
    drafter_options: Mapping[str, int] = field(default_factory=dict)
