from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget
from support.choices import choice_of
from ui.pair.examples import GB, RAM

from specchat.domain.hub import HubFileKind, RemoteFile, RemoteModel
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.translatable_text import TranslatableText, group_digits
from specchat.domain.types import CacheType, ModelSettings, PairChoice, VocabularyVerdict
from specchat.gguf.compatibility import Compatibility
from specchat.gguf.differences import TokenDifference
from specchat.gguf.reasons import Reason
from specchat.services.drafts.draft_candidates import DraftCandidate, ModelLocation, SpeedupEstimate
from specchat.services.hub.download_jobs import DownloadJob, DownloadProblem, DownloadStatus, JobState
from specchat.services.models.model_description import ModelDescription
from specchat.services.models.pair_fit import DeviceFit, DraftVerdict, EstimateMethod, Fit, PairFit
from specchat.ui.pair.pair_editor import PairEditor

W = TypeVar("W", bound=QWidget)


HERE = ModelDescription("/m/sea.gguf", "Sea 7B", "/m/sea.gguf", True, 4_700_000_000, "Q4_K_M", 32768)
THERE = ModelDescription("a/sea:d.gguf", "sea-1b", "a/sea", False, 700_000_000, "Q8_0", 8192)
CARD = DeviceFit("A card", 12 * GB, 11 * GB, MemoryBreakdown(4 * GB, GB), MemoryBreakdown(GB), Fit.FITS)
WITH_GPU = PairFit((RAM, CARD), EstimateMethod.ENGINE, 8192, 33, 17)


def settings(
    n_ctx: int,
    cache_type: CacheType = CacheType.F16,
    target_layers: int | None = None,
    draft_layers: int | None = None,
) -> PairChoice:
    on_target = ModelSettings(n_ctx=n_ctx, cache_type=cache_type, gpu_layers=target_layers)
    on_draft = ModelSettings(cache_type=cache_type, gpu_layers=draft_layers)
    return choice_of(Path(HERE.place), target_settings=on_target, draft_settings=on_draft)


SETTINGS = settings(8192)
STRANGERS = Compatibility(
    VocabularyVerdict.INCOMPATIBLE,
    (
        Reason(
            "token-text",
            "Token 9 is 'a' in the target, 'b' in the draft.",
            "4 tokens differ, not counting unused ones.",
        ),
        Reason("pre-tokenizer", "Another one."),
    ),
    TokenDifference(9, "a", "\n"),
    151936,
    32000,
)
RELATED = Compatibility(
    VocabularyVerdict.COMPATIBLE, (Reason("same-tokens", "Same tokens."), Reason("x", "But one.")), None, 4096, 4090
)
SAME = Compatibility(
    VocabularyVerdict.IDENTICAL,
    (Reason("same-tokens", TranslatableText("Same vocabulary of {n} tokens.", n=group_digits(4096))),),
    None,
    4096,
    4096,
)


def find(tray: QWidget, kind: type[W], name: str) -> W:
    found = tray.findChild(kind, name)
    assert found is not None, name
    return found


def click(tray: QWidget, name: str) -> None:
    QTest.mouseClick(find(tray, QAbstractButton, name), Qt.MouseButton.LeftButton)


def with_memory(tray: PairEditor, fit: PairFit = WITH_GPU, choice: PairChoice = SETTINGS) -> None:
    tray.show_parts(memory=True)
    tray.memory.show_choice(choice, 32768)
    tray.memory.show_fit(fit, has_gpu=len(fit.devices) > 1)


def shown_job(state: JobState, done: int, model: ModelDescription = THERE, number: int = 1) -> DownloadStatus:
    file = RemoteFile(model.place, "c" * 40, model.reference.partition(":")[2], 1000, None)
    problem = (
        DownloadProblem(TranslatableText("No network."), TranslatableText("Look for one."))
        if state is JobState.FAILED
        else None
    )
    models = (RemoteModel((file,), HubFileKind.MODEL, model.quantization),)
    job = DownloadJob(number, models, "main", state, problem=problem)
    return DownloadStatus(job, done, done, 0, is_checking=False)


def candidate(reference: str, verdict: DraftVerdict = DraftVerdict.IDENTICAL, speedup: float = 1.9) -> DraftCandidate:
    usable = verdict in (DraftVerdict.IDENTICAL, DraftVerdict.COMPATIBLE)
    return DraftCandidate(
        reference,
        name=reference,
        size=400_000_000,
        quantization="Q8_0",
        where=ModelLocation.HERE if reference.startswith("/") else ModelLocation.HUB,
        known=False,
        verdict=verdict,
        reason="Because.",
        expected=SpeedupEstimate(speedup, 5, 0.7, is_known=False) if usable else None,
        fit=Fit.TIGHT if usable else None,
    )


CANDIDATES = (
    candidate("/strange", DraftVerdict.INCOMPATIBLE),
    candidate("a/far"),
    candidate("/near", DraftVerdict.COMPATIBLE, 1.4),
)
