"""Entry point of the process that runs the models: `specchat --child engine`."""

import faulthandler
import logging
from functools import partial

from specchat.backends.child_loop import disable_core_dumps, take_over_pipes
from specchat.backends.parent_end import end_with_parent
from specchat.container import Container
from specchat.services.engines import wire
from specchat.services.engines.engine_host import EngineHost, LogForwarder
from specchat.services.program.internal_errors import to_user_error
from specchat.store.paths import Paths
from specchat.store.recent_answers import newest_answers


def main() -> int:
    end_with_parent()
    requests, replies = take_over_pipes()
    disable_core_dumps()
    faulthandler.enable()
    try:
        start = wire.read(requests)
    except EOFError:
        return 0
    places = Paths(start.data, start.config, start.cache, start.logs, start.moves_with)
    read_answers = partial(newest_answers, places.chats) if start.recalls else lambda _: ()
    host = EngineHost(Container(places).engine(read_answers, embeds=start.embeds), requests, replies)
    _send_logs(host)
    host.run(partial(to_user_error, logs=places.logs))
    return 0


def _send_logs(host: EngineHost) -> None:
    """What is worse than that goes to stderr as well, which is read when this process has died."""
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    to_stderr = logging.StreamHandler()
    to_stderr.setLevel(logging.ERROR)
    root.addHandler(LogForwarder(host))
    root.addHandler(to_stderr)
