"""Turns the reasoning of models on and off, where their chat templates have a variable for it."""

from collections.abc import Mapping

from specchat.domain.translatable_text import TranslatableText

NO_SWITCH = TranslatableText("This model's chat template can't turn reasoning on or off.")
_VARIABLES = ("enable_thinking", "thinking")
"""Of Qwen, GLM, Gemma and most others; of DeepSeek and Granite."""


def reasoning_variables(reasoning: bool | None) -> Mapping[str, object]:
    return {} if reasoning is None else dict.fromkeys(_VARIABLES, reasoning)
