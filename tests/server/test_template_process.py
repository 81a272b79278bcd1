"""The process that renders the template is stopped: the request was all right, and so is the model."""

import sys
from pathlib import Path

import pytest
from support.api_servers import serving
from support.program_processes import children_at


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("stream", [False, True])
def test_stopped(tmp_path: Path, tiny_llama: Path, stream: bool) -> None:
    home = tmp_path / "home"
    with serving(home, "-m", tiny_llama, "-c", "512") as api:
        assert api.chat("hello", max_tokens=2).status == 200
        (process,) = children_at(home, "template")
        process.suspend()
        refused = api.chat("hello again", max_tokens=2, stream=stream)
        assert (refused.status, refused.error["type"]) == (503, "unavailable_error")
        assert refused.headers["retry-after"] == "1"
        assert refused.error["message"] == (
            "The chat template failed: The helper process was suspended, or this computer is too busy. Try again."
        )
        assert api.chat("hello again", max_tokens=2, stream=stream).status == 200
