from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QSlider
from pytestqt.qtbot import QtBot
from support.downloading import manner
from support.sparse import Shape

from specchat.domain.cancel_token import CancelToken
from specchat.domain.types import PairChoice
from specchat.services.bench.measured_pairs import MeasuredPairs
from specchat.services.drafts.draft_candidates import DraftSearchResult
from specchat.services.drafts.early_exit_process import EarlyExitProcess
from specchat.services.drafts.known_pairs import KnownPairs, shipped_pairs_path
from specchat.services.hub.hub import Hub
from specchat.services.memory.fit_estimator import FitEstimator
from specchat.services.models.demo_pair import demo_files
from specchat.services.models.early_exit_store import EarlyExitStore
from specchat.services.models.model_library import ModelLibrary
from specchat.services.settings.pair_settings import PairSettings
from specchat.sources.hugging_face import HuggingFace
from specchat.store.json_cache import JsonCache
from specchat.store.json_file import JsonFile
from specchat.store.paths import Paths
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.pair.draft_search_controller import FindDrafts
from specchat.ui.pair.next_step import StepAction
from specchat.ui.pair.pair_editor import PairEditor
from specchat.ui.pair.pair_editor_controller import PairEditorController

PATIENCE_MS = 60_000
REPO = "someone/small-GGUF"
TARGET, DRAFT, OTHER = (f"{REPO}:{name}.gguf" for name in ("target", "draft", "other"))
LONG = Shape("llama", 1024, 4096, 8, 32, 32, 4096, n_merges=100, n_ctx=1 << 22)
HUGE = replace(LONG, n_embd=8192, n_layer=80, n_head=64, n_head_kv=8, n_ff=1 << 20, n_ctx=2048)
"""Terabytes of weights that are a hole in the file."""


class Desk:
    """A tray, its control, and what was heard of them."""

    loaded: PairChoice | None = None
    chosen_pair: PairChoice | None = None
    """What is loaded, as it was chosen, where that differs."""

    def __init__(self, qtbot: QtBot, fits: FitEstimator, endpoint: str, folder: Path, find_drafts: FindDrafts) -> None:
        self._qtbot = qtbot
        self.token: str | None = None
        self.source = HuggingFace(lambda: self.token, endpoint, folder / "headers", patience=manner().patience)
        self.hub = Hub(self.source)
        facts, verdicts = (JsonCache(folder / name) for name in ("facts.json", "verdicts.json"))
        self.library = ModelLibrary(JsonFile(folder / "added.json"), folder / "own", facts, verdicts, demo_files())
        self.tray = PairEditor()
        qtbot.addWidget(self.tray)
        self.tray.resize(400, 900)
        self.tray.show()
        self.fits, self.measured = fits, 0
        self.settings = PairSettings(JsonFile(folder / "pairs.json"))
        self.known = KnownPairs(shipped_pairs_path(), JsonFile(folder / "own_pairs.json"))
        self.pairs = MeasuredPairs(JsonCache(folder / "measured.json"))
        self.places = Paths(*(folder / name for name in ("data", "config", "cache", "logs")))
        self.early_exits = EarlyExitStore(folder / "cache" / "early-exits")
        self.requests = ManagerRequests()
        self.editor = PairEditorController(
            self.tray,
            self.requests,
            lambda: self.hub,
            self._measure,
            self.library,
            find_drafts,
            folder,
            lambda: self.loaded,
            lambda: self.chosen_pair or self.loaded,
            settings=self.settings,
            known=lambda: self.known,
            measured_here=self.pairs.get_speed,
            early_exit=lambda: EarlyExitProcess(self.places, lambda: self.early_exits),
        )
        self.chosen: list[PairChoice] = []
        self.wanted: list[list[str]] = []
        self.heard: list[tuple[str, str]] = []
        self.resumed: list[int] = []
        self.requests.resume_requested.connect(self.resumed.append)
        self.editor.chat_requested.connect(self.chosen.append)
        self.editor.download_requested.connect(self.wanted.append)
        self.editor.changed.connect(lambda target, draft: self.heard.append((target, draft)))

    def _measure(self) -> FitEstimator:
        self.measured += 1
        return self.fits

    def until(self, condition: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(condition, timeout=PATIENCE_MS)

    def until_measured(self) -> None:
        self.until(lambda: self.tray.memory.bar.words().startswith(("Needs", "CPU:")))

    def until_step(self, words: str) -> None:
        self.until(lambda: self.step == words and self.tray.step.step.act is not StepAction.WAIT)

    def until_problem(self, words: str) -> None:
        self.until(lambda: self.tray.problem.isVisible() and words in self.tray.problem.words())

    def needs(self) -> str:
        return self.tray.memory.bar.words().partition(" of ")[0]

    @property
    def step(self) -> str:
        return self.tray.step.step.words

    @property
    def note(self) -> str:
        return self.tray.step.step.note

    def press(self, name: str) -> None:
        self.until(lambda: self._button(name).isVisible() and self._button(name).isEnabled())
        QTest.mouseClick(self._button(name), Qt.MouseButton.LeftButton)

    def _button(self, name: str) -> QAbstractButton:
        """As it is now: what shows it may be made anew."""
        button = self.tray.findChild(QAbstractButton, name)
        assert isinstance(button, QAbstractButton)
        return button

    def slider(self, name: str) -> QSlider:
        found = self.tray.findChild(QSlider, name)
        assert isinstance(found, QSlider)
        return found

    @property
    def cache_type(self) -> QComboBox:
        found = self.tray.findChild(QComboBox, "trayCacheType")
        assert isinstance(found, QComboBox)
        return found


def none_found(target: str, cancel: CancelToken, found: object) -> DraftSearchResult:
    return DraftSearchResult(())


def skeletons() -> list[Path]:
    return list(Path(gettempdir()).glob("specchat-header-*/*.gguf"))


def size_of(*paths: Path) -> int:
    return sum(path.stat().st_size for path in paths)
