"""Exports the shown path of conversations as Markdown, with comments that mark each message."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from specchat.domain.conversations import (
    Answer,
    Attachment,
    Conversation,
    ConversationSettings,
    ConversationTree,
    StoredMessage,
)
from specchat.domain.data_uris import decode_data_uri, to_data_uri
from specchat.domain.pictures import Picture
from specchat.domain.recordings import Recording
from specchat.domain.tools import CalledTool, CallState
from specchat.domain.types import Role, ToolCall
from specchat.services.chat.export_json import require_pictures, require_recordings, settled, unknown_format_error
from specchat.services.chat.prompt_messages import fence_text
from specchat.services.chat.stats_text import format_amounts, format_guesses
from specchat.services.chat.titles import MAX_TITLE_LENGTH, one_line

_MARKER, _MARKER_END = "<!-- specchat:", " -->"
_PICTURE, _RECORDING = "![](", "[audio]("
_TOOL = " > "
_KINDS = ("conversation", "system", "user", "picture", "recording", "attachment", "assistant", "figures", "tool")
_LOOKS_LIKE_MARKER = re.compile(r"<!-- (\\*)specchat:")
_ESCAPED = re.compile(r"<!-- \\(\\*)specchat:")


def markdown_chunks(trees: Iterable[ConversationTree]) -> Iterator[str]:
    for tree in trees:
        conversation = tree.conversation
        yield _section(f"# {one_line(conversation.title)}", "conversation")
        if conversation.settings.system_prompt:
            yield _section("## System prompt", "system", conversation.settings.system_prompt)
        for message in shown_messages(tree):
            yield from _message(message, tree.answers.get(message.id))


def shown_messages(tree: ConversationTree) -> list[StoredMessage]:
    by_id = {message.id: message for message in tree.messages}
    path, at = [], tree.conversation.leaf
    while at is not None:
        path.append(by_id[at])
        at = by_id[at].parent
    return path[::-1]


def _message(message: StoredMessage, answer: Answer | None) -> Iterator[str]:
    if message.role is Role.USER:
        yield _section("## You", "user", message.text)
        for picture in message.pictures:
            yield _section(f"### {one_line(picture.name)}", "picture", f"{_PICTURE}{to_data_uri(picture)})")
        for recording in message.recordings:
            yield _section(f"### {one_line(recording.name)}", "recording", f"{_RECORDING}{to_data_uri(recording)})")
        for attachment in message.attachments:
            yield _section(f"### {one_line(attachment.name)}", "attachment", fence_text(attachment.text))
        return
    if message.called is not None:
        yield _section(_call_heading(message.called), "tool", _call_body(message.called, message.text))
        return
    author = one_line(answer.target) if answer is not None else ""
    yield _section(f"## {author or 'Answer'}", "assistant", message.text)
    if answer is not None and (figures := stats_line(answer)):
        yield _section(f"*{figures}*", "figures")


def _call_heading(called: CalledTool) -> str:
    return f"## {_TOOL.join(map(one_line, called.name_parts))} ({called.state})"


def _call_body(called: CalledTool, result: str) -> str:
    return "\n\n".join([fence_text(called.call.arguments), fence_text(result)])


def _read_call(heading: str, body: str, number: int) -> tuple[CalledTool, str]:
    names, _, state = heading.removeprefix("## ").rpartition(" (")
    server, _, tool = names.rpartition(_TOOL)
    arguments, result = _fenced(body)
    call = ToolCall(f"call{number:05}", tool, arguments)
    return settled(CalledTool(call, server, tool, CallState(state.removesuffix(")")))), result


def _fenced(body: str) -> tuple[str, str]:
    """Returns the texts in two fences."""
    lines = body.split("\n")
    first_end = lines.index(lines[0], 1)
    rest = "\n".join(lines[first_end + 1 :]).strip("\n").split("\n")
    return "\n".join(lines[1:first_end]), "\n".join(rest[1:-1])


def stats_line(answer: Answer) -> str:
    """Empty if there are no stats."""
    stats = answer.stats
    if answer.cut_off or not stats.n_generated:
        return "cut off" if answer.cut_off or answer.failed else ""
    return " · ".join([*format_amounts(stats), *format_guesses(stats)])


def _section(heading: str, kind: str, text: str = "") -> str:
    body = f"{_escape(text)}\n\n" if text else ""
    return f"{_escape(heading)} {_MARKER}{kind}{_MARKER_END}\n\n{body}"


def _escape(text: str) -> str:
    return _LOOKS_LIKE_MARKER.sub(r"<!-- \\\1specchat:", text)


def _unescape(text: str) -> str:
    return _ESCAPED.sub(r"<!-- \1specchat:", text)


def read_markdown(lines: Iterable[str], now: float, name: str) -> Iterator[ConversationTree]:
    """Reads what `markdown_chunks` wrote. `name`: the file's."""
    begun: _Conversation | None = None
    for kind, heading, body in _sections(lines):
        if kind == "conversation":
            if begun is not None:
                yield begun.tree()
            begun = _Conversation(heading.removeprefix("#").strip(), now)
        elif begun is None:
            raise ValueError("its first lines are missing")
        else:
            begun.add(kind, heading, body)
    if begun is None:
        raise unknown_format_error(name)
    yield begun.tree()


