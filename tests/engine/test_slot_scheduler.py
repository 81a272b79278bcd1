"""How a long prompt is read beside answers that are written: how much of it between two of their passes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
import pytest

from specchat.domain.cancel_token import CancelToken
from specchat.domain.compute_settings import BATCH
from specchat.engine.slot_scheduler import PassPart, SlotScheduler

FIXED, EACH = 10.0, 2.0
"""What a pass of the target takes, and each of its rows."""
N_WRITING, N_PROMPT, CHUNK = 3, 8_000, 512
STEP = FIXED + EACH * N_WRITING
PIECE = int(2 * STEP / EACH)
"""Rows that take as long as two steps."""


@dataclass(eq=False)
class Text:
    name: str
    cached: Sequence[int] = ()


@dataclass
class Machine:
    """Computes nothing, and takes the time that it is told."""

    now: float = 0.0

    def clock(self) -> float:
        return self.now


class Context:
    max_outputs, max_rows = 32, 512

    def __init__(
        self,
        machine: Machine,
        *,
        mixes: bool = True,
        shares: bool = True,
        least: int = 1,
        speed: float = 1.0,
        is_draft: bool = False,
    ) -> None:
        self.machine, self.speed, self.is_draft = machine, speed, is_draft
        self.mixes_prompts, self.shares_passes, self.least_piece = mixes, shares, least
        self.passes: list[dict[str, int]] = []
        """The rows of each."""
        self.ended: list[float] = []

    def admit(self, parts: Sequence[PassPart[Text]]) -> list[PassPart[Text]]:
        return list(parts)

    def compute(self, parts: Sequence[PassPart[Text]]) -> None:
        self.passes.append({part.model.name: len(part.tokens) for part in parts})
        assert self.mixes_prompts or max(self.passes[-1].values()) == 1 or len(parts) == 1
        assert self.shares_passes or len(parts) == 1
        assert sum(self.passes[-1].values()) <= BATCH
        assert all(part.n_logits <= len(part.tokens) for part in parts)
        self.machine.now += (FIXED + EACH * sum(self.passes[-1].values())) / self.speed
        self.ended.append(self.machine.now)


def read_between(context: Context, name: str) -> Iterator[int]:
    """Tokens of the prompt that go before each pass of this one, or with it."""
    n_read = 0
    for rows in context.passes:
        n_read += rows.get("prompt", 0)
        if name in rows:
            yield n_read
            n_read = 0


def run(context: Context, draft: Context | None = None, n_guesses: int = 0, n_before: int = 8) -> None:
    """Three write, and after some steps the prompt comes. They end when it is read."""
    scheduler = SlotScheduler(context.machine.clock)
    scheduler.relative_s = lambda n_rows: FIXED + EACH * n_rows
    is_read = False

    def ask(where: Context, text: Text, n_rows: int, n_logits: int) -> None:
        tokens = np.zeros(n_rows, dtype=np.int32)
        scheduler.wait_for(where, PassPart(text, tokens, n_logits), CancelToken())

    def write(text: Text) -> None:
        while not is_read:
            for _ in range(n_guesses):
                assert draft is not None
                ask(draft, text, 1, 1)
            ask(context, text, 1, 1)

    def read() -> None:
        nonlocal is_read
        text = Text("prompt")
        for at in range(0, N_PROMPT, CHUNK):
            n_rows = min(CHUNK, N_PROMPT - at)
            ask(context, text, n_rows, int(at + n_rows == N_PROMPT))
            if draft is not None:
                ask(draft, text, n_rows, 0)
        is_read = True

    for i in range(N_WRITING):
        scheduler.start(lambda i=i: write(Text(str(i))))  # type: ignore[misc]
    for _ in range(n_before * (1 + n_guesses)):
        scheduler.run_round()
    scheduler.start(read)
    scheduler.run()
    assert sum(rows.get("prompt", 0) for rows in context.passes) == N_PROMPT


@pytest.mark.parametrize(
    ("mixes", "least", "most"),
    [(True, 1, PIECE), (False, 1, PIECE), (False, 8, PIECE), (False, 64, 127)],
    ids=["in common passes", "in passes of its own", "in pieces of 8", "in pieces of 64"],
)
def test_others_have_a_pass_after_a_piece_of_the_prompt(mixes: bool, least: int, most: int) -> None:
    context = Context(Machine(), mixes=mixes, least=least)
    run(context)
    for i in range(N_WRITING):
        read = list(read_between(context, str(i)))
        assert max(read) <= most
        assert median(each for each in read[:-1] if each) >= max(least, most // 4)  # it comes forward, too
    pieces = [rows["prompt"] for rows in context.passes if "prompt" in rows]
    assert min(pieces) >= least


def test_where_each_has_passes_of_its_own() -> None:
    context = Context(Machine(), mixes=False, shares=False, least=8)
    run(context)
    for i in range(N_WRITING):
        assert max(read_between(context, str(i))) <= N_WRITING * PIECE


@pytest.mark.parametrize("mixes", [True, False])
@pytest.mark.parametrize("n_guesses", [0, 1, 4])
def test_no_step_takes_more_than_three_of_those_before(mixes: bool, n_guesses: int) -> None:
    """With guesses of a draft, too, which reads the prompt as well."""
    machine = Machine()
    context = Context(machine, mixes=mixes, least=1 if mixes else 8)
    draft = Context(machine, speed=8.0, is_draft=True)
    run(context, draft, n_guesses)
    ends = [end for end, rows in zip(context.ended, context.passes, strict=True) if "0" in rows]
    steps = np.diff(ends)
    assert max(steps) <= 3 * median(steps[:6])


def test_a_prompt_that_nobody_waits_beside_is_read_in_whole_chunks() -> None:
    context = Context(Machine())
    scheduler = SlotScheduler(context.machine.clock)

    def read(name: str) -> None:
        text, tokens = Text(name), np.zeros(CHUNK, dtype=np.int32)
        for _ in range(4):
            scheduler.wait_for(context, PassPart(text, tokens, 0), CancelToken())

    for name in ("a", "b"):
        scheduler.start(lambda name=name: read(name))  # type: ignore[misc]
    scheduler.run()
    assert {sum(rows.values()) for rows in context.passes} == {CHUNK}


@pytest.mark.parametrize("least", [1, 8])
@pytest.mark.parametrize("mixes", [True, False])
@pytest.mark.parametrize("n_logits", [1, 7, 16, 25])
def test_the_last_piece_has_all_rows_whose_logits_are_wanted(mixes: bool, least: int, n_logits: int) -> None:
    """As when a draft rehearses: it reads what it has missed, and compares many guesses with the text."""
    for n_rows in range(max(40, n_logits), 3 * CHUNK // 2, 7):
        context = Context(Machine(), mixes=mixes, least=least)
        scheduler = SlotScheduler(context.machine.clock)
        wanted = [(1, 1)] * 20, [(min(n_rows, CHUNK), n_logits)]

        def ask(name: str, parts: Sequence[tuple[int, int]]) -> None:
            for n_tokens, n_last in parts:
                part = PassPart(Text(name), np.zeros(n_tokens, dtype=np.int32), n_last)
                scheduler.wait_for(context, part, CancelToken())  # noqa: B023

        for name, parts in zip(("steps", "prompt"), wanted, strict=True):
            scheduler.start(lambda name=name, parts=parts: ask(name, parts))  # type: ignore[misc]
        scheduler.run()
        assert sum(rows.get("prompt", 0) for rows in context.passes) == min(n_rows, CHUNK)
