"""A real model with a vision encoder, asked through the server."""

from pathlib import Path

from server.test_pictures import EACH
from support.api_servers import serving
from support.projectors import LLAVA


def test_each_api_shows_it_a_picture(tmp_path: Path) -> None:
    target, _ = LLAVA.make(tmp_path)
    with serving(tmp_path / "home", "-m", target, "--draft-type", "none", "-c", "1024") as api:
        assert api.get("/props").json["modalities"] == {"vision": True, "audio": False}
        for path, body in EACH:
            assert api.post(path, body).status == 200, path
