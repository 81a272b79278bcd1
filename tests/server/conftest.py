from collections.abc import Iterator
from pathlib import Path

import pytest
from support.api_servers import Api, serving
from support.call_formats import WITH_TOOLS
from support.ggufs import ModelRecipe, make_pair

EXACT = ("--exact", "-c", "2048", "--draft-max", "4")


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Kept for all servers, so that a model's first load happens once."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def pair(models_dir: Path) -> tuple[Path, Path]:
    """Its template knows tools."""
    folder = models_dir / "served"
    folder.mkdir()
    return make_pair(folder, recipe=ModelRecipe(chat_template=WITH_TOOLS, n_ctx=2048))


@pytest.fixture(scope="package")
def api(home: Path, pair: tuple[Path, Path]) -> Iterator[Api]:
    target, draft = pair
    with serving(home, "-m", target, "-md", draft, *EXACT) as api:
        yield api


@pytest.fixture(scope="package")
def api_without_draft(home: Path, pair: tuple[Path, Path]) -> Iterator[Api]:
    with serving(home, "-m", pair[0], "--draft-type", "none", *EXACT) as api:
        yield api
