import pytest

from specchat.services.reasoning import ends_thought, without_reasoning


@pytest.mark.parametrize(
    "text",
    [
        "<think>hm</think>\n\nYes.",
        "<think>\nhm\n\n```\n</code>\n```\n</think>\n\nYes.",
        "\n<thinking>hm</thinking>Yes.",
        "<Think>hm</think>Yes.",
        "<think></think>\n<think>hm</think>\nYes.",
        "hm, so\n</think>\n\nYes.",
        "[THINK]hm[/THINK]Yes.",
        "◁think▷hm◁/think▷Yes.",
        "<seed:think>hm</seed:think>Yes.",
        "<|channel>thought\nhm<channel|>Yes.",
        "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Yes.",
        "<|begin_of_thought|>hm<|end_of_thought|>Yes.",
    ],
)
def test_what_was_thought_is_left_out(text: str) -> None:
    assert without_reasoning(text).strip() == "Yes."
    assert ends_thought(text)


def test_between_the_parts_of_an_answer_too() -> None:
    assert without_reasoning("First.\n<think>hm</think>\nSecond.") == "First.\nSecond."


@pytest.mark.parametrize("text", ["<think>hm", "  <thinking>\nhm", "<think>\n" * 20_000])
def test_a_thought_that_was_cut_off_leaves_nothing(text: str) -> None:
    assert without_reasoning(text) == ""
    assert not ends_thought(text)


@pytest.mark.parametrize(
    "text",
    [
        "Yes.",
        "Write `<think>` and then `</think>`.",
        "In XML:\n```xml\n<think>\nhm\n</think>\n```\nYes.",
        "Unclosed:\n```\n<think>hm</think>",
        "1 < 2, [THINK] about it",
        "",
    ],
)
def test_answers_about_thoughts_stay_as_they_are(text: str) -> None:
    assert without_reasoning(text) == text
