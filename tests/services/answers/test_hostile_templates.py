"""Templates that write calls as no model does: refused with a reason, in a time that is bounded."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from specchat.backends.chat_template import ChatTemplate
from specchat.backends.template_renderer import RenderLimits, TemplateRenderer
from specchat.domain.errors import TemplateError
from specchat.services.answers.call_derivation import UnknownCallFormatError, derive_call_format

CALL = "{% for call in message.tool_calls or [] %}CALL{% endfor %}"
NAMED = "{{ call.function.name }} {{ call.function.arguments | tojson }}"


@pytest.fixture(scope="module")
def renderer() -> Iterator[TemplateRenderer]:
    with closing(TemplateRenderer(RenderLimits(seconds=1.0))) as renderer:
        yield renderer


def derive(renderer: TemplateRenderer, call: str) -> None:
    written = "{{ message.content }}" + CALL.replace("CALL", call)
    template = ChatTemplate(
        "{{ tools | tojson }}{% for message in messages %}<{{ message.role }}>" + written + "</>{% endfor %}",
        renderer=renderer,
    )
    derive_call_format(lambda messages, tools: template.render(messages, tools=tools))


@pytest.mark.parametrize(
    "call",
    [
        "{{ '[' * 1000000 }}" + NAMED,
        "{{ call.id }} " + NAMED,
        "{{ call.id }}{{ call.function.name }}",
        "{{ call.function.name * 2 }}",
    ],
)
def test_refused(renderer: TemplateRenderer, call: str) -> None:
    with pytest.raises(UnknownCallFormatError, match="can't"):
        derive(renderer, call)


def test_brackets_without_end_are_no_object(renderer: TemplateRenderer) -> None:
    derive(renderer, "{{ '[' * 2000 }}" + NAMED)


def test_one_that_takes_too_long_is_not_tried_again(renderer: TemplateRenderer) -> None:
    endless = "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}"
    asked = []

    def render(messages: object, tools: object) -> str:
        asked.append(messages)
        if len(asked) < 3:
            return "What is it? SomeAnswerText"
        return ChatTemplate(endless, renderer=renderer).render([])

    with pytest.raises(TemplateError, match="ran too long"):
        derive_call_format(render)
    assert len(asked) == 3
