"""Models, drafts and figures to show."""

from dataclasses import replace
from pathlib import Path

from specchat.domain.types import Device
from specchat.services.models.pair_fit import (
    DeviceFit,
    DraftOption,
    DraftVerdict,
    Fit,
    LocalModel,
    MemoryBreakdown,
    Origin,
    PairFit,
)

GB = 10**9
TARGET = LocalModel(Path("/models/sea-7b.gguf"), "Sea 7B Instruct", Origin.ADDED, 4_700_000_000)
TARGET = replace(TARGET, quantization="Q4_K_M", n_ctx_train=131072, n_layer=28)
SMALL = LocalModel(
    Path("/models/sea-1b.gguf"), "Sea 1B", size=700_000_000, quantization="Q8_0", n_ctx_train=8192, n_layer=16
)
OTHER = LocalModel(Path("/models/lake.gguf"), "Lake 3B", size=2_000_000_000, n_ctx_train=2048, n_layer=16)
GONE = LocalModel(Path("/models/gone.gguf"), "gone", Origin.ADDED, problems=("The file is not there.",), missing=True)
MODELS = (GONE, OTHER, SMALL, TARGET)

AUTO = DraftOption("auto", SMALL)
MODEL = DraftOption("model", SMALL, DraftVerdict.IDENTICAL)
NGRAM, NONE = DraftOption("ngram"), DraftOption("none")
STRANGER = DraftOption("model", OTHER, DraftVerdict.INCOMPATIBLE, "Token 9 is 'a' in the target, 'b' in the draft.")
DRAFTS = (AUTO, MODEL, NGRAM, NONE, STRANGER)

RAM = DeviceFit("CPU", 16 * GB, 12 * GB, MemoryBreakdown(5 * GB, GB, GB, 10), MemoryBreakdown(GB), Fit.FITS)


PROCESSOR = Device("CPU", "Processor", "cpu", 16 * GB, 12 * GB)
CARD = Device("Vulkan0", "A card", "gpu", 8 * GB, 8 * GB)


def fit_of(verdict: Fit) -> PairFit:
    return PairFit((replace(RAM, verdict=verdict),))
