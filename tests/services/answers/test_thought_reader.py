"""Thoughts and answers, however they are cut into pieces."""

import pytest

from specchat.services.answers.thought_reader import ThoughtReader, thought_markers

ASKED = "<|im_start|>user\nWhat?<|im_end|>\n<|im_start|>assistant\n"
HARMONY = "<|channel|>analysis<|message|>hm, so<|end|><|start|>assistant<|channel|>final<|message|>Yes."


def read(text: str, size: int, prompt: str = ASKED) -> tuple[str, str]:
    reader = ThoughtReader(prompt)
    parts = [reader.push(text[at : at + size]) for at in range(0, len(text), size)]
    parts.append(reader.finish())
    return "".join(part.thought for part in parts), "".join(part.text for part in parts)


each_size = pytest.mark.parametrize("size", [1, 2, 5, 1000])


@each_size
@pytest.mark.parametrize(
    "text",
    [
        "<think>hm, so</think>Yes.",
        "<think>\nhm, so\n</think>\n\nYes.",
        "\n\n<thinking>hm, so</thinking> Yes.",
        "<think>\n\n</think>\n<think>hm, so</think>\nYes.",
        "[THINK]hm, so[/THINK]Yes.",
        "◁think▷hm, so◁/think▷Yes.",
        "<|channel>thought\nhm, so<channel|>Yes.",
        HARMONY,
    ],
)
def test_a_thought_before_the_answer(text: str, size: int) -> None:
    assert read(text, size) == ("hm, so", "Yes.")


@each_size
def test_a_thought_that_the_template_begins(size: int) -> None:
    assert read("hm, so\n</think>\n\nYes.", size, f"{ASKED}<think>\n") == ("hm, so", "Yes.")
    assert read("\nYes.", size, f"{ASKED}<think>\n\n</think>\n\n") == ("", "\nYes.")


@each_size
@pytest.mark.parametrize("text", ["<think>hm, <b>so", "<think>\nhm, <b>so\n", "<think>hm, <b>so\n</thin"])
def test_a_thought_without_an_end(text: str, size: int) -> None:
    thought, answer = read(text, size)
    assert thought.startswith("hm, <b>so")
    assert answer == ""


@each_size
@pytest.mark.parametrize("text", ["<think></think>", "<think>\n\n</think>\n\n"])
def test_nothing_at_all(text: str, size: int) -> None:
    assert read(text, size) == ("", "")


@each_size
@pytest.mark.parametrize(
    "text",
    [
        "",
        "Yes.",
        "\n  Yes. ",
        "<thin",
        "  <thin",
        "<table>",
        "About <think> and </think>",
        "Yes.\n<think>hm</think>",
        "</think>",
        "1 < 2",
    ],
)
def test_what_is_no_thought_stays_as_it_is(text: str, size: int) -> None:
    assert read(text, size) == ("", text)


def test_each_part_is_told_as_soon_as_it_is_clear() -> None:
    reader = ThoughtReader(ASKED)
    told = [reader.push(text) for text in ("<think>", "hm", " so", "</think>", "\n", "Yes", ".")]
    assert [part.thought for part in told] == ["", "hm", " so", "", "", "", ""]
    assert [part.text for part in told] == ["", "", "", "", "", "Yes", "."]


def test_whether_it_thinks() -> None:
    reader = ThoughtReader(ASKED)
    seen = []
    for text in (" ", "<think>", "hm", "</think>", "\n", "Yes"):
        reader.push(text)
        seen.append(reader.is_thinking)
    assert seen == [False, True, True, True, True, False]


def test_markers_that_a_template_knows() -> None:
    assert thought_markers("{{ '<think>\\n' }}") == ["<think>", "</think>"]
    assert thought_markers("[THINK]") == ["[THINK]", "[/THINK]"]
    assert set(thought_markers(HARMONY)) == {"<|channel|>", "<|message|>", "<|end|>", "<|start|>"}
    assert thought_markers("{{ messages }}") == []
