"""Updates title, status bar and welcome page, and sends what had to wait for the models."""

from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence

from specchat.domain.projects import Project
from specchat.services.chat.titles import one_line
from specchat.ui.chat.chat_controller import ChatController
from specchat.ui.chat.generation_controller import GenerationController
from specchat.ui.chat.running_answers import RunningAnswers
from specchat.ui.pair.pair_controller import PairController
from specchat.ui.pair.pair_text import plugin_drafter_name
from specchat.ui.server.api_activity import ApiActivity
from specchat.ui.session import Session
from specchat.ui.window.main_window import MainWindow
from specchat.ui.window.shortcuts import SHORTCUTS
from specchat.ui.words.chat_titles import display_title
from specchat.ui.words.number_format import format_percent

_LONGEST = 200
"""Characters."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """What is sent when the models are loaded."""

    text: str
    is_in_composer: bool
    is_suggested: bool
    """By the welcome, in place of what the user writes."""


class StatusController(QObject):
    def __init__(
        self,
        session: Session,
        window: MainWindow,
        chat: ChatController,
        generation: GenerationController,
        answers: RunningAnswers,
        pair: PairController,
        api_activity: ApiActivity,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session, self._window, self._chat = session, window, chat
        self._generation, self._pair, self._api_activity = generation, pair, api_activity
        self._answers = answers
        self._titled: int | None = None
        self._waiting: _Waiting | None = None
        self._held_back: str | None = None
        """What was to be sent while an answer is written here."""
        for changed in (session.conversation_changed, session.project_changed):
            changed.connect(self._show_title)
        for changed in (session.path_changed, session.project_changed):
            changed.connect(self._show_welcome)
        session.pair_changed.connect(self._show_readiness)
        pair.load_progressed.connect(self._show_loading)
        answers.prompt_read.connect(self._show_reading)
        answers.updated.connect(self._show_writing)
        answers.changed.connect(self._follow_answers)
        api_activity.changed.connect(self._update_turn)
        window.composer.send_blocked.connect(self._hold_back)
        window.composer.token_count_requested.connect(self._forget_what_changed)
        window.welcome.question_chosen.connect(self._ask)
        window.welcome.add_model_requested.connect(pair.picker.view.open_file_dialog)
        self._show_readiness()

    def _show_title(self) -> None:
        conversation = self._session.conversation
        if conversation is None:
            return
        if conversation.id != self._titled:
            self._titled = conversation.id
            self._waiting = None
            self._window.find_bar.close_bar()
            self._show_turn()
        title = conversation.own_title
        project = self._session.project
        self._window.header.set_title(" / ".join(filter(None, (project.name if project else "", title))))
        self._window.set_chat_title(display_title(conversation))

    def _show_loading(self) -> None:
        self._show_readiness()
        self._say_what_is_loaded()

    def _say_what_is_loaded(self) -> None:
        words = self.tr("{doing}… Press Esc to stop.")
        if self._waiting is not None:
            words = self.tr("{doing}… Your message will be sent afterward. Press Esc to stop.")
        if self._pair.is_loading:
            self._say(words.format(doing=self._pair.activity))
        elif self._waiting is not None:
            self._say(self.tr("Your message will be sent once the models reload."))
        else:
            self._show_turn()

    def _show_readiness(self) -> None:
        is_ready, is_soon_ready = self._session.pair is not None, self._pair.is_loading or self._pair.is_suspended
        if is_ready:
            placeholder = self.tr("Message")
        elif self._pair.is_loading:
            placeholder = self.tr("You can type while the model loads")
        elif self._pair.is_suspended:
            placeholder = self.tr("You can type while specchat measures")
        else:
            placeholder = self.tr("Choose a model to start")
        self._window.composer.set_ready(is_ready, placeholder, soon=is_soon_ready)
        self._window.legend.set_other_drafter(plugin_drafter_name(self._pair.choice))
        self._show_turn()
        self._show_welcome()
        if not self._pair.is_loading:
            self._send_what_waits()

    def _show_welcome(self) -> None:
        self._window.show_welcome(not self._session.path)
        if self._session.project is not None and self._session.choice is not None:
            self._welcome_to_project(self._session.project)
        elif self._session.has_demo:
            self._welcome_to_the_demo()
        elif self._session.pair is not None or self._pair.is_loading or self._pair.is_suspended:
            key = SHORTCUTS.key_sequences()[0].toString(QKeySequence.SequenceFormat.NativeText)
            text = self.tr("Type a message and press Enter. {key} shows all shortcuts.").format(key=key)
            self._window.welcome.show_state(self.tr("New chat"), text, (), can_add=False)
        else:
            text = self.tr("Get a model that answers, and a smaller one of the same family as its draft.")
            self._window.welcome.show_state(self.tr("Add a model"), self._promise(text), (), can_add=True)

    def _welcome_to_project(self, project: Project) -> None:
        """What its chats read besides the messages."""
        context = self._session.project_context
        prompt, files = one_line(context.system_prompt), ", ".join(file.name for file in context.files)
        lines = (
            (self.tr("System prompt of the project: {text}"), prompt),
            (self.tr("Files of the project: {text}"), files),
        )
        said = [words.format(text=_shortened(text)) for words, text in lines if text]
        text = "\n".join(said) or self.tr("This project has no system prompt and no files yet.")
        title = self.tr("New chat in {project}").format(project=project.name)
        self._window.welcome.show_state(title, text, (), can_add=False)

    def _promise(self, words: str) -> str:
        """What all this is for comes first."""
        promise = self.tr(
            "specchat makes answers faster. A small model, the draft, guesses ahead, and a large model, the "
            "target, checks every guess. A wrong guess may cost time, but it never makes the answer worse. "
            "Everything runs on this computer."
        )
        return f"{promise}\n\n{words}"

    def _welcome_to_the_demo(self) -> None:
        words = self.tr(
            "This demo is a tiny model with an even smaller draft, and it knows only about specchat. Ask it "
            "something and watch how many guesses are accepted. Then add a real model. Large models gain the "
            "most."
        )
        if self._pair.is_target_only:
            words = self.tr(
                "This demo is a tiny model that knows only about specchat. Speculation is off. Choose a draft at "
                "the top to watch how many guesses are accepted. Then add a real model. Large models gain the "
                "most."
            )
        self._window.welcome.show_state(
            self.tr("Welcome to specchat"),
            self._promise(words),
            (
                self.tr("What is a draft model?"),
                self.tr("Which draft fits my model?"),
                self.tr("Does a draft make the answer worse?"),
            ),
            can_add=True,
        )

    def _ask(self, question: str) -> None:
        """What the composer holds stays; without that the question waits there, where it can be changed."""
        composer = self._window.composer
        if self._session.pair is not None:
            self._generation.send_suggestion(question)
        else:
            before = self._waiting.text if self._waiting is not None and self._waiting.is_suggested else ""
            is_visible = composer.text in ("", before)
            if is_visible:
                composer.set_text(question)
            self._waiting = _Waiting(question, is_visible, is_suggested=True)
            self._say_what_is_loaded()
        composer.focus()

    def _hold_back(self) -> None:
        """What should be sent and cannot be yet: whoever pressed Enter learns why."""
        text = self._window.composer.text
        if self._chat.is_answering:
            self._held_back = text
            self._say("")
        elif self._pair.is_loading or self._pair.is_suspended:
            self._waiting = _Waiting(text, is_in_composer=True, is_suggested=False)
            self._title_after_unsent_text()
            self._say_what_is_loaded()
        else:
            self._say(self.tr("Not sent. Choose a model first."))

    def _title_after_unsent_text(self) -> None:
        """Loading may take minutes: a chat whose first question waits has its title already."""
        self._window.composer.flush()
        self._chat.refresh()
        self._chat.list_changed.emit()

    def _forget_what_changed(self, text: str) -> None:
        if self._held_back not in (None, text):
            self._show_turn()
        if self._waiting is not None and self._waiting.is_in_composer and self._waiting.text != text:
            self._waiting = None
            self._say_what_is_loaded()

    def _send_what_waits(self) -> None:
        """Unless it was changed: then the user sends it."""
        waiting, self._waiting = self._waiting, None
        if waiting is None or self._session.pair is None:
            return
        composer = self._window.composer
        if not waiting.is_in_composer:
            self._generation.send_suggestion(waiting.text)
        elif composer.text == waiting.text:
            composer.send()

    def _show_reading(self, message: int, share: float) -> None:
        if share < 1 and self._session.is_last_message(message):
            self._say(
                self.tr("Processing the prompt: {percent}").format(percent=format_percent(int(100 * share) / 100))
            )

    def _show_writing(self, message: int) -> None:
        if self._session.is_last_message(message):
            self._say(self.tr("Writing…"))

    def _follow_answers(self) -> None:
        """The end of another chat's answer changes nothing for the one that is written here."""
        shown = self._session.conversation
        running = self._answers.of_conversation(shown.id) if shown is not None else None
        if running is None or running.end is not None or not running.streamed.has_begun:
            self._show_turn()

    def _show_turn(self) -> None:
        self._held_back = None
        self._say(self._what_it_waits_for() if self._chat.is_waiting else "")

    def _what_it_waits_for(self) -> str:
        """Empty: for nothing, as its turn comes at once."""
        shown, pair = self._session.conversation, self._session.pair
        n_chats = self._answers.n_beside(shown.id) if shown is not None else 0
        n_programs = self._api_activity.n_served
        if n_chats + n_programs < (pair.n_slots if pair is not None else 1):
            return ""
        if n_programs:
            return self.tr("Waiting for another program's request to finish. Press Esc to cancel.")
        return self.tr("Another chat is still answering. Press Esc to cancel this message.")

    def _update_turn(self) -> None:
        """Whoever is being answered here sees something else."""
        if self._chat.is_waiting:
            self._show_turn()

    def _say(self, words: str) -> None:
        if self._held_back is not None:
            words = self.tr("Not sent. Wait for the answer, or press Esc to stop it.")
        self._window.show_status(words)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rstrip()}…"
