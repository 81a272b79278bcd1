"""The same words as llama-mtmd-cli of the same source writes about the same pictures."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.drawings import picture
from support.pairs import GREEDY, collect
from support.projectors import SIGHTS

from specchat.domain.cancel_token import CancelToken
from specchat.domain.model_ref import ModelFile
from specchat.domain.types import GenerationRequest, Message, ModelSettings, PairChoice, Role
from specchat.services.generation.loaded_pair import LoadedPair
from specchat.services.generation.pair_loader import PairLoader
from specchat.services.generation.pair_profile import NullFactCache

PROGRAM = os.environ.get("SPECCHAT_TEST_LLAMA_MTMD_CLI", "")
SIZES = [(60, 40), (40, 60), (16, 16), (200, 90), (640, 480)]
N_TOKENS = 32
pytestmark = pytest.mark.skipif(not PROGRAM, reason="SPECCHAT_TEST_LLAMA_MTMD_CLI is not set")


@pytest.fixture(scope="module", params=SIGHTS)
def pair(request: pytest.FixtureRequest, models_dir: Path) -> Iterator[LoadedPair]:
    target, mmproj = SIGHTS[request.param].make(models_dir / f"beside-mtmd-cli-{request.param}")
    settings = ModelSettings(n_ctx=1024, threads=2, mmproj=mmproj)
    choice = PairChoice(ModelFile(target), None, settings, draft_type="none")
    with closing(PairLoader(NullFactCache(), NullFactCache()).load(choice, CancelToken())) as loaded:
        yield loaded


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_same_words(pair: LoadedPair, size: tuple[int, int], tmp_path: Path) -> None:
    shown = picture(*size, seed=size[0])
    file = tmp_path / "picture.png"
    file.write_bytes(shown.content)
    prompt = pair.build_prompt([Message(Role.USER, "What is there?", pictures=(shown,))])
    ours = collect(pair.generate(GenerationRequest(prompt, GREEDY, N_TOKENS), CancelToken()))
    settings = pair.choice.target_settings
    options = ["-m", pair.target.weights.path, "--mmproj", settings.mmproj, "--image", file, "-p", "What is there?"]
    limits = ["-n", N_TOKENS, "-c", 1024, "-t", 2, "--temp", 0, "--jinja", "-lv", 0]
    command = [PROGRAM, *map(str, [*options, *limits])]
    said = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    assert ours.text.strip()
    assert said.strip() == ours.text.strip()
