"""Says why an answer is the same as the version before it."""

from PySide6.QtCore import QObject

from specchat.domain.conversations import RANDOM_SEED
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.message_service import MessageService


class RepeatedAnswers(QObject):
    def __init__(self, conversations: ConversationService, messages: MessageService, parent: QObject) -> None:
        super().__init__(parent)
        self._conversations, self._messages = conversations, messages

    def why_the_same(self, message: int) -> str:
        """Empty where the answer is the first, or another than before."""
        *_, before, last = [0, *self._messages.versions(message)]
        if last != message or not before or self._text(before) != self._text(message):
            return ""
        if differ := self._how_guesses_differed(before, message):
            return differ
        sampling = self._conversations.get(self._messages.path_to(message)[-1].conversation).settings.sampling
        if sampling.temperature <= 0:
            return self.tr("The answer is the same because the temperature is 0.")
        return self.tr("The answer is the same because the seed is fixed.") if sampling.seed != RANDOM_SEED else ""

    def _how_guesses_differed(self, before: int, message: int) -> str:
        """Of the same answer twice: that they change nothing is seen then."""
        answers = [self._messages.answer(each) for each in (before, message)]
        known = [each for each in answers if each is not None and each.stats.n_generated]
        if len(known) < 2 or known[0].target != known[1].target:
            return ""
        guessed = [bool(each.stats.n_drafted) for each in known]
        if guessed[0] != guessed[1]:
            return self.tr("The answer is the same with and without speculation.")
        return self.tr("The answer is the same with another draft.") if known[0].draft != known[1].draft else ""

    def _text(self, message: int) -> str:
        return self._messages.path_to(message)[-1].text
