"""The formats of other programs, recognized by the contents of a file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from specchat.services.chat.imports import chatgpt, claude, jan, lm_studio, open_webui, openai_messages
from specchat.services.chat.imports.foreign_chat import ForeignChat
from specchat.services.chat.imports.untrusted import FindPicture, Plain


@dataclass(frozen=True, slots=True)
class ChatFormat:
    """Each object of a file is a chat."""

    matches: Callable[[Plain], bool]
    read: Callable[[Plain, FindPicture], ForeignChat]


@dataclass(frozen=True, slots=True)
class MessageFormat:
    """Each object of a file is a message of the same chat."""

    matches: Callable[[Plain], bool]
    read: Callable[[Sequence[Plain]], ForeignChat]


FORMATS: Sequence[ChatFormat | MessageFormat] = (
    ChatFormat(chatgpt.is_conversation, chatgpt.read_conversation),
    ChatFormat(claude.is_conversation, claude.read_conversation),
    ChatFormat(open_webui.is_chat, open_webui.read_chat),
    ChatFormat(lm_studio.is_conversation, lm_studio.read_conversation),
    MessageFormat(jan.is_message, jan.read_messages),
    ChatFormat(openai_messages.is_request, openai_messages.read_request),
    MessageFormat(openai_messages.is_message, openai_messages.read_messages),
)
"""More specific formats come first. For a thread of Jan, which has two files, see `export_reader`."""


def find_format(first: object) -> ChatFormat | MessageFormat | None:
    """Recognizes the format by the first object of a file."""
    return next((each for each in FORMATS if isinstance(first, dict) and each.matches(first)), None)
