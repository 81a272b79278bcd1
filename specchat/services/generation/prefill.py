"""Finds what comes before given first words of an answer, such as the end of a thought that the template begins."""

from collections.abc import Mapping, Sequence

from specchat.domain.types import Message, Tool
from specchat.services.answers.answer_opening import find_answer_opening
from specchat.services.chat.prompt_fitting import merge_same_role
from specchat.services.generation.chat_tools import readable_messages
from specchat.services.generation.loaded_pair import LoadedPair


def find_prefill_opening(
    pair: LoadedPair,
    messages: Sequence[Message],
    tools: Sequence[Tool] = (),
    variables: Mapping[str, object] | None = None,
) -> str:
    """`variables`: those of the prompt."""
    merged = merge_same_role(readable_messages(pair, messages))
    offered = list(tools) or None

    def render(more: Mapping[str, object] | None) -> str:
        return pair.prompts.render(merged, offered, {**(variables or {}), **(more or {})})

    return find_answer_opening(render, pair.template.source)
