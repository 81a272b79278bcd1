"""Answers to one question that are compared, and who writes them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from specchat.domain.model_ref import ServedModel
from specchat.domain.types import PairChoice
from specchat.services.chat.answer_writer import StreamedAnswer


@dataclass(frozen=True, slots=True)
class ComparedAnswer:
    choice: PairChoice
    streamed: StreamedAnswer


def engine_url(choice: PairChoice) -> str:
    """Empty: this program computes."""
    return choice.target.url if isinstance(choice.target, ServedModel) else ""


def by_engine(answers: Iterable[ComparedAnswer]) -> list[Sequence[ComparedAnswer]]:
    """Those of this program first: they need the memory of what is loaded."""

    def engine(answer: ComparedAnswer) -> str:
        return engine_url(answer.choice)

    return [tuple(of_engine) for _, of_engine in groupby(sorted(answers, key=engine), engine)]
