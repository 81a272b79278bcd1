"""Renders a conversation with the chat template of a model."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property, lru_cache

from specchat.backends.control_texts import NO_CONTROL_TEXTS, ControlTexts
from specchat.backends.conversation_variants import Conversation, conversation_variants, shows_conversation
from specchat.backends.fallback_templates import CHATML, PLAIN, PLAIN_STOP
from specchat.backends.shielding import PromptText, shield, unshield
from specchat.backends.template_renderer import HINT, ConversationRefused, TemplateRenderer
from specchat.backends.wire_messages import (
    WireMessage,
    encodable,
    encodable_message,
    wire_message,
    with_arguments_as_text,
    with_short_ids,
    with_typed_content,
    without_thought,
)
from specchat.domain.errors import TemplateError
from specchat.domain.nesting import is_nested_deeper
from specchat.domain.types import Message, Role

REMEMBERED = 16

_DEEPEST = 100
_SOME_TOOL = "is_a_tool_shown"
_WANTS_TYPED_CONTENT = re.compile(r"""\[\s*['"]type['"]\s*\]|\.type\b""")


class ChatTemplate:
    def __init__(
        self,
        template: str | None,
        *,
        bos_token: str = "",
        eos_token: str = "",
        has_chatml_markers: bool = False,
        control_texts: ControlTexts = NO_CONTROL_TEXTS,
        renderer: TemplateRenderer | None = None,
        clock: Callable[[], datetime] = datetime.now,
    ) -> None:
        self.is_fallback = template is None or not template.strip()
        """Whether the model file has no template, so that a common one is used."""
        self.stop: tuple[str, ...] = ()
        """Texts that end an answer, if the model has no token for this."""
        self.source = template or ""
        if self.is_fallback:
            self.source = CHATML if has_chatml_markers else PLAIN
            self.stop = () if has_chatml_markers else PLAIN_STOP
        self._tokens = {"bos_token": bos_token, "eos_token": eos_token}
        self._control_texts = control_texts
        self._renderer = renderer or TemplateRenderer()
        self._clock = clock
        self._moment = clock()
        self._remembered = lru_cache(REMEMBERED)(self._render)

    def warm_up(self) -> None:
        """Starts the child process, which gets ready while the model loads."""
        self._renderer.warm_up()

    def close(self) -> None:
        self._renderer.close()

    def render(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Mapping[str, object]] | None = None,
        variables: Mapping[str, object] | None = None,
    ) -> str:
        """`variables`: additional variables of some templates, such as `enable_thinking`."""
        return self.prompt(messages, tools=tools, variables=variables).text

    def prompt(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Mapping[str, object]] | None = None,
        variables: Mapping[str, object] | None = None,
    ) -> PromptText:
        """Returns the same text, with the parts that must not become control tokens."""
        if is_nested_deeper([tools, variables], _DEEPEST):
            raise TemplateError("The tools or template variables are nested too deeply.", "Reduce the nesting.")
        conversation = tuple(map(encodable_message, messages))
        aliases = {"functions": json.dumps(tools), "xml_tools": tools} if tools else {}
        extras = {"documents": None, **aliases, **(variables or {}), "tools": tools, "add_generation_prompt": True}
        return self._remembered(conversation, json.dumps(extras), self._today())

    @cached_property
    def shows_tools(self) -> bool:
        """Whether the template tells the model about tools. Raises random failures, so that they are retried."""
        try:
            return _SOME_TOOL in self.render([Message(Role.USER, "?")], tools=[_tool(_SOME_TOOL)])
        except ConversationRefused:
            return False

    def tells_apart(self, variables: Mapping[str, object], others: Mapping[str, object]) -> bool:
        """Whether the prompt depends on these variables. Raises random failures, so that they are retried."""
        question = [Message(Role.USER, "?")]
        try:
            return self.render(question, variables=variables) != self.render(question, variables=others)
        except ConversationRefused:
            return False

    def _today(self) -> datetime:
        """Returns the same time for the whole day, so that the beginning of the prompt doesn't change at each turn."""
        now = self._clock()
        if now.date() != self._moment.date():
            self._moment = now
        return self._moment

    def _render(self, conversation: Conversation, extras: str, now: datetime) -> PromptText:
        prompt = self._first_complete_variant(conversation, json.loads(extras), now)
        if prompt is None or not prompt.text:
            raise TemplateError("The model's chat template produced no text.", HINT)
        return prompt

    def _first_complete_variant(
        self, conversation: Conversation, variables: Mapping[str, object], now: datetime
    ) -> PromptText | None:
        refusal: ConversationRefused | None = None
        incomplete: PromptText | None = None
        for messages in self._forms(conversation):
            try:
                prompt = self._rendered(messages, variables, now)
            except ConversationRefused as error:
                refusal = refusal or error
                continue
            if shows_conversation(prompt.text, conversation):
                return prompt
            incomplete = incomplete or prompt
        if incomplete is None and refusal is not None:
            raise refusal
        return incomplete

    def _rendered(self, messages: list[WireMessage], variables: Mapping[str, object], now: datetime) -> PromptText:
        (messages, variables), shadows = shield([messages, variables], self._control_texts, self.source)
        usual = {**self._tokens, "datetime": now.strftime("%B %d %Y"), **variables}
        text = self._renderer.render(self.source, messages, usual, now, shadows)
        return unshield(encodable(text), shadows)

    def _forms(self, conversation: Conversation) -> Iterator[list[WireMessage]]:
        in_forms = [wire_message]
        if any(message.tool_calls for message in conversation):
            in_forms += [with_short_ids, with_arguments_as_text]
        if any(message.thought for message in conversation):
            in_forms.append(without_thought)
        if _WANTS_TYPED_CONTENT.search(self.source):
            in_forms.append(with_typed_content)
        for form in in_forms:
            for shape in conversation_variants(conversation):
                yield [self._with_own_words(form(message)) for message in shape]

    def _with_own_words(self, message: WireMessage) -> WireMessage:
        """Renames the reasoning, because some templates use another name for it."""
        if "reasoning_content" in message and "reasoning_content" not in self.source:
            message["thinking"] = message.pop("reasoning_content")
        return message


def _tool(name: str) -> Mapping[str, object]:
    parameters = {"type": "object", "properties": {}}
    return {"type": "function", "function": {"name": name, "description": "", "parameters": parameters}}
