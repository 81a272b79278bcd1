"""MCP servers from the command line: nothing is started."""

import json
from pathlib import Path

import pytest
from support.commands import Commands


@pytest.fixture
def file(commands: Commands, tmp_path: Path) -> Path:
    commands.home = tmp_path / "home"
    file = tmp_path / "home" / "config" / "mcp.json"
    file.parent.mkdir(parents=True)
    return file


def test_servers_are_listed(commands: Commands, file: Path) -> None:
    entry = {"command": "npx", "args": ["a b", "--token", "t-123456"], "env": {"API_KEY": "k-123456"}}
    file.write_text(
        json.dumps({"mcpServers": {"files": entry, "empty": {}, "web": {"url": "https://x.org/?key=u-123456"}}})
    )
    listed = commands.run("mcp", "list", "--json").json
    assert listed["file"] == str(file)
    assert listed["servers"][0] == {
        "name": "files",
        "command": "npx 'a b' --token •••",
        "enabled": False,
        "changed": False,
        "problem": None,
    }
    shown = commands.run("mcp").out
    assert "files  off" in shown
    assert "https://x.org/?key=•••" in shown
    assert "-123456" not in shown + json.dumps(listed)


def test_none_and_a_damaged_file(commands: Commands, file: Path) -> None:
    assert "No MCP servers" in commands.run("mcp").err
    file.write_text("{")
    assert commands.run("mcp").refusal[0].startswith("mcp.json can't be used")
