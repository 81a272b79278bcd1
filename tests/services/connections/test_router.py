"""A real llama-server with several models, of which none is loaded."""

from pathlib import Path

import pytest
from support.engine_servers import llama_server, why_no_llama_server
from support.ggufs import ModelRecipe, make_model

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import SettingError
from specchat.domain.model_ref import ServedModel
from specchat.domain.types import PairChoice
from specchat.services.connections.remote_engine import RemoteEngine

pytestmark = [
    pytest.mark.llama_server,
    pytest.mark.skipif(bool(why_no_llama_server()), reason=why_no_llama_server()),
]


def test_the_one_that_is_chosen_is_loaded(engine: RemoteEngine, tmp_path: Path) -> None:
    for name in ("small", "other"):
        make_model(tmp_path / f"{name}.gguf", ModelRecipe(n_ctx=512))
    with llama_server("--models-dir", tmp_path, "--no-models-autoload", "-c", 512) as url:
        with pytest.raises(SettingError, match="several models") as refused:
            engine.load(PairChoice(ServedModel(url)), CancelToken(), lambda *_: None)
        assert refused.value.hint == "Choose one with -m: other, small"
        loaded = engine.load(PairChoice(ServedModel(url, "small")), CancelToken(), lambda *_: None)
        assert (loaded.target, loaded.n_ctx, loaded.engine) == ("small", 512, "llama-server")
