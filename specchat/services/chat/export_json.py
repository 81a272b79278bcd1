"""Exports conversations to JSON without loss, and validates them on import."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from specchat.domain.conversations import (
    Answer,
    Attached,
    Attachment,
    Conversation,
    ConversationSettings,
    ConversationTree,
    Mark,
    MessageState,
    StoredMessage,
)
from specchat.domain.errors import UserError
from specchat.domain.mark_serialization import marks_from_plain, marks_to_plain
from specchat.domain.picture_header import MOST_PICTURES, PictureHeader, check_picture
from specchat.domain.pictures import Picture
from specchat.domain.recording_header import MOST_RECORDINGS, RecordingHeader
from specchat.domain.recordings import Recording
from specchat.domain.serialization import from_plain, require_type, to_plain
from specchat.domain.tools import CalledTool, CallState
from specchat.domain.types import SAMPLING_LIMITS, Role, SamplingParams
from specchat.services.chat.json_values import parse_json
from specchat.services.chat.titles import MAX_TITLE_LENGTH, one_line
from specchat.store.encoding import require_times

_FORMAT, _VERSION = "specchat conversations", 1
_FIRST_LINE = f'{{"format": "{_FORMAT}", "version": {_VERSION}, "conversations": ['
_LAST_LINE = "]}"
LARGEST_CHAT = 256 << 20
"""Characters of one conversation, which has to fit into memory."""


def json_chunks(trees: Iterable[ConversationTree], marks: Callable[[int], Mapping[int, str]]) -> Iterator[str]:
    """A line for each conversation; a message at a time, as all of them may be a lot.

    The marks of a conversation's answers are JSON already.
    """
    yield _FIRST_LINE
    for number, tree in enumerate(trees):
        yield ",\n" if number else "\n"
        yield from _line(tree, marks(tree.conversation.id))
    yield f"\n{_LAST_LINE}\n"


def _line(tree: ConversationTree, marks: Mapping[int, str]) -> Iterator[str]:
    yield f'{_open_object(_plain_conversation(tree))}, "messages": ['
    for number, message in enumerate(tree.messages):
        yield ", " if number else ""
        yield _open_object(_plain_message(message))
        if answer := tree.answers.get(message.id):
            yield f', "answer": {_open_object(_plain_answer(answer))}, "marks": {marks.get(message.id, "[]")}}}'
        yield "}"
    yield "]}"


def _open_object(plain: Mapping[str, object]) -> str:
    return json.dumps(plain, ensure_ascii=False).removesuffix("}")


def is_first_line(line: str) -> bool:
    return line.rstrip() == _FIRST_LINE


def is_own_format(plain: object) -> bool:
    """Also recognizes files that another program has reformatted, and newer versions."""
    return isinstance(plain, dict) and plain.get("format") == _FORMAT


def read_json(lines: Iterator[str], name: str) -> Iterator[ConversationTree]:
    """A line at a time; all of them at once where another program has arranged them anew. `name`: the file's."""
    first = next(lines)
    if not is_first_line(first):
        yield from _read_whole("".join((first, *lines)), name)
        return
    for line in map(str.rstrip, lines):
        if line == _LAST_LINE:
            break
        yield _tree(require_type(dict, parse_json(line.removesuffix(","), name)))
    else:
        raise ValueError("its end is missing")
    if any(map(str.strip, lines)):
        raise ValueError("there is extra data after its end")


def _read_whole(text: str, name: str) -> list[ConversationTree]:
    file = require_type(dict, parse_json(text, name))
    if file.get("format") != _FORMAT:
        raise unknown_format_error(name)
    if file.get("version") != _VERSION:
        raise UserError("{name} was written by a newer version of specchat.", "Update specchat.", name=name)
    return [_tree(require_type(dict, plain)) for plain in require_type(list, file.get("conversations"))]


def unknown_format_error(name: str) -> UserError:
    return UserError(
        "{name} contains no chats that specchat can read.",
        "Choose an export of specchat, ChatGPT, Claude, Open WebUI, LM Studio or Jan, or a list of OpenAI messages.",
        name=name,
    )


def tree_to_plain(tree: ConversationTree) -> dict[str, object]:
    messages = [_plain_message(message) for message in tree.messages]
    for plain, message in zip(messages, tree.messages, strict=True):
        if answer := tree.answers.get(message.id):
            plain["answer"] = {**_plain_answer(answer), "marks": marks_to_plain(answer.marks)}
    return {**_plain_conversation(tree), "messages": messages}


def _plain_conversation(tree: ConversationTree) -> dict[str, object]:
    plain = _without(to_plain(tree.conversation), "id", "trashed", "has_unsent_files", "project")
    if tree.project:
        plain["project"] = tree.project
    plain["unsent_files"] = to_plain([file for file in tree.unsent_files if isinstance(file, Attachment)])
    if pictures := [file for file in tree.unsent_files if isinstance(file, Picture)]:
        plain["unsent_pictures"] = to_plain(pictures)
    if recordings := [file for file in tree.unsent_files if isinstance(file, Recording)]:
        plain["unsent_recordings"] = to_plain(recordings)
    return plain


