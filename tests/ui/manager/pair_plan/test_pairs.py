"""The tray with the real services behind it: small files, llama.cpp's own allocator, a local Hub."""

from pathlib import Path

from pytestqt.qtbot import QtBot
from support.choices import choice_of, files_of
from support.measured import report, row
from ui.manager.pair_plan.planning import PATIENCE_MS, Desk

from specchat.domain.benchmarking import Way
from specchat.services.drafts.known_pairs import KnownModel, KnownPair
from specchat.services.drafts.speedup import expected_of_known
from specchat.services.models.demo_pair import demo_choice, demo_files
from specchat.ui.manager.tray_step import Act


def test_a_pair_on_this_computer(desk: Desk, models: Path) -> None:
    target, draft = models / "target.gguf", models / "draft.gguf"
    desk.plan.use_target(str(target))
    desk.until_step("Chat with this model")
    assert "earlier text" in desk.note
    desk.plan.use_draft(str(draft))
    desk.until_step("Chat with this pair")
    desk.until_measured()
    desk.until(lambda: desk.tray.verdict.words().startswith("Same vocabulary, speed not known yet. "))
    assert "on this computer" in desk.tray.draft.words()
    desk.press("trayButton")
    desk.until(lambda: bool(desk.chosen))
    (choice,) = desk.chosen
    assert (*files_of(choice), choice.draft_type) == (target, draft, "auto")
    assert choice.target_settings.n_ctx == 2048  # all that it was trained for
    assert desk.heard == [(str(target), ""), (str(target), str(draft))]


def test_the_demo_is_a_pair(desk: Desk) -> None:
    desk.plan.use_pair("demo-target", "demo-draft")
    desk.until_step("Chat with this pair")
    desk.press("trayButton")
    desk.until(lambda: bool(desk.chosen))
    choice = desk.chosen[0]
    assert files_of(choice) == demo_files()
    assert (choice.draft_type, choice.draft_max) == ("auto", None)


def test_what_is_loaded_without_any_guesses_stays_so(desk: Desk, models: Path) -> None:
    target = models / "target.gguf"
    desk.loaded = choice_of(target, draft_type="none")
    desk.plan.show_loaded()
    desk.until_step("Chat with this model")
    assert desk.tray.draft.words() == "Draft: No guesses. The target writes alone"
    assert "earlier text" not in desk.note
    desk.press("trayButton")
    desk.until(lambda: bool(desk.chosen))
    assert desk.chosen[0].draft_type == "none"


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


def test_a_wish_to_chat_waits_until_it_is_known_how(qtbot: QtBot, desk: Desk, models: Path) -> None:
    """Else a pair would be loaded with a context that its models were not trained for."""
    with qtbot.waitSignal(desk.plan.chatRequested, timeout=PATIENCE_MS) as asked:
        desk.plan.use_pair(str(models / "target.gguf"), str(models / "draft.gguf"))
        desk.plan.chat()
    assert asked.args[0].target_settings.n_ctx == 2048


def test_at_first_the_pair_that_is_loaded(desk: Desk, models: Path) -> None:
    desk.loaded = demo_choice()
    desk.plan.show_loaded()
    assert desk.plan.references == []
    desk.loaded = choice_of(models / "target.gguf", models / "draft.gguf")
    desk.plan.show_loaded()
    desk.until_step("Chat with this pair")
    desk.plan._use(None, None)
    desk.plan.show_loaded()
    assert desk.plan.references == []


def test_what_is_known_of_a_pair_counts(desk: Desk, models: Path) -> None:
    """As among the pairs, and among the drafts."""
    giga = 10**9
    target, draft = (
        KnownModel(file=str(models / f"{name}.gguf"), parameters=parameters)
        for name, parameters in (("target", 8 * giga), ("draft", giga))
    )
    pair = KnownPair(target, draft, acceptance=0.9)
    desk.known.add(pair)
    expected = expected_of_known(pair, "F32", "F32")
    assert expected is not None
    desk.plan.use_pair(str(models / "target.gguf"), str(models / "draft.gguf"))
    desk.until(lambda: f"estimate: {expected.speedup:.1f}× as fast" in desk.tray.verdict.words())


def test_what_was_measured_here_counts_more(desk: Desk, models: Path) -> None:
    target, draft = (models / f"{name}.gguf" for name in ("target", "draft"))
    desk.pairs.record(report(row(Way(target, draft, "model", None), 0.88)))
    desk.plan.use_pair(str(target), str(draft))
    desk.until(lambda: "measured here: 12" in desk.tray.verdict.words())


def test_what_is_measured_meanwhile_takes_its_place(desk: Desk, models: Path) -> None:
    target, draft = (models / f"{name}.gguf" for name in ("target", "draft"))
    desk.plan.use_pair(str(target), str(draft))
    desk.until(lambda: "speed not known yet" in desk.tray.verdict.words())
    desk.pairs.record(report(row(Way(target, draft, "model", None), 0.88)))
    desk.plan.look_at_speeds()
    desk.until(lambda: "measured here: 12" in desk.tray.verdict.words())
