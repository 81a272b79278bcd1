"""The plan, runs and report of a benchmark."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from specchat.domain.loading import LoadStage
from specchat.domain.types import GenerationStats, ModelSettings, SamplingParams

AUTO_POLICY = "auto"
NO_TARGET = Path()
"""The target of other engines' methods if no local model is compared with them."""
CHAIN_POLICY = "chain"
"""The same without branches."""
TREE_POLICY = "tree"
"""The policy that adds a second candidate to each of a fixed number of guesses."""


@dataclass(frozen=True, slots=True)
class BenchPrompt:
    workload: str
    text: str
    system: str = ""


@dataclass(frozen=True, slots=True)
class BenchMethod:
    """One method of answering. All methods of a benchmark answer every prompt."""

    target: Path
    draft: Path | None = None
    draft_type: str = "none"
    """As in PairChoice; "none": plain decoding."""
    draft_max: int | None = 0
    """None: as many as pay."""
    peer: Path | None = None
    """The llama-server that answers instead of this program."""
    engine: str = ""
    """The engine that answers instead, as the text of a ServedModel; it guesses as it was started to."""
    policy: str = AUTO_POLICY
    """What decides how many pay, where `draft_max` does not: "auto", or what it is compared with."""

    @property
    def baseline(self) -> "BenchMethod":
        """Plain decoding by this program."""
        return BenchMethod(self.target)

    @property
    def is_offered(self) -> bool:
        """People can choose it; the others are there to be compared with."""
        return self.is_ours and self.policy == AUTO_POLICY

    @property
    def is_ours(self) -> bool:
        """This program answers."""
        return self.peer is None and not self.engine

    @property
    def is_plain(self) -> bool:
        """By this program."""
        return self.draft_max == 0 and self.is_ours


@dataclass(frozen=True, slots=True)
class BenchPlan:
    methods: tuple[BenchMethod, ...]
    """Each target's plain method among them: it is what the others are compared with."""
    prompts: tuple[BenchPrompt, ...]
    repeat: int = 5
    max_tokens: int = 128
    sampling: SamplingParams = SamplingParams(temperature=0.0)
    n_ctx: int | None = None
    gpu_layers: int | None = None
    draft_gpu_layers: int | None = None
    threads: int | None = None
    target_settings: ModelSettings = ModelSettings()
    draft_settings: ModelSettings = ModelSettings()
    """Of these only the devices."""
    exact: bool = False
    ignore_eos: bool = False
    """All answers as long as `max_tokens`, also where the model would end them."""
    names: Mapping[Path, str] = field(default_factory=dict, hash=False)
    """What models are called where their files' names would not do."""

    def display_name(self, model: Path) -> str:
        return self.names.get(model, model.stem)


@dataclass(frozen=True, slots=True)
class StepPoint:
    """One pass: where in the answer, and what became of the guesses."""

    at: int
    drafted: int
    accepted: int
    reach: int
    """Guesses on the longest branch."""


@dataclass(frozen=True, slots=True)
class BenchRun:
    """One answer, with one method, to one prompt."""

    method: BenchMethod
    prompt: int
    """Which of the plan's."""
    round: int
    stats: GenerationStats
    same_as_plain: bool | None
    """Whether the tokens are those of the target's plain method; None: that has not run, or cannot be told."""
    steps: tuple[StepPoint, ...] = ()


@dataclass(frozen=True, slots=True)
class Speedup:
    """Against plain decoding by the same target of the same prompt in the same round."""

    median: float
    lowest: float
    highest: float
    n: int
    at_least: float
    """Between this and the next the median of many more would lie, nine times in ten, or as far as so few can tell."""
    at_most: float
    n_slower: int = 0
    """Answers that took longer than plain decoding."""
    of_possible: float = 0.0
    """The median against the tokens per pass: no pass takes less time than one of a single token, so that whatever is
    beyond 1 came from elsewhere."""


@dataclass(frozen=True, slots=True)
class BenchRow:
    """A method over one workload, or over all."""

    method: BenchMethod
    workload: str | None
    """None: over all of them."""
    tokens_per_s: float
    """The median."""
    ratio: Speedup | None
    """None: plain decoding itself, or nothing to compare with."""
    ttft_s: float
    acceptance_rate: float
    mean_accepted_length: float
    accepted_per_position: tuple[float, ...]
    draft_share: float
    """Of the time: guessing."""
    verify_share: float
    sample_share: float
    same_as_plain: bool | None
    """In every run."""
    n_runs: int = 0
    """Long enough to count."""
    slowest: float = 0.0
    """Tokens per second."""
    fastest: float = 0.0
    n_same: int = 0
    """Answers whose tokens are those of the plain method, of the next."""
    n_compared: int = 0
    n_drafted: int = 0
    """Guesses that were made: of none, no share is accepted."""
    n_from_text: int = 0
    """Of these, those from earlier text."""


@dataclass(frozen=True, slots=True)
class BenchReport:
    plan: BenchPlan
    runs: tuple[BenchRun, ...]
    rows: tuple[BenchRow, ...]
    advice: tuple[str, ...]
    """Sentences, the most useful first."""
    complete: bool
    """Otherwise it was cancelled, and this is what had been measured."""
    peak_memory: int | None = None
    """Bytes of this process."""
    problems: tuple[str, ...] = field(default=())
    """What could not be measured, and why."""


@dataclass(frozen=True, slots=True)
class BenchProgress:
    done: int
    total: int
    """Answers."""
    seconds_left: float | None
    method: BenchMethod | None
    """Answering now; None: loading."""
    run: BenchRun | None = None
    """The answer that has just ended."""
    stage: LoadStage | None = None
    """While loading, where it is known."""


OnProgress = Callable[[BenchProgress], None]
