"""specchat serve -m TARGET [-md DRAFT]"""

import argparse
import os

from specchat.cli import App
from specchat.cli.numbers import integer
from specchat.cli.output import end_progress, show_progress, write
from specchat.cli.pair_arguments import add_pair_arguments, pair_choice
from specchat.domain.answering import PairInfo
from specchat.domain.serving import ServerSettings

KEY_VARIABLE = "SPECCHAT_API_KEY"
_DEFAULTS = ServerSettings()


class ServeCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_pair_arguments(parser)
        add = parser.add_argument
        host, port = _DEFAULTS.host, _DEFAULTS.port
        add("--host", default=host, metavar="ADDRESS", help=f"where to listen (default: {host}, this computer only)")
        add("--port", type=integer(0, 65535), default=port, metavar="N", help=f"0: any free one (default: {port})")
        key = f"what clients must send; needed for other computers (default: {KEY_VARIABLE} in the environment)"
        add("--api-key", default=None, metavar="KEY", help=key)
        origins = "let web pages of this origin ask too, such as https://chat.example; may be repeated"
        add("--allow-origin", action="append", default=[], metavar="ORIGIN", help=origins)

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        key = os.environ.get(KEY_VARIABLE, "") if arguments.api_key is None else arguments.api_key
        settings = ServerSettings(arguments.host, arguments.port, key, tuple(arguments.allow_origin))
        app.serve()(pair_choice(arguments), settings, show_progress, _ready)
        return 0


def _ready(pair: PairInfo, url: str) -> None:
    end_progress()
    write(f"Serving {pair.target} on {url}\n")
