from dataclasses import replace

import pytest
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QWidget
from pytestqt.qtbot import QtBot
from ui.models.hub_pane.panes import (
    GB,
    HEAD,
    NO_TOKEN,
    OFFLINE,
    REPOSITORY,
    SEA,
    SMALL,
    TROUBLE,
    badges,
    cards,
    find,
    press,
    shown_ways,
    texts,
)

from specchat.domain.errors import HubAccessError
from specchat.domain.hub import HubQuery
from specchat.gguf.summary import ModelSummary, TokenizerSummary
from specchat.services.hub.hub_search import RepositoryFile
from specchat.services.models.pair_fit import Fit
from specchat.ui.models.cards import Card, CardList
from specchat.ui.models.hub_message import HubMessage
from specchat.ui.models.hub_pane import HubPane
from specchat.ui.widgets.theme import DARK, LIGHT
from specchat.ui.widgets.theme_service import set_current_theme

SUMMARY = ModelSummary(
    architecture="llama",
    parameters=7_600_000_000,
    quantization="Q4_K_M",
    file_size=2 * GB,
    n_layer=28,
    n_ctx_train=131072,
    n_embd=64,
    n_head=8,
    n_head_kv=8,
    n_vocab=128256,
    tokenizer=TokenizerSummary("gpt2", "llama-bpe", "0123456789abcdef", 1, 2, True, False),
    chat_template=False,
    draft_kind=None,
    draft_inside=None,
    bytes_read=7_500_000,
    problems=(),
)


def test_the_files_of_a_repository(qtbot: QtBot, opened: HubPane) -> None:
    small, large, sidecar = cards(opened, "hubFiles")
    assert texts(small)[0] == "Q4_K_M · 2.0\u00a0GB"
    assert "Small, little quality loss. The usual choice." in texts(small)
    assert "sea-Q4_K_M.gguf" in texts(small)
    assert texts(large)[0] == "BF16 · 6.0\u00a0GB · 3 files"
    assert (badges(small), badges(large)) == (["Downloaded", "Fits"], ["Too large"])
    assert texts(sidecar) == [
        "mmproj-sea.gguf",
        "2.0\u00a0GB · Encoder for pictures or audio (mmproj). Downloaded with a model from here.",
    ]
    assert sidecar.findChildren(QAbstractButton) == []
    with qtbot.waitSignal(opened.requests.target_requested) as target:
        press(large, "useAsTargetButton")
    with qtbot.waitSignal(opened.requests.draft_requested) as draft:
        press(small, "useAsDraftButton")
    assert target.args == ["alice/Sea-7B-GGUF:sea-BF16-00001-of-00003.gguf"]
    assert draft.args == ["alice/Sea-7B-GGUF:sea-Q4_K_M.gguf"]
    assert find(large, QAbstractButton, "useAsTargetButton").accessibleName() == (
        "Use sea-BF16-00001-of-00003.gguf as target"
    )


def test_a_head_becomes_the_draft_and_no_target(qtbot: QtBot, opened: HubPane) -> None:
    opened.repository.show_repository(replace(REPOSITORY, heads=(RepositoryFile(HEAD, Fit.FITS, here=False),)))
    _, _, head, _ = cards(opened, "hubFiles")
    assert texts(head)[:2] == ["Q8_0 · 2.0\u00a0GB", "EAGLE-3 head that drafts for this model."]
    assert head.findChild(QAbstractButton, "useAsTargetButton") is None
    with qtbot.waitSignal(opened.requests.draft_requested) as draft:
        press(head, "useAsDraftButton")
    assert draft.args == [str(HEAD.reference)]
    with qtbot.waitSignal(opened.requests.download_requested):
        press(head, "downloadButton")


def test_licence_and_gating_are_seen_before_anything_is_chosen(qtbot: QtBot, opened: HubPane) -> None:
    gate = find(opened, HubMessage, "hubGate")
    assert gate.isVisible()
    assert gate.words().startswith("You need to accept the license first.")
    assert shown_ways(gate) == ["Open license page", "Add access token…"]
    with qtbot.waitSignal(opened.requests.repository_page_requested) as page:
        press(gate, "hubWay_page")
    assert page.args == [SEA.repo]
    with qtbot.waitSignal(opened.requests.token_requested):
        press(gate, "hubWay_token")


