"""specchat chat -m TARGET [-md DRAFT] [-p PROMPT]"""

import argparse
import logging
from collections.abc import Iterator
from contextlib import closing

from specchat.cli import App
from specchat.cli.answer_printer import AnswerPrinter
from specchat.cli.chat_arguments import ChatInput, add_chat_arguments, answer_options, chat_input, is_interactive
from specchat.cli.conversation import run_conversation
from specchat.cli.exit_codes import INTERRUPTED
from specchat.cli.interrupt import cancel_on_ctrl_c, iterate_in_thread
from specchat.cli.output import add_json, defer_logs, finish_progress, show_progress, write_json
from specchat.cli.pair_arguments import add_pair_arguments, pair_choice
from specchat.cli.parser import format_examples
from specchat.domain.types import GenerationEvent, GenerationRequest
from specchat.services.chat.request_builder import AnswerOptions, build_chat_request, build_raw_request
from specchat.services.generation.loaded_pair import LoadedPair

log = logging.getLogger(__name__)


class ChatCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.usage = "%(prog)s -m TARGET [-md DRAFT] [-p PROMPT | --messages FILE | --save FILE] [OPTIONS]"
        add_pair_arguments(parser)
        add_chat_arguments(parser)
        add_json(parser)
        parser.epilog = format_examples(
            "specchat chat -m demo",
            "specchat chat -m demo --save talk.json",
            'specchat chat -m demo -p "What is a draft model?"',
            'specchat chat -m TARGET.gguf -md DRAFT.gguf -p "Write a story" --temp 1',
            "specchat chat -m demo -p - < question.txt",
        )

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        if is_interactive(arguments):
            return run_conversation(arguments, app)
        asked, choice, options = chat_input(arguments), pair_choice(arguments, app), answer_options(arguments)
        answer = AnswerPrinter(streams=not arguments.json)

        def events() -> Iterator[GenerationEvent]:
            loader = app.pair_loader()
            with closing(loader.load(choice, cancel, show_progress, raw=arguments.raw)) as pair:
                finish_progress("loaded")
                answer.begin(pair)
                yield from pair.generate(_request(pair, asked, options), cancel)

        with defer_logs():
            with cancel_on_ctrl_c() as cancel, closing(iterate_in_thread(events, cancel)) as arriving:
                for event in arriving:
                    answer.add(event)
            if arguments.json:
                write_json(answer.as_json(options))
            else:
                answer.print_summary(options)
        return INTERRUPTED if answer.is_cancelled else 0


def _request(pair: LoadedPair, asked: ChatInput, options: AnswerOptions) -> GenerationRequest:
    request = (
        build_raw_request(pair, asked, options) if isinstance(asked, str) else build_chat_request(pair, asked, options)
    )
    log.info("A prompt of %d tokens", len(request.prompt))
    return request
