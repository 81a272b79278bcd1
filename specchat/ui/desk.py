"""Puts the window together: what is shown, who decides what happens, and which services it asks."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices

from specchat.domain.answering import PairInfo
from specchat.domain.conversations import Conversation
from specchat.domain.errors import ContextFullError, UserError
from specchat.domain.plain import from_plain, to_plain
from specchat.services.conversations import Conversations
from specchat.services.exports import Exports
from specchat.services.messages import Messages
from specchat.services.model_shelf import ModelShelf
from specchat.services.pair_settings import PairSettings
from specchat.services.presets import BALANCED, PRECISE, Presets
from specchat.services.ui_settings import TextSize, UiSettings, UiSettingsFile
from specchat.ui.application import Look
from specchat.ui.chat.answers import Answers
from specchat.ui.chat.chat_list import ChatList
from specchat.ui.chat.context import Context
from specchat.ui.chat.entries import Entries
from specchat.ui.chat.live import Live
from specchat.ui.chat.open_chat import OpenChat
from specchat.ui.chat.pair_control import PairControl
from specchat.ui.chat.settings_control import SettingsControl
from specchat.ui.inference import Inference, MakeEngine, MakeJournal
from specchat.ui.link_question import asked_to_open
from specchat.ui.main_window import MainWindow
from specchat.ui.overlay.placement import OverlayState
from specchat.ui.picker.picker import PairPicker
from specchat.ui.tasks import Tasks
from specchat.ui.transcript import preload
from specchat.ui.window_state import WindowState

_SIDEBAR, _OVERLAY = "sidebar", "overlay"


@dataclass(frozen=True, slots=True)
class Services:
    conversations: Conversations
    messages: Messages
    exports: Exports
    presets: Presets
    shelf: ModelShelf
    pair_settings: PairSettings
    ui_settings: UiSettingsFile
    make_engine: MakeEngine
    make_journal: MakeJournal
    logs: Path
    config: Path


class Desk(QObject):
    def __init__(self, services: Services, look: Look) -> None:
        super().__init__()
        self.services, self.look = services, look
        theme = look.theme
        self.inference = Inference(services.make_engine, services.make_journal, services.logs, self)
        self.tasks = Tasks(services.logs, self)
        self.answers = Answers(self.inference, self)
        entries = Entries(services.messages, self.answers)
        self.window = window = MainWindow(theme, entries.details)
        self.chat = OpenChat(
            services.conversations,
            services.messages,
            self.answers,
            entries,
            window.transcript,
            window.composer,
            self,
        )
        self.list = ChatList(services.conversations, services.exports, self.answers, self.chat, window.sidebar, window)
        self.live = Live(services.messages, self.answers, self.chat, window.overlay, theme, window)
        self.context = Context(self.inference, self.chat, window.composer, self)
        self.picker = PairPicker(theme, window)
        self.pair = PairControl(
            self.inference, self.tasks, services.shelf, services.pair_settings, window.header.pair, self.picker, self
        )
        self.settings = SettingsControl(self.chat, services.presets, theme, window)
        self.live.set_names(self.pair.name_of)
        self._again: Callable[[], object] | None = None
        self._undo: list[Callable[[], object]] = []
        self._closed = False
        self._titled: int | None = None
        self._ui = services.ui_settings.load()
        self._state = WindowState(services.config / "window.json")
        self._connect()
        self._apply_ui()
        self._restore_state()

    def start(self) -> None:
        """After the first paint: models and conversations are read then."""
        self.list.refresh()
        self.pair.load_last()
        self._show_state()
        self.open_newest()
        self.tasks.run(preload, lambda _: None, self.tell)

    def open_newest(self) -> None:
        listed = self.services.conversations.listed()
        if listed and listed[0].leaf is None:
            self.chat.open(listed[0].id)
        else:
            self.new_chat()

    def new_chat(self) -> None:
        self.chat.new(PRECISE if self.pair.is_demo else BALANCED)
        self.window.composer.focus()

    def close(self) -> None:
        """Nothing that was written is lost; answers being written end where they are."""
        if self._closed:
            return
        self._closed = True
        self.answers.stop_all()
        self._keep_state()
        self.window.composer.flush()
        self.tasks.close()
        self.inference.close()

    def stop(self) -> None:
        """The innermost thing that Escape can end."""
        window = self.window
        if window.find_bar.isVisible():
            window.find_bar.close_bar()
        elif self.chat.is_answering:
            self.chat.stop()
        elif self.pair.is_loading:
            self.pair.stop()
        elif window.problem.isVisible():
            window.problem.dismiss()

    def open_settings(self) -> None:
        self.settings.open(self._ui)

    def undo_delete(self) -> None:
        """The last of them first."""
        if self._undo:
            self.window.notice.dismiss()
            self._undo.pop()()

    @property
    def colouring(self) -> bool:
        return self._ui.colour_tokens

    def show_colours(self, wanted: bool) -> None:
        self._change_ui(replace(self._ui, colour_tokens=wanted))

    def show_overlay(self, wanted: bool) -> None:
        self._change_ui(replace(self._ui, show_overlay=wanted))

    def remember_overlay(self) -> None:
        self.show_overlay(False)

    def step_text_size(self, step: int) -> None:
        sizes = list(TextSize)
        at = sizes.index(self._ui.text_size) + step
        self._change_ui(replace(self._ui, text_size=sizes[max(0, min(at, len(sizes) - 1))]))

    def usual_text_size(self) -> None:
        self._change_ui(replace(self._ui, text_size=TextSize.NORMAL))

    def tell(self, error: UserError, again: Callable[[], object] | None = None) -> None:
        self._again = again
        if isinstance(error, ContextFullError):  # its own hint names options of the commands
            error = UserError(
                error.message, self.tr("Choose a larger context with the models, or shorten the message.")
            )
        self.window.problem.show_error(error, self.tr("Try again") if again is not None else "")

    def _restore_state(self) -> None:
        window = self.window
        self._state.apply(window)
        window.show_sidebar(self._state.get(_SIDEBAR) is not False)
        with suppress(ValueError):  # another version wrote it
            overlay = from_plain(OverlayState, self._state.get(_OVERLAY))
            window.overlay.restore(replace(overlay, shown=self._ui.show_overlay))

    def _keep_state(self) -> None:
        self._state.take(self.window)
        self._state.put(_SIDEBAR, not self.window.sidebar.isHidden())
        self._state.put(_OVERLAY, to_plain(self.window.overlay.state()))
        self._state.save()

    def _change_ui(self, settings: UiSettings) -> None:
        try:
            self.services.ui_settings.save(settings)
        except UserError as error:
            self.tell(error)
        self._ui = settings
        self._apply_ui()

    def _apply_ui(self) -> None:
        ui, window = self._ui, self.window
        window.transcript.set_colouring(ui.colour_tokens)
        window.header.colours.setChecked(ui.colour_tokens)
        window.legend.setVisible(ui.colour_tokens)
        window.overlay.setVisible(ui.show_overlay)
        window.make_room()
        window.header.overlay.setChecked(ui.show_overlay)
        self.chat.probabilities = ui.colour_tokens
        self.look.set_mode(ui.theme.value)
        self.look.set_text_size(ui.text_size.pixels)

    def _connect(self) -> None:
        window = self.window
        self.look.changed.connect(window.set_theme)
        self.look.changed.connect(self.live.set_theme)
        self.look.changed.connect(self.picker.set_theme)
        self.look.changed.connect(self.settings.set_theme)
        self.settings.ui_changed.connect(self._change_ui)
        self.settings.failed.connect(self.tell)
        self.chat.failed.connect(self.tell)
        self.chat.deleted.connect(self._offer_undo)
        self.chat.opened.connect(self._show_title)
        self.chat.path_changed.connect(self._show_state)
        self.list.failed.connect(self.tell)
        self.list.noticed.connect(self._notice)
        self.list.new_wanted.connect(self.new_chat)
        self.pair.failed.connect(self.tell)
        self.pair.loaded.connect(self._loaded)
        self.pair.loading.connect(self._loading)
        self.pair.gone.connect(self._unloaded)
        self.answers.prompt_read.connect(self._reading)
        self.answers.grew.connect(self._writing)
        self.answers.ended.connect(self._quiet)
        self.answers.failed.connect(self._quiet)
        window.problem.actionChosen.connect(self._try_again)
        window.welcome.asked.connect(self._ask)
        window.welcome.add_wanted.connect(self.pair.open_picker)
        window.composer.attachmentRefused.connect(self._refuse)
        window.find_bar.changed.connect(self._find)
        window.find_bar.next_wanted.connect(window.transcript.find_next)
        window.find_bar.previous_wanted.connect(window.transcript.find_previous)
        window.find_bar.closed.connect(self._end_find)
        window.transcript.linkRequested.connect(self._offer_link)
        window.closing.connect(self.close)

    def _loaded(self, pair: PairInfo) -> None:
        self.chat.pair = pair
        self.window.overlay.set_draft_name(self.pair.name_of(pair.draft) if pair.draft else None)
        self._say("")
        self._show_state()
        self.context.count()

    def _loading(self, target: str, share: float) -> None:
        self.chat.pair = None
        self._say(self.tr("Loading {target}… Press Esc to stop.").format(target=target))
        self._show_state()

    def _unloaded(self) -> None:
        self.chat.pair = None
        self._say("")
        self._show_state()

    def _show_title(self, conversation: Conversation) -> None:
        if conversation.id != self._titled:
            self._titled = conversation.id
            self.window.find_bar.close_bar()
            self._say("")
        self.window.header.set_title(conversation.title)
        title = conversation.title or self.tr("New chat")
        self.window.setWindowTitle(f"{title} – specchat")

    def _show_state(self) -> None:
        ready = self.chat.pair is not None
        if ready:
            placeholder = self.tr("Message")
        elif self.pair.is_loading:
            placeholder = self.tr("You can write while the model is loading")
        else:
            placeholder = self.tr("Choose a model to begin")
        self.window.composer.set_ready(ready, placeholder)
        self._show_welcome()

    def _show_welcome(self) -> None:
        self.window.show_welcome(not self.chat.path)
        if self.pair.is_demo:
            self.window.welcome.show_state(
                self.tr("Hello, I am specchat’s demo"),
                self.tr(
                    "A tiny target and its tinier draft, not an assistant: I know specchat and little else. Ask me "
                    "something and watch how many guesses are accepted. Then add a real model."
                ),
                (
                    self.tr("What is a draft model?"),
                    self.tr("How do I pick a good pair?"),
                    self.tr("Does the draft change the answer?"),
                ),
                can_add=True,
            )
        elif self.chat.pair is not None or self.pair.is_loading:
            self.window.welcome.show_state(self.tr("What shall it be?"), "", (), can_add=False)
        else:
            self.window.welcome.show_state(
                self.tr("Add a model"),
                self.tr("Choose a GGUF file that answers, and a smaller one of its family that guesses ahead."),
                (),
                can_add=True,
            )

    def _ask(self, question: str) -> None:
        composer = self.window.composer
        if self.chat.pair is not None:
            self.chat.suggest(question)
        elif not composer.text:
            composer.set_text(question)

    def _reading(self, message: int, share: float) -> None:
        if share < 1 and self.chat.shows(message):
            self._say(self.tr("Reading the prompt, {n} %").format(n=int(100 * share)))

    def _writing(self, message: int) -> None:
        if self.chat.shows(message):
            self._say(self.tr("Writing…"))

    def _quiet(self) -> None:
        self._say("")

    def _say(self, words: str) -> None:
        if self.window.status.text() != words:
            self.window.status.setText(words)
            self.window.status.setAccessibleName(words or self.tr("Status"))

    def _offer_undo(self, undo: Callable[[], object]) -> None:
        self._notice(self.tr("Message deleted"), self.tr("Undo"), undo)

    def _notice(self, words: str, action: str, do: Callable[[], object] | None) -> None:
        if do is not None:
            self._undo.append(do)
        self.window.notice.show_notice(words, action or None, self.undo_delete if do is not None else None)

    def _try_again(self) -> None:
        again, self._again = self._again, None
        self.window.problem.dismiss()
        if again is not None:
            again()

    def _find(self, text: str) -> None:
        self.window.find_bar.show_count(self.window.transcript.find(text))

    def _end_find(self) -> None:
        self.window.transcript.clear_find()
        self.window.transcript.setFocus()

    def _offer_link(self, url: str) -> None:
        """Models write links too: nobody should follow one unseen."""
        if asked_to_open(url, self.window):
            QDesktopServices.openUrl(QUrl(url))

    def _refuse(self, name: str, reason: str) -> None:
        self.tell(
            UserError(
                self.tr("{name} cannot be attached: {reason}").format(name=name, reason=reason),
                self.tr("Attach text files."),
            )
        )
