"""What is known of models and pairs before they are loaded, as it is shown. Costs nothing to import."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from specchat.domain.hub import parse_reference
from specchat.domain.memory import MemoryParts
from specchat.domain.model_ref import ModelFile, ModelRef
from specchat.domain.said import Said
from specchat.domain.types import Verdict
from specchat.services.models.origins import Origin

__all__ = [
    "HEAD_ONLY",
    "NOT_SMALLER",
    "DeviceFit",
    "DraftOption",
    "DraftVerdict",
    "Fit",
    "Method",
    "Origin",
    "PairFit",
    "MemoryParts",
    "ShelfModel",
]


HEAD_ONLY = Said("It is a head: it guesses for its target and cannot answer itself.")


@dataclass(frozen=True, slots=True)
class ShelfModel:
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

    @property
    def target_problems(self) -> tuple[str, ...]:
        """Why it cannot be a target."""
        return (*self.problems, HEAD_ONLY) if self.head else self.problems

    @property
    def ref(self) -> ModelRef:
        return parse_reference(self.reference) or ModelFile(self.path)


class DraftVerdict(StrEnum):
    IDENTICAL = Verdict.IDENTICAL.value
    COMPATIBLE = Verdict.COMPATIBLE.value
    TOO_LARGE = "too large"
    INCOMPATIBLE = Verdict.INCOMPATIBLE.value
    UNUSABLE = "unusable"


NOT_SMALLER = Said("It is not smaller than the target.")


@dataclass(frozen=True, slots=True)
class DraftOption:
    draft_type: str
    """"model" for a file, head or not; or one that needs none: "auto", "mtp", "ngram", "none", an installed drafter."""
    model: ShelfModel | None = None
    """For "auto": the one that would be taken; None: the target's own MTP layers, else earlier text."""
    verdict: DraftVerdict = DraftVerdict.COMPATIBLE
    reason: str = ""
    speedup: float | None = None
    """As a benchmark on this computer found it, or chats."""
    in_chats: bool = False
    """No benchmark, but chats."""
    guesses: int | None = None
    """With at most so many in a pass that was measured; None: with as many as pay."""

    @property
    def selectable(self) -> bool:
        return self.verdict in (DraftVerdict.IDENTICAL, DraftVerdict.COMPATIBLE)


class Fit(StrEnum):
    FITS = "fits"
    TIGHT = "tight"
    DOES_NOT_FIT = "does not fit"


class Method(StrEnum):
    ENGINE = "engine"
    """llama.cpp's own allocator: exact."""
    FORMULA = "formula"


@dataclass(frozen=True, slots=True)
class DeviceFit:
    name: str
    """As llama.cpp calls it; "CPU" stands for the computer's own memory."""
    total: int
    free: int
    target: MemoryParts
    draft: MemoryParts
    verdict: Fit

    @property
    def needed(self) -> int:
        return self.target.total + self.draft.total

    @property
    def other(self) -> int:
        """What others use of it."""
        return self.total - self.free


@dataclass(frozen=True, slots=True)
class PairFit:
    devices: tuple[DeviceFit, ...]
    method: Method = Method.FORMULA
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
