"""Puts the window together: what is shown, who decides what happens, and which services it asks."""

import gc
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from specchat.domain.answering import PairInfo
from specchat.domain.conversations import ConversationSettings
from specchat.domain.errors import ContextFullError, NotReadyError, StillAnsweringError, StorageError, UserError
from specchat.domain.serving import MakeServer
from specchat.services.chat.conversations import Conversations
from specchat.services.chat.damaged_chats import DamagedChats
from specchat.services.chat.kept_chats import KeptChats
from specchat.services.chat.messages import Messages
from specchat.services.once import Once
from specchat.services.program.licences import Licences
from specchat.services.program.updates import Updates
from specchat.services.settings.pair_settings import PairSettings
from specchat.services.settings.presets import BALANCED, PRECISE, Presets
from specchat.services.settings.server_key import ServerKey
from specchat.services.settings.ui_settings import UiSettings, UiSettingsFile
from specchat.ui.about.control import AboutControl
from specchat.ui.chat.answers import Answers
from specchat.ui.chat.asking import Asking
from specchat.ui.chat.bench_control import BenchControl
from specchat.ui.chat.chat_files import ChatFiles
from specchat.ui.chat.chat_list import ChatList
from specchat.ui.chat.context import Context
from specchat.ui.chat.draft_keeper import DraftKeeper
from specchat.ui.chat.elsewhere import Elsewhere
from specchat.ui.chat.entries import Entries
from specchat.ui.chat.file_opener import FileOpener
from specchat.ui.chat.guidance import Guidance
from specchat.ui.chat.live import Live
from specchat.ui.chat.models_control import ModelsControl
from specchat.ui.chat.notices import Notices
from specchat.ui.chat.open_chat import OpenChat
from specchat.ui.chat.other_programs import OtherPrograms
from specchat.ui.chat.pair_control import PairControl
from specchat.ui.chat.preferences import Preferences
from specchat.ui.chat.search import Search
from specchat.ui.chat.server_control import ServerControl
from specchat.ui.chat.serving_sign import ServingSign
from specchat.ui.chat.settings_control import SettingsControl
from specchat.ui.chat.trash import Trash
from specchat.ui.main_window import MainWindow
from specchat.ui.model_services import ModelServices
from specchat.ui.opened_outside import open_address
from specchat.ui.picker.picker import PairPicker
from specchat.ui.settings.values import ServerState
from specchat.ui.start.application import Look
from specchat.ui.threads.inference import Inference, MakeEngine, MakeJournal
from specchat.ui.threads.tasks import Tasks
from specchat.ui.transcript import preload
from specchat.ui.widgets.link_question import asked_to_open

if TYPE_CHECKING:
    from specchat.services.bench.measured import MeasuredPairs


@dataclass(frozen=True, slots=True)
class Services:
    conversations: Conversations
    messages: Messages
    kept_chats: Callable[[], AbstractContextManager[KeptChats]]
    damaged_chats: DamagedChats
    presets: Presets
    pair_settings: PairSettings
    ui_settings: UiSettingsFile
    models: ModelServices
    measured: "Once[MeasuredPairs]"
    make_engine: MakeEngine
    make_journal: MakeJournal
    make_server: MakeServer
    server_key: ServerKey
    updates: Updates
    licences: Licences
    logs: Path
    config: Path
    close: Callable[[], None]
    """The chats are whole in their one file then."""


