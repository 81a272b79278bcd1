from PySide6.QtCore import QObject

from specchat.ui.composer.context_use import ContextPart, ContextUse, Fill
from specchat.ui.words.amounts import number


class ContextWords(QObject):
    """The context in words, for the meter, its details and screen readers."""

    def part(self, part: ContextPart) -> str:
        return {
            ContextPart.SYSTEM_PROMPT: self.tr("System prompt"),
            ContextPart.CONVERSATION: self.tr("Conversation so far"),
            ContextPart.ATTACHMENTS: self.tr("Attachments"),
            ContextPart.MESSAGE: self.tr("This message"),
        }[part]

    def room(self) -> str:
        return self.tr("Room for the answer")

    def state(self, use: ContextUse) -> str:
        return {
            Fill.ROOMY: "",
            Fill.NEARLY_FULL: self.tr("Nearly full"),
            Fill.SHORTENED: self.tr("{n} left out").format(n=number(use.n_left_out)),
            Fill.TOO_LONG: self.tr("Too long"),
        }[use.fill]

    def advice(self, use: ContextUse) -> str:
        return {
            Fill.ROOMY: "",
            Fill.NEARLY_FULL: self.tr("Nearly full: a long answer will be cut off."),
            Fill.SHORTENED: self._left_out(use),
            Fill.TOO_LONG: self._too_long(use),
        }[use.fill]

    def _left_out(self, use: ContextUse) -> str:
        words = self.tr("Oldest messages left out: {n}. The target does not read them any more.")
        if use.may_grow:
            words = self.tr("Oldest messages left out: {n}. A larger context has room for more.")
        return words.format(n=number(use.n_left_out))

    def _too_long(self, use: ContextUse) -> str:
        words = self.tr("Too long: shorten the message, or attach less.")
        if use.may_grow:
            words = self.tr("Too long: shorten the message, attach less, or load the pair with a larger context.")
        if use.limit is None:
            return words
        needs = self.tr(
            "It needs {asked} tokens, {free} are free: the system prompt and room for the answer take the rest."
        )
        return f"{words} {needs.format(asked=number(use.asked), free=number(use.limit))}"

    def figure(self, use: ContextUse) -> str:
        return f"{number(use.used)} / {number(use.n_ctx)}"

    def total(self, use: ContextUse) -> str:
        return self.tr("{used} of {n_ctx} tokens").format(used=number(use.used), n_ctx=number(use.n_ctx))

    def sentence(self, use: ContextUse) -> str:
        parts = ", ".join(f"{self.part(part)} {number(tokens)}" for part, tokens in use.parts)
        sentence = self.tr("{total} are used ({parts}), {room} are left for the answer.").format(
            total=self.total(use), parts=parts, room=number(use.room)
        )
        return " ".join(filter(None, (sentence, self.advice(use))))
