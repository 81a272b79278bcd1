"""specchat chat -m TARGET [-md DRAFT] [-p PROMPT]"""

import argparse
import logging
from collections.abc import Iterator
from contextlib import closing

from specchat.cli import App
from specchat.cli.answer import Answer
from specchat.cli.chat_arguments import Question, add_chat_arguments, answer_options, question, wants_conversation
from specchat.cli.conversation import converse
from specchat.cli.exit_codes import INTERRUPTED
from specchat.cli.interrupt import beside, cancelled_by_ctrl_c
from specchat.cli.output import add_json, finish_progress, logs_after, show_progress, write_json
from specchat.cli.pair_arguments import add_pair_arguments, pair_choice
from specchat.cli.parser import examples
from specchat.domain.types import Event, GenerationRequest
from specchat.services.chat.chat import AnswerOptions, chat_request, raw_request
from specchat.services.generation.pair import LoadedPair

log = logging.getLogger(__name__)


class Chat:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.usage = "%(prog)s -m TARGET [-md DRAFT] [-p PROMPT | --messages FILE | --save FILE] [OPTIONS]"
        add_pair_arguments(parser)
        add_chat_arguments(parser)
        add_json(parser)
        parser.epilog = examples(
            "specchat chat -m demo",
            "specchat chat -m demo --save talk.json",
            'specchat chat -m demo -p "What is a draft model?"',
            'specchat chat -m TARGET.gguf -md DRAFT.gguf -p "Write a story" --temp 1',
            "specchat chat -m demo -p - < question.txt",
        )

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        if wants_conversation(arguments):
            return converse(arguments, app)
        asked, choice, options = question(arguments), pair_choice(arguments), answer_options(arguments)
        answer = Answer(streams=not arguments.json)

        def events() -> Iterator[Event]:
            loader = app.pair_loader()
            with closing(loader.load(choice, cancel, show_progress, raw=arguments.raw)) as pair:
                finish_progress("loaded")
                answer.begin(pair)
                yield from pair.generate(_request(pair, asked, options), cancel)

        with logs_after():
            with cancelled_by_ctrl_c() as cancel, closing(beside(events, cancel)) as arriving:
                for event in arriving:
                    answer.add(event)
            if arguments.json:
                write_json(answer.as_json(options))
            else:
                answer.sum_up(options)
        return INTERRUPTED if answer.is_cancelled else 0


def _request(pair: LoadedPair, asked: Question, options: AnswerOptions) -> GenerationRequest:
    request = raw_request(pair, asked, options) if isinstance(asked, str) else chat_request(pair, asked, options)
    log.info("A prompt of %d tokens", len(request.prompt))
    return request
