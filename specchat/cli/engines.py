"""specchat engines [list|add|test|rm]"""

import argparse
import getpass
import sys
from collections.abc import Mapping
from dataclasses import asdict

from specchat.cli import App, Command
from specchat.cli.exit_codes import USER_ERROR
from specchat.cli.interrupt import cancel_on_ctrl_c, iterate_in_thread
from specchat.cli.output import one_line, print_note, report_error, write_json, write_output
from specchat.cli.parser import format_examples
from specchat.cli.subcommands import Subcommands, add_subcommands, run_subcommand
from specchat.cli.text_table import format_table
from specchat.domain.connections import EngineReport, GuessTotals
from specchat.domain.errors import SettingError
from specchat.services.connections.connections import Connections

_SHOWN_MODELS = 20


class EnginesCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_subcommands(parser, _TASKS)
        parser.epilog = format_examples(
            "specchat engines --find",
            "specchat engines add studio http://localhost:1234",
            "specchat engines test studio",
            'specchat chat --engine studio -p "Hello"',
        )
        parser.add_argument("--find", action="store_true", help=_FIND)

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        return run_subcommand(arguments, app, _TASKS)


class EnginesListCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--find", action="store_true", default=argparse.SUPPRESS, help=_FIND)

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        connections = app.connections()
        saved = connections.registry.connections()
        found = _found(connections) if arguments.find else None
        if arguments.json:
            listed = [{"name": each.name, "url": each.url} for each in saved]
            write_json({"engines": listed, **({} if found is None else {"found": list(map(_plain, found))})})
            return 0
        if saved:
            write_output("\n".join(format_table(("name", "address"), [(each.name, each.url) for each in saved])) + "\n")
        for report in found or ():
            write_output("\n".join(_lines(report)) + "\n")
        if found == []:
            print_note("No engines found on their usual ports on this computer.")
        elif not saved and found is None:
            print_note(
                "No saved engines. Add one: specchat engines add NAME URL. Or look for engines: specchat engines --find"
            )
        return 0


class EnginesAddCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="your name for the engine")
        parser.add_argument("url", metavar="URL", help="address of the engine, such as http://localhost:8080")
        words = "ask for the engine's API key, or read it from standard input, and store it in the keyring"
        parser.add_argument("--key", action="store_true", help=words)

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        connections = app.connections()
        key = _read_key() if arguments.key else None
        added, is_kept = connections.save(arguments.name, arguments.url, key)
        if not is_kept:
            raise SettingError(
                "{name} was added, but this computer has no keyring for its key.",
                "Set SPECCHAT_ENGINE_KEY instead.",
                name=added.name,
            )
        if warning := connections.warning(connections.address(added.name)):
            print_note(f"Note: {one_line(warning)}")
        if arguments.json:
            write_json({"name": added.name, "url": added.url})
        else:
            write_output(f"{one_line(added.name)}  {one_line(added.url)}\n")
        return 0


class EnginesTestCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("engine", metavar="URL|NAME", help="a saved engine, or any address")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        connections = app.connections()
        address = connections.address(arguments.engine)
        with cancel_on_ctrl_c() as cancel:
            (report,) = iterate_in_thread(lambda: iter([connections.test(address, cancel)]), cancel)
        for warning in report.warnings:
            print_note(f"Note: {one_line(warning)}")
        if arguments.json:
            write_json(_plain(report))
        else:
            write_output("\n".join(_lines(report)) + "\n")
        return 0


class EnginesRemoveCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="a saved engine; its key is deleted, too")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        connections = app.connections()
        removed = connections.registry.remove(arguments.name)
        code = 0
        try:
            connections.delete_unused_key(removed)
        except SettingError as error:
            report_error(error)
            code = USER_ERROR
        if arguments.json:
            write_json({"removed": removed.name})
        else:
            write_output(f"Removed {one_line(removed.name)}.\n")
        return code


def _found(connections: Connections) -> list[EngineReport]:
    with cancel_on_ctrl_c() as cancel:
        (found,) = iterate_in_thread(lambda: iter([connections.find_here(cancel)]), cancel)
    return found


def _read_key() -> str:
    """Never an argument: other programs see those."""
    if sys.stdin is not None and sys.stdin.isatty():
        return getpass.getpass("Key: ")
    return sys.stdin.readline().strip() if sys.stdin is not None else ""


def _plain(report: EngineReport) -> Mapping[str, object]:
    models = [{"id": each.id, "loaded": each.is_loaded, "n_ctx": each.n_ctx or None} for each in report.models]
    lacks = {str(capability): why for capability, why in report.lacks.items()}
    warnings = list(report.warnings)
    return {
        "url": report.url,
        "engine": report.engine,
        "version": report.version or None,
        "totals": None if report.totals is None else asdict(report.totals),
        "models": models,
        "lacks": lacks,
        "warnings": warnings,
    }


def _lines(report: EngineReport) -> list[str]:
    lines = [f"{' '.join(filter(None, (report.engine, report.version)))} at {one_line(report.url)}"]
    if report.totals is not None:
        lines.append(f"  since startup, for all clients: {_counted(report.totals)}")
    for model in report.models[:_SHOWN_MODELS]:
        facts = [] if model.is_loaded else ["not loaded"]
        facts += [f"context {model.n_ctx:,}"] if model.n_ctx else []
        lines.append(f"  {one_line(model.id)}" + (f"  ({', '.join(facts)})" if facts else ""))
    if len(report.models) > _SHOWN_MODELS:
        lines.append(f"  and {len(report.models) - _SHOWN_MODELS:,} more")
    return lines if report.models else [*lines, "  no models"]


def _counted(totals: GuessTotals) -> str:
    if totals.drafted:
        return f"{totals.accepted:,} of {totals.drafted:,} guesses accepted"
    return f"{totals.mean_length or 0.0:.1f} tokens per pass"


def _list() -> Command:
    return EnginesListCommand()


def _add() -> Command:
    return EnginesAddCommand()


def _test() -> Command:
    return EnginesTestCommand()


def _remove() -> Command:
    return EnginesRemoveCommand()


_FIND = "also look for engines on their usual ports on this computer"
_TASKS: Subcommands = {
    "list": ("list saved engines (the default)", _list),
    "add": ("save the address of an engine", _add),
    "test": ("show what an engine is and which models it has", _test),
    "rm": ("remove a saved engine and its key", _remove),
}
