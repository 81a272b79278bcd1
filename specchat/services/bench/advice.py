"""Turns benchmark results into one to three sentences of advice, the most useful first."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from specchat.domain.benchmark import BenchRow, Speedup
from specchat.domain.drafter_types import AUTO, DRAFTER_TYPES
from specchat.domain.heads import HeadKind
from specchat.domain.translatable_text import TranslatableText, with_decimals
from specchat.domain.types import NGRAM
from specchat.services.bench.method_names import draft_length_phrase

_WORTH_IT = 1.03
_POSSIBLE = 1.05
"""Times what the passes explain; more is the computer's doing."""
_LOSS = 0.97
_AS_GOOD = 0.9
"""The margin within which auto is preferred to a fixed number of guesses that happened to suit these prompts."""
MIN_ANSWERS = 3
"""Answers that must have been compared: fewer tell nothing."""
_MOST = 3
"""Sentences."""

ComparedRow = tuple[BenchRow, Speedup]


@dataclass(frozen=True, slots=True)
class DisplayNames:
    """Display names of models and kinds of prompts in the advice."""

    model: Callable[[Path], str] = lambda path: path.stem
    workload: Callable[[str], str] = str


_BY_FILE = DisplayNames()


def build_advice(rows: Sequence[BenchRow], called: DisplayNames = _BY_FILE) -> tuple[str, ...]:
    rows = [row for row in rows if not row.method.engine]
    targets = list(dict.fromkeys(row.method.target for row in rows))
    overall = _comparable_rows(rows)
    sentences = list(_quantisations(rows, targets, called)) if len(targets) > 1 else []
    if overall:
        best = choose_best(overall)
        kinds = _kinds(rows, best)
        several = len(targets) > 1
        verdict = _verdict(best, kinds, called, several=several)
        unused = list(_unused_draft(best[0], called))
        sentences += (
            [verdict, *unused, *_faster(overall, best), *_slower(best), *_losing(overall, best, called)]
            if verdict
            else [_unclear(best, called, several=several), *unused]
        )
    return tuple(sentences[:_MOST])


def is_conclusive(rows: Sequence[BenchRow]) -> bool:
    """Returns whether the results show which method to use."""
    overall = _comparable_rows([row for row in rows if not row.method.engine])
    return bool(overall) and is_row_conclusive(choose_best(overall), rows)


def best_row(rows: Sequence[BenchRow]) -> BenchRow | None:
    """None: nothing is compared yet."""
    overall = _comparable_rows(rows)
    return choose_best(overall)[0] if overall else None


def is_row_conclusive(compared: ComparedRow, rows: Sequence[BenchRow]) -> bool:
    """Returns whether the results of this method are conclusive."""
    return _verdict(compared, _kinds(rows, compared), _BY_FILE, several=False) is not None


def choose_best(compared: Sequence[ComparedRow]) -> ComparedRow:
    """The fastest of those that surely gain, even if another seems faster, or its auto if that is about as fast; where
    none does, the fastest.
    """
    sure = [each for each in compared if each[1].n >= MIN_ANSWERS and each[1].at_least > 1 and _is_possible(each[1])]
    best = max(sure or compared, key=_median)
    auto = replace(best[0].method, draft_max=None)
    as_good = (each for each in sure if each[0].method == auto and _median(each) > _AS_GOOD * _median(best))
    return next(as_good, best)


def _comparable_rows(rows: Sequence[BenchRow]) -> list[ComparedRow]:
    """Over all prompts."""
    found = [(row, row.ratio) for row in rows if row.workload is None and row.method.is_offered]
    return [(row, ratio) for row, ratio in found if ratio is not None]


def _kinds(rows: Sequence[BenchRow], best: ComparedRow) -> list[ComparedRow]:
    """The same method with each kind of prompt."""
    found = [(row, row.ratio) for row in rows if row.workload is not None and row.method == best[0].method]
    return [(row, ratio) for row, ratio in found if ratio is not None]


def _verdict(
    best: ComparedRow, kinds: Sequence[ComparedRow], called: DisplayNames, *, several: bool
) -> TranslatableText | None:
    """None: there is no telling."""
    row, ratio = best
    if ratio.n < MIN_ANSWERS or not _is_possible(ratio):
        return None
    said = _values(row, ratio, called, several=several)
    if ratio.median < 1 and ratio.at_most < _WORTH_IT:
        return TranslatableText("Plain decoding is fastest here. Next is {guesser} with {length} at {times}×.", **said)
    if ratio.at_least > 1:
        return TranslatableText(
            "Use {guesser} with {length}: {times}× as fast as plain decoding on these prompts (median; with "
            "high confidence, at least {at_least}×).",
            **said,
        )
    gaining = _names((row for row, each in kinds if each.at_least > 1), called)
    losing = _names((row for row, each in kinds if each.at_most < 1), called)
    if gaining and losing:
        return TranslatableText(
            "Use {guesser} with {length} for {gaining}, but not for {losing}: {times}× as fast as plain "
            "decoding overall.",
            **said,
            gaining=gaining,
            losing=losing,
        )
    if gaining and ratio.median >= _WORTH_IT:
        return TranslatableText(
            "Use {guesser} with {length}: {times}× as fast as plain decoding overall, and clearly faster for "
            "{gaining}.",
            **said,
            gaining=gaining,
        )
    return None


