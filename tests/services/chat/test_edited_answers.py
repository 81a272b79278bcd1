import pytest

from specchat.domain.conversations import Mark
from specchat.domain.types import USER
from specchat.services.chat.edited_answers import edited_marks, split_reasoning

OLD = "One two three"
MARKS = (Mark(4, "target"), Mark(8, "draft", 0), Mark(13, "draft", 1))


def owners(text: str, marks: tuple[Mark, ...]) -> list[tuple[str, str]]:
    starts = (0, *(mark.end for mark in marks))
    return [(text[start : mark.end], mark.origin) for start, mark in zip(starts, marks, strict=False)]


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (OLD, [("One ", "target"), ("two ", "draft"), ("three", "draft")]),
        ("One 2 three", [("One ", "target"), ("2", USER), (" ", "draft"), ("three", "draft")]),
        ("One two four", [("One ", "target"), ("two ", "draft"), ("four", USER)]),
        ("One two", [("One ", "target"), ("two", "draft")]),
        ("So: One two three", [("So: ", USER), ("One ", "target"), ("two ", "draft"), ("three", "draft")]),
        ("", []),
    ],
)
def test_kept_text_keeps_its_marks_and_new_text_is_the_users(new: str, expected: list[tuple[str, str]]) -> None:
    assert owners(new, edited_marks(MARKS, OLD, new)) == expected


def test_in_an_answer_without_marks_only_the_edit_is_marked() -> None:
    assert owners("One 2", edited_marks((), "One", "One 2")) == [("One", "unknown"), (" 2", USER)]


@pytest.mark.parametrize(
    ("text", "reasoning", "answer"),
    [
        ("It is.", "", "It is."),
        ("<think>\nHm.\n</think>\n\nIt is.", "<think>\nHm.\n</think>\n\n", "It is."),
        ("\n</think>\n\nIt is.", "\n</think>\n\n", "It is."),
        ("<think>\nHm", "", "<think>\nHm"),
        ("Use `<think>` here.", "", "Use `<think>` here."),
    ],
)
def test_reasoning_is_not_edited(text: str, reasoning: str, answer: str) -> None:
    assert split_reasoning(text) == (reasoning, answer)
