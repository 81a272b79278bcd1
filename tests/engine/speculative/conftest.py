from collections.abc import Iterator
from dataclasses import replace

import pytest
from support.ggufs import make_pair
from support.pairs import DRAFT, EXACT, exact_target, loaded

from specchat.backends.llama_model import LlamaModel


@pytest.fixture(scope="package")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LlamaModel, LlamaModel]]:
    target, draft = make_pair(tmp_path_factory.mktemp("pair"))
    with exact_target(target, replace(EXACT, branches=4)) as t, loaded(draft, DRAFT) as d:
        yield t, d


@pytest.fixture
def target(pair: tuple[LlamaModel, LlamaModel]) -> LlamaModel:
    pair[0].keep(0)
    return pair[0]


@pytest.fixture
def draft(pair: tuple[LlamaModel, LlamaModel]) -> LlamaModel:
    pair[1].keep(0)
    return pair[1]
