"""Conversations with documents that another engine's context has no room for."""

import pytest

from specchat.domain.answer_tasks import CountTask
from specchat.domain.engine import ChatTask
from specchat.domain.errors import ContextFullError
from specchat.domain.types import Message, Role
from specchat.services.connections.prompt_room import CountText, PromptRoom

SHORT, LONG = (Message(Role.USER, "word " * 20),), (Message(Role.USER, "word " * 500),)


def count_words(text: str) -> int | None:
    return len(text.split())


@pytest.mark.parametrize("count", [count_words, lambda _: None])
def test_the_condensed_messages_are_sent_where_the_whole_ones_do_not_fit(count: CountText) -> None:
    room = PromptRoom(200, count)
    fitted, is_condensed = room.fit_task(ChatTask(LONG, condensed=SHORT))
    assert (fitted.messages, is_condensed) == (SHORT, True)
    fitted, is_condensed = room.fit_task(ChatTask(SHORT, condensed=SHORT))
    assert (fitted.messages, is_condensed) == (SHORT, False)


def test_they_are_counted_as_well() -> None:
    condensed = CountTask((), "Why?", ("word " * 20,), searched=("a.pdf",))
    count = PromptRoom(200, count_words).context(CountTask((), "Why?", ("word " * 500,), condensed=condensed))
    assert (count.attachments, count.searched) == ((20,), ("a.pdf",))
    count = PromptRoom(2000, count_words).context(CountTask((), "Why?", ("word " * 500,), condensed=condensed))
    assert (count.attachments, count.searched) == ((500,), ())


def test_pictures_take_room_from_documents() -> None:
    condensed = CountTask((), "Why?", ("word " * 20,), searched=("a.pdf",), pictures=(90,))
    whole = CountTask((), "Why?", ("word " * 100,), condensed=condensed, pictures=(90,))
    count = PromptRoom(200, count_words).context(whole)
    assert (count.attachments, count.searched) == ((90, 20), ("a.pdf",))


def test_a_begun_answer_may_go_on_to_the_end_of_the_context() -> None:
    room, asked = PromptRoom(200, count_words), [Message(Role.USER, "Why?")]
    assert room.fit(asked, None, "word " * 180).messages == tuple(asked)
    with pytest.raises(ContextFullError, match="fills the context"):
        room.fit(asked, None, "word " * 200)