def test_who_has_an_account_is_told_what_is_left_to_do(opened: HubPane) -> None:
    gate = find(opened, HubMessage, "hubGate")
    refused = HubAccessError("You have not accepted it yet.", "Open {page}.", page="x")
    opened.repository.show_repository(replace(REPOSITORY, refused=refused))
    assert gate.words() == "You have not accepted it yet. Open x."
    assert shown_ways(gate) == ["Open license page", "Try again"]
    opened.repository.show_repository(replace(REPOSITORY, refused=None))
    assert gate.isHidden()


def test_a_file_is_downloaded_by_itself_unless_it_is_here(qtbot: QtBot, opened: HubPane) -> None:
    small, large, _ = cards(opened, "hubFiles")
    assert find(small, QAbstractButton, "downloadButton").isHidden()
    with qtbot.waitSignal(opened.requests.download_requested) as wanted:
        press(large, "downloadButton")
    assert wanted.args == ["alice/Sea-7B-GGUF:sea-BF16-00001-of-00003.gguf"]


def test_a_look_into_the_header(qtbot: QtBot, opened: HubPane) -> None:
    small = cards(opened, "hubFiles")[0]
    for _ in range(2):  # it came to nothing the first time
        with qtbot.waitSignal(opened.requests.header_requested) as wanted:
            press(small, "lookInsideButton")
        assert wanted.args == [SMALL]
        opened.repository.show_header_loading(SMALL)
        assert details(small) == "Reading the header…"
        opened.repository.show_error(TROUBLE)
        assert details(small) == ""
    opened.repository.show_header(SMALL, SUMMARY)
    assert details(small).splitlines() == [
        "llama · 7.6 B parameters · 28 layers · context up to 131,072 tokens",
        "Tokenizer gpt2/llama-bpe, 128,256 tokens, 01234567",
        "No chat template: it may not be a chat model.",
        "specchat read 7.5 MB of the file to show this.",
    ]
    assert find(opened, HubMessage, "hubGate").isHidden()
    for expected in ("", SUMMARY.architecture):
        with qtbot.assertNotEmitted(opened.requests.header_requested):
            press(small, "lookInsideButton")
        assert details(small).startswith(expected)


def details(card: Card) -> str:
    shown = card.findChild(QWidget, "cardDetails")
    return str(shown.property("plainText")) if shown is not None and shown.isVisible() else ""


@pytest.mark.parametrize(
    ("error", "ways"),
    [
        (NO_TOKEN, ["Add access token…", "Try again"]),
        (HubAccessError("Not accepted.", "Open {page}.", page="x"), ["Open license page", "Try again"]),
        (HubAccessError("Not answered yet.", "Wait."), ["Try again"]),
        (OFFLINE, ["Try again", "Models on this computer"]),
    ],
)
def test_why_a_header_cannot_be_read(opened: HubPane, error: HubAccessError, ways: list[str]) -> None:
    opened.repository.show_header_loading(SMALL)
    opened.repository.show_error(error)
    message = find(opened, HubMessage, "hubRepositoryMessage")
    assert message.words() == f"{error.message} {error.hint}"
    assert shown_ways(message) == ways
    assert len(cards(opened, "hubFiles")) == 3


def test_the_way_back(qtbot: QtBot, opened: HubPane) -> None:
    with qtbot.waitSignal(opened.repository_closed):
        press(opened, "hubBackButton")
    assert find(opened, CardList, "hubResults").isVisible()
    assert cards(opened)[0] is opened.focusWidget()


def test_stepping_back_leaves_the_repository_only(qtbot: QtBot, opened: HubPane) -> None:
    with qtbot.waitSignal(opened.repository_closed):
        assert opened.go_back()
    with qtbot.assertNotEmitted(opened.repository_closed):
        assert not opened.go_back()


def test_the_search_is_reached_from_everywhere(opened: HubPane) -> None:
    box = find(opened, QLineEdit, "hubSearchBox")
    box.setText("sea")
    opened.focus_search()
    assert (box.isVisible(), box.hasFocus(), box.selectedText()) == (True, True, "sea")


def test_more_by_the_same_author(qtbot: QtBot, opened: HubPane) -> None:
    with qtbot.waitSignal(opened.requests.search_requested) as searched:
        press(opened, "hubAuthorButton")
    assert searched.args == [HubQuery("alice/", only_fitting=True)]
    assert find(opened, CardList, "hubResults").isVisible()


def test_themes_and_narrow_windows(opened: HubPane) -> None:
    set_current_theme(DARK)
    opened.resize(379, 400)
    assert opened.width() == 379
    set_current_theme(LIGHT)
