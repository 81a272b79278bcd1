"""Values that describe models and pairs before they are loaded; cheap to import."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from specchat.domain.embeddings import Purpose
from specchat.domain.hub import parse_hub_reference
from specchat.domain.media import TEXT_ONLY, Senses
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.model_ref import ModelFile, ModelRef
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import VocabularyVerdict
from specchat.services.models.origins import Origin

__all__ = [
    "FIRST_LAYERS_ONLY",
    "HEAD_ONLY",
    "NOT_SMALLER",
    "DeviceFit",
    "DraftOption",
    "DraftVerdict",
    "Fit",
    "EstimateMethod",
    "Origin",
    "PairFit",
    "MemoryBreakdown",
    "LocalModel",
]


HEAD_ONLY = TranslatableText("It is a draft head, which can't answer by itself.")
FIRST_LAYERS_ONLY = TranslatableText("It holds only the first layers of its target, which can't answer by themselves.")


@dataclass(frozen=True, slots=True)
class LocalModel:
    path: Path
    name: str
    origin: Origin = Origin.FOLDER
    size: int = 0
    parameters: int = 0
    quantization: str = ""
    n_ctx_train: int | None = None
    n_layer: int | None = None
    problems: tuple[str, ...] = ()
    """Why it cannot be used; empty: it can."""
    missing: bool = False
    reference: str = ""
    """How commands name it where that is not its path: owner/repo:file.gguf of the Hub, ollama:name:tag."""
    ours: bool = False
    """specchat downloaded it, and may delete it."""
    head: str = ""
    """Its kind, where it is a head: it guesses for its target and cannot answer itself."""
    early_exit_of: Path | None = None
    """The target whose first layers it holds."""
    purpose: Purpose = Purpose.TEXT
    mmproj: Path | None = None
    """Beside it, with which it sees or hears."""
    mmproj_size: int = 0
    senses: Senses = TEXT_ONLY

    @property
    def whole_size(self) -> int:
        """With what it sees or hears with."""
        return self.size + self.mmproj_size

    @property
    def name_as_draft(self) -> str:
        """Among the drafts of its target: whose first layers it holds is clear there."""
        if self.early_exit_of is None or self.n_layer is None:
            return self.name
        if self.n_layer == 1:
            return TranslatableText("Early exit (first layer)")
        return TranslatableText("Early exit (first {n} layers)", n=self.n_layer)

    @property
    def can_answer(self) -> bool:
        """Otherwise it only guesses for its target."""
        return not self.head and self.early_exit_of is None

    @property
    def target_problems(self) -> tuple[str, ...]:
        """Why it cannot be a target."""
        if self.early_exit_of is not None:
            return (*self.problems, FIRST_LAYERS_ONLY)
        return (*self.problems, HEAD_ONLY) if self.head else self.problems

    @property
    def ref(self) -> ModelRef:
        return parse_hub_reference(self.reference) or ModelFile(self.path)


class DraftVerdict(StrEnum):
    IDENTICAL = VocabularyVerdict.IDENTICAL.value
    COMPATIBLE = VocabularyVerdict.COMPATIBLE.value
    TRANSLATABLE = VocabularyVerdict.TRANSLATABLE.value
    TOO_LARGE = "too large"
    INCOMPATIBLE = VocabularyVerdict.INCOMPATIBLE.value
    UNUSABLE = "unusable"

    @property
    def may_draft(self) -> bool:
        return self in (DraftVerdict.IDENTICAL, DraftVerdict.COMPATIBLE, DraftVerdict.TRANSLATABLE)


NOT_SMALLER = TranslatableText("It is not smaller than the target.")


@dataclass(frozen=True, slots=True)
class DraftOption:
    draft_type: str
    """"model" for a file, head or not; or one that needs none: "auto", "mtp", "ngram", "none", an installed drafter."""
    model: LocalModel | None = None
    """For "auto": the one that would be taken; None: the target's own MTP layers, else earlier text."""
    verdict: DraftVerdict = DraftVerdict.COMPATIBLE
    reason: str = ""
    speedup: float | None = None
    """As a benchmark on this computer found it, or chats."""
    in_chats: bool = False
    """No benchmark, but chats."""
    is_estimate: bool = False
    """Neither: it was worked out from what passes and guesses were measured to be."""
    guesses: int | None = None
    """With at most so many in a pass that was measured; None: with as many as pay."""
    overlap: float = 1.0
    """The share of the larger vocabulary that it and the target have in common."""

    @property
    def selectable(self) -> bool:
        return self.verdict.may_draft


class Fit(StrEnum):
    FITS = "fits"
    TIGHT = "tight"
    DOES_NOT_FIT = "does not fit"


class EstimateMethod(StrEnum):
    """The method of an estimate, the best first."""

    LOAD = "load"
    """What an earlier load took, beside what llama.cpp would allocate."""
    ENGINE = "engine"
    """llama.cpp's own allocator: exact."""
    FORMULA = "formula"
    """The headers of the files."""
    SIZE = "size"
    """The size of the files alone."""


@dataclass(frozen=True, slots=True)
class DeviceFit:
    name: str
    """As llama.cpp calls it; "CPU" stands for the computer's own memory."""
    total: int
    free: int
    target: MemoryBreakdown
    draft: MemoryBreakdown
    verdict: Fit

    @property
    def needed(self) -> int:
        return self.target.total + self.draft.total

    @property
    def other(self) -> int:
        """The memory that other programs use."""
        return self.total - self.free


@dataclass(frozen=True, slots=True)
class PairFit:
    devices: tuple[DeviceFit, ...]
    method: EstimateMethod = EstimateMethod.FORMULA
    n_ctx: int = 0
    target_layers: int = 0
    """How many a GPU may have, the output as one."""
    draft_layers: int = 0
    """0: no draft is loaded."""
    beyond_estimate: int | None = None
    """Bytes that the last load with these settings took beyond the estimate, and are counted; None: there was none."""

    @property
    def verdict(self) -> Fit:
        """The worst of all devices."""
        return max((device.verdict for device in self.devices), key=list(Fit).index, default=Fit.FITS)

    @property
    def needed(self) -> int:
        return sum(device.needed for device in self.devices)

    @property
    def target(self) -> MemoryBreakdown:
        """On all devices together."""
        return sum((device.target for device in self.devices), MemoryBreakdown())

    @property
    def draft(self) -> MemoryBreakdown:
        return sum((device.draft for device in self.devices), MemoryBreakdown())
