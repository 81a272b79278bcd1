import pytest

from specchat.domain.tools import CalledTool
from specchat.domain.types import ToolCall


@pytest.mark.parametrize(
    ("server", "tool", "parts"),
    [
        ("raw", "look", ("raw", "look")),
        ("raw", "look__up", ("raw", "look__up")),
        ("", "raw__look", ("raw", "look")),
        ("", "raw__look__up", ("raw", "look__up")),
        ("", "look", ("look",)),
        ("", "__look__", ("__look__",)),
        ("", "", ("",)),
    ],
)
def test_server_and_tool_are_told_apart_even_where_the_tool_is_unknown(
    server: str, tool: str, parts: tuple[str, ...]
) -> None:
    assert CalledTool(ToolCall("call00001", tool, "{}"), server, tool).name_parts == parts
