"""The same answer twice, and what that tells."""

from dataclasses import replace

from support.desks import Person

from specchat.domain.types import PairChoice


def test_an_answer_that_cannot_differ_says_why(person: Person) -> None:
    person.keep_short()
    first = person.ask("Hello there")
    assert not person.window.notice.isVisible()
    person.window.transcript.regenerate_requested.emit(first.id)
    assert person.wait_for_answer().text == first.text
    person.qtbot.waitUntil(lambda: person.window.notice.text == "The answer is the same because the temperature is 0.")
    assert person.window.notice.isVisible()
    person.click("noticeAction")
    assert person.window.page is person.controller.settings.page()
    person.window.show_chat()
    person.ask("And now?")
    assert not person.window.notice.isVisible(), "that was of another answer"


def test_that_guesses_change_nothing_can_be_seen(person: Person, choice: PairChoice) -> None:
    person.keep_short()
    first = person.ask("Hello there")
    assert person.controller.services.messages.answer(first.id).stats.n_drafted  # type: ignore[union-attr]
    for draft, said in (
        (replace(choice, draft=None, draft_type="none"), "The answer is the same with and without speculation."),
        (choice, "The answer is the same with and without speculation."),
        (replace(choice, draft=choice.target), "The answer is the same with another draft."),
    ):
        with person.qtbot.waitSignal(person.controller.session.pair_loaded, timeout=60_000):
            person.controller.pair.load(draft)
        person.window.transcript.regenerate_requested.emit(person.path[-1].id)
        assert person.wait_for_answer().text == first.text
        person.qtbot.waitUntil(lambda said=said: person.window.notice.text == said)  # type: ignore[misc]
