"""Tells models whether to reason, where their chat templates have a variable for it."""

from collections.abc import Callable, Mapping

from specchat.domain.connections import Capability, Lacks
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import Reasoning

NO_SWITCH = TranslatableText("This model's chat template can't turn reasoning on or off.")
NO_EFFORT = TranslatableText("This model's chat template has no reasoning effort.")
_SWITCHES = ("enable_thinking", "thinking")
"""Of Qwen, GLM, Gemma and most others; of DeepSeek and Granite."""
_EFFORT = "reasoning_effort"
"""Of gpt-oss."""

TellsApart = Callable[[Mapping[str, object], Mapping[str, object]], bool]
"""Whether a template makes different prompts with these variables."""


def reasoning_variables(reasoning: Reasoning) -> Mapping[str, object]:
    if reasoning is Reasoning.AUTO:
        return {}
    switched = dict.fromkeys(_SWITCHES, reasoning is not Reasoning.OFF)
    return {**switched, _EFFORT: reasoning.value} if reasoning.is_effort else switched


def reasoning_lacks(tells_apart: TellsApart) -> Lacks:
    def depends_on(one: Reasoning, other: Reasoning) -> bool:
        return tells_apart(reasoning_variables(one), reasoning_variables(other))

    lacks = {} if depends_on(Reasoning.ON, Reasoning.OFF) else {Capability.REASONING: NO_SWITCH}
    return lacks if depends_on(Reasoning.LOW, Reasoning.HIGH) else {**lacks, Capability.REASONING_EFFORT: NO_EFFORT}


def why_no_reasoning(reasoning: Reasoning, lacks: Lacks) -> TranslatableText | None:
    """None: this can be chosen."""
    if reasoning is Reasoning.AUTO:
        return None
    return lacks.get(Capability.REASONING_EFFORT if reasoning.is_effort else Capability.REASONING)
