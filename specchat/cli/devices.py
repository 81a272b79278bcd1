"""specchat devices"""

import argparse
from dataclasses import asdict

from specchat.cli import App
from specchat.cli.output import add_json, write_json, write_output
from specchat.cli.parser import format_examples
from specchat.cli.quantities import format_size
from specchat.services.memory.device_memory import list_devices


class DevicesCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_json(parser)
        parser.epilog = format_examples("specchat devices", 'specchat chat -m demo -dev CPU -p "Hello"')

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        found = list_devices()
        if arguments.json:
            write_json({"devices": [asdict(device) for device in found]})
        else:
            for device in found:
                free = f"{format_size(device.free)} of {format_size(device.total)} free"
                write_output(f"{device.name}: {device.description}, {free}\n")
        return 0
