"""Puts passages into a prompt in place of the documents that the context has no room for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from specchat.domain.answer_tasks import CondensedPrompt, CountTask
from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import Attachment, ConversationSettings, StoredMessage
from specchat.domain.documents import DocumentSource, citation
from specchat.domain.media import TEXT_ONLY, Senses
from specchat.domain.projects import ProjectContext
from specchat.domain.types import Message, Role
from specchat.services.chat.meaning_search import MeaningSearch
from specchat.services.chat.passages import (
    MOST_RANKED,
    find_passages,
    passage_texts,
    search_queries,
    spread_passages,
)
from specchat.services.chat.prompt_messages import NO_PROJECT, build_prompt_messages, format_attachment
from specchat.services.chat.titles import one_line
from specchat.services.chat.token_estimate import estimate_tokens

_USUAL_CONTEXT = 8192
"""Tokens, where the engine doesn't report it."""
_SHARE = 0.4
"""The share of the context for passages."""
_MOST = 24 * 300
"""Tokens. More passages take long to read, and don't improve answers."""
_SMALL = 8
"""Files that together take less than 1/8 of the room are sent whole."""
_CERTAINLY_TOO_LONG = 10
"""More characters per token than any text has that isn't blank."""
_EARLIER_QUESTIONS = 2
_SURELY_FITS = 0.5
"""Documents that fill less of the context are sent whole, and need no search."""


@dataclass(frozen=True, slots=True)
class PathDocuments:
    """The documents of a conversation, of its project, and of a message that is being written."""

    path: tuple[StoredMessage, ...]
    settings: ConversationSettings
    unsent: tuple[Attachment, ...] = ()
    senses: Senses = TEXT_ONLY
    by_meaning: MeaningSearch | None = None
    project: ProjectContext = NO_PROJECT

    def is_certainly_too_long(self, n_ctx: int) -> bool:
        """Whether only passages fit."""
        n_characters = sum(len(file.text) for file in self._files)
        is_long = n_characters > _CERTAINLY_TOO_LONG * (n_ctx or _USUAL_CONTEXT)
        return is_long and self.can_condense(n_ctx)

    def can_condense(self, n_ctx: int) -> bool:
        """Not if all documents are so small that they are sent whole."""
        return bool(self._searched(_passage_room(n_ctx)))

    def prepare(self, n_ctx: int, cancel: CancelToken) -> Iterator[tuple[int, int]]:
        searched = self._searched(_passage_room(n_ctx))
        if self.by_meaning is None or not searched:
            return
        if sum(estimate_tokens(text) for text in searched.values()) < _SURELY_FITS * (n_ctx or _USUAL_CONTEXT):
            return
        queries = search_queries(*self._questions)
        yield from self.by_meaning.rank(passage_texts(searched), queries, MOST_RANKED, cancel)

    def condense(self, n_ctx: int) -> CondensedPrompt | None:
        room = _passage_room(n_ctx)
        searched = self._searched(room)
        if not searched:
            return None
        by_meaning = self.by_meaning.rankings if self.by_meaning is not None else ()
        sources = find_passages(searched, *self._questions, room, by_meaning)
        path = [_without(message, searched) for message in self.path]
        quoted = "\n\n".join(format_passages(source, searched[source.name]) for source in sources)
        asked = [at for at, message in enumerate(path) if message.role is Role.USER]
        if asked:
            path[asked[-1]] = replace(path[asked[-1]], text=f"{quoted}\n\n{path[asked[-1]].text}")
        project = self._project_without(searched)
        messages = build_prompt_messages(path, self.settings, senses=self.senses, project=project)
        if not asked:
            messages = (*messages, Message(Role.USER, quoted))
        return CondensedPrompt(messages, tuple(sources))

    def condensed_count(self, max_tokens: int | None, n_ctx: int) -> CountTask | None:
        """Counts passages that are about as long as those that `condense` would find, without the question."""
        room = _passage_room(n_ctx)
        searched = self._searched(room)
        if not searched:
            return None
        quoted = {
            source.name: format_passages(source, searched[source.name])
            for source in spread_passages(tuple(searched.items()), room)
        }
        files = [
            quoted.pop(file.name, "") if file.name in searched else format_attachment(file) for file in self.unsent
        ]
        path, project = [_without(message, searched) for message in self.path], self._project_without(searched)
        messages = build_prompt_messages(path, self.settings, project=project)
        if quoted:
            files.append("\n\n".join(quoted.values()))  # a part of the question: no message that can be left out
        return CountTask(messages, "", tuple(files), max_tokens, searched=tuple(searched))

    @property
    def _questions(self) -> tuple[str, Sequence[str]]:
        """Returns the last question, and some before it. An imported chat may have none."""
        asked = [message.text for message in self.path if message.role is Role.USER] or [""]
        return asked[-1], asked[-1 - _EARLIER_QUESTIONS : -1]

    @property
    def _files(self) -> list[Attachment]:
        """Of files with the same name, only the last one is used."""
        files = [file for message in self.path for file in message.attachments]
        return list({file.name: file for file in (*self.project.files, *files, *self.unsent)}.values())

    def _project_without(self, searched: dict[str, str]) -> ProjectContext:
        return replace(self.project, files=tuple(file for file in self.project.files if file.name not in searched))

    def _searched(self, room: int) -> dict[str, str]:
        """Returns the texts to be searched, by name. The smallest files are sent whole."""
        sizes = {file.name: estimate_tokens(file.text) for file in self._files}
        total, whole = 0, set()
        for name in sorted(sizes, key=lambda name: sizes[name]):
            total += sizes[name]
            if total * _SMALL <= room:
                whole.add(name)
        return {file.name: file.text for file in self._files if file.name not in whole}


def format_passages(source: DocumentSource, text: str) -> str:
    name = one_line(source.name)
    parts = [f"{citation(name, each.label)}\n{text[each.start : each.end].strip()}" for each in source.passages]
    example = citation(name, source.passages[0].label)
    return "\n\n".join([f"Passages from {name}. Cite them like this: {example}", *parts, f"End of {name}."])


def _passage_room(n_ctx: int) -> int:
    """Tokens."""
    return min(_MOST, round((n_ctx or _USUAL_CONTEXT) * _SHARE))


def _without(message: StoredMessage, searched: dict[str, str]) -> StoredMessage:
    gone = [one_line(file.name) for file in message.attachments if file.name in searched]
    if not gone:
        return message
    kept = tuple(file for file in message.attachments if file.name not in searched)
    return replace(message, attachments=kept, text=f"(Attached: {', '.join(gone)})\n\n{message.text}")
