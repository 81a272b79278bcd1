from dataclasses import replace

from support.pictures import picture

from specchat.domain.conversations import Attachment, ConversationSettings, StoredMessage
from specchat.domain.picture_header import MOST_BYTES
from specchat.domain.pictures import Picture
from specchat.domain.types import Message, Role
from specchat.services.chat.prompt_fitting import merge_same_role
from specchat.services.chat.prompt_messages import build_prompt_messages, format_attachment

QUESTION = StoredMessage(1, 1, None, Role.USER, "Why?", 1.0)
ANSWER = StoredMessage(2, 1, 1, Role.ASSISTANT, "<think>hm</think>\nBecause.", 1.0)
PLAIN = ConversationSettings()


def test_the_system_prompt_comes_first() -> None:
    asked = build_prompt_messages([QUESTION], ConversationSettings(system_prompt="Be brief."))
    assert asked == (Message(Role.SYSTEM, "Be brief."), Message(Role.USER, "Why?"))
    assert build_prompt_messages([QUESTION], ConversationSettings(system_prompt=" \n")) == (Message(Role.USER, "Why?"),)


def test_answers_come_without_their_thoughts() -> None:
    assert build_prompt_messages([QUESTION, ANSWER], PLAIN)[-1] == Message(Role.ASSISTANT, "Because.")


def test_what_users_write_is_theirs() -> None:
    question = replace(QUESTION, text="<think>What?</think>")
    assert build_prompt_messages([question], PLAIN)[0].content == "<think>What?</think>"


def test_attachments_come_before_the_text() -> None:
    question = replace(QUESTION, attachments=(Attachment("a.txt", "one\n"), Attachment("b\n.md", "two")))
    (message,) = build_prompt_messages([question], PLAIN)
    assert message.content == "File: a.txt\n```\none\n```\n\nFile: b .md\n```\ntwo\n```\n\nWhy?"


def test_an_attachment_cannot_close_its_fence() -> None:
    assert format_attachment(Attachment("a.md", "````\ncode\n````")) == "File: a.md\n`````\n````\ncode\n````\n`````"


def test_pictures_are_for_models_that_see_them() -> None:
    question = replace(QUESTION, pictures=(picture(),))
    assert build_prompt_messages([question], PLAIN, with_pictures=True)[0].pictures == (picture(),)
    assert build_prompt_messages([question], PLAIN)[0].pictures == ()


def test_questions_that_join_keep_their_pictures() -> None:
    asked = [Message(Role.USER, text, pictures=(picture(text),)) for text in ("one", "two")]
    joined = Message(Role.USER, "one\n\ntwo", pictures=(picture("one"), picture("two")))
    assert merge_same_role(asked) == [joined]


def test_the_newest_pictures_come_along() -> None:
    heavy = Picture(bytes(MOST_BYTES - len(picture().content)), "heavy.png")
    path = [replace(QUESTION, pictures=(each,)) for each in (picture("old.png"), heavy, picture("new.png"))]
    asked = build_prompt_messages(path, PLAIN, with_pictures=True)
    assert [[each.name for each in message.pictures] for message in asked] == [[], ["heavy.png"], ["new.png"]]
