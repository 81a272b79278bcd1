import pytest

from specchat.ui.transcript.reasoning import sections


def parts(text: str, *, growing: bool = False) -> list[tuple[bool, str]]:
    return [(part.reasoning, text[part.start : part.end].strip()) for part in sections(text, growing=growing)]


@pytest.mark.parametrize("tag", ["think", "thinking", "reasoning", "Think"])
def test_reasoning_is_a_section_of_its_own(tag: str) -> None:
    assert parts(f"<{tag}>\nhm\n</{tag}>\n\nYes.") == [(True, "hm"), (False, "Yes.")]


def test_brackets_are_a_tag_too() -> None:
    assert parts("[THINK]hm[/THINK]Yes.") == [(True, "hm"), (False, "Yes.")]


def test_reasoning_that_goes_on_is_open() -> None:
    (section,) = sections("<think>hm", growing=True)
    assert section.reasoning
    assert not section.closed


def test_text_may_begin_inside() -> None:
    assert parts("hm, let me see\n</think>\n\nYes.") == [(True, "hm, let me see"), (False, "Yes.")]


def test_there_may_be_several() -> None:
    text = "<think>a</think>\nb\n\n<think>c</think>\nd"
    assert parts(text) == [(True, "a"), (False, "b"), (True, "c"), (False, "d")]


def test_empty_reasoning_is_left_out() -> None:
    assert parts("<think>\n\n</think>\n\nYes.") == [(False, "Yes.")]


@pytest.mark.parametrize(
    "text",
    [
        "The tag `<think>` begins reasoning.",
        "Write </think> at the end of it, then go on.",
        "```xml\n<think>\nhm\n</think>\n```\nThat is how.",
        "I write <think> here and </think> there.",
    ],
)
def test_what_only_speaks_of_tags_is_an_answer(text: str) -> None:
    assert parts(text) == [(False, text)]


def test_code_inside_reasoning_does_not_hide_its_end() -> None:
    assert parts("<think>\n```py\nx\n</think>\nYes.") == [(True, "```py\nx"), (False, "Yes.")]


@pytest.mark.parametrize("text", ["<", "<thi", "<think", "[THI", "\n<reason"])
def test_half_a_tag_is_not_shown_while_it_grows(text: str) -> None:
    assert sections(text, growing=True) == []
    assert parts(text) == [(False, text.strip())]
