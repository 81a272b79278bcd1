"""Converts a stored conversation into the messages that a model reads."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from specchat.domain.conversations import Attachment, ConversationSettings, StoredMessage
from specchat.domain.documents import citation, is_marked, readable_text, regions
from specchat.domain.media import TEXT_ONLY, Senses
from specchat.domain.picture_header import MOST_BYTES
from specchat.domain.projects import ProjectContext
from specchat.domain.tools import CalledTool, CallState
from specchat.domain.types import Message, Role
from specchat.services.answers.reasoning import find_reasoning, strip_reasoning
from specchat.services.chat.titles import one_line

if TYPE_CHECKING:
    from specchat.services.chat.document_prompt import PathDocuments
    from specchat.services.chat.meaning_search import MeaningSearch

NO_PROJECT = ProjectContext()


def build_prompt_messages(
    path: Sequence[StoredMessage],
    settings: ConversationSettings,
    *,
    senses: Senses = TEXT_ONLY,
    project: ProjectContext = NO_PROJECT,
) -> tuple[Message, ...]:
    """Builds the messages up to the question, without the reasoning of earlier answers."""
    prompts = (project.system_prompt, *map(format_attachment, project.files), settings.system_prompt)
    prompt = "\n\n".join(prompt for prompt in prompts if prompt.strip())
    system = [Message(Role.SYSTEM, prompt)] if prompt else []
    messages = _messages(path)
    return (*system, *(messages if senses == TEXT_ONLY else _with_newest_media(messages, path, senses)))


def _messages(path: Sequence[StoredMessage]) -> list[Message]:
    """Calls belong to the answer above their results. While a question is being answered, the model sees what it
    thought before its calls.
    """
    asked = max((at for at, message in enumerate(path) if message.role is Role.USER), default=-1)
    messages: list[Message] = []
    for at, stored in enumerate(path):
        if stored.called is None:
            messages.append(Message(stored.role, _content(stored)))
            continue
        call = stored.called.call
        messages.append(Message(Role.TOOL, _result(stored.called, stored.text), tool_call_id=call.id, name=call.name))
        above = next((n for n in range(at - 1, -1, -1) if messages[n].role is not Role.TOOL), None)
        if above is not None and messages[above].role is Role.ASSISTANT:
            thought = find_reasoning(path[above].text) if above > asked else ""
            messages[above] = replace(messages[above], tool_calls=(*messages[above].tool_calls, call), thought=thought)
    return messages


def _result(called: CalledTool, text: str) -> str:
    match called.state:
        case CallState.DONE:
            return text
        case CallState.FAILED:
            return f"Error: {text}"
        case CallState.DENIED:
            return "The user did not allow this call."
    return text or "This call was not carried out."


def _with_newest_media(messages: Sequence[Message], path: Sequence[StoredMessage], senses: Senses) -> list[Message]:
    """Adds the newest pictures and recordings, as many as the engine takes at once."""
    shown, size = [], 0
    for message, stored in zip(reversed(messages), reversed(path), strict=True):
        pictures, recordings = stored.pictures if senses.sees else (), stored.recordings if senses.hears else ()
        size += sum(len(each.content) for each in (*pictures, *recordings))
        shown.append(replace(message, pictures=pictures, recordings=recordings) if size <= MOST_BYTES else message)
    return shown[::-1]


def documents_of_path(
    path: Sequence[StoredMessage],
    settings: ConversationSettings,
    unsent: Sequence[Attachment] = (),
    *,
    senses: Senses = TEXT_ONLY,
    by_meaning: "MeaningSearch | None" = None,
    project: ProjectContext = NO_PROJECT,
) -> "PathDocuments | None":
    """Returns None if nothing is attached, without importing the search."""
    if not unsent and not project.files and not any(message.attachments for message in path):
        return None
    from specchat.services.chat.document_prompt import PathDocuments

    return PathDocuments(tuple(path), settings, tuple(unsent), senses, by_meaning, project)


def format_attachment(attachment: Attachment) -> str:
    """Formats an attachment in a fence that its text can't close."""
    name = one_line(attachment.name)
    head = f"File: {name}"
    if is_marked(attachment.text):
        example = citation(name, regions(attachment.text)[0].label)
        head = f"{head}. Cite its places like this: {example}"
    return f"{head}\n{fence_text(readable_text(attachment.text))}"


def fence_text(text: str, language: str = "") -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join((fence + language, text.removesuffix("\n"), fence))


def _content(message: StoredMessage) -> str:
    if message.role is Role.ASSISTANT:
        return strip_reasoning(message.text)
    return "\n\n".join([*map(format_attachment, message.attachments), message.text])
