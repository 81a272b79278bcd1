"""specchat devices"""

import argparse
from dataclasses import asdict

from specchat.cli import App
from specchat.cli.device_options import add_rpc_option
from specchat.cli.option_notes import note_rpc
from specchat.cli.output import add_json, one_line, write_json, write_output
from specchat.cli.parser import format_examples
from specchat.cli.quantities import format_size
from specchat.domain.cancel_token import CancelToken
from specchat.domain.rpc import rpc_devices
from specchat.services.memory.device_memory import list_devices
from specchat.services.memory.unused_cards import list_unused_cards


class DevicesCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_rpc_option(parser)
        retry = "retry backends that failed before, for example after a driver update"
        parser.add_argument("--retry", action="store_true", help=retry)
        add_json(parser)
        parser.epilog = format_examples("specchat devices", 'specchat chat -m demo -dev CPU -p "Hello"')

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        note_rpc(arguments.rpc)
        folder = app.retry_backends() if arguments.retry else app.backend_folder()
        servers = app.rpc_servers()
        found = [*list_devices(), *rpc_devices([servers.check(address, CancelToken()) for address in arguments.rpc])]
        unused = list_unused_cards(found)
        refused = folder.refused if folder is not None else ()
        if arguments.json:
            write_json(
                {
                    "devices": [asdict(device) for device in found],
                    "unused": [asdict(card) for card in unused],
                    "refused": [asdict(backend) for backend in refused],
                }
            )
        else:
            for device in found:
                free = f"{format_size(device.free)} of {format_size(device.total)} free"
                write_output(f"{device.name}: {device.description}, {free}\n")
            for card in unused:
                write_output(f"Not used: {card.name}: {card.reason}. {card.hint}\n")
            for backend in refused:
                write_output(f"Not loaded: {one_line(backend.path)}: {backend.reason}.\n")
            if refused and not arguments.retry:
                write_output("To retry the backends that were not loaded, run: specchat devices --retry\n")
        return 0
