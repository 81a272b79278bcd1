"""Finds what has to be written before the first words of an answer, where a model would think first."""

from collections.abc import Callable, Mapping

from specchat.services.answers.reasoning import MARKERS

Render = Callable[[Mapping[str, object] | None], str]
"""From variables of the template to the prompt."""

_THINKING = "enable_thinking"
_HARMONY_TURN = "<|start|>assistant"
_HARMONY_ANSWER = "<|channel|>final<|message|>"


def find_answer_opening(render: Render, template: str) -> str:
    """Empty where the answer begins right behind the prompt. Templates that can turn reasoning off say it themselves;
    of others, an open section is closed.
    """
    prompt = render(None)
    if _THINKING in template:
        without_thought = render({_THINKING: False})
        if without_thought.startswith(prompt):
            return without_thought[len(prompt) :]
    for begin, end in MARKERS:
        if prompt.rstrip().endswith(begin):
            return f"\n{end}\n\n"
    return _HARMONY_ANSWER if prompt.endswith(_HARMONY_TURN) and _HARMONY_ANSWER in template else ""
