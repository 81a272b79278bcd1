"""specchat devices"""

import argparse
from dataclasses import asdict

from specchat.cli import App
from specchat.cli.amounts import size
from specchat.cli.output import add_json, write, write_json
from specchat.cli.parser import examples
from specchat.services.memory.machine import devices


class Devices:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_json(parser)
        parser.epilog = examples("specchat devices", 'specchat chat -m demo -dev CPU -p "Hello"')

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        found = devices()
        if arguments.json:
            write_json({"devices": [asdict(device) for device in found]})
        else:
            for device in found:
                write(f"{device.name}: {device.description}, {size(device.free)} of {size(device.total)} free\n")
        return 0
