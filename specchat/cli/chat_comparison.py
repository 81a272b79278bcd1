"""specchat chat --compare: the same question to two pairs, or to one with and without its draft."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial

from specchat.cli import App
from specchat.cli.chat_arguments import ChatInput, word_wrap
from specchat.cli.engine_arguments import require_no_local_options, served_model
from specchat.cli.exit_codes import INTERRUPTED
from specchat.cli.interrupt import cancel_on_ctrl_c, iterate_in_thread
from specchat.cli.model_options import ArgumentContainer
from specchat.cli.output import defer_logs, one_line, print_note, write_answer, write_json, write_output
from specchat.cli.pair_arguments import pair_choice
from specchat.cli.text_table import WIDTH, format_entries, format_table, wrap_text
from specchat.cli.word_wrap import WordWrap
from specchat.domain.answer_tasks import AnswerEnded, AnswerTask, Compared
from specchat.domain.drafter_types import NONE
from specchat.domain.model_ref import ServedModel
from specchat.domain.printable_text import without_controls
from specchat.domain.types import GenerationStats, PairChoice
from specchat.services.chat.answer_writer import AnswerEvent, StreamedAnswer
from specchat.services.chat.request_builder import AnswerOptions
from specchat.services.chat.stats_text import format_amounts, plain_stats
from specchat.services.engines.answer_comparison import (
    CompleteAnswer,
    describe_comparison,
    first_difference,
    should_be_same,
    speed_ratio,
    total_s,
)
from specchat.services.engines.compared_answers import ComparedAnswer, compare_answers, engine_url
from specchat.services.engines.compared_sides import Side
from specchat.services.models.model_files import find_local_path, require_files
from specchat.services.models.model_refs import path_for_ref

_COLUMNS = ("answer", "tokens/s", "first token", "total", "tokens", "accepted")


def add_comparison_arguments(add_to: ArgumentContainer) -> None:
    alone = "compare the answer with the target's own, without guesses: times, and whether the texts are the same"
    add_to.add_argument("--compare", action="store_true", help=alone)
    pair = "compare the answer with the one of this target and draft, with the same settings"
    add_to.add_argument("--compare-with", nargs="+", metavar=("TARGET", "DRAFT"), help=pair)


def is_comparison(arguments: argparse.Namespace) -> bool:
    return bool(arguments.compare or arguments.compare_with)


def run_comparison(arguments: argparse.Namespace, app: App, asked: ChatInput, options: AnswerOptions) -> int:
    if isinstance(asked, str):
        raise argparse.ArgumentError(None, "--raw can't be combined with --compare")
    answers = [
        ComparedAnswer(side.choice, StreamedAnswer(_task(number, asked, options, side.compared)))
        for number, side in enumerate(_sides(arguments, app), 1)
    ]
    with defer_logs(), cancel_on_ctrl_c() as cancel:

        def events() -> Iterator[tuple[ComparedAnswer, AnswerEvent]]:
            return compare_answers(app.engine_process, answers, cancel)

        ended: list[CompleteAnswer] = []
        with closing(iterate_in_thread(events, cancel)) as arriving:
            for answer, event in arriving:
                if isinstance(event, AnswerEnded):
                    end = CompleteAnswer(answer.streamed.text, event.answer, options.sampling.temperature)
                    ended.append(end)
                    print_note(f"{_label(answer, end)}: {format_amounts(event.answer.stats)[0]}")
    if len(ended) < len(answers) or not all(end.is_whole for end in ended):
        return INTERRUPTED
    if arguments.json:
        write_json(_as_json(answers, ended))
    else:
        _print(answers, ended, partial(word_wrap, arguments))
    return 0


def _sides(arguments: argparse.Namespace, app: App) -> list[Side]:
    choice = _choice(arguments, app)
    if arguments.compare_with:
        model, *draft = arguments.compare_with
        if len(draft) > 1:
            raise argparse.ArgumentError(None, "--compare-with takes a target and a draft")
        _require_no_engine(model, app)
        named = {"engine": None, "model": model, "model_draft": draft[0] if draft else None}
        other = pair_choice(argparse.Namespace(**{**vars(arguments), **named}), app)
        _require_files(choice)
        _require_files(other)
        return [Side(choice), Side(other)]
    if arguments.engine is not None:
        raise argparse.ArgumentError(None, "--compare needs -m; with --engine, use --compare-with TARGET")
    if choice.draft_type == NONE:
        raise argparse.ArgumentError(None, "--compare needs guesses: omit --draft-type none")
    return [Side(choice), Side(choice, Compared.TARGET_ONLY)]


def _choice(arguments: argparse.Namespace, app: App) -> PairChoice:
    if arguments.engine is None:
        return pair_choice(arguments, app)
    require_no_local_options(arguments)
    return PairChoice(served_model(arguments.engine, app, arguments.model or ""))


def _require_no_engine(model: str, app: App) -> None:
    is_address = "://" in model
    if is_address or (find_local_path(model) is None and app.connections().registry.find(model) is not None):
        raise argparse.ArgumentError(
            None, f"--compare-with takes a target: give the engine as --engine {one_line(model)} --compare-with TARGET"
        )


def _require_files(choice: PairChoice) -> None:
    """Before the first answer, which may take a while."""
    named = [ref for ref in (choice.target, choice.draft) if ref is not None and not isinstance(ref, ServedModel)]
    require_files(map(path_for_ref, named))


def _task(number: int, asked: ChatInput, options: AnswerOptions, compared: Compared) -> AnswerTask:
    assert not isinstance(asked, str)
    return AnswerTask(
        message=number,
        messages=tuple(asked),
        sampling=options.sampling,
        max_tokens=options.max_tokens,
        prefill=options.prefill,
        compared=compared,
        stop=options.stop,
        ignore_eos=options.ignore_eos,
        reasoning=options.reasoning,
    )


def _label(answer: ComparedAnswer, end: CompleteAnswer) -> str:
    target, draft = _short_name(end.answer.target), answer.choice.draft
    if answer.streamed.task.compared is Compared.TARGET_ONLY:
        return f"{target}, target only"
    if url := engine_url(answer.choice):
        return f"{target} at {url.partition('://')[2]}"
    return f"{target} + {_short_name(draft.name)}" if draft is not None else target


def _short_name(model: str) -> str:
    return model.removesuffix(".gguf")


def _print(
    answers: Sequence[ComparedAnswer], ended: Sequence[CompleteAnswer], make_wrap: Callable[[], WordWrap | None]
) -> None:
    one, other = ended
    labels = [_label(answer, end) for answer, end in zip(answers, ended, strict=True)]
    if one.text == other.text:
        _write_text(one.text, make_wrap())
    else:
        for label, end in zip(labels, ended, strict=True):
            write_output(f"--- {one_line(label)}\n")
            _write_text(end.text, make_wrap())
    said = [line for sentence in describe_comparison(one, other) for line in wrap_text(str(sentence))]
    lines = [*_table(labels, [_figures(end.answer.stats) for end in ended]), "", *said]
    write_output("\n".join(lines).rstrip() + "\n")


def _write_text(text: str, wrap: WordWrap | None) -> None:
    if wrap is not None:
        text = wrap.add(without_controls(text)) + wrap.rest()
    write_answer(f"{text}\n\n")


def _table(labels: Sequence[str], figures: Sequence[tuple[str, ...]]) -> list[str]:
    """Long names stand below their rows."""
    lines = _rows(labels, figures)
    if max(map(len, lines)) <= WIDTH:
        return lines
    return format_entries(_rows(("first", "second"), figures), [[label] for label in labels])


def _rows(names: Sequence[str], figures: Sequence[tuple[str, ...]]) -> list[str]:
    rows = [(name, *row) for name, row in zip(names, figures, strict=True)]
    return format_table(_COLUMNS, rows, _COLUMNS[1:])


def _figures(stats: GenerationStats) -> tuple[str, ...]:
    return (
        f"{stats.tokens_per_s:.1f}" if stats.is_length_known else "",
        f"{stats.ttft_s:.2f} s",
        f"{total_s(stats):.2f} s",
        f"{stats.n_generated:,}" if stats.is_length_known else "",
        f"{stats.acceptance_rate:.0%}" if stats.n_drafted else "",
    )


def _as_json(answers: Sequence[ComparedAnswer], ended: Sequence[CompleteAnswer]) -> dict[str, object]:
    one, other = ended
    difference = first_difference(one.text, other.text) if one.text != other.text else None
    return {
        "answers": [_answer_as_json(answer, end) for answer, end in zip(answers, ended, strict=True)],
        "same_text": one.text == other.text,
        "should_be_same": should_be_same(one, other),
        "first_difference": None
        if difference is None
        else {"word": difference.word, "texts": [difference.left, difference.right]},
        "speed_ratio": speed_ratio(one, other),
    }


def _answer_as_json(answer: ComparedAnswer, end: CompleteAnswer) -> dict[str, object]:
    draft = answer.choice.draft
    return {
        "engine": engine_url(answer.choice) or None,
        "target": end.answer.target,
        "draft": None if draft is None else draft.name,
        "compared": str(answer.streamed.task.compared),
        "text": end.text,
        "finish_reason": str(end.answer.finish),
        "seed": end.answer.seed,
        "total_s": total_s(end.answer.stats),
        "exact": end.answer.exact,
        "stats": plain_stats(end.answer.stats),
    }
