"""What the user asked of late."""

from support.chats import Clock

from specchat.domain.conversations import Answer, ConversationSettings
from specchat.services.chat.conversations import Conversations
from specchat.services.chat.messages import Messages
from specchat.services.chat.recent_questions import recent_questions


class Talk:
    def __init__(self, conversations: Conversations, messages: Messages) -> None:
        self.conversations, self.messages = conversations, messages

    def asked(self, *questions: str) -> None:
        conversation = self.conversations.new(ConversationSettings()).id
        for question in questions:
            asked = self.messages.ask(conversation, question)
            self.messages.begin_answer(asked.id, Answer("target.gguf", None))

    def recent(self) -> tuple[str, ...]:
        return recent_questions(self.conversations, self.messages)


def test_the_newest_come_first_and_each_once(conversations: Conversations, messages: Messages) -> None:
    talk = Talk(conversations, messages)
    talk.asked("One?", "Two?")
    talk.asked("Three?", "One?")
    assert set(talk.recent()) == {"One?", "Two?", "Three?"}
    assert len(talk.recent()) == 3


def test_what_is_empty_or_very_long_is_left_out(conversations: Conversations, messages: Messages, clock: Clock) -> None:
    talk = Talk(conversations, messages)
    talk.asked("  ", "word " * 2000, "Short?")
    assert talk.recent() == ("Short?",)


def test_a_dozen_is_enough(conversations: Conversations, messages: Messages) -> None:
    talk = Talk(conversations, messages)
    talk.asked(*(f"Question {n}?" for n in range(40)))
    assert talk.recent() == tuple(f"Question {n}?" for n in range(39, 27, -1))


def test_without_chats_there_are_none(conversations: Conversations, messages: Messages) -> None:
    assert Talk(conversations, messages).recent() == ()
