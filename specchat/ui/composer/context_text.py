"""The words for the use of the context."""

from PySide6.QtCore import QObject

from specchat.ui.composer.context_usage import ContextPart, ContextUsage, FillLevel
from specchat.ui.words.number_format import format_number


class ContextText(QObject):
    """The context in words, for the meter, its details and screen readers."""

    def part_label(self, part: ContextPart) -> str:
        return {
            ContextPart.SYSTEM_PROMPT: self.tr("System prompt"),
            ContextPart.PROJECT: self.tr("System prompt and project"),
            ContextPart.TOOLS: self.tr("System prompt and tools"),
            ContextPart.PROJECT_AND_TOOLS: self.tr("System prompt, project and tools"),
            ContextPart.CONVERSATION: self.tr("Chat so far"),
            ContextPart.ATTACHMENTS: self.tr("Attachments"),
            ContextPart.MESSAGE: self.tr("This message"),
        }[part]

    def remaining_label(self) -> str:
        return self.tr("Room for the answer")

    def state_label(self, use: ContextUsage) -> str:
        return {
            FillLevel.ROOMY: "",
            FillLevel.NEARLY_FULL: self._tokens_left(use),
            FillLevel.SHORTENED: self._messages_left_out(use),
            FillLevel.TOO_LONG: self.tr("Too long"),
        }[use.fill]

    def advice(self, use: ContextUsage) -> str:
        of_messages = {
            FillLevel.ROOMY: "",
            FillLevel.NEARLY_FULL: self._nearly_full(use),
            FillLevel.SHORTENED: self._left_out(use),
            FillLevel.TOO_LONG: self._too_long(use),
        }[use.fill]
        return " ".join(filter(None, (of_messages, self._tools_left_out(use))))

    def _tools_left_out(self, use: ContextUsage) -> str:
        if not use.n_tools_left_out:
            return ""
        words = self.tr("Tools left out: {n}. Turn off those that you don't need.")
        if use.may_grow:
            words = self.tr(
                "Tools left out: {n}. Turn off those that you don't need, or load the model with a larger context."
            )
        return words.format(n=format_number(use.n_tools_left_out))

    def _tokens_left(self, use: ContextUsage) -> str:
        words = self.tr("1 token left") if use.remaining == 1 else self.tr("{n} tokens left")
        return words.format(n=format_number(use.remaining))

    def _messages_left_out(self, use: ContextUsage) -> str:
        words = self.tr("1 message left out") if use.n_left_out == 1 else self.tr("{n} messages left out")
        return words.format(n=format_number(use.n_left_out))

    def _nearly_full(self, use: ContextUsage) -> str:
        words = self.tr("The context is nearly full ({tokens_left}). A long answer may be cut off.")
        return words.format(tokens_left=self._tokens_left(use))

    def _left_out(self, use: ContextUsage) -> str:
        words = self.tr("Oldest messages left out: {n}. They no longer fit in the context.")
        if use.may_grow:
            words = self.tr("Oldest messages left out: {n}. Load the model with a larger context to keep them.")
        return words.format(n=format_number(use.n_left_out))

    def _too_long(self, use: ContextUsage) -> str:
        words = self.tr("Too long: shorten the message or remove attachments.")
        if use.may_grow:
            words = self.tr(
                "Too long: shorten the message, remove attachments, or load the model with a larger context."
            )
        if use.limit is None:
            return words
        needs = self.tr(
            "Message too long: {asked} tokens, room for {free}. The system prompt and the answer need the rest."
        )
        return f"{words} {needs.format(asked=format_number(use.asked), free=format_number(use.limit))}"

    def usage_figure(self, use: ContextUsage) -> str:
        return self._figure(use.used, use)

    def widest_figure(self, use: ContextUsage) -> str:
        return self._figure(max(use.used, use.n_ctx), use)

    def brief_figure(self, use: ContextUsage) -> str:
        """For a meter that hasn't room for more."""
        return f"{format_number(use.used)} / {format_number(use.n_ctx)}"

    def widest_brief_figure(self, use: ContextUsage) -> str:
        return f"{format_number(max(use.used, use.n_ctx))} / {format_number(use.n_ctx)}"

    def _figure(self, used: int, use: ContextUsage) -> str:
        words = (
            self.tr("Context about {used} / {n_ctx}")
            if use.is_estimate or use.has_pictures
            else self.tr("Context {used} / {n_ctx}")
        )
        return words.format(used=format_number(used), n_ctx=format_number(use.n_ctx))

    def total(self, use: ContextUsage) -> str:
        words = self.tr("{used} of {n_ctx} tokens")
        if use.has_pictures:
            words = self.tr("about {used} of {n_ctx} tokens (pictures are estimated)")
        if use.is_estimate:
            words = self.tr("about {used} of {n_ctx} tokens (this engine doesn't count them in advance)")
        return words.format(used=format_number(use.used), n_ctx=format_number(use.n_ctx))

    def description(self, use: ContextUsage) -> str:
        parts = ", ".join(f"{self.part_label(part)} {format_number(tokens)}" for part, tokens in use.parts)
        sentence = self.tr("{total} used ({parts}), {room} left for the answer.").format(
            total=self.total(use), parts=parts, room=format_number(use.remaining)
        )
        return " ".join(filter(None, (sentence, self.advice(use))))
