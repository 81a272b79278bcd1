"""The states of the model manager of which pictures are taken, with a stocked local Hub behind it."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QAbstractButton, QAbstractSlider, QLabel, QMessageBox, QWidget
from support.hub import Fault, LocalHub
from support.hub.stock import EAGLE3, stock
from support.probes import run_event_loop
from support.windows import wait_until

from specchat.ui.app_controller import AppController
from specchat.ui.models.cards import CardList
from specchat.ui.models.manager_view import ManagerSection
from specchat.ui.pair.memory_bar import MemoryBar

CODER, SMALL_CODER = "ggml-org/Qwen2.5-Coder-7B-Instruct-GGUF", "ggml-org/Qwen2.5-Coder-0.5B-Instruct-GGUF"
TARGET = f"{CODER}:qwen2.5-coder-7b-instruct-Q8_0.gguf"
LARGE_TARGET = "bartowski/Meta-Llama-3.1-8B-Instruct-GGUF:Meta-Llama-3.1-8B-Instruct-F16.gguf"
DRAFT = f"{SMALL_CODER}:qwen2.5-coder-0.5b-instruct-Q8_0.gguf"
OTHER_DRAFT = "bartowski/Llama-3.2-1B-Instruct-GGUF:Llama-3.2-1B-Instruct-Q4_K_M.gguf"
OTHER_HEAD = f"{EAGLE3}:EAGLE3-LLaMA3.1-Instruct-8B-F16.gguf"
_SETTLED_S = 0.5

W = TypeVar("W", bound=QWidget)


@contextmanager
def stocked_hub() -> Iterator[LocalHub]:
    with tempfile.TemporaryDirectory() as folder, LocalHub() as hub:
        stock(hub, Path(folder))
        yield hub


class Shop:
    def __init__(self, controller: AppController, hub: LocalHub) -> None:
        self.hub = hub
        controller.models.open()
        self.manager = controller.models.manager()

    def turn_to(self, page: ManagerSection, list_name: str) -> None:
        self.manager.open_at(page)
        wait_until(lambda: bool(self.find(CardList, list_name).cards), f"{page} stays empty")

    def choose(self, target: str, draft: str | None = None) -> None:
        self.manager.pair_editor.use_target(target)
        if draft is not None:
            self.manager.pair_editor.use_draft(draft)
            badge = self.find(QLabel, "compatBadge")
            wait_until(lambda: badge.property("badge") != "plain", "the two are not compared")

    def wait_for_memory(self) -> None:
        bar = self.find(MemoryBar, "fitBar")
        waiting = {QCoreApplication.translate(where, "Estimating memory…") for where in ("FitBar", "PlanFit")}
        wait_until(lambda: bar.words() not in waiting, "the memory is not known")

    def find(self, kind: type[W], name: str) -> W:
        found = self.manager.view.findChild(kind, name)
        assert found is not None, name
        return found


def found(shop: Shop) -> None:
    shop.turn_to(ManagerSection.HUB, "hubResults")


def files(shop: Shop) -> None:
    found(shop)
    shop.manager.hub.open_repository(CODER)
    wait_until(lambda: bool(shop.find(CardList, "hubFiles").cards), "there are no files")


def pair(shop: Shop) -> None:
    files(shop)
    shop.choose(TARGET, DRAFT)
    shop.wait_for_memory()


def drafts(shop: Shop) -> None:
    files(shop)
    shop.choose(LARGE_TARGET)
    shop.wait_for_memory()
    shop.find(QAbstractButton, "findDraftButton").click()
    wait_until(lambda: bool(shop.find(CardList, "draftCandidates").cards), "no draft is found")
    run_event_loop(3)


def early_exit(shop: Shop) -> None:
    """The question."""
    here(shop)
    shop.choose("demo-target")
    shop.find(QAbstractButton, "findDraftButton").click()
    button = shop.find(QAbstractButton, "draftsEarlyExit")
    wait_until(button.isVisible, "early exit is not offered")
    button.click()


def early_exit_tried(shop: Shop) -> None:
    early_exit(shop)
    question = next(each for each in shop.manager.view.findChildren(QMessageBox) if each.isVisible())
    question.buttons()[0].click()
    stop = shop.find(QAbstractButton, "draftsStop")
    wait_until(stop.isVisible, "nothing is tried")
    wait_until(lambda: not stop.isVisible(), "it never ends")
    run_event_loop(2)


def too_large(shop: Shop) -> None:
    """With the longest context."""
    found(shop)
    shop.choose(LARGE_TARGET, OTHER_DRAFT)
    shop.wait_for_memory()
    slider = shop.find(QAbstractSlider, "contextSlider")
    slider.setValue(slider.maximum())
    shop.wait_for_memory()
    run_event_loop(3)


def translatable(shop: Shop) -> None:
    """The draft has another vocabulary."""
    files(shop)
    shop.choose(TARGET, OTHER_DRAFT)
    shop.find(QAbstractButton, "compatMore").click()


def incompatible(shop: Shop) -> None:
    """The draft is a head of another target."""
    files(shop)
    shop.choose(TARGET, OTHER_HEAD)
    shop.find(QAbstractButton, "compatMore").click()


def known(shop: Shop) -> None:
    shop.turn_to(ManagerSection.PAIRS, "pairList")
    run_event_loop(2)


def here(shop: Shop) -> None:
    shop.turn_to(ManagerSection.LOCAL, "hereList")


def downloads(shop: Shop) -> None:
    """One that failed, and one on its way."""
    shop.hub.fault(
        f"*/resolve/*/{Path(DRAFT).name.split(':')[1]}", Fault(status=403, error_code="GatedRepo"), times=None
    )
    shop.hub.fault("*Q4_K_M.gguf", Fault(bytes_per_second=4_000_000), times=None, after_bytes=1 << 20, origin="cdn")
    queue = shop.manager.downloads
    queue.download([DRAFT])
    queue.download([f"{CODER}:qwen2.5-coder-7b-instruct-Q4_K_M.gguf"])
    shop.turn_to(ManagerSection.DOWNLOADS, "downloadList")
    run_event_loop(4)


SCENES: dict[str, Callable[[Shop], None]] = {
    "found": found,
    "files": files,
    "pair": pair,
    "drafts": drafts,
    "early-exit": early_exit,
    "early-exit-tried": early_exit_tried,
    "too-large": too_large,
    "translatable": translatable,
    "incompatible": incompatible,
    "known": known,
    "here": here,
    "downloads": downloads,
}
