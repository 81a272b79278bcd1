import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel, QPushButton, QTextEdit, QWidget
from pytestqt.qtbot import QtBot
from ui.pair.tray.trays import CANDIDATES, HERE, RELATED, SAME, STRANGERS, THERE, click, find, with_memory

from specchat.domain.errors import HubAccessError, HubNotFoundError, HubOfflineError, UserError
from specchat.gguf.reasons import Reason
from specchat.services.drafts.draft_candidates import SpeedupEstimate
from specchat.ui.pair.pair_editor import PairEditor
from specchat.ui.widgets.theme import DARK
from specchat.ui.widgets.theme_service import set_current_theme


def test_an_empty_tray_says_what_to_do(tray: PairEditor) -> None:
    assert tray.target.words() == "Target. Choose a target: the model that answers."
    assert tray.draft.words().startswith("Draft (optional). Then choose a draft")
    assert not any(find(tray, QPushButton, name).isVisible() for name in ("findDraftButton", "withoutDraftButton"))
    assert not tray.memory.isVisible()
    assert not tray.verdict.isVisible()


def test_a_model_in_its_slot(qtbot: QtBot, tray: PairEditor) -> None:
    tray.show_target(HERE)
    assert tray.target.words() == "Target: Sea 7B. Q4_K_M · 4.7\u00a0GB · on this computer"
    tray.show_draft(THERE, has_target=True)
    assert tray.draft.words() == "Draft: sea-1b. Q8_0 · 700\u00a0MB · not downloaded"
    for name, signal in (("targetSlotRemove", tray.target.removed), ("draftSlotRemove", tray.draft.removed)):
        assert find(tray, QAbstractButton, name).accessibleName().startswith("Remove ")
        with qtbot.waitSignal(signal):
            click(tray, name)
    with qtbot.waitSignal(tray.drafts_requested):
        click(tray, "findAnotherDraft")


def test_the_verdict_has_its_reason(tray: PairEditor) -> None:
    tray.show_parts(verdict=True)
    badge, details = find(tray, QLabel, "compatBadge"), find(tray, QWidget, "compatDetails")
    tray.verdict.show_verdict(RELATED)
    assert tray.verdict.words() == "Compatible. Same tokens. But one."
    assert badge.property("badge") == "good"
    tray.verdict.show_verdict(STRANGERS)
    assert tray.verdict.words() == (
        "Incompatible. The models' vocabularies differ. Choose a draft from the target's family."
    )
    assert badge.property("badge") == "danger"
    assert badge.accessibleName() == "Compatibility: Incompatible"
    assert not details.isVisible()
    click(tray, "compatMore")
    assert details.isVisible()
    assert details.property("plainText").splitlines() == [
        "Vocabulary: 151,936 tokens in the target, 32,000 in the draft.",
        "• Token 9 is 'a' in the target, 'b' in the draft. 4 tokens differ, not counting unused ones.",
        "• Another one.",
    ]
    tray.verdict.show_verdict(replace(STRANGERS, reasons=STRANGERS.reasons[1:]))
    assert "First difference: token 9 is 'a' in the target, '\\n' in the draft." in details.property("plainText")
    click(tray, "compatMore")
    assert not details.isVisible()


def test_of_a_head_the_vocabulary_is_no_obstacle(tray: PairEditor) -> None:
    reasons = (Reason("no-layer-states", "It reads its states."), Reason("head-width", "It is wider."))
    tray.verdict.show_verdict(replace(STRANGERS, reasons=reasons))
    assert find(tray, QTextEdit, "compatDetails").toPlainText() == "• It is wider."


def test_details_say_nothing_twice(tray: PairEditor) -> None:
    tray.show_parts(verdict=True)
    details, more = find(tray, QWidget, "compatDetails"), find(tray, QPushButton, "compatMore")
    tray.verdict.show_verdict(RELATED)
    click(tray, "compatMore")
    assert details.property("plainText") == "Vocabulary: 4,096 tokens in the target, 4,090 in the draft."
    tray.verdict.show_verdict(SAME)
    assert tray.verdict.words() == "Same vocabulary. Same vocabulary of 4,096 tokens."
    assert not any(part.isVisible() for part in (details, more))


def test_the_way_out_stands_below_the_verdict(qtbot: QtBot, tray: PairEditor) -> None:
    tray.show_parts(verdict=True)
    names = ("verdictFindDraft", "verdictWithoutDraft")
    tray.verdict.show_verdict(RELATED)
    assert not any(find(tray, QPushButton, name).isVisible() for name in names)
    tray.verdict.show_verdict(STRANGERS)
    for name, signal in zip(names, (tray.verdict.drafts_requested, tray.verdict.no_draft_requested), strict=True):
        with qtbot.waitSignal(signal):
            click(tray, name)
    tray.verdict.show_checking()
    assert not any(find(tray, QPushButton, name).isVisible() for name in names)


def test_why_they_do_not_go_together(tray: PairEditor) -> None:
    def words(code: str) -> str:
        tray.verdict.show_verdict(replace(STRANGERS, reasons=(Reason(code, "As it is."),)))
        return tray.verdict.words()

    assert words("add-bos").startswith("Incompatible. The models mark the start or end of text differently")
    assert words("no-vocabulary") == "Incompatible. As it is."


