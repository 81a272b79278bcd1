"""The tray with the real services behind it: small files, llama.cpp's own allocator, a local Hub."""

from pathlib import Path

from pytestqt.qtbot import QtBot
from support.choices import choice_of, files_of
from support.measured import report, row
from ui.pair.pair_editor.planning import PATIENCE_MS, Desk

from specchat.domain.benchmark import BenchMethod
from specchat.services.drafts.known_pairs import KnownModel, KnownPair
from specchat.services.drafts.speedup import estimate_known_pair
from specchat.services.models.demo_pair import demo_choice, demo_files
from specchat.ui.pair.next_step import StepAction


def test_a_pair_on_this_computer(controller: Desk, models: Path) -> None:
    target, draft = models / "target.gguf", models / "draft.gguf"
    controller.editor.use_target(str(target))
    controller.until_step("Chat with this model")
    assert "earlier text" in controller.note
    controller.editor.use_draft(str(draft))
    controller.until_step("Chat with this pair")
    controller.until_measured()
    controller.until(lambda: controller.tray.verdict.words().startswith("Same vocabulary, speed unknown. "))
    assert "on this computer" in controller.tray.draft.words()
    controller.press("trayButton")
    controller.until(lambda: bool(controller.chosen))
    (choice,) = controller.chosen
    assert (*files_of(choice), choice.draft_type) == (target, draft, "auto")
    assert choice.target_settings.n_ctx == 2048  # all that it was trained for
    assert controller.heard == [(str(target), ""), (str(target), str(draft))]


def test_the_demo_is_a_pair(controller: Desk) -> None:
    controller.editor.use_pair("demo-target", "demo-draft")
    controller.until_step("Chat with this pair")
    controller.press("trayButton")
    controller.until(lambda: bool(controller.chosen))
    choice = controller.chosen[0]
    assert files_of(choice) == demo_files()
    assert (choice.draft_type, choice.draft_max) == ("auto", None)


def test_what_is_loaded_without_any_guesses_stays_so(controller: Desk, models: Path) -> None:
    target = models / "target.gguf"
    controller.loaded = choice_of(target, draft_type="none")
    controller.editor.show_loaded()
    controller.until_step("Chat with this model")
    assert controller.tray.draft.words() == "Draft: No speculation. The target writes every token"
    assert "earlier text" not in controller.note
    controller.press("trayButton")
    controller.until(lambda: bool(controller.chosen))
    assert controller.chosen[0].draft_type == "none"


def test_strangers_are_not_put_together(controller: Desk, models: Path) -> None:
    controller.editor.use_pair(str(models / "target.gguf"), str(models / "other.gguf"))
    controller.until(lambda: controller.note.startswith("These models are incompatible."))
    assert controller.tray.step.step.act is StepAction.WAIT
    assert controller.tray.verdict.words().startswith("Incompatible. The models' vocabularies differ")
    assert not controller.tray.memory.isVisible()
    controller.press("verdictWithoutDraft")
    controller.until_step("Chat with this model")
    assert controller.tray.memory.isVisible()


def test_a_draft_as_large_as_its_target_is_remarked_on(controller: Desk, models: Path) -> None:
    controller.editor.use_pair(str(models / "draft.gguf"), str(models / "target.gguf"))
    controller.until_step("Chat with this pair")
    note = controller.tray.verdict._note
    assert (note.isVisible(), "not smaller than the target" in note.text()) == (True, True)


def test_a_wish_to_chat_ends_with_the_pair_it_was_for(qtbot: QtBot, controller: Desk, models: Path) -> None:
    target, draft, other = (str(models / f"{name}.gguf") for name in ("target", "draft", "other"))
    controller.editor.use_pair(target, draft)
    controller.editor.start_chat_when_ready()
    controller.editor.use_pair(other, None)
    controller.until(lambda: controller.tray.step.step.act is StepAction.CHAT)
    assert not controller.editor._chats_soon
    controller.editor.use_pair(target, draft)
    with qtbot.waitSignal(controller.editor.chat_requested, timeout=PATIENCE_MS):
        controller.editor.start_chat_when_ready()


def test_a_wish_to_chat_waits_until_it_is_known_how(qtbot: QtBot, controller: Desk, models: Path) -> None:
    """Else a pair would be loaded with a context that its models were not trained for."""
    with qtbot.waitSignal(controller.editor.chat_requested, timeout=PATIENCE_MS) as asked:
        controller.editor.use_pair(str(models / "target.gguf"), str(models / "draft.gguf"))
        controller.editor.start_chat_when_ready()
    assert asked.args[0].target_settings.n_ctx == 2048


def test_at_first_the_pair_that_is_loaded(controller: Desk, models: Path) -> None:
    controller.loaded = demo_choice()
    controller.editor.show_loaded()
    assert controller.editor.references == []
    controller.loaded = choice_of(models / "target.gguf", models / "draft.gguf")
    controller.editor.show_loaded()
    controller.until_step("Chat with this pair")
    controller.editor._use(None, None)
    controller.editor.show_loaded()
    assert controller.editor.references == []


def test_what_is_known_of_a_pair_counts(controller: Desk, models: Path) -> None:
    """As among the pairs, and among the drafts."""
    giga = 10**9
    target, draft = (
        KnownModel(file=str(models / f"{name}.gguf"), parameters=parameters)
        for name, parameters in (("target", 8 * giga), ("draft", giga))
    )
    pair = KnownPair(target, draft, acceptance=0.9)
    controller.known.add(pair)
    expected = estimate_known_pair(pair, "F32", "F32")
    assert expected is not None
    controller.editor.use_pair(str(models / "target.gguf"), str(models / "draft.gguf"))
    controller.until(lambda: f"estimate: {expected.speedup:.1f}× as fast" in controller.tray.verdict.words())


def test_what_was_measured_here_counts_more(controller: Desk, models: Path) -> None:
    target, draft = (models / f"{name}.gguf" for name in ("target", "draft"))
    controller.pairs.record(report(row(BenchMethod(target, draft, "model", None), 0.88)))
    controller.editor.use_pair(str(target), str(draft))
    controller.until(lambda: "measured here: 12" in controller.tray.verdict.words())


def test_what_is_measured_meanwhile_takes_its_place(controller: Desk, models: Path) -> None:
    target, draft = (models / f"{name}.gguf" for name in ("target", "draft"))
    controller.editor.use_pair(str(target), str(draft))
    controller.until(lambda: "speed unknown" in controller.tray.verdict.words())
    controller.pairs.record(report(row(BenchMethod(target, draft, "model", None), 0.88)))
    controller.editor.refresh_speeds()
    controller.until(lambda: "measured here: 12" in controller.tray.verdict.words())