def _plain_message(message: StoredMessage) -> dict[str, object]:
    unused = [name for name in ("pictures", "recordings", "called") if not getattr(message, name)]
    return _without(to_plain(message), "conversation", "version", "versions", *unused)


def _plain_answer(answer: Answer) -> dict[str, object]:
    return _without(to_plain(replace(answer, marks=())), "marks")


def _without(plain: object, *names: str) -> dict[str, object]:
    return {name: value for name, value in require_type(dict, plain).items() if name not in names}


def _tree(plain: Mapping[str, object]) -> ConversationTree:
    entries = [require_type(dict, entry) for entry in require_type(list, plain.get("messages"))]
    messages = tuple(_message(entry) for entry in entries)
    _require_tree(messages)
    answers = {
        message.id: _answer(require_type(dict, entry["answer"]), message)
        for message, entry in zip(messages, entries, strict=True)
        if "answer" in entry
    }
    unsent_pictures = from_plain(tuple[Picture, ...], plain.get("unsent_pictures", []))
    require_pictures(unsent_pictures)
    unsent_recordings = from_plain(tuple[Recording, ...], plain.get("unsent_recordings", []))
    require_recordings(unsent_recordings)
    unsent_files: tuple[Attached, ...] = (
        *unsent_pictures,
        *unsent_recordings,
        *from_plain(tuple[Attachment, ...], plain.get("unsent_files", [])),
    )
    conversation = replace(_conversation(plain, messages), has_unsent_files=bool(unsent_files))
    project = one_line(require_type(str, plain.get("project", "")))[:MAX_TITLE_LENGTH]
    return ConversationTree(conversation, messages, answers, unsent_files, project)


def _conversation(plain: Mapping[str, object], messages: tuple[StoredMessage, ...]) -> Conversation:
    read = from_plain(Conversation, {**plain, "id": 0, "trashed": None, "project": None})
    require_times(read.created, read.updated)
    ids = [message.id for message in messages]
    leaf = read.leaf if read.leaf in ids else (ids[-1] if ids else None)
    title = one_line(read.title)[:MAX_TITLE_LENGTH]
    return replace(read, title=title, leaf=leaf, settings=_usable(read.settings))


def _message(plain: Mapping[str, object]) -> StoredMessage:
    read = from_plain(StoredMessage, {**plain, "conversation": 0})
    require_times(read.created)
    require_pictures(read.pictures)
    require_recordings(read.recordings)
    if read.role not in (Role.USER, Role.ASSISTANT, Role.TOOL) or (read.role is Role.TOOL) != (read.called is not None):
        raise ValueError(f"a {read.role} message among the others")
    at_rest = MessageState.STOPPED if read.state is MessageState.STREAMING else read.state
    return replace(read, state=at_rest, called=read.called and settled(read.called))


def settled(called: CalledTool) -> CalledTool:
    """An imported call never waits for consent."""
    return replace(called, state=CallState.CANCELLED) if called.state is CallState.WAITING else called


def require_pictures(pictures: tuple[Picture, ...]) -> None:
    if len(pictures) > MOST_PICTURES:
        raise ValueError("too many pictures")
    if not all(isinstance(check_picture(picture.content), PictureHeader) for picture in pictures):
        raise ValueError("a picture that cannot be read")


def require_recordings(recordings: tuple[Recording, ...]) -> None:
    if len(recordings) > MOST_RECORDINGS:
        raise ValueError("too many recordings")
    if not all(isinstance(recording.found, RecordingHeader) for recording in recordings):
        raise ValueError("a recording that cannot be read")


def _require_tree(messages: tuple[StoredMessage, ...]) -> None:
    known: set[int | None] = {None}
    for message in messages:
        if message.id in known or message.parent not in known:
            raise ValueError("its messages do not follow one another")
        known.add(message.id)


def _answer(plain: Mapping[str, object], message: StoredMessage) -> Answer:
    marks = _fitting(marks_from_plain(plain.get("marks", [])), len(message.text))
    return replace(from_plain(Answer, {**plain, "marks": []}), marks=marks)


def _fitting(marks: tuple[Mark, ...], length: int) -> tuple[Mark, ...]:
    """Drops marks that don't fit the text, because only their colors are lost."""
    ends = [0, *(mark.end for mark in marks), length]
    return marks if all(earlier <= later for earlier, later in pairwise(ends)) else ()


def _usable(settings: ConversationSettings) -> ConversationSettings:
    """Replaces invalid values with the defaults."""
    sampling = settings.sampling
    unusable = [n for n, (least, most) in SAMPLING_LIMITS.items() if not least <= getattr(sampling, n) <= most]
    usual = {name: getattr(SamplingParams(), name) for name in unusable}
    return replace(settings, sampling=replace(sampling, **usual), max_tokens=_usable_length(settings.max_tokens))


def _usable_length(tokens: int | None) -> int | None:
    return tokens if tokens is not None and 0 < tokens <= 1 << 24 else None
