"""Puts the files that `specchat chat --attach` names into the prompt."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from specchat.cli.answerers import Answerer, AnswerEvent
from specchat.cli.output import one_line, print_note
from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import Attachment, ConversationSettings, StoredMessage
from specchat.domain.documents import DocumentSource
from specchat.domain.engine import PromptPrepared
from specchat.domain.errors import ContextFullError, SettingError
from specchat.domain.types import Message
from specchat.services.chat.attached_file import BinaryFileError, read_attached_file
from specchat.services.chat.binary_file_kinds import PICTURE
from specchat.services.chat.document_prompt import PathDocuments
from specchat.services.chat.prompt_messages import build_prompt_messages
from specchat.services.chat.request_builder import AnswerOptions

_SHOW = "Show it to a model that sees pictures with --image."


class AttachedFiles:
    """A question about files, which is answered from passages where the files don't fit in the context."""

    def __init__(self, paths: Sequence[Path], asked: Sequence[Message]) -> None:
        *self._before, self._question = asked
        files = tuple(map(_read, paths))
        stored = StoredMessage(0, 0, None, self._question.role, self._question.content, 0.0, attachments=files)
        self._documents = PathDocuments((stored,), ConversationSettings())

    def answer(self, answerer: Answerer, options: AnswerOptions, cancel: CancelToken) -> Iterator[AnswerEvent]:
        if not self._documents.is_certainly_too_long(answerer.n_ctx):
            prepared = list[AnswerEvent]()  # held back, because the prompt may still be too long
            has_begun = False
            whole = build_prompt_messages(self._documents.path, self._documents.settings)
            try:
                for event in answerer.answer(self._with(whole), options, cancel):
                    if isinstance(event, PromptPrepared):
                        prepared.append(event)
                        continue
                    if not has_begun:
                        yield from prepared
                    has_begun = True
                    yield event
            except ContextFullError:
                if has_begun:
                    raise
            else:
                return
        condensed = self._documents.condense(answerer.n_ctx)
        if condensed is None:
            raise ContextFullError(
                "The prompt with its files doesn't fit in the context.",
                "Use a larger context (-c), or attach less.",
            )
        for source in condensed.sources:
            print_note(_note(source))
        yield from answerer.answer(self._with(condensed.messages), options, cancel)

    def _with(self, built: Sequence[Message]) -> list[Message]:
        return [*self._before, replace(self._question, content=built[-1].content)]


def _read(path: Path) -> Attachment:
    try:
        return read_attached_file(path, str(path), CancelToken())
    except BinaryFileError as error:
        if error.kind is PICTURE:
            raise SettingError("{name} is {kind}.", _SHOW, name=path, kind=error.kind.name) from error
        raise


def _note(source: DocumentSource) -> str:
    labels = ", ".join(dict.fromkeys(passage.label for passage in source.passages))
    return f"Note: {one_line(source.name)} doesn't fit in the context. Passages read: {labels}."
