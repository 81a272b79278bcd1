"""The process in which models compute: `specchat --child engine`."""

import faulthandler
import logging
from functools import partial

from specchat.backends.child_loop import claim_pipes, leave_no_core
from specchat.backends.parent_end import end_with_parent
from specchat.parts import Parts
from specchat.services.engines import wire
from specchat.services.engines.host import EngineHost, LogSender
from specchat.services.program.mistakes import explained
from specchat.store.past_answers import newest_answers
from specchat.store.paths import Paths


def main() -> int:
    end_with_parent()
    requests, replies = claim_pipes()
    leave_no_core()
    faulthandler.enable()
    try:
        start = wire.read(requests)
    except EOFError:
        return 0
    places = Paths(start.data, start.config, start.cache, start.logs, start.moves_with)
    read_answers = partial(newest_answers, places.chats) if start.recalls else lambda _: ()
    host = EngineHost(Parts(places).engine(read_answers), requests, replies)
    _send_logs(host)
    host.run(partial(explained, logs=places.logs))
    return 0


def _send_logs(host: EngineHost) -> None:
    """What is worse than that goes to stderr as well, which is read when this process has died."""
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    to_stderr = logging.StreamHandler()
    to_stderr.setLevel(logging.ERROR)
    root.addHandler(LogSender(host))
    root.addHandler(to_stderr)
