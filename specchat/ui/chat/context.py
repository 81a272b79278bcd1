"""How full the context is: counted by the thread that owns the models, shown at the composer."""

from PySide6.QtCore import QObject

from specchat.domain.answering import ContextCount, CountTask
from specchat.services.chat_messages import attachment_text, prompt_messages
from specchat.ui.chat.open_chat import OpenChat
from specchat.ui.composer.composer import Composer
from specchat.ui.composer.context_use import ContextPart, ContextUse
from specchat.ui.inference import Counted, Inference, InferenceEvent


class Context(QObject):
    def __init__(self, inference: Inference, chat: OpenChat, composer: Composer, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._inference, self._chat, self._composer = inference, chat, composer
        composer.textForCount.connect(self.count)
        composer.attachmentsChanged.connect(self.count)
        chat.path_changed.connect(self.count)
        inference.arrived.connect(self._take)

    def count(self, _: object = None) -> None:
        conversation = self._chat.conversation
        if self._chat.pair is None or conversation is None:
            self._composer.set_context(None)
            return
        attached = tuple(attachment_text(attachment) for attachment in self._composer.attachments)
        messages = prompt_messages(self._chat.path, conversation.settings)
        self._inference.count(CountTask(messages, self._composer.text, attached))

    def _take(self, events: list[InferenceEvent]) -> None:
        for event in events:
            if isinstance(event, Counted):
                self._show(event.count)

    def _show(self, count: ContextCount) -> None:
        parts = (
            (ContextPart.SYSTEM_PROMPT, count.system),
            (ContextPart.CONVERSATION, count.conversation),
            (ContextPart.ATTACHMENTS, sum(count.attachments)),
            (ContextPart.MESSAGE, count.question),
        )
        self._composer.set_context(ContextUse(parts, count.n_ctx))
        for index, tokens in enumerate(count.attachments):
            self._composer.set_attachment_tokens(index, tokens)
