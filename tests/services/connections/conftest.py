import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.api_servers import serving
from support.call_formats import WITH_TOOLS
from support.engine_servers import N_CTX, Served, llama_server, why_no_llama_server, why_no_vllm
from support.ggufs import ModelRecipe, make_pair
from support.leftovers import no_thread_stays
from support.scripted_engine import ScriptedEngine, scripted_engine

from specchat.services.connections.remote_engine import RemoteEngine
from specchat.sources.engine_http import EngineHttp

SERVE = ("--exact", "-c", N_CTX, "--draft-max", 4)
LLAMA_SERVER = ("--spec-type", "draft-simple", "--spec-draft-n-max", 4, "-c", N_CTX)
ENGINES = [
    "specchat",
    pytest.param("llama_server_with_draft", marks=pytest.mark.llama_server),
    pytest.param("router", marks=pytest.mark.llama_server),
    "vllm",
]


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    with no_thread_stays():
        yield


@pytest.fixture(scope="package")
def pair(models_dir: Path) -> tuple[Path, Path]:
    folder = models_dir / "connected"
    folder.mkdir()
    return make_pair(folder, recipe=ModelRecipe(chat_template=WITH_TOOLS, n_ctx=N_CTX))


@pytest.fixture(scope="package", params=ENGINES)
def served(request: pytest.FixtureRequest) -> Served:
    """By a real engine, which runs once for all that ask it."""
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Served)
    return found


@pytest.fixture(scope="package")
def specchat(pair: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    target, draft = pair
    with serving(tmp_path_factory.mktemp("home"), "-m", target, "-md", draft, *map(str, SERVE)) as api:
        yield Served(api.url)


@pytest.fixture(scope="package")
def llama_server_with_draft(pair: tuple[Path, Path]) -> Iterator[Served]:
    _skip_for(why_no_llama_server())
    target, draft = pair
    with llama_server("-m", target, "-md", draft, *LLAMA_SERVER, "--metrics") as url:
        yield Served(url)


@pytest.fixture(scope="package")
def router(pair: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A llama-server that has loaded nothing yet."""
    _skip_for(why_no_llama_server())
    target, draft = pair
    folder = tmp_path_factory.mktemp("routed")
    os.link(target, folder / target.name)
    with llama_server("--models-dir", folder, "-md", draft, *LLAMA_SERVER) as url:
        yield Served(url, target.stem)


@pytest.fixture(scope="package")
def vllm() -> Served:
    _skip_for(why_no_vllm())
    return Served(os.environ["SPECCHAT_TEST_VLLM"])


def _skip_for(reason: str) -> None:
    if reason:
        pytest.skip(reason)


@pytest.fixture
def engine() -> RemoteEngine:
    return RemoteEngine(EngineHttp())


@pytest.fixture
def server() -> Iterator[ScriptedEngine]:
    with scripted_engine() as server:
        yield server