def test_what_the_draft_should_bring(tray: PairEditor) -> None:
    tray.show_parts(verdict=True)
    tray.verdict.show_verdict(RELATED, expected=SpeedupEstimate(1.74, 5, 0.7, is_known=False))
    assert tray.verdict.words() == "Compatible, estimate: 1.7× as fast. Same tokens. But one."
    badge = find(tray, QLabel, "expectedBadge")
    assert badge.property("badge") == "plain"
    assert badge.accessibleDescription().startswith("Estimate: 1.7× as fast")
    tray.verdict.show_verdict(RELATED, expected=SpeedupEstimate(1.8, 5, 0.7, is_known=False, tiny=True))
    assert (badge.text(), badge.property("badge")) == ("speed unknown", "plain")
    assert badge.accessibleDescription().startswith("The target is too small for an estimate")
    tray.verdict.show_verdict(RELATED, expected=SpeedupEstimate(0.8, 1, 0.4, is_known=True))
    assert badge.property("badge") == "warning"
    tray.verdict.show_verdict(RELATED)
    assert not badge.isVisible()


def test_what_the_draft_brought_here(tray: PairEditor) -> None:
    tray.show_parts(verdict=True)
    badge = find(tray, QLabel, "expectedBadge")
    for speedup, words, tone, said in (
        (1.62, "measured here: 1.6×", "good", "1.6× as fast as"),
        (0.88, "measured here: 12\xa0% slower", "warning", "12\xa0% slower than"),
    ):
        tray.verdict.show_verdict(RELATED, expected=SpeedupEstimate(speedup, 5, 0.7, is_known=True, measured=True))
        assert (badge.text(), badge.property("badge")) == (words, tone)
        assert badge.accessibleDescription() == (
            f"Measured on this computer: {said} the target alone. 70\xa0% of the guesses were accepted."
        )
    expected = SpeedupEstimate(1.62, 4, 0.7, is_known=True, measured=True, guesses=4)
    tray.verdict.show_verdict(RELATED, expected=expected)
    assert badge.text() == "measured here: 1.6× with up to 4 guesses"
    assert badge.accessibleDescription().endswith("With up to 4 guesses per pass, 70\xa0% were accepted.")


def test_what_the_draft_brought_in_chats(tray: PairEditor) -> None:
    tray.show_parts(verdict=True)
    badge = find(tray, QLabel, "expectedBadge")
    for speedup, words, tone, said in (
        (1.62, "1.6× in your chats", "good", "about 1.6× as fast as the target alone."),
        (1.0, "no faster in your chats", "warning", "were no faster than with the target alone."),
    ):
        expected = SpeedupEstimate(speedup, 5, 0.7, is_known=True, in_chats=True, tiny=True)
        tray.verdict.show_verdict(RELATED, expected=expected)
        assert (badge.text(), badge.property("badge")) == (words, tone)
        assert badge.accessibleDescription().endswith(said)


@pytest.mark.parametrize(
    ("error", "visible"),
    [
        (HubAccessError("Not accepted.", "Open {page}.", page="https://hub/a/b"), ["trayProblemPage"]),
        (
            HubAccessError(
                "{repo} requires an access token.", "Make one at {tokens}.", repo="a/b", tokens="https://hub/tokens"
            ),
            ["trayProblemPage", "trayProblemToken"],
        ),
        (HubAccessError("No token.", "Make one at {tokens}.", tokens="https://hub/tokens"), ["trayProblemToken"]),
        (HubNotFoundError("No file.", "Choose one from {page}.", page="https://hub/a/b"), []),
        (HubOfflineError("No network.", "Look for one."), []),
    ],
)
def test_problems_and_what_can_be_done(qtbot: QtBot, tray: PairEditor, error: UserError, visible: list[str]) -> None:
    with_memory(tray)
    tray.show_problem(error)
    assert tray.problem.words() == f"{error.message} {error.hint}"
    assert not tray.memory.isVisible()
    names = ("trayProblemPage", "trayProblemToken", "trayProblemAgain")
    assert [name for name in names if find(tray, QPushButton, name).isVisible()] == [
        *visible,
        "trayProblemAgain",
    ]
    with qtbot.waitSignal(tray.problem.retry_requested):
        click(tray, "trayProblemAgain")
    if "trayProblemPage" in visible:
        with qtbot.waitSignal(tray.problem.web_page_requested) as requested:
            click(tray, "trayProblemPage")
        assert requested.args is not None
        assert requested.args[0].endswith("/a/b")
    if "trayProblemToken" in visible:
        with qtbot.waitSignal(tray.problem.token_requested):
            click(tray, "trayProblemToken")
    tray.show_parts()
    assert not tray.problem.isVisible()


def test_themes_and_text_sizes(tray: PairEditor, choose_text_size: Callable[[int], None]) -> None:
    tray.show_target(HERE)
    tray.show_draft(THERE, has_target=True)
    with_memory(tray)
    tray.verdict.show_verdict(STRANGERS)
    light = tray.grab().toImage()
    set_current_theme(DARK)
    assert tray.grab().toImage() != light
    choose_text_size(17)
    set_current_theme(DARK)
    assert tray.width() == 400
    tray.drafts.show_candidates(CANDIDATES)
    tray.show_drafts(shown=True)
    tray.grab()


def test_everything_has_a_name(tray: PairEditor) -> None:
    assert (tray.objectName(), tray.accessibleName()) == ("pairTray", "Selected pair")
    for name in ("contextSlider", "targetLayers", "draftLayers", "trayCacheType", "fitBar", "draftCandidates"):
        assert find(tray, QWidget, name).accessibleName()


def test_it_costs_little_to_import() -> None:
    heavy = "{'llama_cpp', 'numpy', 'huggingface_hub', 'httpx2', 'keyring'}"
    script = f"import sys, specchat.ui.pair.pair_editor_controller; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
