import json
from dataclasses import replace
from math import inf, nan
from typing import Any

import pytest
from support.chats import ANSWER, MARKS, SETTINGS

from specchat.domain.conversations import Answer, Attachment, ConversationSettings, Mark
from specchat.domain.mark_serialization import marks_from_plain, marks_to_plain
from specchat.domain.serialization import from_plain, to_plain
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import GenerationStats


def through_json(value: object) -> Any:
    return json.loads(json.dumps(value, allow_nan=False))


@pytest.mark.parametrize("value", [SETTINGS, ConversationSettings(), replace(ANSWER, marks=()), Attachment("", "\0")])
def test_values_come_back(value: Any) -> None:
    assert from_plain(type(value), through_json(to_plain(value))) == value


def test_marks_come_back() -> None:
    assert marks_from_plain(through_json(marks_to_plain(MARKS))) == MARKS


def test_probabilities_keep_four_digits() -> None:
    assert marks_to_plain([Mark(1, "target", None, 0.123456), Mark(2, "target", None, 1.23456e-9)]) == [
        [1, "target", None, 0.1235],
        [2, "target", None, 1.235e-09],
    ]


def test_what_is_no_number_becomes_zero() -> None:
    stats = GenerationStats(tokens_per_s=inf, saved_s=nan)
    assert from_plain(GenerationStats, through_json(to_plain(stats))) == GenerationStats()


def test_other_versions_may_know_more_or_less() -> None:
    assert from_plain(ConversationSettings, {"mood": "calm", "max_tokens": 5}) == ConversationSettings(max_tokens=5)


@pytest.mark.parametrize(
    ("kind", "plain"),
    [
        (Answer, {}),
        (Answer, []),
        (Answer, None),
        (Answer, {"target": 5}),
        (Answer, {"target": "t", "finish": "explosion"}),
        (Answer, {"target": "t", "finish": []}),
        (Answer, {"target": "t", "seed": True}),
        (Answer, {"target": "t", "seed": 1 << 63}),
        (Answer, {"target": "t", "thought_s": "1"}),
        (Answer, {"target": "t", "thought_s": inf}),
        (Answer, {"target": "t", "thought_s": 10**400}),
        (Answer, {"target": "t", "marks": {}}),
        (Answer, {"target": "t", "stats": {"accepted_per_position": [None]}}),
        (Answer, {"target": "t", "stats": {"drafted_per_source": {"draft": 0.5}}}),
    ],
)
def test_anything_unfit_is_refused(kind: type[Any], plain: object) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        from_plain(kind, plain)


@pytest.mark.parametrize(
    "said",
    [
        TranslatableText("{all}"),
        TranslatableText("{n} is {what}", n=3, what=TranslatableText("{n} + {n}", n=1.5)),
        TranslatableText(""),
    ],
)
def test_what_is_said_comes_back_with_all_that_it_was_made_of(said: TranslatableText) -> None:
    back = from_plain(TranslatableText, through_json(to_plain(said)))
    assert (back, back.template, back.values) == (said, said.template, said.values)
    assert [type(value) for value in back.values.values()] == [type(value) for value in said.values.values()]


@pytest.mark.parametrize(
    "plain", [None, 5, {}, {"template": "a"}, {"template": 5, "values": {}}, {"template": "{a}", "values": {"a": 5}}]
)
def test_what_nobody_said_is_refused(plain: object) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        from_plain(TranslatableText, plain)


@pytest.mark.parametrize(
    "plain", [None, {}, [5], [[]], [[1]], [["1", "target"]], [[1, None]], [[1, "t", 0.5]], [[1, "t", None, nan]]]
)
def test_marks_that_are_none_are_refused(plain: object) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        marks_from_plain(plain)
