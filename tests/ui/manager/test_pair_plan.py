"""The tray with the real services behind it: small files, llama.cpp's own allocator, a local Hub."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir
from threading import Event, current_thread, main_thread

import pytest
from huggingface_hub import close_session
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QSlider
from pytestqt.qtbot import QtBot
from support.downloading import manner
from support.ggufs import ModelRecipe, make_model
from support.hub import Fault, LocalHub
from support.measured import report, row
from support.sparse import Shape, make_sparse
from support.vocabularies import SpmVocab

from specchat.backends.measure import Measurer
from specchat.domain.benchmarking import Way
from specchat.domain.cancel import CancelToken
from specchat.domain.said import Said
from specchat.domain.types import CacheType, ModelSettings, PairChoice
from specchat.gguf.skeleton import is_skeleton
from specchat.services.bench.measured import MeasuredPairs
from specchat.services.demo_pair import demo_choice, demo_files
from specchat.services.download_jobs import Job, JobFile, JobState, Problem, ShownJob
from specchat.services.downloads import Downloads
from specchat.services.draft_values import DraftCandidate, FoundDrafts, Where
from specchat.services.estimates import Estimates
from specchat.services.fit import Fits
from specchat.services.hub import Hub
from specchat.services.known_pairs import KnownModel, KnownPair, KnownPairs, shipped_pairs
from specchat.services.model_shelf import ModelShelf
from specchat.services.pair_settings import PairSettings
from specchat.services.pair_values import DraftVerdict
from specchat.services.speedup import expected_of_known
from specchat.services.wanted_models import wanted_models
from specchat.sources.download import Downloader
from specchat.sources.hub_cache import HubCache
from specchat.sources.hugging_face import HuggingFace
from specchat.store.json_file import JsonFile
from specchat.store.remembered import Remembered
from specchat.ui.manager.cards import CardList
from specchat.ui.manager.pair_plan import PairPlan
from specchat.ui.manager.pair_plan_search import FindDrafts
from specchat.ui.manager.tray import PairTray
from specchat.ui.manager.tray_step import Act
from specchat.ui.picker.rows import size
from specchat.ui.theme import LIGHT

PATIENCE_MS = 60_000
REPO = "someone/small-GGUF"
TARGET, DRAFT, OTHER = (f"{REPO}:{name}.gguf" for name in ("target", "draft", "other"))
SECRET = "hf_canary"
LONG = Shape("llama", 1024, 4096, 8, 32, 32, 4096, n_merges=100, n_ctx=1 << 22)
HUGE = replace(LONG, n_embd=8192, n_layer=80, n_head=64, n_head_kv=8, n_ff=1 << 20, n_ctx=2048)
"""Terabytes of weights that are a hole in the file."""


class Desk:
    """A tray, its control, and what was heard of them."""

    loaded: PairChoice | None = None

    def __init__(self, qtbot: QtBot, fits: Fits, endpoint: str, folder: Path, find_drafts: FindDrafts) -> None:
        self._qtbot = qtbot
        self.token: str | None = None
        self.source = HuggingFace(lambda: self.token, endpoint, folder / "headers", patience=manner().patience)
        self.hub = Hub(self.source)
        facts, verdicts = (Remembered(folder / name) for name in ("facts.json", "verdicts.json"))
        self.shelf = ModelShelf(JsonFile(folder / "added.json"), folder / "own", facts, verdicts, demo_files())
        self.tray = PairTray(LIGHT)
        qtbot.addWidget(self.tray)
        self.tray.resize(400, 900)
        self.tray.show()
        self.fits, self.measured = fits, 0
        self.settings = PairSettings(JsonFile(folder / "pairs.json"))
        self.known = KnownPairs(shipped_pairs(), JsonFile(folder / "own_pairs.json"))
        self.pairs = MeasuredPairs(Remembered(folder / "measured.json"))
        self.plan = PairPlan(
            self.tray,
            lambda: self.hub,
            self._measure,
            self.shelf,
            find_drafts,
            folder,
            lambda: self.loaded,
            settings=self.settings,
            known=lambda: self.known,
            measured_here=self.pairs.of,
        )
        self.chosen: list[PairChoice] = []
        self.wanted: list[list[str]] = []
        self.heard: list[tuple[str, str]] = []
        self.resumed: list[int] = []
        self.plan.resumeRequested.connect(self.resumed.append)
        self.plan.chatRequested.connect(self.chosen.append)
        self.plan.downloadRequested.connect(self.wanted.append)
        self.plan.changed.connect(lambda target, draft: self.heard.append((target, draft)))

    def _measure(self) -> Fits:
        self.measured += 1
        return self.fits

    def until(self, condition: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(condition, timeout=PATIENCE_MS)

    def until_measured(self) -> None:
        self.until(lambda: self.tray.memory.bar.words().startswith(("Needs", "Computer:")))

    def until_step(self, words: str) -> None:
        self.until(lambda: self.step == words and self.tray.step.step.act is not Act.WAIT)

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
        button = self.tray.findChild(QAbstractButton, name)
        assert isinstance(button, QAbstractButton)
        self.until(lambda: button.isVisible() and button.isEnabled())
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def slider(self, name: str) -> QSlider:
        found = self.tray.findChild(QSlider, name)
        assert isinstance(found, QSlider)
        return found

    @property
    def cache_type(self) -> QComboBox:
        found = self.tray.findChild(QComboBox, "trayCacheType")
        assert isinstance(found, QComboBox)
        return found


def none_found(target: str, cancel: CancelToken, found: object) -> FoundDrafts:
    return FoundDrafts(())


def skeletons() -> list[Path]:
    return list(Path(gettempdir()).glob("specchat-header-*/*.gguf"))


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the user's own cache is seen, and what is made here can be counted."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    monkeypatch.delenv("HF_TOKEN", raising=False)


@pytest.fixture(scope="module")
def fits(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fits]:
    folder = tmp_path_factory.mktemp("fits")
    with closing(Fits(Measurer(), Estimates(Remembered(folder / "estimates.json")))) as made:
        yield made


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    make_model(folder / "target.gguf", ModelRecipe(name="Sea"))
    make_model(folder / "draft.gguf", ModelRecipe(name="Pond", n_layer=2))
    make_model(folder / "other.gguf", ModelRecipe(name="Stone", vocab=SpmVocab()))
    make_sparse(folder / "long.gguf", LONG)
    make_sparse(folder / "huge.gguf", HUGE)
    return folder


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch, models: Path) -> Iterator[LocalHub]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with LocalHub() as hub:
        hub.add(REPO, {f"{name}.gguf": models / f"{name}.gguf" for name in ("target", "draft", "other")})
        yield hub
    close_session()


@pytest.fixture
def desk(qtbot: QtBot, fits: Fits, local: LocalHub, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(qtbot, fits, local.endpoint, tmp_path, none_found)
    yield made
    made.plan.close()
    assert skeletons() == []


def size_of(*paths: Path) -> int:
    return sum(path.stat().st_size for path in paths)


def test_a_pair_on_this_computer(desk: Desk, models: Path) -> None:
    target, draft = models / "target.gguf", models / "draft.gguf"
    desk.plan.use_target(str(target))
    desk.until_step("Chat with this model")
    assert "the text itself" in desk.note
    desk.plan.use_draft(str(draft))
    desk.until_step("Chat with this pair")
    desk.until_measured()
    desk.until(lambda: "as fast" in desk.tray.verdict.words())
    assert desk.tray.verdict.words().startswith("Identical, about ")
    assert "on this computer" in desk.tray.draft.words()
    desk.press("trayButton")
    desk.until(lambda: bool(desk.chosen))
    (choice,) = desk.chosen
    assert (choice.target, choice.draft, choice.draft_type) == (target, draft, "auto")
    assert choice.target_settings.n_ctx == 2048  # all that it was trained for
    assert desk.heard == [(str(target), ""), (str(target), str(draft))]


def test_settings_go_with_the_pair(desk: Desk, models: Path) -> None:
    desk.plan.use_pair(str(models / "target.gguf"), None)
    desk.until_measured()
    before = desk.needs()
    desk.slider("contextSlider").setValue(0)
    desk.cache_type.setCurrentIndex(desk.cache_type.findData(CacheType.Q8_0))
    desk.until(lambda: desk.needs() != before)
    assert not desk.slider("targetLayers").isVisible()
    desk.press("trayButton")
    desk.until(lambda: bool(desk.chosen))
    settings = desk.chosen[0].target_settings
    assert (settings.n_ctx, settings.cache_type, settings.gpu_layers) == (1024, CacheType.Q8_0, None)
    assert desk.chosen[0].draft_type == "ngram"


def test_the_demo_is_a_pair(desk: Desk) -> None:
    desk.plan.use_pair("demo-target", "demo-draft")
    desk.until_step("Chat with this pair")
    desk.press("trayButton")
    desk.until(lambda: bool(desk.chosen))
    choice = desk.chosen[0]
    assert (choice.target, choice.draft) == demo_files()
    assert (choice.draft_type, choice.draft_max) == ("auto", None)


def test_strangers_are_not_put_together(desk: Desk, models: Path) -> None:
    desk.plan.use_pair(str(models / "target.gguf"), str(models / "other.gguf"))
    desk.until(lambda: desk.note.startswith("These two do not go together."))
    assert desk.tray.step.step.act is Act.WAIT
    assert desk.tray.verdict.words().startswith("Incompatible. Their vocabularies differ")
    assert not desk.tray.memory.isVisible()
    desk.press("verdictWithoutDraft")
    desk.until_step("Chat with this model")
    assert desk.tray.memory.isVisible()


def test_a_draft_as_large_as_its_target_is_remarked_on(desk: Desk, models: Path) -> None:
    desk.plan.use_pair(str(models / "draft.gguf"), str(models / "target.gguf"))
    desk.until_step("Chat with this pair")
    note = desk.tray.verdict._note
    assert (note.isVisible(), "not smaller than the target" in note.text()) == (True, True)


def test_a_model_on_the_hub_by_its_header(desk: Desk, local: LocalHub, models: Path) -> None:
    desk.plan.use_pair(TARGET, DRAFT)
    desk.until(lambda: desk.step.startswith("Download ") and desk.tray.step.step.act is Act.DOWNLOAD)
    desk.until_measured()
    assert "not downloaded yet" in desk.tray.target.words()
    assert len(skeletons()) == 2
    remote = desk.needs()
    desk.press("trayButton")
    assert desk.wanted == [[TARGET, DRAFT]]
    desk.plan.use_draft(str(models / "draft.gguf"))
    desk.until(lambda: desk.tray.step.step.act is Act.DOWNLOAD and "on this computer" in desk.tray.draft.words())
    desk.until(lambda: len(skeletons()) == 1)
    desk.plan.use_pair(str(models / "target.gguf"), str(models / "draft.gguf"))
    desk.until_step("Chat with this pair")
    desk.until_measured()
    assert desk.needs() == remote
    assert skeletons() == []


def test_a_repository_stands_for_its_usual_file(desk: Desk, local: LocalHub, models: Path) -> None:
    for name in ("target", "draft"):
        local.add(f"someone/{name}-1B-GGUF", {f"{name}-1B-Q8_0.gguf": models / f"{name}.gguf"})
    desk.plan.use_pair("someone/target-1B-GGUF", "someone/draft-1B-GGUF")
    desk.until(lambda: desk.tray.step.step.act is Act.DOWNLOAD)
    assert desk.heard[-1] == ("someone/target-1B-GGUF:target-1B-Q8_0.gguf", "someone/draft-1B-GGUF:draft-1B-Q8_0.gguf")


def test_a_later_wish_outdates_the_one_before(desk: Desk, local: LocalHub, models: Path) -> None:
    local.fault("/api/models/*", Fault(stalled=3600))
    desk.plan.use_target(TARGET)
    local.wait_until(lambda: bool(local.requests))
    desk.plan.use_target(str(models / "target.gguf"))
    desk.until_step("Chat with this model")
    assert desk.tray.target.words().startswith("Target: target")
    assert not desk.tray.problem.isVisible()


def test_from_the_hub_to_a_chat(desk: Desk, local: LocalHub, models: Path) -> None:
    """The tray follows the download, and the pair is used from where it arrived."""
    cache = HubCache()
    jobs = JobFile(JsonFile(cache.folder / "jobs.json"))
    downloads = Downloads(Downloader(cache, desk.source.location, manner()), jobs, lambda: None, lambda job: None)
    local.fault("*target.gguf", Fault(reset=True), after_bytes=1000, origin="cdn")
    with closing(downloads):
        downloads.start()
        desk.plan.use_pair(TARGET, DRAFT)
        desk.until(lambda: desk.tray.step.step.act is Act.DOWNLOAD)
        desk.press("trayButton")
        downloads.add(wanted_models(desk.hub, desk.wanted[0], CancelToken()).models)
        desk.plan.show_downloads(downloads.jobs())
        assert desk.tray.step.step.act in (Act.SHOW_DOWNLOADS, Act.WAIT)

        def arrived() -> bool:
            desk.plan.show_downloads(downloads.jobs())
            return desk.step == "Chat with this pair" and desk.tray.step.step.act is Act.CHAT

        desk.until(arrived)
    assert "on this computer" in desk.tray.target.words()
    desk.press("trayButton")
    desk.until(lambda: bool(desk.chosen))
    choice = desk.chosen[0]
    assert choice.draft is not None
    assert choice.target.is_relative_to(cache.folder)
    assert choice.target.read_bytes() == (models / "target.gguf").read_bytes()
    assert not is_skeleton(choice.target)
    desk.until(lambda: skeletons() == [])


def test_what_does_not_fit_gets_settings_that_do(desk: Desk, models: Path) -> None:
    desk.plan.use_pair(str(models / "long.gguf"), None)
    desk.until_measured()
    context = desk.slider("contextSlider")
    context.setValue(context.maximum())
    desk.until(lambda: desk.step == "Load anyway" and desk.note.startswith("It would fit with context "))
    assert desk.tray.step.step.suggests
    desk.press("useFittingSettings")
    desk.until_step("Chat with this model")
    desk.until(lambda: desk.note.startswith("Changed: context "))
    assert context.value() < context.maximum()
    desk.press("trayButton")
    desk.until(lambda: bool(desk.chosen))
    chosen = desk.chosen[0].target_settings
    assert chosen.n_ctx is not None
    assert chosen.n_ctx < LONG.n_ctx
    assert chosen.cache_type == desk.cache_type.currentData()
    context.setValue(0)
    desk.until(lambda: "Changed" not in desk.note)


def test_what_no_settings_make_fit(desk: Desk, models: Path) -> None:
    desk.plan.use_pair(str(models / "huge.gguf"), None)
    desk.until(lambda: desk.note == "No settings fit: choose a smaller model.")
    assert (desk.step, desk.tray.step.step.act, desk.tray.step.step.suggests) == ("Load anyway", Act.CHAT, False)


def test_only_the_newest_of_many_wishes_counts(desk: Desk, models: Path) -> None:
    desk.plan.use_pair(str(models / "long.gguf"), None)
    desk.until_measured()
    context, usual = desk.slider("contextSlider"), desk.needs()
    context.setValue(1)
    desk.until(lambda: desk.needs() != usual)
    short, before = desk.needs(), desk.measured
    wishes = [*range(2, context.maximum() + 1), *range(context.maximum() - 1, -1, -1), 1]
    for step in wishes:
        context.setValue(step)
    desk.until(lambda: desk.measured > before and desk.needs() == short)
    assert desk.measured - before < len(wishes)
    assert context.accessibleDescription() == "2,048 tokens"


def test_settings_that_fail_can_be_changed(desk: Desk, models: Path) -> None:
    """Quantised caches need heads of 32 numbers."""
    narrow = make_model(models / "narrow.gguf", ModelRecipe(n_embd=64))
    desk.plan.use_pair(str(narrow), None)
    desk.until_measured()
    desk.cache_type.setCurrentIndex(desk.cache_type.findData(CacheType.Q8_0))
    desk.until(desk.tray.problem.isVisible)
    assert desk.tray.step.step.act is Act.WAIT
    desk.cache_type.setCurrentIndex(desk.cache_type.findData(CacheType.F16))
    desk.until_step("Chat with this model")
    assert not desk.tray.problem.isVisible()


@pytest.mark.vulkan
def test_layers_on_a_gpu(
    qtbot: QtBot, local: LocalHub, models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GGML_BACKEND_PATH", os.environ["SPECCHAT_TEST_VULKAN"])
    monkeypatch.setenv("GGML_VK_VISIBLE_DEVICES", "0")
    with closing(Fits(Measurer(), Estimates(Remembered(tmp_path / "estimates.json")))) as fits:
        desk = Desk(qtbot, fits, local.endpoint, tmp_path, none_found)
        with closing(desk.plan):
            desk.plan.use_pair(str(models / "target.gguf"), str(models / "draft.gguf"))
            desk.until(lambda: "Vulkan0: needs" in desk.tray.memory.bar.words())
            target, draft = desk.slider("targetLayers"), desk.slider("draftLayers")
            assert (target.accessibleDescription(), draft.accessibleDescription()) == ("5 of 5", "3 of 3")
            before = desk.tray.memory.bar.words()
            for slider in (target, draft):
                slider.setValue(0)
            desk.until(lambda: desk.tray.memory.bar.words() != before)
            desk.press("trayButton")
            desk.until(lambda: bool(desk.chosen))
            (choice,) = desk.chosen
            assert (choice.target_settings.gpu_layers, choice.draft_settings.gpu_layers) == (0, 0)
            desk.until(target.isVisible)


def test_problems_can_be_mended(desk: Desk, local: LocalHub, models: Path) -> None:
    gated = "someone/gated"
    local.add(gated, {"target.gguf": models / "target.gguf"}, gating="auto")
    pages: list[str] = []
    desk.plan.pageRequested.connect(pages.append)
    desk.plan.use_target(f"{gated}:target.gguf")
    desk.until_problem("you have given no token")
    assert desk.tray.target.words() == f"Target: target. {size(size_of(models / 'target.gguf'))} · not downloaded yet"
    assert desk.step.startswith("Download ")
    assert desk.note.startswith("Nothing can be done with this pair")
    desk.token = SECRET
    local.token(SECRET)
    desk.press("trayProblemAgain")
    desk.until_problem("You have not accepted the licence of someone/gated yet.")
    desk.press("trayProblemPage")
    assert pages == [f"{local.endpoint}/{gated}"]
    local.token(SECRET, accepted={gated})
    desk.press("trayProblemAgain")
    desk.until(lambda: desk.tray.step.step.act is Act.DOWNLOAD)
    assert not desk.tray.problem.isVisible()


def test_what_both_would_take_is_known_before_a_refusal(desk: Desk, local: LocalHub, models: Path) -> None:
    gated = "someone/gated"
    local.add(gated, {"target.gguf": models / "target.gguf"}, gating="auto")
    desk.plan.use_pair(f"{gated}:target.gguf", DRAFT)
    desk.until_problem("you have given no token")
    assert desk.step == f"Download {size(size_of(models / 'target.gguf', models / 'draft.gguf'))}"
    local.add(gated, {"target.gguf": models / "target.gguf"})
    desk.press("trayProblemAgain")
    desk.until(lambda: desk.tray.step.step.act is Act.DOWNLOAD)


def test_files_that_are_not_there(desk: Desk, local: LocalHub, models: Path, tmp_path: Path) -> None:
    desk.plan.use_pair(str(tmp_path / "gone.gguf"), None)
    desk.until_problem("gone.gguf")
    desk.plan.use_pair(f"{REPO}:gone.gguf", None)
    desk.until_problem("has no model file gone.gguf")
    local.add("someone/text", {"README.md": b"# Text"})
    desk.plan.use_pair("someone/text", None)
    desk.until_problem("someone/text has no GGUF models.")
    desk.plan.clear()
    assert not desk.tray.problem.isVisible()
    assert desk.note == "Choose a target first."
    desk.plan.use_draft(str(models / "draft.gguf"))
    desk.until(lambda: "on this computer" in desk.tray.draft.words())
    assert desk.note == "Choose a target first."


def test_a_wish_to_chat_ends_with_the_pair_it_was_for(qtbot: QtBot, desk: Desk, models: Path) -> None:
    target, draft, other = (str(models / f"{name}.gguf") for name in ("target", "draft", "other"))
    desk.plan.use_pair(target, draft)
    desk.plan.chat()
    desk.plan.use_pair(other, None)
    desk.until(lambda: desk.tray.step.step.act is Act.CHAT)
    assert not desk.plan._chats_soon
    desk.plan.use_pair(target, draft)
    with qtbot.waitSignal(desk.plan.chatRequested, timeout=PATIENCE_MS):
        desk.plan.chat()


def test_what_was_deleted_can_be_downloaded_again(desk: Desk, models: Path) -> None:
    """Also while it is loaded: what it takes is then in use."""
    cache = HubCache()
    places = [
        cache.folder / "models--someone--small-GGUF" / "snapshots" / ("c" * 40) / f"{name}.gguf"
        for name in ("target", "draft")
    ]
    places[0].parent.mkdir(parents=True)
    for place in places:
        place.hardlink_to(models / place.name)
    desk.loaded = PairChoice(places[0], places[1])
    desk.plan.use_pair(*map(str, places))
    desk.until_step("Chat with this pair")
    places[0].unlink()
    desk.plan.refresh()
    desk.until(lambda: desk.tray.step.step.act is Act.DOWNLOAD)
    desk.until_measured()
    assert desk.heard[-1] == (TARGET, str(places[1]))
    assert not desk.tray.problem.isVisible()
    desk.press("trayButton")
    assert desk.wanted == [[TARGET]]


def test_another_target_begins_with_its_own_settings(desk: Desk, models: Path) -> None:
    target, draft, long = (models / f"{name}.gguf" for name in ("target", "draft", "long"))
    short = ModelSettings(n_ctx=1024, cache_type=CacheType.Q4_0)
    desk.settings.remember(PairChoice(target, target_settings=short, draft_settings=short))
    desk.plan.use_pair(str(long), None)
    desk.until_measured()
    context = desk.slider("contextSlider")
    context.setValue(context.maximum())
    desk.cache_type.setCurrentIndex(desk.cache_type.findData(CacheType.Q8_0))
    desk.plan.use_pair(str(draft), None)
    desk.until_measured()
    assert (context.accessibleDescription(), desk.cache_type.currentData()) == ("2,048 tokens", CacheType.F16)
    desk.plan.use_pair(str(target), None)
    desk.until_measured()
    assert (context.accessibleDescription(), desk.cache_type.currentData()) == ("1,024 tokens", CacheType.Q4_0)
    desk.cache_type.setCurrentIndex(desk.cache_type.findData(CacheType.Q8_0))
    desk.plan.use_draft(str(draft))
    desk.until_step("Chat with this pair")
    desk.until_measured()
    assert (context.accessibleDescription(), desk.cache_type.currentData()) == ("1,024 tokens", CacheType.Q8_0)


def test_at_first_the_pair_that_is_loaded(desk: Desk, models: Path) -> None:
    desk.loaded = demo_choice()
    desk.plan.show_loaded()
    assert desk.plan.references == []
    desk.loaded = PairChoice(models / "target.gguf", models / "draft.gguf")
    desk.plan.show_loaded()
    desk.until_step("Chat with this pair")
    desk.plan.clear()
    desk.plan.show_loaded()
    assert desk.plan.references == []


def test_what_is_known_of_a_pair_counts(desk: Desk, models: Path) -> None:
    """As among the pairs, and among the drafts."""
    target, draft = (KnownModel(file=str(models / f"{n}.gguf"), parameters=p) for n, p in (("target", 8), ("draft", 1)))
    pair = KnownPair(target, draft, acceptance=0.9)
    desk.known.add(pair)
    expected = expected_of_known(pair, "F32", "F32")
    assert expected is not None
    desk.plan.use_pair(str(models / "target.gguf"), str(models / "draft.gguf"))
    desk.until(lambda: f"about {expected.speedup:.1f}× as fast" in desk.tray.verdict.words())


def test_what_was_measured_here_counts_more(desk: Desk, models: Path) -> None:
    target, draft = (models / f"{name}.gguf" for name in ("target", "draft"))
    desk.pairs.record(report(row(Way(target, draft, "model", None), 0.88)))
    desk.plan.use_pair(str(target), str(draft))
    desk.until(lambda: "measured here: 12" in desk.tray.verdict.words())


def test_a_download_that_failed_is_tried_again(desk: Desk, local: LocalHub) -> None:
    desk.plan.use_pair(TARGET, None)
    desk.until(lambda: desk.tray.step.step.act is Act.DOWNLOAD)
    models = wanted_models(desk.hub, [TARGET], CancelToken()).models
    job = Job(7, models, "main", JobState.FAILED, problem=Problem(Said("No network."), Said("Look for one.")))
    desk.plan.show_downloads([ShownJob(job, 0, 0, 0.0, is_checking=False)])
    assert (desk.step, desk.note) == ("Try again", "The download failed at 0 %. No network.")
    desk.press("trayButton")
    assert desk.resumed == [7]


class Finder:
    """Finds what it is told, bit by bit."""

    def __init__(self, first: DraftCandidate, second: DraftCandidate) -> None:
        self.first, self.second = first, second
        self.targets: list[str] = []
        self.go_on = Event()

    def __call__(self, target: str, cancel: CancelToken, found: "object") -> FoundDrafts:
        assert current_thread() is not main_thread()
        assert callable(found)
        self.targets.append(target)
        found([self.first])
        with cancel.listening(self.go_on.set):
            assert self.go_on.wait(PATIENCE_MS / 1000)
        cancel.check()
        return FoundDrafts((self.first, self.second))


def candidate(path: Path, verdict: DraftVerdict) -> DraftCandidate:
    return DraftCandidate(
        str(path), path.stem, size_of(path), "Q8_0", Where.HERE, False, verdict, "Because.", None, None
    )


@pytest.fixture
def finder(models: Path) -> Finder:
    return Finder(
        candidate(models / "draft.gguf", DraftVerdict.IDENTICAL),
        candidate(models / "other.gguf", DraftVerdict.INCOMPATIBLE),
    )


@pytest.fixture
def finding(qtbot: QtBot, fits: Fits, local: LocalHub, tmp_path: Path, finder: Finder) -> Iterator[Desk]:
    made = Desk(qtbot, fits, local.endpoint, tmp_path, finder)
    yield made
    made.plan.close()


def names(desk: Desk) -> Sequence[str]:
    shown = desk.tray.findChild(CardList, "draftCandidates")
    assert isinstance(shown, CardList)
    return [card.accessibleName() for card in shown.cards]


def test_a_draft_is_found_and_used(finding: Desk, finder: Finder, models: Path) -> None:
    finding.plan.use_target(str(models / "target.gguf"))
    finding.press("findDraftButton")
    finding.until(lambda: names(finding) == ["draft"])
    assert finding.tray.drafts.note() == "Looking on this computer and on Hugging Face…"
    finding.until_measured()  # while drafts are looked for
    finder.go_on.set()
    finding.until(lambda: names(finding) == ["draft", "other"])
    finding.until(lambda: finding.tray.drafts.note() == "")
    finding.press("useDraftButton")
    assert not finding.tray.shows_drafts
    finding.until_step("Chat with this pair")
    assert finder.targets == [str(models / "target.gguf")]


def test_going_back_ends_the_search(finding: Desk, finder: Finder, models: Path) -> None:
    finding.plan.use_target(str(models / "target.gguf"))
    finding.press("findDraftButton")
    finding.until(lambda: names(finding) == ["draft"])
    finding.press("draftsBack")
    finding.until(finder.go_on.is_set)
    assert not finding.tray.shows_drafts
    finding.press("withoutDraftButton")
    finding.until_step("Chat with this model")
    assert names(finding) == ["draft"]
