"""Answers to one question that are compared, who writes them, and how."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby

from specchat.domain.cancel_token import CancelToken
from specchat.domain.engine import Engine
from specchat.domain.model_ref import ServedModel
from specchat.domain.types import PairChoice
from specchat.services.chat.answer_writer import AnswerEvent, NoJournal, StreamedAnswer, write_answer
from specchat.services.engines.pair_session import PairSession


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


def write_compared(session: PairSession, answer: ComparedAnswer, cancel: CancelToken) -> Iterator[AnswerEvent]:
    """Its pair is loaded first, unless it is."""
    cancel.check()
    session.choose(answer.choice, cancel)
    yield from write_answer(session.generate, lambda: session.pair, answer.streamed, NoJournal(), cancel)


def compare_answers(
    make_engine: Callable[[], Engine], answers: Iterable[ComparedAnswer], cancel: CancelToken
) -> Iterator[tuple[ComparedAnswer, AnswerEvent]]:
    """One answer after the other, so that none slows another down."""
    with closing(PairSession(make_engine)) as session:
        for answer in answers:
            for event in write_compared(session, answer, cancel):
                yield answer, event
