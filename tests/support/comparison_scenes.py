"""The states of the comparison of which pictures are taken, with figures that were never measured."""

from collections.abc import Callable
from dataclasses import replace
from itertools import islice

from PySide6.QtCore import QCoreApplication
from support import sample_chats
from support.paced_engine import PacedEngine, pieces_of
from support.windows import wait_until

from specchat.domain.answer_tasks import AnswerTask, Compared
from specchat.domain.conversations import MessageState
from specchat.domain.drafter_types import NONE
from specchat.domain.engine import ChatTask
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import NGRAM, TARGET, TokenEvent
from specchat.services.chat.answer_writer import StreamedAnswer
from specchat.services.engines.compared_sides import Side
from specchat.services.generation.stats_tracker import StatsSnapshot
from specchat.ui.app_controller import AppController
from specchat.ui.comparison.controller import ComparisonController
from specchat.ui.comparison.verdict import figures_text, ratio_text
from specchat.ui.words.message_translation import translate_text

_QUICK = StatsSnapshot(drafted=176, acceptance_rate=0.71, tokens_per_s=31.4)
_SLOW = StatsSnapshot(tokens_per_s=17.2)


def empty(controller: AppController) -> None:
    _opened(controller)


def running(controller: AppController) -> None:
    page = _opened(controller).page
    page.set_running(True)
    left, right = page.columns
    left.begin(sample_chats.HOW, _answer(-1, 112, speculates=True))
    left.grow()
    left.show_figures(figures_text(_QUICK))
    right.begin(sample_chats.HOW, _answer(-2, 0, speculates=False))
    right.show_figures(QCoreApplication.translate("ComparisonController", "Waiting…"))


def done(controller: AppController) -> None:
    page = _opened(controller).page
    for column, figures, seconds in zip(page.columns, (_QUICK, _SLOW), (6.4, 11.6), strict=True):
        column.begin(sample_chats.HOW, _answer(-1, 10_000, speculates=bool(figures.drafted)))
        column.show_figures(figures_text(figures, seconds))
        column.finish(MessageState.DONE)
    page.columns[0].show_badge(ratio_text(31.4 / 17.2))
    page.show_verdict(translate_text(TranslatableText("Both answers are the same.")))


def other_chosen(controller: AppController) -> None:
    """For the next question, after one that was answered."""
    done(controller)
    controller.comparison.controller().page.columns[0]._choice.setCurrentIndex(2)


def _opened(controller: AppController) -> ComparisonController:
    controller.comparison.open()
    opened = controller.comparison.controller()
    wait_until(lambda: opened.sides.is_listed, "nobody can answer")
    choice = controller.pair.resolved_choice
    assert choice is not None
    alone = replace(choice, draft=None, draft_type=NONE)
    others = [Side(alone, Compared.TARGET_ONLY), Side(replace(alone, draft_type=NGRAM))]
    opened.sides.show_local([Side(choice), *others])
    opened.page.columns[1]._choice.setCurrentIndex(1)
    return opened


def _answer(message: int, n_tokens: int, *, speculates: bool) -> StreamedAnswer:
    answer = StreamedAnswer(AnswerTask(message, ()))
    engine = PacedEngine(lambda _: pieces_of(sample_chats.PROSE))
    for token in islice(engine._passes(ChatTask(())), n_tokens):
        answer.add_token(token if speculates else _from_target(token))
    return answer


def _from_target(token: TokenEvent) -> TokenEvent:
    return replace(token, origin=TARGET, draft_position=None)


SCENES: dict[str, Callable[[AppController], None]] = {
    "empty": empty,
    "running": running,
    "done": done,
    "other-chosen": other_chosen,
}
