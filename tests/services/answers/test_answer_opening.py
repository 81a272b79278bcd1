from collections.abc import Mapping

import pytest

from specchat.backends.chat_template import ChatTemplate
from specchat.domain.types import Message, Role
from specchat.services.answers.answer_opening import find_answer_opening

TURNS = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
PLAIN = f"{TURNS}<|im_start|>assistant\n"
THINKS = f"{PLAIN}<think>\n"
CAN_BE_TOLD = f"{PLAIN}{{% if enable_thinking is false %}}<think>\n\n</think>\n\n{{% endif %}}"
THINKS_UNLESS_TOLD = (
    f"{PLAIN}{{% if enable_thinking is false %}}<think>\n\n</think>\n\n{{% else %}}<think>\n{{% endif %}}"
)
HARMONY = (
    "{% for m in messages %}<|start|>{{ m.role }}<|message|>{{ m.content }}<|end|>{% endfor %}"
    "{# <|channel|>final<|message|> #}<|start|>assistant"
)


@pytest.mark.parametrize(
    ("source", "opening"),
    [
        (PLAIN, ""),
        (THINKS, "\n</think>\n\n"),
        (CAN_BE_TOLD, "<think>\n\n</think>\n\n"),
        (THINKS_UNLESS_TOLD, "\n</think>\n\n"),
        (HARMONY, "<|channel|>final<|message|>"),
    ],
)
def test_the_answer_starts_behind_the_reasoning(source: str, opening: str) -> None:
    template = ChatTemplate(source)

    def render(variables: Mapping[str, object] | None) -> str:
        return template.render([Message(Role.USER, "Well?")], variables=variables)

    try:
        assert find_answer_opening(render, source) == opening
    finally:
        template.close()
