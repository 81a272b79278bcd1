"""What the user asked of late."""

from support.chats import Clock

from specchat.domain.conversations import Answer, ConversationSettings
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.message_service import MessageService
from specchat.services.chat.recent_questions import recent_questions


class Talk:
    def __init__(self, conversations: ConversationService, messages: MessageService) -> None:
        self.conversations, self.messages = conversations, messages

    def asked(self, *questions: str) -> None:
        conversation = self.conversations.create(ConversationSettings()).id
        for question in questions:
            asked = self.messages.add_question(conversation, question)
            self.messages.begin_answer(asked.id, Answer("target.gguf", None))

    def recent(self) -> tuple[str, ...]:
        return recent_questions(self.conversations, self.messages)


def test_the_newest_come_first_and_each_once(conversations: ConversationService, messages: MessageService) -> None:
    talk = Talk(conversations, messages)
    talk.asked("One?", "Two?")
    talk.asked("Three?", "One?")
    assert set(talk.recent()) == {"One?", "Two?", "Three?"}
    assert len(talk.recent()) == 3


def test_what_is_empty_or_very_long_is_left_out(
    conversations: ConversationService, messages: MessageService, clock: Clock
) -> None:
    talk = Talk(conversations, messages)
    talk.asked("  ", "word " * 2000, "Short?")
    assert talk.recent() == ("Short?",)


def test_a_dozen_is_enough(conversations: ConversationService, messages: MessageService) -> None:
    talk = Talk(conversations, messages)
    talk.asked(*(f"Question {n}?" for n in range(40)))
    assert talk.recent() == tuple(f"Question {n}?" for n in range(39, 27, -1))


def test_without_chats_there_are_none(conversations: ConversationService, messages: MessageService) -> None:
    assert Talk(conversations, messages).recent() == ()
