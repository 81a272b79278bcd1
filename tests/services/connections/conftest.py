from collections.abc import Iterator
from pathlib import Path

import pytest
from support.api_servers import serving
from support.engine_servers import has_llama_server, llama_server
from support.ggufs import ModelRecipe, make_pair
from support.leftovers import no_thread_stays
from support.scripted_engine import ScriptedEngine, scripted_engine

from specchat.services.connections.remote_engine import RemoteEngine
from specchat.sources.engine_http import EngineHttp

SERVE = ("--exact", "-c", "1024", "--draft-max", "4")
LLAMA_SERVER = ("--spec-type", "draft-simple", "--spec-draft-n-max", "4", "-c", "1024")


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    with no_thread_stays():
        yield


@pytest.fixture(scope="package")
def pair(models_dir: Path) -> tuple[Path, Path]:
    folder = models_dir / "connected"
    folder.mkdir()
    return make_pair(folder, recipe=ModelRecipe(n_ctx=1024))


@pytest.fixture(scope="package", params=["specchat", pytest.param("llama-server", marks=pytest.mark.llama_server)])
def address(
    request: pytest.FixtureRequest, pair: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Of a real engine with this pair."""
    target, draft = pair
    if request.param == "specchat":
        with serving(tmp_path_factory.mktemp("home"), "-m", target, "-md", draft, *SERVE) as api:
            yield api.url
    elif not has_llama_server():
        pytest.skip("SPECCHAT_TEST_LLAMA_SERVER is not set")
    else:
        with llama_server("-m", target, "-md", draft, *LLAMA_SERVER) as url:
            yield url


@pytest.fixture
def engine() -> RemoteEngine:
    return RemoteEngine(EngineHttp())


@pytest.fixture
def server() -> Iterator[ScriptedEngine]:
    with scripted_engine() as server:
        yield server