class Desk(QObject):
    def __init__(self, services: Services, look: Look) -> None:
        super().__init__()
        self.services, self.look = services, look
        stored, messages, theme = services.conversations, services.messages, look.theme
        self.inference = Inference(services.make_engine, services.make_journal, services.logs, self)
        self.tasks = Tasks(services.logs, self)
        self.answers = Answers(self.inference, self)
        self.others = OtherPrograms(self.inference, self)
        entries = Entries(messages, self.answers, lambda file: self.pair.name_of(file))
        self.window = window = MainWindow(theme, entries.details)
        look.dress(window)
        transcript, composer = window.transcript, window.composer
        self.chat = OpenChat(stored, messages, self.answers, entries, transcript, composer, self)
        self.draft_keeper = DraftKeeper(self.chat, self)
        self.asking = Asking(self.chat, stored, messages, self.answers, transcript, composer, self)
        self.picker = PairPicker(theme, window)
        self.pair = PairControl(
            self.inference,
            self.tasks,
            services.models.shelf,
            services.pair_settings,
            services.models.fits,
            window.header.pair,
            self.picker,
            self,
        )
        self.pair.loaded.connect(self._pair_loaded)
        self.pair.loading.connect(self._no_pair)
        self.pair.gone.connect(self._no_pair)
        self.opener = FileOpener(services.models, self.tasks, self.pair, self.answers, self)
        self.search = Search(stored, services.damaged_chats, services.logs, self)
        self.list = ChatList(stored, self.answers, self.chat, self.search, window.sidebar, window)
        self.elsewhere = Elsewhere(stored, window, self)
        self.trash = Trash(stored, messages, self.chat, self.list, self)
        self.live = Live(
            messages, self.answers, self.others, self.chat, self.asking, window.overlay, self.pair.name_of, window
        )
        self.context = Context(self.inference, self.answers, self.chat, self.asking, composer, self)
        self.asking.require_room = self.context.require_room
        self.context.may_grow = lambda: self.pair.may_grow
        self.asking.begin_chat = lambda: self.chat.begin(self._usual_settings())
        self.guidance = Guidance(window, self.chat, self.asking, self.answers, self.pair, self.others, self)
        self._add_beside()
        self._pair_problem: UserError | None = None
        """What went wrong last with a pair."""
        self._server_problem: UserError | None = None
        self._said_of_answer = ""
        self._usual_before: ConversationSettings | None = None
        self._closed = False
        self._connect()
        self.preferences.restore()

    def _add_beside(self) -> None:
        """What a chat does without: settings, server, files, models, benchmark."""
        services, window, theme = self.services, self.window, self.look.theme
        self.token_tasks = Tasks(services.logs, self)
        """The keyring may ask the user before it answers."""
        self.server = ServerControl(
            services.server_key,
            services.make_server,
            self.inference.completions,
            self.token_tasks,
            services.logs,
            self,
        )
        self.settings = SettingsControl(
            self.chat, services.presets, services.models.token(), self.token_tasks, self.server, theme, window
        )
        self.sign = ServingSign(window.header, self.server, self.others, self.pair, window)
        self.about = AboutControl(services.updates, services.licences, services.logs, theme, window)
        self.notices = Notices(window.problem, window.notice, self)
        self.notices.may_grow = lambda: self.pair.may_grow
        self.files = ChatFiles(
            services.conversations,
            services.kept_chats,
            services.damaged_chats,
            self.notices,
            self.chat,
            services.logs,
            window,
        )
        self.models = ModelsControl(services.models, self.tasks, self.pair, self.notices, window, theme)
        self.benchmark = BenchControl(services, self.inference, self.tasks, self.pair, self.notices, window, theme)
        self.preferences = Preferences(services.ui_settings, services.config, window, self.look, self)

    def start(self, *, load_last: bool = True) -> None:
        """After the first paint: models and conversations are read then."""
        self.list.refresh()
        self.opener.start(load_last=load_last)
        self._open_newest()
        self.tasks.run(preload, lambda _: None, self.notices.tell)
        self.pair.refresh()
        self.models.start()

    def new_chat(self) -> None:
        self.window.sidebar.end_search()  # it would hide the chat
        with self.chat.telling():
            self.chat.begin(self.chat.chosen() or self._usual_settings())
        self.window.composer.focus()

    def _usual_settings(self) -> ConversationSettings:
        return PRECISE if self.pair.is_demo else BALANCED

    def _suit_empty_chat(self) -> None:
        """Where nothing was asked yet it begins as a new one would with these models."""
        before, self._usual_before = self._usual_before, self._usual_settings()
        conversation = self.chat.conversation
        if conversation is not None and not self.chat.path and conversation.settings == before != self._usual_before:
            self.chat.change_settings(self._usual_before)

    def open_settings(self) -> None:
        self.settings.open(self.preferences.settings)

    def stop(self) -> None:
        """The innermost thing that Escape can end."""
        window = self.window
        if window.find_bar.isVisible():
            window.find_bar.close_bar()
        elif self.chat.is_answering:
            self.asking.stop()
        elif self.pair.is_loading:
            self.pair.stop()
        elif window.problem.isVisible():
            window.problem.dismiss()

    def close(self) -> None:
        """Nothing that was written is lost; answers being written end where they are."""
        if self._closed:
            return
        self._closed = True
        self.answers.stop_all()
        self.preferences.keep()
        self.window.composer.flush()
        if fits := self.services.models.fits.made:
            fits.close()  # first: whoever waits for a measurement goes on at once
        self.files.close()
        self.search.close()
        self.server.stop()
        self.models.close()
        self.benchmark.close()
        self.settings.close()
        self.about.close()
        self.token_tasks.close()
        self.tasks.close()
        self.inference.close()
        self.server.wait()

    def _open_newest(self) -> None:
        listed = self.services.conversations.listed()
        if listed and listed[0].leaf is None:
            self.chat.open(listed[0].id)
            self.window.composer.focus()
        else:
            self.new_chat()

    def _connect(self) -> None:
        window = self.window
        for themed in (window, self.live, self.picker, self.settings, self.models, self.benchmark, self.about):
            self.look.changed.connect(themed.set_theme)
        self.look.changing.connect(self.models.rest)
        for failing in (self.chat, self.list, self.pair, self.opener, self.settings, self.preferences):
            failing.failed.connect(self.notices.tell)
        for failing in (self.pair, self.opener):
            failing.failed.connect(self._pair_failed)
        self.pair.begun.connect(lambda: self.notices.tell_settled(self._pair_problem))
        self.server.failed.connect(self._tell_of_server)
        self.server.changed.connect(self._server_changed)
        for counting in (self.pair.loaded, self.pair.gone):
            counting.connect(self.context.count)
            counting.connect(self.live.refresh)
        self.pair.named.connect(self.live.refresh)
        for storing in (self.chat, self.list):
            storing.failed.connect(self.draft_keeper.hear)
        self.chat.kept.connect(lambda: self.notices.tell_over(StorageError))
        self.asking.same_again.connect(self._same_again)
        self.list.hit_opened.connect(window.find_words)
        self.asking.asked.connect(self._forget_last_question)
        self.chat.left.connect(self._forget_last_question)
        self.answers.unsaved.connect(self.notices.tell)
        self.answers.saved.connect(self.notices.tell_saved)
        self.answers.changed.connect(lambda: self.picker.show_answering(self.answers.current() is not None))
        self.answers.ended.connect(lambda *_: self.notices.tell_over(StillAnsweringError))
        self.context.noticed.connect(self.notices.notice)
        self.context.fits_again.connect(lambda: self.notices.tell_over(ContextFullError))
        self.trash.noticed.connect(self.notices.notice)
        self.trash.settled.connect(self.notices.forget_undo)
        self.opener.noticed.connect(self.notices.notice)
        self.pair.stopped.connect(self.notices.offer)
        self.list.new_wanted.connect(self.new_chat)
        self.files.imported.connect(self.list.refresh)
        self.elsewhere.changed.connect(self.list.look_elsewhere)
        window.sidebar.chosen.connect(window.composer.focus)
        window.sidebar.exportRequested.connect(self.files.export)
        self.settings.ui_changed.connect(self.preferences.change)
        self.server.ui_changed.connect(self.preferences.change)
        self.preferences.changed.connect(self._preferences_changed)
        self.models.token_wanted.connect(self._ask_for_a_token)
        self.models.pace_chosen.connect(self._set_download_pace)
        self.settings.token_changed.connect(self.models.try_again)
        self.picker.chosen.connect(window.composer.focus)
        self.picker.managerWanted.connect(self.models.open)
        self.picker.measureWanted.connect(self.benchmark.open_for)
        self.benchmark.recorded.connect(self.models.look_at_speeds)
        window.welcome.find_wanted.connect(self.models.find_models)
        window.composer.textChanged.connect(self.notices.forget_too_long)
        window.composer.attachmentsChanged.connect(self.notices.forget_too_long)
        window.composer.modelsGiven.connect(self.opener.open)
        window.composer.attachingBegun.connect(self.notices.forget_refused)
        window.composer.attachmentRefused.connect(self.notices.refuse_attachment)
        window.transcript.linkRequested.connect(self._offer_link)
        window.closing.connect(self.close)

    def _pair_loaded(self, pair: PairInfo) -> None:
        self.asking.pair = pair
        self.notices.tell_over(NotReadyError)
        self._choose_probabilities()
        self._suit_empty_chat()
        self.server.begin()
        gc.collect()
        gc.freeze()  # what was made until now stays: looking through it again would stall the window

    def _pair_failed(self, error: UserError) -> None:
        self._pair_problem = error

    def _no_pair(self) -> None:
        self.asking.pair = None

    def _choose_probabilities(self) -> None:
        """They cost time, with the few tokens that the demo knows next to none."""
        self.asking.probabilities = self.preferences.settings.colour_tokens or self.pair.is_demo

    def _same_again(self, words: str) -> None:
        self._said_of_answer = words
        self.notices.offer(words, self.tr("Settings…"), self.open_settings)

    def _forget_last_question(self) -> None:
        """What was said of it, or of its answer, is no longer to the point."""
        self.notices.tell_over(ContextFullError)
        self.notices.forget_refused()
        self.notices.tell_gone(self._said_of_answer)

    def _preferences_changed(self, settings: UiSettings) -> None:
        self._choose_probabilities()
        self.models.set_settings(settings)
        self.settings.show_application(settings)
        self.server.apply(settings)
        minutes = settings.idle_unload_minutes
        self.inference.unload_after(60.0 * minutes if minutes > 0 else None)

    def _tell_of_server(self, error: UserError) -> None:
        self._server_problem = error
        self.notices.tell_unasked(
            error, lambda: self.settings.open(self.preferences.settings, "server"), self.tr("Settings…")
        )

    def _server_changed(self, state: ServerState) -> None:
        if state.error is None:
            self.notices.tell_settled(self._server_problem)

    def _ask_for_a_token(self) -> None:
        self.settings.open(self.preferences.settings, "hub")

    def _set_download_pace(self, at_once: int, limit: int) -> None:
        settings = replace(self.preferences.settings, downloads_at_once=at_once, download_limit=limit)
        self.preferences.change(settings)

    def _offer_link(self, url: str) -> None:
        """Models write links too: nobody should follow one unseen."""
        if asked_to_open(url, self.window):
            open_address(url)
