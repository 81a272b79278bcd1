"""How many tokens an answer's thoughts took."""

from specchat.domain.types import FinishReason, GenerationFinished, GenerationStats, TokenEvent
from specchat.services.answers.answer_reader import AnswerReader
from specchat.services.answers.thought_reader import ThoughtReader

PROMPT = "<|im_start|>assistant\n"


def count(*texts: str, prompt: str = PROMPT) -> int:
    reader = AnswerReader(ThoughtReader(prompt), None)
    for number, text in enumerate(texts):
        reader.read(TokenEvent(number, text, "target", None, None, None))
    end = reader.read(GenerationFinished(FinishReason.STOP, "", GenerationStats()))
    assert isinstance(end, GenerationFinished)
    return end.n_thought


def test_the_marks_count_with_what_is_between_them() -> None:
    assert count("<think>", "hm,", " so", "</think>", "Yes", ".") == 4
    assert count("<thi", "nk>", "hm", "</thi", "nk>", "\n\n", "Yes") == 6
    assert count("hm", "</think>", "Yes", prompt=f"{PROMPT}<think>\n") == 2


def test_an_answer_without_thoughts_has_none() -> None:
    assert count("Yes", " <think>", "no") == 0
    assert count() == 0


def test_a_thought_without_an_end() -> None:
    assert count("<think>", "hm", ", so") == 3
