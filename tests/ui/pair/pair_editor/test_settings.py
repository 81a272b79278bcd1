import os
from contextlib import closing
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from support.choices import choice_of
from support.ggufs import ModelRecipe, make_model
from support.hub import LocalHub
from ui.pair.pair_editor.planning import LONG, Desk, none_found

from specchat.backends.memory_measurer import MemoryMeasurer
from specchat.domain.types import CacheType, ModelSettings
from specchat.services.memory.fit_estimator import FitEstimator
from specchat.services.memory.memory_estimates import MemoryEstimates
from specchat.store.json_cache import JsonCache
from specchat.ui.pair.next_step import StepAction


def test_settings_go_with_the_pair(controller: Desk, models: Path) -> None:
    controller.editor.use_pair(str(models / "target.gguf"), None)
    controller.until_measured()
    before = controller.needs()
    controller.slider("contextSlider").setValue(0)
    controller.cache_type.setCurrentIndex(controller.cache_type.findData(CacheType.Q8_0))
    controller.until(lambda: controller.needs() != before)
    assert not controller.slider("targetLayers").isVisible()
    controller.press("trayButton")
    controller.until(lambda: bool(controller.chosen))
    settings = controller.chosen[0].target_settings
    assert (settings.n_ctx, settings.cache_type, settings.gpu_layers) == (1024, CacheType.Q8_0, None)
    assert controller.chosen[0].draft_type == "ngram"


def test_what_does_not_fit_gets_settings_that_do(controller: Desk, models: Path) -> None:
    controller.editor.use_pair(str(models / "long.gguf"), None)
    controller.until_measured()
    context = controller.slider("contextSlider")
    context.setValue(context.maximum())
    controller.until(lambda: controller.step == "Load anyway" and controller.note.startswith("Fits with a context of "))
    assert controller.tray.step.step.suggests
    controller.press("useFittingSettings")
    controller.until_step("Chat with this model")
    controller.until(lambda: controller.note.startswith("Changed: a context of "))
    assert context.value() < context.maximum()
    controller.press("trayButton")
    controller.until(lambda: bool(controller.chosen))
    chosen = controller.chosen[0].target_settings
    assert chosen.n_ctx is not None
    assert chosen.n_ctx < LONG.n_ctx
    assert chosen.cache_type == controller.cache_type.currentData()
    context.setValue(0)
    controller.until(lambda: "Changed" not in controller.note)


def test_what_no_settings_make_fit(controller: Desk, models: Path) -> None:
    controller.editor.use_pair(str(models / "huge.gguf"), None)
    controller.until(lambda: controller.note == "No settings make it fit. Choose a smaller model.")
    assert (controller.step, controller.tray.step.step.act, controller.tray.step.step.suggests) == (
        "Load anyway",
        StepAction.CHAT,
        False,
    )


def test_only_the_newest_of_many_wishes_counts(controller: Desk, models: Path) -> None:
    controller.editor.use_pair(str(models / "long.gguf"), None)
    controller.until_measured()
    context, usual = controller.slider("contextSlider"), controller.needs()
    context.setValue(1)
    controller.until(lambda: controller.needs() != usual)
    short, before = controller.needs(), controller.measured
    wishes = [*range(2, context.maximum() + 1), *range(context.maximum() - 1, -1, -1), 1]
    for step in wishes:
        context.setValue(step)
    controller.until(lambda: controller.measured > before and controller.needs() == short)
    assert controller.measured - before < len(wishes)
    assert context.accessibleDescription() == "2,048 tokens"


def test_settings_that_fail_can_be_changed(controller: Desk, models: Path) -> None:
    """Quantised caches need heads of 32 numbers."""
    narrow = make_model(models / "narrow.gguf", ModelRecipe(n_embd=64))
    controller.editor.use_pair(str(narrow), None)
    controller.until_measured()
    controller.cache_type.setCurrentIndex(controller.cache_type.findData(CacheType.Q8_0))
    controller.until(controller.tray.problem.isVisible)
    assert controller.tray.step.step.act is StepAction.WAIT
    controller.cache_type.setCurrentIndex(controller.cache_type.findData(CacheType.F16))
    controller.until_step("Chat with this model")
    assert not controller.tray.problem.isVisible()


