"""What an error offers beside trying again, and that it does so."""

from dataclasses import replace

import psutil
import pytest
from PySide6.QtWidgets import QComboBox
from support.desks import Person, picked
from ui.window.test_context import too_long

from specchat.domain.errors import (
    ContextFullError,
    IncompatibleError,
    MemoryShortageError,
    ModelFileError,
    ModelLoadError,
    UserError,
)
from specchat.domain.types import PairChoice
from specchat.services.models.model_refs import path_for_ref
from specchat.ui.pair.choice_list import ChoiceList
from specchat.ui.pair.load_options import with_context
from specchat.ui.window.error_remedies import Remedy

pytestmark = pytest.mark.usefixtures("engine_here")

PATIENCE_MS = 20_000


@pytest.fixture
def known(person: Person, choice: PairChoice) -> Person:
    """With the models of the pair in the list."""
    assert choice.draft is not None
    for ref in (choice.target, choice.draft):
        person.controller.services.models.library.add(path_for_ref(ref))
    person.controller.pair.refresh_models()
    person.qtbot.waitUntil(lambda: person.controller.session.longest_context is not None, timeout=PATIENCE_MS)
    return person


def wait_for_context(person: Person) -> int:
    """Which is chosen in the popup, once the keyboard is there."""
    picker = person.controller.picker
    context = picker.findChild(QComboBox, "contextSize")
    assert context is not None
    person.qtbot.waitUntil(lambda: picker.isVisible() and picker.focusWidget() is context, timeout=PATIENCE_MS)
    return int(context.currentData())


@pytest.mark.parametrize(
    ("kind", "remedies"),
    [
        (MemoryShortageError, [Remedy.SMALLER_CONTEXT, Remedy.OTHER_MODEL]),
        (ModelLoadError, [Remedy.OTHER_MODEL]),
        (ModelFileError, [Remedy.OTHER_MODEL]),
        (IncompatibleError, [Remedy.OTHER_DRAFT]),
        (ContextFullError, [Remedy.LARGER_CONTEXT]),
        (UserError, []),
    ],
)
def test_each_kind_of_error_has_its_own(person: Person, kind: type[UserError], remedies: list[Remedy]) -> None:
    person.controller.notifications.show_error(kind("It failed.", "Do something."))
    assert person.remedies() == remedies


def test_a_pair_that_needs_too_much_memory_comes_back_with_less_context(known: Person, choice: PairChoice) -> None:
    asked = psutil.virtual_memory().total // 8
    known.controller.pair.load(with_context(choice, asked))
    known.qtbot.waitUntil(known.window.problem.isVisible, timeout=PATIENCE_MS)
    assert known.remedies() == [Remedy.SMALLER_CONTEXT, Remedy.OTHER_MODEL]
    known.click_remedy(Remedy.SMALLER_CONTEXT)
    assert wait_for_context(known) < asked
    targets = known.controller.picker.findChild(ChoiceList, "targetList")
    assert targets is not None
    assert picked(targets) == [choice.target]


def test_a_message_that_is_too_long_asks_for_twice_the_context(known: Person, n_ctx: int) -> None:
    known.window.composer.set_text(too_long(known))
    known.qtbot.waitUntil(lambda: known.controller.context._count is not None, timeout=PATIENCE_MS)
    known.window.composer.send()
    known.qtbot.waitUntil(known.window.problem.isVisible, timeout=PATIENCE_MS)
    assert known.remedies() == [Remedy.LARGER_CONTEXT], "it would be too long in a new chat as well"
    known.click_remedy(Remedy.LARGER_CONTEXT)
    assert wait_for_context(known) == 2 * n_ctx


def test_an_answer_that_fills_the_context_can_be_left_for_a_new_chat(known: Person) -> None:
    known.ask("One")
    known.controller.notifications.show_error(ContextFullError("It is full.", "-c"), lambda: None)
    assert known.remedies() == [Remedy.LARGER_CONTEXT, Remedy.NEW_CHAT]
    before = known.controller.session.conversation
    known.click_remedy(Remedy.NEW_CHAT)
    assert known.controller.session.conversation != before
    assert not known.window.problem.isVisible()


def test_nothing_larger_than_the_target_allows(known: Person) -> None:
    pair = known.controller.session.pair
    assert pair is not None
    known.controller.session.set_pair(replace(pair, n_ctx=known.controller.session.longest_context or 0), None)
    known.controller.notifications.show_error(ContextFullError("It is full.", "-c"), lambda: None)
    assert known.remedies() == [Remedy.NEW_CHAT]
