import os
from contextlib import closing
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from support.choices import choice_of
from support.ggufs import ModelRecipe, make_model
from support.hub import LocalHub
from ui.manager.pair_plan.planning import LONG, Desk, none_found

from specchat.backends.measure import Measurer
from specchat.domain.types import CacheType, ModelSettings
from specchat.services.memory.estimates import Estimates
from specchat.services.memory.fit import Fits
from specchat.store.remembered import Remembered
from specchat.ui.manager.tray_step import Act


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


def test_another_target_begins_with_its_own_settings(desk: Desk, models: Path) -> None:
    target, draft, long = (models / f"{name}.gguf" for name in ("target", "draft", "long"))
    short = ModelSettings(n_ctx=1024, cache_type=CacheType.Q4_0)
    desk.settings.remember(choice_of(target, target_settings=short, draft_settings=short))
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