@pytest.mark.vulkan
def test_layers_on_a_gpu(
    qtbot: QtBot, local: LocalHub, models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GGML_BACKEND_PATH", os.environ["SPECCHAT_TEST_VULKAN"])
    monkeypatch.setenv("GGML_VK_VISIBLE_DEVICES", "0")
    with closing(FitEstimator(MemoryMeasurer(), MemoryEstimates(JsonCache(tmp_path / "estimates.json")))) as fits:
        controller = Desk(qtbot, fits, local.endpoint, tmp_path, none_found)
        with closing(controller.editor):
            controller.editor.use_pair(str(models / "target.gguf"), str(models / "draft.gguf"))
            controller.until(lambda: "Vulkan0: needs" in controller.tray.memory.bar.words())
            target, draft = controller.slider("targetLayers"), controller.slider("draftLayers")
            assert (target.accessibleDescription(), draft.accessibleDescription()) == ("5 of 5", "3 of 3")
            before = controller.tray.memory.bar.words()
            for slider in (target, draft):
                slider.setValue(0)
            controller.until(lambda: controller.tray.memory.bar.words() != before)
            controller.press("trayButton")
            controller.until(lambda: bool(controller.chosen))
            (choice,) = controller.chosen
            assert (choice.target_settings.gpu_layers, choice.draft_settings.gpu_layers) == (0, 0)
            controller.until(target.isVisible)


def test_another_target_begins_with_its_own_settings(controller: Desk, models: Path) -> None:
    target, draft, long = (models / f"{name}.gguf" for name in ("target", "draft", "long"))
    short = ModelSettings(n_ctx=1024, cache_type=CacheType.Q4_0)
    controller.settings.save(choice_of(target, target_settings=short, draft_settings=short))
    controller.editor.use_pair(str(long), None)
    controller.until_measured()
    context = controller.slider("contextSlider")
    context.setValue(context.maximum())
    controller.cache_type.setCurrentIndex(controller.cache_type.findData(CacheType.Q8_0))
    controller.editor.use_pair(str(draft), None)
    controller.until_measured()
    assert (context.accessibleDescription(), controller.cache_type.currentData()) == ("2,048 tokens", CacheType.F16)
    controller.editor.use_pair(str(target), None)
    controller.until_measured()
    assert (context.accessibleDescription(), controller.cache_type.currentData()) == ("1,024 tokens", CacheType.Q4_0)
    controller.cache_type.setCurrentIndex(controller.cache_type.findData(CacheType.Q8_0))
    controller.editor.use_draft(str(draft))
    controller.until_step("Chat with this pair")
    controller.until_measured()
    assert (context.accessibleDescription(), controller.cache_type.currentData()) == ("1,024 tokens", CacheType.Q8_0)


def test_settings_that_the_pair_was_loaded_with_elsewhere(controller: Desk, models: Path) -> None:
    """Those that are not on show here stay, too."""
    target, draft = models / "target.gguf", models / "draft.gguf"
    controller.editor.use_pair(str(target), str(draft))
    controller.until_measured()
    controller.slider("contextSlider").setValue(0)
    controller.press("trayButton")
    controller.until(lambda: bool(controller.chosen))
    settings = ModelSettings(n_ctx=2048, cache_type=CacheType.Q8_0)
    controller.loaded = choice_of(target, draft, target_settings=settings, draft_settings=settings, draft_max=8)
    controller.editor.show_loaded()
    controller.until(lambda: controller.slider("contextSlider").accessibleDescription() == "2,048 tokens")
    assert controller.cache_type.currentData() == CacheType.Q8_0
    controller.press("trayButton")
    controller.until(lambda: len(controller.chosen) == 2)
    assert controller.chosen[1] == controller.loaded


def test_settings_chosen_here_stay_while_the_same_is_loaded(controller: Desk, models: Path) -> None:
    settings = ModelSettings(n_ctx=2048)
    controller.loaded = choice_of(models / "target.gguf", models / "draft.gguf", target_settings=settings)
    controller.editor.show_loaded()
    controller.until_measured()
    controller.slider("contextSlider").setValue(0)
    controller.editor.show_loaded()
    controller.press("trayButton")
    controller.until(lambda: bool(controller.chosen))
    assert controller.chosen[0].target_settings.n_ctx == 1024


def test_an_automatic_draft_stays_automatic(controller: Desk, models: Path) -> None:
    """Also where its target is chosen again."""
    target, draft = models / "target.gguf", models / "draft.gguf"
    settings = ModelSettings(n_ctx=2048)
    controller.editor.use_pair(str(target), str(draft))
    controller.until_measured()
    controller.press("trayButton")
    controller.until(lambda: bool(controller.chosen))
    controller.chosen_pair = choice_of(target, target_settings=settings, draft_settings=settings, draft_max=4)
    controller.loaded = choice_of(target, draft, target_settings=settings, draft_settings=settings, draft_max=4)
    controller.editor.show_loaded()
    controller.editor.use_target(str(target))
    controller.until_measured()
    assert "on this computer" in controller.tray.draft.words()
    controller.press("trayButton")
    controller.until(lambda: len(controller.chosen) == 2)
    assert controller.chosen[1] == controller.chosen_pair


def test_a_pair_being_chosen_is_not_replaced(controller: Desk, models: Path) -> None:
    target, draft, long = (models / f"{name}.gguf" for name in ("target", "draft", "long"))
    controller.editor.use_pair(str(target), str(draft))
    controller.until_measured()
    controller.loaded = choice_of(long)
    controller.editor.show_loaded()
    assert controller.editor.references == [str(target), str(draft)]
    controller.editor.use_pair(str(long), None)
    controller.until_measured()
    controller.loaded = choice_of(target, draft)
    controller.editor.show_loaded()
    assert controller.editor.references == [str(long)]
