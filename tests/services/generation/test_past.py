"""What was answered before is guessed from, and nothing else."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest
from support.choices import choice_of
from support.pairs import EXACT, GREEDY, collect, load_pair

from specchat.domain.answer_tasks import CountTask
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import UserError
from specchat.domain.types import GenerationRequest, Message, PairChoice, Role, TokenEvent
from specchat.engine.tokens import BETWEEN
from specchat.services.engines.in_process import InProcessEngine
from specchat.services.generation.answer_history import AnswerHistory, index_stored_answers
from specchat.services.generation.loaded_pair import LoadedPair
from specchat.services.generation.pair_loader import PairLoader
from specchat.store.json_cache import JsonCache

KEPT = [f"Answer {n}: " + "the tide comes in twice a day. " * 20 for n in range(40)]


@pytest.fixture
def choice(tiny_llama: Path) -> PairChoice:
    return choice_of(tiny_llama, target_settings=EXACT, draft_type="ngram", draft_max=5)


@pytest.fixture
def pair(choice: PairChoice, tmp_path: Path) -> Iterator[LoadedPair]:
    with closing(load_pair(tmp_path, choice)) as loaded:
        yield loaded


def request(pair: LoadedPair, n: int = 48) -> GenerationRequest:
    return GenerationRequest(pair.prompts.tokenize("once upon"), GREEDY, n, ignore_eos=True)


def test_answers_stand_apart() -> None:
    past = AnswerHistory()
    for answer in ([1, 2, 3], [], (4, 5)):
        past.add(answer)
    assert past.index.tokens.tolist() == [1, 2, 3, BETWEEN, 4, 5, BETWEEN]


def test_the_older_half_makes_room() -> None:
    past = AnswerHistory(most=100)
    for n in range(1000):
        answer = [n] * (1 + n % 23)
        past.add(answer)
        assert len(past.index) <= 100
        assert past.index.tokens.tolist()[-len(answer) - 1 :] == [*answer, BETWEEN]
    past.add(range(1000))
    assert past.index.tokens.tolist()[-50:] == [*range(951, 1000), BETWEEN]


def test_an_answer_is_guessed_from_when_it_is_asked_for_again(pair: LoadedPair) -> None:
    asked = request(pair)
    first = collect(pair.generate(asked, CancelToken()))
    again = collect(pair.generate(asked, CancelToken()))
    assert pair.answer_history.index.tokens.tolist() == [*first.tokens, BETWEEN] * 2
    assert again.tokens == first.tokens
    assert again.stats.n_verify_steps < len(first.tokens) / 3


def test_an_answer_that_is_closed_early_is_kept_as_far_as_it_came(pair: LoadedPair) -> None:
    events = pair.generate(request(pair), CancelToken())
    tokens = [event.token for event in islice((e for e in events if isinstance(e, TokenEvent)), 7)]
    events.close()
    assert pair.answer_history.index.tokens.tolist() == [*tokens, BETWEEN]


def test_a_benchmark_does_not_profit_from_what_was_answered_before(pair: LoadedPair) -> None:
    asked = request(pair)
    collect(pair.generate(asked, CancelToken()))
    kept = pair.answer_history.index.tokens.tolist()

    def measured() -> Sequence[str]:
        pair.target.keep(0)
        return collect(pair.generate(asked, CancelToken(), pair.create_speculation("ngram", 5))).origins

    assert measured() == measured()
    assert pair.answer_history.index.tokens.tolist() == kept


def test_kept_answers_come_back_piece_by_piece() -> None:
    past, text = AnswerHistory(), "x" * 10_000
    pieces = index_stored_answers(past, lambda most: [text[:most], "yz"], lambda piece: list(piece.encode()))
    lengths = [len(past.index) for _ in pieces]
    assert len(lengths) == 4
    assert max(new - old for old, new in zip([0, *lengths], lengths, strict=False)) <= 4001
    assert bytes(token for token in past.index.tokens if token != BETWEEN).decode() == text + "yz"


def test_chats_that_cannot_be_read_are_no_hindrance(caplog: pytest.LogCaptureFixture) -> None:
    def refuse(most: int) -> Sequence[str]:
        raise UserError("chats.db is damaged.", "Set it aside.")

    past = AnswerHistory()
    assert list(index_stored_answers(past, refuse, lambda text: [1])) == []
    assert len(past.index) == 0
    assert "chats.db is damaged" in caplog.text


def engine(folder: Path, read: list[int]) -> InProcessEngine:
    def kept(most: int) -> Sequence[str]:
        read.append(most)
        return KEPT

    return InProcessEngine(PairLoader(JsonCache(folder / "loads.json"), JsonCache(folder / "tests.json")), kept)


def n_recalled(running: InProcessEngine) -> int:
    assert running._pair is not None
    return running._pair.answer_history.index.tokens.count(BETWEEN)


def test_the_engine_recalls_some_whenever_nobody_waits(choice: PairChoice, tmp_path: Path) -> None:
    read: list[int] = []
    with closing(engine(tmp_path, read)) as running:
        running.load(choice, CancelToken(), lambda *_: None)
        recalled_so_far = [n_recalled(running)]
        for _ in range(6):
            running.count(CountTask((Message(Role.USER, "Why?"),), "And then?", (), None))
            recalled_so_far.append(n_recalled(running))
        assert 0 < recalled_so_far[0] < recalled_so_far[1] < recalled_so_far[-1] == len(KEPT)
        running.load(choice, CancelToken(), lambda *_: None)
        assert n_recalled(running) == recalled_so_far[0]
    assert len(read) == 2


def test_without_guesses_nothing_is_recalled(tiny_llama: Path, tmp_path: Path) -> None:
    read: list[int] = []
    with closing(engine(tmp_path, read)) as running:
        plain = choice_of(tiny_llama, target_settings=EXACT, draft_type="none")
        running.load(plain, CancelToken(), lambda *_: None)
        assert read == []
        assert n_recalled(running) == 0