def _sections(lines: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    kind = heading = ""
    body: list[str] = []
    for line in map(_without_end, lines):
        before, _, marked = line.rstrip().removesuffix(_MARKER_END).rpartition(_MARKER)
        if marked not in _KINDS:
            body.append(_unescape(line))
            continue
        if kind:
            yield kind, heading, "\n".join(body).strip("\n")
        kind, heading, body = marked, _unescape(before), []
    if kind:
        yield kind, heading, "\n".join(body).strip("\n")


def _without_end(line: str) -> str:
    return line.replace("\r\n", "\n").removesuffix("\n")


@dataclass(slots=True)
class _Conversation:
    title: str
    now: float
    settings: ConversationSettings = ConversationSettings()
    messages: list[StoredMessage] = field(default_factory=list)

    def add(self, kind: str, heading: str, body: str) -> None:
        match kind:
            case "system":
                self.settings = ConversationSettings(system_prompt=body)
            case "user" | "assistant":
                self._add_message(Role(kind), body)
            case "tool":
                called, result = _read_call(heading.strip(), body, len(self.messages) + 1)
                self._add_message(Role.TOOL, result, called)
            case "picture":
                self._add_picture(heading.removeprefix("###").strip(), body)
            case "recording":
                self._add_recording(heading.removeprefix("###").strip(), body)
            case "attachment":
                self._attach(Attachment(heading.removeprefix("###").strip(), "\n".join(body.split("\n")[1:-1])))

    def _add_message(self, role: Role, text: str, called: CalledTool | None = None) -> None:
        before = len(self.messages)
        new = StoredMessage(before + 1, 0, before or None, role, text, self.now, called=called)
        self.messages.append(new)

    def _add_picture(self, name: str, body: str) -> None:
        uri = body.strip().removeprefix(_PICTURE).removesuffix(")")
        last = self._last_message()
        self.messages[-1] = replace(last, pictures=(*last.pictures, Picture(decode_data_uri(uri), name)))
        require_pictures(self.messages[-1].pictures)

    def _add_recording(self, name: str, body: str) -> None:
        uri = body.strip().removeprefix(_RECORDING).removesuffix(")")
        last = self._last_message()
        self.messages[-1] = replace(last, recordings=(*last.recordings, Recording(decode_data_uri(uri), name)))
        require_recordings(self.messages[-1].recordings)

    def _attach(self, attachment: Attachment) -> None:
        last = self._last_message()
        self.messages[-1] = replace(last, attachments=(*last.attachments, attachment))

    def _last_message(self) -> StoredMessage:
        if not self.messages:
            raise ValueError("an attachment without a message")
        return self.messages[-1]

    def tree(self) -> ConversationTree:
        title = one_line(self.title)[:MAX_TITLE_LENGTH]
        conversation = Conversation(
            id=0,
            title=title,
            created=self.now,
            updated=self.now,
            titled_by_user=bool(title),
            leaf=len(self.messages) or None,
            settings=self.settings,
        )
        return ConversationTree(conversation, tuple(self.messages))
