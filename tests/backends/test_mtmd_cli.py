"""The same words as llama-mtmd-cli of the same source writes about the same pictures and recordings."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.audio_projectors import HEARINGS
from support.drawings import picture
from support.pairs import GREEDY, collect
from support.projectors import SIGHTS
from support.recordings import flac, mp3, tones, wav

from specchat.domain.cancel_token import CancelToken
from specchat.domain.model_ref import ModelFile
from specchat.domain.recordings import Recording
from specchat.domain.types import GenerationRequest, Message, ModelSettings, PairChoice, Role
from specchat.services.generation.loaded_pair import LoadedPair
from specchat.services.generation.pair_loader import PairLoader
from specchat.services.generation.pair_profile import NullFactCache

PROGRAM = os.environ.get("SPECCHAT_TEST_LLAMA_MTMD_CLI", "")
SIZES = [(60, 40), (40, 60), (16, 16), (200, 90), (640, 480)]
SOUNDS = {
    "tones.wav": wav(tones(1.0, 1)),
    "fast.wav": wav(tones(0.7, 2, 44100).repeat(2), 44100, 2),
    "tones.flac": flac(tones(0.8, 3)),
    "silence.mp3": mp3(60, claimed=60, tag=b"ID3\x04\0\0\0\0\0\x0a" + bytes(10)),
    "long.wav": wav(tones(31.0, 4)),
}
N_TOKENS = 32
pytestmark = pytest.mark.skipif(not PROGRAM, reason="SPECCHAT_TEST_LLAMA_MTMD_CLI is not set")


def load(target: Path, mmproj: Path) -> LoadedPair:
    settings = ModelSettings(n_ctx=2048, threads=2, mmproj=mmproj)
    choice = PairChoice(ModelFile(target), None, settings, draft_type="none")
    return PairLoader(NullFactCache(), NullFactCache()).load(choice, CancelToken())


@pytest.fixture(scope="module", params=SIGHTS)
def seeing(request: pytest.FixtureRequest, models_dir: Path) -> Iterator[LoadedPair]:
    with closing(load(*SIGHTS[request.param].make(models_dir / f"beside-mtmd-cli-{request.param}"))) as loaded:
        yield loaded


@pytest.fixture(scope="module", params=HEARINGS)
def hearing(request: pytest.FixtureRequest, models_dir: Path) -> Iterator[LoadedPair]:
    with closing(load(*HEARINGS[request.param].make(models_dir / f"hearing-mtmd-cli-{request.param}"))) as loaded:
        yield loaded


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_same_words_about_pictures(seeing: LoadedPair, size: tuple[int, int], tmp_path: Path) -> None:
    shown = picture(*size, seed=size[0])
    file = tmp_path / "picture.png"
    file.write_bytes(shown.content)
    _require_same_words(seeing, Message(Role.USER, "What is there?", pictures=(shown,)), "--image", file)


@pytest.mark.parametrize("name", SOUNDS)
def test_the_same_words_about_recordings(hearing: LoadedPair, name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(SOUNDS[name])
    heard = Recording(SOUNDS[name], name)
    _require_same_words(hearing, Message(Role.USER, "What is said?", recordings=(heard,)), "--audio", file)


def _require_same_words(pair: LoadedPair, asked: Message, option: str, file: Path) -> None:
    prompt = pair.prompts.build([asked])
    ours = collect(pair.generate(GenerationRequest(prompt, GREEDY, N_TOKENS), CancelToken()))
    settings = pair.choice.target_settings
    options = ["-m", pair.target.weights.path, "--mmproj", settings.mmproj, option, file, "-p", asked.content]
    limits = ["-n", N_TOKENS, "-c", 2048, "-t", 2, "--temp", 0, "--jinja", "-lv", 0]
    command = [PROGRAM, *map(str, [*options, *limits])]
    said = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    assert ours.text.strip()
    assert said.strip() == ours.text.strip()