def _unclear(best: ComparedRow, called: DisplayNames, *, several: bool) -> TranslatableText:
    said = _values(*best, called, several=several)
    if best[1].n < MIN_ANSWERS:
        return TranslatableText(
            "Too few answers for a result (not remembered): {guesser} with {length} was {times}× as fast as plain "
            "decoding. Use more rounds.",
            **said,
        )
    if not _is_possible(best[1]):
        return TranslatableText(
            "{guesser} with {length} was {times}× as fast as plain decoding, but accepted guesses explain "
            "only {possible}×: other programs were using this computer. The result was not remembered. Rerun the "
            "benchmark when the computer is idle.",
            **said,
            possible=with_decimals(best[1].median / best[1].of_possible, 2),
        )
    return TranslatableText(
        "The results vary too much (not remembered): {guesser} with {length} was {times}× as fast as plain "
        "decoding, with a range of {at_least}× to {at_most}×. Use more rounds.",
        **said,
    )


def _values(row: BenchRow, ratio: Speedup, called: DisplayNames, *, several: bool) -> dict[str, str]:
    return {
        "guesser": _guesser(row, called, several=several),
        "length": draft_length_phrase(row.method),
        "times": with_decimals(ratio.median, 2),
        "at_least": with_decimals(ratio.at_least, 2),
        "at_most": with_decimals(ratio.at_most, 2),
    }


def _unused_draft(row: BenchRow, called: DisplayNames) -> Iterator[TranslatableText]:
    draft = row.method.draft
    if draft is not None and row.n_drafted == row.n_from_text > 0:
        yield TranslatableText(
            "{guesser} made no guesses: all of them came from earlier text.", guesser=called.model(draft)
        )


def _slower(best: ComparedRow) -> Iterator[TranslatableText]:
    """The median gains: not every answer does."""
    ratio = best[1]
    if ratio.median < 1 or not ratio.n_slower:
        return
    if ratio.n_slower == 1:
        yield TranslatableText("1 of {all} answers was slower than plain decoding.", all=ratio.n)
    else:
        yield TranslatableText("{n} of {all} answers were slower than plain decoding.", n=ratio.n_slower, all=ratio.n)


def _faster(overall: Sequence[ComparedRow], best: ComparedRow) -> Iterator[TranslatableText]:
    """Why `best` is auto all the same."""
    first = max(overall, key=_median)
    is_same = replace(first[0].method, draft_max=None) == best[0].method and _is_possible(first[1])
    if is_same and _WORTH_IT < _median(first) / _median(best) < 1 / _AS_GOOD:
        yield TranslatableText(
            "It was a little faster on these prompts with {length} ({times}×), but auto adapts to other text.",
            length=draft_length_phrase(first[0].method),
            times=with_decimals(first[1].median, 2),
        )


def _losing(overall: Sequence[ComparedRow], best: ComparedRow, called: DisplayNames) -> Iterator[TranslatableText]:
    worst = min(overall, key=_median)
    if worst is not best and worst[1].n >= MIN_ANSWERS and worst[1].median < _LOSS:
        yield TranslatableText(
            "{guesser} with {length} is {percent} % slower than plain decoding.",
            guesser=_guesser(worst[0], called, several=False),
            percent=with_decimals(100 * (1 - worst[1].median), 1),
            length=draft_length_phrase(worst[0].method),
        )


def _quantisations(
    rows: Sequence[BenchRow], targets: Sequence[Path], called: DisplayNames
) -> Iterator[TranslatableText]:
    """The fastest of each target, plain or not, against one another."""
    ours = [row for row in rows if row.workload is None and row.method.peer is None]
    fastest = [
        max((row for row in ours if row.method.target == target), key=_speed, default=None) for target in targets
    ]
    found = sorted((row for row in fastest if row is not None), key=_speed, reverse=True)
    if len(found) > 1:
        first, last = found[0], found[-1]
        yield TranslatableText(
            "{fast} is fastest: {n} tokens/s with {way}. {slow} reaches {m} with {other}.",
            fast=called.model(first.method.target),
            n=with_decimals(first.tokens_per_s, 1),
            way=draft_length_phrase(first.method),
            slow=called.model(last.method.target),
            m=with_decimals(last.tokens_per_s, 1),
            other=draft_length_phrase(last.method),
        )


def _is_possible(ratio: Speedup) -> bool:
    return ratio.median <= 1 or ratio.of_possible <= _POSSIBLE


def _guesser(row: BenchRow, called: DisplayNames, *, several: bool) -> str:
    name = _drafter(row, called)
    return (
        TranslatableText("{guesser} for {target}", guesser=name, target=called.model(row.method.target))
        if several
        else name
    )


def _drafter(row: BenchRow, called: DisplayNames) -> str:
    """As tables and charts call it, even where all guesses came from elsewhere."""
    if row.method.draft is not None:
        return called.model(row.method.draft)
    name = row.method.draft_type
    if name == AUTO:  # of the target's own: it may bring MTP layers
        name = HeadKind.MTP.value if row.n_drafted > row.n_from_text else NGRAM
    return DRAFTER_TYPES[name].noun if name in DRAFTER_TYPES else name


def _names(rows: Iterator[BenchRow], called: DisplayNames) -> str:
    return ", ".join(called.workload(row.workload or "") for row in rows)


def _median(compared: ComparedRow) -> float:
    return compared[1].median


def _speed(row: BenchRow) -> float:
    return row.tokens_per_s
