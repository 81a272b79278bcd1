"""specchat chat (-m TARGET [-md DRAFT] | --engine URL) [-p PROMPT]"""

import argparse
from collections.abc import Iterator
from contextlib import closing

from specchat.cli import App
from specchat.cli.answer_form import has_form
from specchat.cli.answer_printer import AnswerPrinter
from specchat.cli.answerers import AnswerEvent, plan_answerer
from specchat.cli.attached_files import ask_with_files
from specchat.cli.chat_arguments import add_chat_arguments, answer_options, chat_input, is_interactive, word_wrap
from specchat.cli.chat_comparison import add_comparison_arguments, is_comparison, run_comparison
from specchat.cli.conversation import run_conversation
from specchat.cli.engine_arguments import require_model_or_engine
from specchat.cli.exit_codes import INTERRUPTED, USER_ERROR
from specchat.cli.interrupt import cancel_on_ctrl_c, iterate_in_thread
from specchat.cli.output import add_json, defer_logs, report_error, write_json
from specchat.cli.pair_arguments import add_pair_arguments
from specchat.cli.parser import format_examples
from specchat.domain.errors import UserError


class ChatCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.usage = (
            "%(prog)s (-m TARGET [-md DRAFT] | --engine URL)\n"
            "                     [-p PROMPT | --messages FILE | --save FILE] [OPTIONS]"
        )
        add_pair_arguments(parser, or_engine=True)
        add_chat_arguments(parser)
        add_comparison_arguments(parser.add_argument_group("comparison"))
        add_json(parser)
        parser.epilog = format_examples(
            "specchat chat -m demo",
            "specchat chat -m demo --save talk.json",
            'specchat chat -m demo -p "What is a draft model?"',
            'specchat chat -m TARGET.gguf -md DRAFT.gguf -p "Write a story" --temp 1',
            "specchat chat -m demo < question.txt",
            'specchat chat -m demo -p "Name a color" --prefill "My favorite color is"',
            'specchat chat -m demo -p "Name two colors" --json-schema-file colors.json',
            'specchat chat -m demo -p "What is a draft model?" --compare',
            'specchat chat -m TARGET.gguf --attach report.pdf -p "What does it conclude?"',
            'specchat chat -m TARGET.gguf --image photo.jpg -p "What is this?"',
            'specchat chat -m TARGET.gguf --audio memo.mp3 -p "Write down what is said."',
            'specchat chat --engine http://localhost:8080 -p "Hello"',
        )

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        require_model_or_engine(arguments)
        if is_comparison(arguments):
            if arguments.attach:
                raise argparse.ArgumentError(None, "--attach can't be combined with --compare")
            if has_form(arguments):
                raise argparse.ArgumentError(None, "a JSON schema or grammar can't be combined with --compare")
            return run_comparison(arguments, app, chat_input(arguments), answer_options(arguments))
        if is_interactive(arguments):
            return run_conversation(arguments, app)
        asked, load, options = chat_input(arguments), plan_answerer(arguments, app), answer_options(arguments)
        chat = ask_with_files(asked, arguments.attach) if arguments.attach and not isinstance(asked, str) else None
        answer = AnswerPrinter(streams=not arguments.json, wrap=word_wrap(arguments))

        def events() -> Iterator[AnswerEvent]:
            with closing(load(cancel)) as answerer:
                answer.facts, answer.can_grow = answerer.facts, answerer.can_grow
                if chat is None:
                    yield from answerer.answer(asked, options, cancel)
                else:
                    yield from chat.answer(answerer, options, cancel)

        with defer_logs():
            with cancel_on_ctrl_c() as cancel, closing(iterate_in_thread(events, cancel)) as arriving:
                try:
                    for event in arriving:
                        answer.add(event)
                except UserError as error:
                    answer.break_off()
                    if not (arguments.json and answer.text):
                        raise
                    report_error(error)
                    write_json(answer.as_broken_json(error))
                    return USER_ERROR
            if arguments.json:
                write_json(answer.as_json(options))
            else:
                answer.print_summary(options)
        return INTERRUPTED if answer.is_cancelled else 0
