"""specchat rpc-server [--host HOST] [--port PORT]"""

import argparse
import os
import subprocess
import sys

from specchat.cli import App
from specchat.cli.argument_types import integer_in_range
from specchat.cli.model_options import add_threads_option
from specchat.cli.option_notes import note_many_threads, note_rpc
from specchat.cli.parser import format_examples
from specchat.domain.rpc import DEFAULT_PORT
from specchat.services.program.rpc_program import find_rpc_server

_HOST = "127.0.0.1"


class RpcServerCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        listen = f"address to listen on; 0.0.0.0: all (default: {_HOST}, this computer only)"
        add("-H", "--host", default=_HOST, help=listen)
        port = integer_in_range(1, 65535)
        add("-p", "--port", type=port, default=DEFAULT_PORT, metavar="PORT", help=f"port (default: {DEFAULT_PORT})")
        add("-d", "--device", metavar="NAME,...", help="devices to lend (default: all GPUs, or the CPU)")
        add_threads_option(parser)
        add("-c", "--cache", action="store_true", help="keep large tensors on disk to load models faster next time")
        parser.epilog = format_examples("specchat rpc-server --host 0.0.0.0", "specchat devices --rpc 192.168.1.20")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        note_rpc([f"{arguments.host}:{arguments.port}"])
        note_many_threads(arguments.threads)
        command = [str(find_rpc_server()), "--host", arguments.host, "--port", str(arguments.port)]
        command += ["--device", arguments.device] if arguments.device else []
        command += ["--threads", str(arguments.threads)] if arguments.threads else []
        command += ["--cache"] if arguments.cache else []
        sys.stdout.flush()
        if os.name == "posix":
            os.execv(command[0], command)
        return subprocess.call(command)
