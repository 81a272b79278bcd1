import pytest

from specchat.services.answers.reasoning import ends_thought, find_sections, strip_reasoning

ANSWER = "<|start|>assistant<|channel|>final<|message|>"
THOUGHTS = [
    "<think>hm</think>\n\nYes.",
    "\n<thinking>hm</thinking>Yes.",
    "<reasoning>hm</reasoning>Yes.",
    "<Think>hm</think>Yes.",
    "<think></think>\n<think>hm</think>\nYes.",
    "hm\n</think>\n\nYes.",
    "[THINK]hm[/THINK]Yes.",
    "◁think▷hm◁/think▷Yes.",
    "<seed:think>hm</seed:think>Yes.",
    "<|channel>thought\nhm<channel|>Yes.",
    f"<|channel|>analysis<|message|>hm<|end|>{ANSWER}Yes.",
    f"hm<|end|>{ANSWER}Yes.",
    "<|begin_of_thought|>hm<|end_of_thought|>Yes.",
    "<|START_THINKING|>hm<|END_THINKING|>Yes.",
]
ANSWERS = [
    "Yes.",
    "Write `<think>` and then `</think>`.",
    "The tag `<think>` begins reasoning.",
    "Write </think> at the end of it, then go on.",
    "In XML:\n```xml\n<think>\nhm\n</think>\n```\nYes.",
    "Unclosed:\n```\n<think>hm</think>",
    "I write <think> here and </think> there.",
    "1 < 2, [THINK] about it",
    "Yes.<|end|>",
]


def parts(text: str, *, growing: bool = False) -> list[tuple[bool, str]]:
    return [(part.reasoning, text[part.start : part.end].strip()) for part in find_sections(text, growing=growing)]


@pytest.mark.parametrize("text", THOUGHTS)
def test_what_was_thought_is_a_section_of_its_own_and_left_out(text: str) -> None:
    assert parts(text) == [(True, "hm"), (False, "Yes.")]
    assert strip_reasoning(text) == "Yes."
    assert ends_thought(text)


@pytest.mark.parametrize("text", ANSWERS)
def test_answers_about_thoughts_stay_as_they_are(text: str) -> None:
    assert parts(text) == [(False, text)]
    assert strip_reasoning(text) == text


def test_there_may_be_several() -> None:
    text = "<think>a</think>\nb\n\n<think>c</think>\nd"
    assert parts(text) == [(True, "a"), (False, "b"), (True, "c"), (False, "d")]
    assert strip_reasoning(text) == "b\n\nd"


def test_reasoning_that_goes_on_is_open() -> None:
    (section,) = find_sections("<think>hm", growing=True)
    assert section.reasoning
    assert not section.closed


@pytest.mark.parametrize("text", ["<think>hm", "  <thinking>\nhm", "<think>\n" * 20_000])
def test_a_thought_that_was_cut_off_leaves_nothing(text: str) -> None:
    assert strip_reasoning(text) == ""
    assert not ends_thought(text)


def test_empty_reasoning_is_left_out() -> None:
    assert parts("<think>\n\n</think>\n\nYes.") == [(False, "Yes.")]


def test_code_inside_reasoning_does_not_hide_its_end() -> None:
    text = "<think>\n```py\nx\n</think>\nYes."
    assert parts(text) == [(True, "```py\nx"), (False, "Yes.")]
    assert strip_reasoning(text) == "Yes."


@pytest.mark.parametrize("text", ["<", "<thi", "<think", "[THI", "\n<reason", "◁", "<|chan", "<|channel|>fin"])
def test_half_a_marker_is_not_shown_while_it_grows(text: str) -> None:
    assert find_sections(text, growing=True) == []
    assert parts(text) == [(False, text.strip())]


def test_half_a_marker_behind_a_thought_is_not_shown_either() -> None:
    text = "<|channel|>analysis<|message|>hm<|end|>"
    for length in range(1, len(ANSWER)):
        assert parts(text + ANSWER[:length], growing=True) == [(True, "hm")]


def test_nothing_is_nothing() -> None:
    assert strip_reasoning("") == ""


@pytest.mark.parametrize("part", ["a<think>", "a</think>b", "<think>a</think>b ", " \t<think>"])
def test_a_long_line_of_markers_is_read_in_linear_time(part: str) -> None:
    """Minutes would pass."""
    text = f"x{part * 300_000}"
    assert [(section.start, section.end) for section in find_sections(text)] == [(0, len(text))]
