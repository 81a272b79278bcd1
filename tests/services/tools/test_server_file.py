"""mcp.json as people write it by hand, or copy it from other programs."""

import json
from pathlib import Path

import pytest

from specchat.services.tools.server_file import ServerFile, make_config


def write(folder: Path, content: object) -> ServerFile:
    file = ServerFile(folder / "mcp.json")
    file.path.write_text(content if isinstance(content, str) else json.dumps(content))
    return file


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ({"command": "npx", "args": "-y server"}, "args must be a list of strings."),
        ({"command": ["npx", "-y"]}, "command must be a string."),
        ({"command": "npx", "env": {"PORTS": [80]}}, "env must be an object of strings."),
        (
            {"type": "sse", "url": "http://h/sse"},
            "It uses the old SSE transport. specchat needs Streamable HTTP.",
        ),
        ("npx -y server", "It must be an object."),
        ({}, "It has neither a command nor an address."),
    ],
)
def test_an_unusable_entry_says_what_is_wrong(tmp_path: Path, entry: object, problem: str) -> None:
    (config,) = write(tmp_path, {"mcpServers": {"files": entry}}).servers()
    assert config.problem == problem


def test_what_can_be_read_of_an_unusable_entry_is_read(tmp_path: Path) -> None:
    entry = {"command": "npx", "args": "-y server", "env": {"HOST": "h"}}
    (config,) = write(tmp_path, {"mcpServers": {"files": entry}}).servers()
    assert (config.command, dict(config.env)) == ("npx", {"HOST": "h"})


def test_numbers_are_read_as_text(tmp_path: Path) -> None:
    entry = {"command": "serve", "args": ["--port", 80], "env": {"PORT": 8080, "DEBUG": True}}
    (config,) = write(tmp_path, {"mcpServers": {"web": entry}}).servers()
    assert (config.args, dict(config.env)) == (("--port", "80"), {"PORT": "8080", "DEBUG": "true"})
    assert config.problem is None


def test_the_key_of_vs_code_is_read_and_kept(tmp_path: Path) -> None:
    file = write(tmp_path, {"servers": {"files": {"type": "stdio", "command": "npx"}}, "inputs": []})
    file.save(make_config("web", url="http://127.0.0.1/mcp"))
    assert [each.name for each in file.servers()] == ["files", "web"]
    assert list(json.loads(file.path.read_text())) == ["servers", "inputs"]
    file.remove("files")
    assert [each.name for each in file.servers()] == ["web"]


def test_an_empty_file_has_no_servers(tmp_path: Path) -> None:
    assert write(tmp_path, "\n").servers() == []


def test_the_home_folder_is_found_as_in_a_shell() -> None:
    config = make_config("files", command="~/bin/serve", args=("~/Documents",), cwd="~")
    assert (config.command, config.cwd) == (str(Path.home() / "bin/serve"), str(Path.home()))
    assert config.args == ("~/Documents",)  # the program decides what its arguments mean
