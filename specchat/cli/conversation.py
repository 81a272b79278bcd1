"""The interactive conversation of `specchat chat` in a terminal, ended by Ctrl-D."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from io import TextIOWrapper
from pathlib import Path

from specchat.cli import App
from specchat.cli.answer_printer import AnswerPrinter
from specchat.cli.answerers import Answerer, AnswerEvent, plan_answerer
from specchat.cli.attached_files import ChatWithFiles, attach, detach, make_message, read_attachment
from specchat.cli.chat_arguments import answer_options, word_wrap
from specchat.cli.conversation_commands import HELP_TEXT, NOTHING, CommandName, ConversationCommand, parse_command
from specchat.cli.interrupt import cancel_on_ctrl_c, iterate_in_thread
from specchat.cli.line_editor import enable_editing, read_line, typed_text
from specchat.cli.media_files import read_picture, read_recording
from specchat.cli.message_files import ChatFile, read_messages
from specchat.cli.output import defer_logs, one_line, print_note, report_error
from specchat.cli.word_wrap import WordWrap
from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import Attached, ConversationSettings, StoredMessage
from specchat.domain.engine import PromptPrepared
from specchat.domain.errors import Cancelled, SettingError, UserError
from specchat.domain.picture_errors import blind_error
from specchat.domain.recording_errors import deaf_error
from specchat.domain.types import Message, Role
from specchat.services.answers.reasoning import strip_reasoning
from specchat.services.atomic_write import require_new_path, require_writable_path
from specchat.services.chat.prompt_messages import build_prompt_messages
from specchat.services.chat.request_builder import AnswerOptions

_MARK = "> "
_MARK_WITHIN = ". "
"""Before a line that continues a message."""
_GOES_ON = "\\"
_GREETING = (
    "Type a message, or /help. Ctrl-C stops an answer or clears the line. Ctrl-D, or Ctrl-C twice, quits. End "
    f"a line with {_GOES_ON} to continue it."
)


def run_conversation(arguments: argparse.Namespace, app: App) -> int:
    file = ChatFile(arguments.save) if arguments.save is not None else None
    begun = _begun(arguments.save, arguments.system)
    load = plan_answerer(arguments, app)
    with cancel_on_ctrl_c() as cancel:
        (answerer,) = iterate_in_thread(lambda: iter([load(cancel)]), cancel)
    with closing(answerer):
        print_note(_GREETING)
        conversation = _Conversation(
            answerer, partial(_draw_options, arguments), begun, file, partial(word_wrap, arguments)
        )
        for asked in _questions():
            with defer_logs():
                if not conversation.go_on(asked):
                    break
    return 0


def _draw_options(arguments: argparse.Namespace) -> AnswerOptions:
    """With a new random seed, unless one is given."""
    return replace(answer_options(arguments), drop_oldest=True)


def _begun(file: Path | None, system: str | None) -> list[StoredMessage]:
    """What was said before; a system prompt that is given now goes before the one of then."""
    said: list[StoredMessage] = []
    if file is not None:
        require_writable_path(file)
        if os.path.exists(file):
            said = [make_message(each.role, each.content) for each in read_messages(file)]
            print_note(f"Continuing {one_line(str(file))}. Messages so far: {len(said)}.")
    if not system:
        return said
    if any(each.role is Role.SYSTEM and each.text != system for each in said):
        print_note("Note: --system replaces the system prompt in the file.")
    return [make_message(Role.SYSTEM, system), *_without_system(said)]


class _Conversation:
    def __init__(
        self,
        answerer: Answerer,
        draw_options: Callable[[], AnswerOptions],
        begun: Sequence[StoredMessage],
        file: ChatFile | None,
        make_wrap: Callable[[], WordWrap | None],
    ) -> None:
        self._answerer = answerer
        self._draw_options = draw_options
        self._make_wrap = make_wrap
        self._messages = [*begun]
        self._cleared: list[StoredMessage] = []
        self._attached: tuple[Attached, ...] = ()
        """To the next question."""
        self._unanswered: StoredMessage | None = None
        """The last question, if nothing answered it."""
        self._file = file

    def go_on(self, typed: str) -> bool:
        """False: it has ended."""
        try:
            command = parse_command(typed)
            if command is None:
                self.ask(typed)
            elif command.name is CommandName.BYE:
                return False
            else:
                self._run(command)
        except Cancelled:
            print_note("interrupted")
        except UserError as error:
            report_error(error)
        return True

    def _run(self, command: ConversationCommand) -> None:
        match command.name:
            case CommandName.ATTACH:
                with cancel_on_ctrl_c() as cancel:
                    self._attach(read_attachment(command.path, cancel))
            case CommandName.IMAGE:
                if not self._answerer.senses.sees:
                    raise blind_error(self._answerer.target, is_elsewhere=self._answerer.is_elsewhere)
                self._attach(read_picture(command.path))
            case CommandName.AUDIO:
                if not self._answerer.senses.hears:
                    raise deaf_error(self._answerer.target, is_elsewhere=self._answerer.is_elsewhere)
                self._attach(read_recording(command.path))
            case CommandName.DETACH:
                self._detach(command.unquoted)
            case CommandName.CLEAR:
                self._clear()
            case CommandName.RETRY:
                self._retry()
            case CommandName.SAVE:
                self._save_as(command.path)
            case CommandName.SYSTEM:
                self._set_system(command.argument)
            case _:
                print_note(HELP_TEXT)

    def _attach(self, added: Attached) -> None:
        if added in self._attached:
            print_note(f"Already attached: {one_line(added.name)}.")
            return
        self._attached = attach(self._attached, added)
        self._note_attached()

    def _detach(self, name: str) -> None:
        """All, if no name is given."""
        self._attached = detach(self._attached, name) if name else ()
        self._note_attached()

    def _note_attached(self) -> None:
        names = ", ".join(one_line(each.name) for each in self._attached)
        print_note(f"Attached to your next message: {names}." if names else "Nothing is attached to your next message.")

    def _save_as(self, file: Path) -> None:
        is_own = self._file is not None and file == self._file.path
        require = require_writable_path if is_own else require_new_path
        require(file)
        kept = self._file if self._file is not None and is_own else ChatFile(file)
        kept.write(_as_saved(self._all()))
        self._file = kept
        print_note(f"Saved {one_line(str(file))}. Each answer will be saved there, too.")

    def _set_system(self, text: str) -> None:
        if text in NOTHING:
            self._messages = _without_system(self._messages)
        elif text:
            self._messages = [make_message(Role.SYSTEM, text), *_without_system(self._messages)]
        said = "\n".join(each.text for each in self._messages if each.role is Role.SYSTEM)
        print_note(f"System prompt: {said}" if said else "No system prompt. Set one with: /system TEXT")

    def _clear(self) -> None:
        """What is attached stays, as it belongs to the next message."""
        self._unanswered = None
        self._cleared += _without_system(self._messages)
        self._messages = [each for each in self._messages if each.role is Role.SYSTEM]
        print_note("The model no longer sees the messages above.")
        if self._attached:
            self._note_attached()

    def _retry(self) -> None:
        """The last answer stays until there is another."""
        if self._unanswered is not None:
            self._ask(self._unanswered)
            return
        questions = [at for at, each in enumerate(self._messages) if each.role is Role.USER]
        if not questions:
            raise SettingError("There is no message to answer again.", "Type a message.")
        self._answer(self._messages[: questions[-1] + 1])

    def ask(self, text: str) -> None:
        attached, self._attached = self._attached, ()
        self._ask(make_message(Role.USER, text, attached))

    def _ask(self, question: StoredMessage) -> None:
        """A question that nothing answers is no part of the chat, but can be asked again."""
        is_answered = self._answer([*self._messages, question])
        self._unanswered = None if is_answered else question
        if not is_answered:
            print_note("To send your message again, type: /retry")

    def _answer(self, asked: list[StoredMessage]) -> bool:
        options = self._draw_options()
        answer = AnswerPrinter(facts=self._answerer.facts, can_grow=self._answerer.can_grow, wrap=self._make_wrap())
        try:
            with (
                cancel_on_ctrl_c() as cancel,
                closing(iterate_in_thread(lambda: self._events(asked, options, cancel), cancel)) as events,
            ):
                for event in events:
                    if isinstance(event, PromptPrepared):
                        _note_left_out(event.n_left_out)
                    answer.add(event)
        except Cancelled:
            print_note("interrupted")
        except UserError as error:
            answer.break_off()
            report_error(error)
        else:
            answer.print_summary(options)
        if said := strip_reasoning(answer.text):
            self._messages = [*asked, make_message(Role.ASSISTANT, said)]
            self._save()
        return bool(said)

    def _all(self) -> list[StoredMessage]:
        """Also what was cleared: a file never loses it."""
        if not self._cleared:
            return self._messages
        system = [each for each in self._messages if each.role is Role.SYSTEM]
        return [*system, *self._cleared, *_without_system(self._messages)]

    def _save(self) -> None:
        if self._file is not None:
            try:
                self._file.write(_as_saved(self._all()))
            except UserError as error:  # the next answer may find room
                report_error(error)

    def _events(
        self, asked: Sequence[StoredMessage], options: AnswerOptions, cancel: CancelToken
    ) -> Iterator[AnswerEvent]:
        return ChatWithFiles(asked).answer(self._answerer, options, cancel)


def _without_system(messages: Sequence[StoredMessage]) -> list[StoredMessage]:
    return [each for each in messages if each.role is not Role.SYSTEM]


def _as_saved(said: Sequence[StoredMessage]) -> Sequence[Message]:
    """With the texts of attached files, and the names of pictures and recordings."""
    return build_prompt_messages([_with_names(each) for each in said], ConversationSettings())


def _with_names(said: StoredMessage) -> StoredMessage:
    names = ", ".join(one_line(each.name) for each in said.media)
    return replace(said, text=f"(Attached: {names})\n\n{said.text}") if names else said


def _note_left_out(n_messages: int) -> None:
    if n_messages:
        print_note(f"The context is full. Oldest messages left out: {n_messages}. Use a larger context with -c.")


def _questions() -> Iterator[str]:
    enable_editing()
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    while (question := _question()) is not None:
        if question.strip():
            yield question


def _mark(*, is_within: bool) -> str:
    if not sys.stdout.isatty():
        return ""
    return _MARK_WITHIN if is_within else _MARK


def _question() -> str | None:
    """None at the end. Ctrl-C twice in a row, with nothing typed, is the end, too."""
    lines: list[str] = []
    was_empty = False
    while True:
        try:
            line = read_line(_mark(is_within=bool(lines)))
        except EOFError:
            print_note("")
            return None
        except KeyboardInterrupt:
            print_note("")
            is_empty = not (lines or typed_text())
            if was_empty and is_empty:
                raise
            lines, was_empty = [], is_empty
            continue
        was_empty = False
        lines.append(line.removesuffix(_GOES_ON))
        if not line.endswith(_GOES_ON):
            return "\n".join(lines).rstrip("\n")
