"""Entry point of the process that looks for an early exit: `specchat --child early-exit`."""

import faulthandler
import json
import logging
from typing import IO

from specchat.backends.child_loop import disable_core_dumps, take_over_pipes
from specchat.backends.parent_end import end_with_parent
from specchat.container import Container
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import UserError
from specchat.domain.serialization import to_plain
from specchat.services.drafts.early_exit_offer import offer_early_exit
from specchat.services.drafts.early_exit_process import EarlyExitTask, read_task
from specchat.services.drafts.early_exit_search import share_of_search
from specchat.services.engines import wire
from specchat.services.program.internal_errors import wrap_internal_errors


def main() -> int:
    end_with_parent()
    requests, replies = take_over_pipes()
    disable_core_dumps()
    faulthandler.enable()
    logging.basicConfig(level=logging.INFO)  # to stderr, which is read when this has failed
    line = requests.readline()
    if line:
        task = read_task(line)
        try:
            with wrap_internal_errors(task.places.logs):
                _search(task, replies)
        except UserError as error:
            _reply(replies, {"failed": to_plain(wire.to_failure(error))})
    return 0


def _search(task: EarlyExitTask, replies: IO[bytes]) -> None:
    search, offer = Container(task.places).early_exit_search(), offer_early_exit(task.target)

    def progress(n_layers: int, doing: str, part: float) -> None:
        _reply(replies, {"progress": [n_layers, share_of_search(offer, n_layers, doing, part)]})

    report = search.search(offer, CancelToken(), progress, task.settings)
    _reply(replies, {"report": to_plain(report)})


def _reply(replies: IO[bytes], message: dict[str, object]) -> None:
    replies.write(json.dumps(message).encode() + b"\n")
    replies.flush()
