"""Shows errors with what mends them, and short notices with an undo action."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal

from specchat.domain.errors import (
    ContextFullError,
    DamagedChatsError,
    EngineKeyError,
    EngineStoppedError,
    MemoryShortageError,
    ServedModelGoneError,
    UserError,
)
from specchat.domain.media import Senses
from specchat.ui.session import Session
from specchat.ui.widgets.error_card import ButtonSpecs, ErrorCard
from specchat.ui.widgets.notice import Notice
from specchat.ui.window.error_remedies import Remedy, find_remedies, remedy_label
from specchat.ui.words.damage_texts import salvage_action, salvage_hint
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_number

_FAILS_AGAIN = MemoryShortageError, EngineKeyError
"""Unless something is changed first: to try again comes last."""


@dataclass(frozen=True, slots=True, eq=False)
class _ShownError:
    error: UserError
    again: Callable[[], object] | None
    words: str
    others: ButtonSpecs


_MOST_REFUSALS = 3
"""That are told at once: more would hide the chat."""


class _NotAttached(UserError):
    def __init__(self, refusals: Sequence[str], message: str, hint: str) -> None:
        super().__init__("{message}", "{hint}", message=message, hint=hint)
        self.refusals = refusals


class NotificationController(QObject):
    error_reported = Signal(UserError)
    salvage_requested = Signal()
    """The readable part of a damaged database is to be saved."""
    remedy_requested = Signal(Remedy)
    gpu_disable_requested = Signal()
    """llama.cpp stopped while it used a graphics card: the next run does without."""

    def __init__(self, session: Session, problem: ErrorCard, notice: Notice, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._problem, self._notice = session, problem, notice
        self._shown: _ShownError | None = None
        self._unasked: list[_ShownError] = []
        """Errors from `queue_error`, until they are dismissed."""
        self._failed: dict[int, _ShownError] = {}
        """Errors from `show_failure` by conversation, until they are dismissed."""
        self._conversation: int | None = None
        """The one that is open."""
        self._undo: list[tuple[str, Callable[[], object]]] = []
        """With what was told of it."""
        self._refusal = ""
        """The notice about pictures or recordings that the model can't take."""
        problem.action_chosen.connect(self._try_again)
        problem.dismissed.connect(self._show_next)
        session.conversation_changed.connect(self._follow_conversation)

    def show_error(
        self, error: UserError, again: Callable[[], object] | None = None, words: str = "", others: ButtonSpecs = ()
    ) -> None:
        """`words`: of the button, where "Try again" would not say what it does. `others`: what else can be done."""
        self._show(self._describe(error, again, words, others))
        self.error_reported.emit(error)

    def _describe(
        self, error: UserError, again: Callable[[], object] | None, words: str, others: ButtonSpecs
    ) -> _ShownError:
        if isinstance(error, DamagedChatsError) and again is None:
            again, words = self.salvage_requested.emit, salvage_action()
        if isinstance(error, EngineStoppedError) and error.used_gpu:
            others = (*others, (self.tr("Continue without the GPU"), self.gpu_disable_requested.emit))
        return _ShownError(error, again, words, others)

    def show_failure(self, conversation: int, error: UserError, again: Callable[[], object] | None, words: str) -> None:
        """An answer failed. The card leaves with its chat and comes back with it; `words` as in `show_error`."""
        shown = self._failed[conversation] = self._describe(error, again, words, ())
        if self._session.is_open(conversation) or self._problem.isHidden():
            self._show(shown)
        self.error_reported.emit(error)

    def queue_error(
        self, error: UserError, again: Callable[[], object] | None = None, words: str = "", others: ButtonSpecs = ()
    ) -> None:
        """What comes by itself, as how the last run ended: it waits for what is told, and comes back after it."""
        self._unasked.append(_ShownError(error, again, words, others))
        self.error_reported.emit(error)
        if not self._problem.isVisible():
            self._show(self._unasked[0])

    def dismiss_error_type(self, kind: type[UserError]) -> None:
        """It can be done again."""
        if self._shown is not None and isinstance(self._shown.error, kind) and self._problem.isVisible():
            self._problem.dismiss()

    def dismiss_context_error(self) -> None:
        """What was refused as a message is another one now; what failed otherwise can still be tried again."""
        if self._shown is not None and self._shown.again is None:
            self.dismiss_error_type(ContextFullError)

    def dismiss_error(self, error: UserError | None) -> None:
        """It no longer counts; whatever else is told by now stays."""
        self._unasked = [shown for shown in self._unasked if shown.error is not error]
        self._failed = {place: shown for place, shown in self._failed.items() if shown.error is not error}
        if self._shown is not None and self._shown.error is error and self._problem.isVisible():
            self._problem.dismiss()

    def show_save_recovered(self, error: UserError) -> None:
        self.dismiss_error(error)
        self.show_notice(self.tr("Answers are being saved again."))

    def show_notice(self, words: str) -> None:
        self._notice.show_notice(words)

    def show_undo_notice(self, words: str, undo: Callable[[], object]) -> None:
        """The key undoes it, too, also when the notice is gone."""
        self._undo.append((words, undo))
        self._notice.show_notice(words, self.tr("Undo"), self.undo)

    def show_action_notice(self, words: str, action: str, do: Callable[[], object]) -> None:
        """Not to be undone later by a key, as what `show_undo_notice` tells."""
        self._notice.show_notice(words, action, do)

    def show_context_notice(self, words: str) -> None:
        """It is full; more is offered where the target can have it."""
        if self._session.can_grow:
            larger = Remedy.LARGER_CONTEXT
            self._notice.show_notice(words, remedy_label(larger), partial(self.remedy_requested.emit, larger))
        else:
            self._notice.show_notice(words)

    def show_progress(self, words: str, action: str, do: Callable[[], object]) -> None:
        """Until it is over."""
        self._notice.show_notice(words, action, do, stays=True)

    def shows_notice(self, words: str) -> bool:
        return self._notice.text == words and not self._notice.isHidden()

    def dismiss_notice(self, words: str) -> None:
        """What was going on is over; what else is told by now stays."""
        if self._notice.text == words:
            self._notice.dismiss()

    def show_attachment_error(self, name: str, reason: str) -> None:
        """Further files of the same choice are told, too."""
        refused = (*self._refusals, self.tr("Can't attach {name}: {reason}").format(name=name, reason=reason))
        told = refused[:_MOST_REFUSALS]
        if n_more := len(refused) - len(told):
            told = (*told, self.tr("{n} more").format(n=format_number(n_more)))
        hint = self.tr("You can attach text, PDF, DOCX, XLSX, ODT, EPUB, HTML and CSV files, and folders with code.")
        match self._session.senses:
            case Senses(sees=True, hears=False):
                hint = self.tr("You can attach documents, text files, folders with code, and pictures up to 20 MB.")
            case Senses(sees=False, hears=True):
                hint = self.tr("You can attach documents, text files, folders with code, and recordings up to 50 MB.")
            case Senses(sees=True, hears=True):
                hint = self.tr("You can attach documents, text files, folders with code, pictures and recordings.")
        self.show_error(_NotAttached(refused, "\n".join(told), hint))

    @property
    def _refusals(self) -> Sequence[str]:
        shown = self._shown.error if self._shown is not None and self._problem.isVisible() else None
        return shown.refusals if isinstance(shown, _NotAttached) else ()

    def show_search_problem(self, problem: UserError) -> None:
        """Documents were to be searched by meaning."""
        words = self.tr("Documents were searched by words only: {reason}")
        words = words.format(reason=translate_text(problem.message))
        open_page = partial(self._session.settings_requested.emit, "application")
        self.show_action_notice(words, self.tr("Settings…"), open_page)

    def show_no_vision(self) -> None:
        """Pictures were to be attached."""
        words = self.tr("This model can't see pictures.")
        if self._session.pair is None:
            words = self.tr("Choose a model that can see pictures.")
        self._show_refusal(words)

    def show_no_hearing(self) -> None:
        """Recordings were to be attached."""
        words = self.tr("This model can't hear recordings.")
        if self._session.pair is None:
            words = self.tr("Choose a model that can hear recordings.")
        self._show_refusal(words)

    def _show_refusal(self, words: str) -> None:
        self._refusal = words
        other = Remedy.OTHER_MODEL
        self._notice.show_notice(words, remedy_label(other), partial(self.remedy_requested.emit, other))

    def dismiss_attachment_error(self) -> None:
        """Other files are attached, or the message is sent."""
        self.dismiss_error_type(_NotAttached)
        self.dismiss_notice(self._refusal)

    def undo(self) -> None:
        """The last deletion first."""
        if self._undo:
            self._notice.dismiss()
            _, undo = self._undo.pop()
            undo()

    def discard_undo(self, undo: Callable[[], object]) -> None:
        """It is undone another way, or can no longer be."""
        for words, last in self._undo[-1:]:
            if last is undo:
                self.dismiss_notice(words)
        self._undo = [shown for shown in self._undo if shown[1] is not undo]

    def _show(self, shown: _ShownError) -> None:
        self._shown, error = shown, shown.error
        if hint := self._window_hint(shown):
            error = UserError(error.message, hint)
        action = (shown.words or self.tr("Try again")) if shown.again is not None else ""
        remedies = self._remedies(shown)
        if isinstance(shown.error, _FAILS_AGAIN) and action:
            self._problem.show_error(error, others=(*remedies, *shown.others, (action, self._try_again)))
        else:
            self._problem.show_error(error, action, (*shown.others, *remedies))

    def _window_hint(self, shown: _ShownError) -> str:
        """In place of one that names commands or their options; empty: its own is fine."""
        match shown.error:
            case ContextFullError() if self._session.pair is not None and self._session.pair.engine:
                return self.tr("Shorten the chat, start a new one, or start the engine with a larger context.")
            case ContextFullError():
                return self._context_hint(message_alone=shown.again is None)
            case DamagedChatsError():
                return salvage_hint()
            case EngineKeyError():
                return self.tr("Enter its key, or choose another model.")
            case ServedModelGoneError():
                return self.tr("Check which models the engine has, then choose another one.")
        return ""

    def _remedies(self, shown: _ShownError) -> ButtonSpecs:
        remedies = find_remedies(shown.error, can_grow=self._session.can_grow, message_alone=shown.again is None)
        return [(remedy_label(remedy), partial(self.remedy_requested.emit, remedy)) for remedy in remedies]

    def _context_hint(self, *, message_alone: bool) -> str:
        can_grow = self._session.can_grow
        if not message_alone:
            larger = self.tr("Load the model with a larger context, or start a new chat.")
            return larger if can_grow else self.tr("Start a new chat.")
        hint = self.tr("Shorten the message or remove attachments.")
        if can_grow:
            hint = self.tr("Shorten the message, remove attachments, or load the model with a larger context.")
        rest = self.tr("The system prompt and the answer need the rest.")
        return f"{rest} {hint}"

    def _show_next(self) -> None:
        self._unasked = [shown for shown in self._unasked if shown is not self._shown]
        self._failed = {place: shown for place, shown in self._failed.items() if shown is not self._shown}
        self._shown = None
        if waiting := self._failed_here or next(iter(self._unasked), None):
            self._show(waiting)

    def _follow_conversation(self) -> None:
        """The failure of another chat leaves, and that of this one comes back."""
        conversation = self._session.conversation.id if self._session.conversation is not None else None
        if conversation == self._conversation:
            return
        self._conversation, failed = conversation, dict(self._failed)
        if self._shown is not None and self._shown in failed.values() and self._shown is not self._failed_here:
            self._problem.dismiss()
            self._failed = failed
        elif self._failed_here is not None and self._problem.isHidden():
            self._show(self._failed_here)

    @property
    def _failed_here(self) -> _ShownError | None:
        conversation = self._session.conversation
        return self._failed.get(conversation.id) if conversation is not None else None

    def _try_again(self) -> None:
        again = self._shown.again if self._shown is not None else None
        self._problem.dismiss()
        if again is not None:
            again()
