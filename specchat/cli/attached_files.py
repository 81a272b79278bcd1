"""Puts files into the prompts of `specchat chat`."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from specchat.cli.answerers import Answerer, AnswerEvent
from specchat.cli.output import one_line, print_note
from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import Attached, Attachment, ConversationSettings, StoredMessage
from specchat.domain.documents import DocumentSource
from specchat.domain.engine import PromptPrepared
from specchat.domain.errors import ContextFullError, SettingError
from specchat.domain.media import Senses
from specchat.domain.picture_header import MOST_BYTES, MOST_PICTURES
from specchat.domain.pictures import Picture
from specchat.domain.recording_header import MOST_RECORDINGS
from specchat.domain.recordings import Recording
from specchat.domain.types import Message, Role
from specchat.services.chat.attached_file import BinaryFileError, read_attached_file
from specchat.services.chat.attachment_limits import AttachmentLimit, add_attachment
from specchat.services.chat.binary_file_kinds import PICTURE
from specchat.services.chat.document_prompt import PathDocuments
from specchat.services.chat.prompt_messages import build_prompt_messages
from specchat.services.chat.request_builder import AnswerOptions
from specchat.services.models.suggestions import suggest_similar

_SHOW = "Show it to a model that sees pictures, with --image or /image."
_LIMITS = {
    AttachmentLimit.PICTURES: f"A message can have at most {MOST_PICTURES} pictures.",
    AttachmentLimit.RECORDINGS: f"A message can have at most {MOST_RECORDINGS} recordings.",
    AttachmentLimit.BYTES: f"Pictures and recordings of a message can have at most {MOST_BYTES >> 20} MB together.",
}


class ChatWithFiles:
    """A conversation whose last question is answered from passages of its files where they don't fit in the context."""

    def __init__(self, path: Sequence[StoredMessage]) -> None:
        self._documents = PathDocuments(tuple(path), ConversationSettings(), senses=Senses(sees=True, hears=True))
        self._has_files = any(message.attachments for message in path)

    def answer(self, answerer: Answerer, options: AnswerOptions, cancel: CancelToken) -> Iterator[AnswerEvent]:
        if not self._documents.is_certainly_too_long(answerer.n_ctx):
            prepared = list[AnswerEvent]()  # held back, because the prompt may still be too long
            has_begun = False
            whole = build_prompt_messages(self._documents.path, self._documents.settings, senses=self._documents.senses)
            try:
                with closing(answerer.answer(list(whole), options, cancel)) as events:
                    for event in events:
                        if not isinstance(event, PromptPrepared):
                            yield from prepared
                            prepared.clear()
                            has_begun = True
                            yield event
                        elif event.n_left_out and self._documents.can_condense(answerer.n_ctx):
                            break
                        else:
                            prepared.append(event)
                    else:
                        return
            except ContextFullError:
                if has_begun or not self._has_files:
                    raise
        condensed = self._documents.condense(answerer.n_ctx)
        if condensed is None:
            raise ContextFullError(
                "The prompt with its files doesn't fit in the context.",
                "Use a larger context (-c), or attach less.",
            )
        for source in condensed.sources:
            print_note(_note(source))
        yield from answerer.answer(list(condensed.messages), options, cancel)


def make_message(role: Role, text: str, attached: Sequence[Attached] = ()) -> StoredMessage:
    """Of a chat that is not in the database."""
    return StoredMessage(
        *(0, 0, None, role, text, 0.0),
        attachments=tuple(each for each in attached if isinstance(each, Attachment)),
        pictures=tuple(each for each in attached if isinstance(each, Picture)),
        recordings=tuple(each for each in attached if isinstance(each, Recording)),
    )


def ask_with_files(asked: Sequence[Message], paths: Sequence[Path]) -> ChatWithFiles:
    """`paths`: files for the last message."""
    *before, question = asked
    attached: tuple[Attached, ...] = (*question.pictures, *question.recordings)
    for path in paths:
        attached = attach(attached, read_attachment(path, CancelToken()))
    return ChatWithFiles(
        [
            *(make_message(each.role, each.content) for each in before),
            make_message(question.role, question.content, attached),
        ]
    )


def attach(attached: Sequence[Attached], added: Attached) -> tuple[Attached, ...]:
    found = add_attachment(attached, added)
    if isinstance(found, AttachmentLimit):
        raise SettingError(_LIMITS[found], "Attach less.")
    return found


def detach(attached: Sequence[Attached], name: str) -> tuple[Attached, ...]:
    """`name`: as it is shown."""
    names = [one_line(each.name) for each in attached]
    if name not in names:
        if meant := suggest_similar(name, names):
            hint = "Did you mean {meant}?"
        else:
            hint = "Choose from: {names}" if names else "Attach a file with: /attach FILE"
        raise SettingError(
            "{name} is not attached to your next message.",
            hint,
            name=name,
            meant=meant[0] if meant else "",
            names=", ".join(names),
        )
    return tuple(each for each, shown in zip(attached, names, strict=True) if shown != name)


def read_attachment(path: Path, cancel: CancelToken) -> Attachment:
    try:
        return read_attached_file(path, str(path), cancel)
    except BinaryFileError as error:
        if error.kind is PICTURE:
            raise SettingError("{name} is {kind}.", _SHOW, name=path, kind=error.kind.name) from error
        raise


def _note(source: DocumentSource) -> str:
    labels = ", ".join(dict.fromkeys(passage.label for passage in source.passages))
    return f"Note: {one_line(source.name)} doesn't fit in the context. Passages read: {labels}."
