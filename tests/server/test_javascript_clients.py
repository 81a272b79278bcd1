"""What programs in JavaScript see, through OpenAI's and Anthropic's own clients.

They run where Node is and SPECCHAT_TEST_NODE_MODULES names the folder that `npm install openai @anthropic-ai/sdk` made.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support.api_servers import ANSWER_S, Api

SCRIPTS = Path(__file__).parent / "javascript"
MODULES = Path(os.environ.get("SPECCHAT_TEST_NODE_MODULES", "nowhere"))
QUESTION = "hello world, what is a token?"


def run_script(name: str, package: str, url: str) -> dict[str, Any]:
    node = shutil.which("node")
    if node is None or not (MODULES / package).is_dir():
        pytest.skip(f"needs Node, and {package} in SPECCHAT_TEST_NODE_MODULES")
    found = subprocess.run(
        [node, SCRIPTS / name, url],
        env=os.environ | {"NODE_PATH": str(MODULES)},
        capture_output=True,
        timeout=ANSWER_S,
        check=False,
    )
    assert found.returncode == 0, found.stderr.decode()
    said = json.loads(found.stdout)
    assert isinstance(said, dict)
    return said


def expected(api: Api) -> str:
    reply = api.chat(QUESTION, temperature=0, max_tokens=16).json
    return str(reply["choices"][0]["message"]["content"])


def check_calls(calls: list[dict[str, Any]]) -> None:
    assert calls
    for call in calls:
        assert call["name"] == "weather"
        assert call["arguments"]["city"] in ("Oslo", "Rome")


def test_openais_client(api: Api) -> None:
    said = run_script("openai.cjs", "openai", api.url)
    assert said["whole"] == said["streamed"] == said["response"] == expected(api)
    assert said["models"] == ["target.gguf"]
    assert said["refused"] == 400
    check_calls(said["calls"])


def test_anthropics_client(api: Api) -> None:
    said = run_script("anthropic.cjs", "@anthropic-ai/sdk", api.url.removesuffix("/v1"))
    assert said["whole"] == said["streamed"] == expected(api)
    assert said["stop"] == ["max_tokens", "max_tokens"]
    assert said["counted"] > 5
    assert said["refused"] == 400
    check_calls(said["calls"])
