"""specchat mcp [list]"""

import argparse
from collections.abc import Mapping

from specchat.cli import App, Command
from specchat.cli.output import one_line, print_note, write_json, write_output
from specchat.cli.parser import format_examples
from specchat.cli.subcommands import Subcommands, add_subcommands, run_subcommand
from specchat.cli.text_table import format_table
from specchat.services.tools.tool_service import ToolServer


class McpCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_subcommands(parser, _TASKS)
        parser.epilog = format_examples("specchat mcp", "specchat mcp list --json")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        return run_subcommand(arguments, app, _TASKS)


class McpListCommand:
    """It starts nothing."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        pass

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        tools = app.tools()
        servers = tools.servers()
        if arguments.json:
            write_json({"file": str(tools.file.path), "servers": list(map(_plain, servers))})
        elif servers:
            rows = [(one_line(each.config.name), _state(each), one_line(each.config.description)) for each in servers]
            write_output("\n".join(format_table(("name", "state", "command or address"), rows)) + "\n")
        else:
            print_note(f"No MCP servers. Add one in the window, or in {tools.file.path}.")
        return 0


def _plain(server: ToolServer) -> Mapping[str, object]:
    problem = server.config.problem
    return {
        "name": server.config.name,
        "command": server.config.description,
        "enabled": server.is_enabled,
        "changed": server.was_changed,
        "problem": None if problem is None else str(problem),
    }


def _state(server: ToolServer) -> str:
    if server.config.problem is not None:
        return str(server.config.problem)
    return "enabled" if server.is_enabled else "changed" if server.was_changed else "off"


def _list() -> Command:
    return McpListCommand()


_TASKS: Subcommands = {"list": ("list the servers in mcp.json (the default)", _list)}
