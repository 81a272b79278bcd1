"""Pictures and mmproj files broken at random: a sentence each, or an answer, and the program goes on."""

import struct
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from support.drawings import JPEG, bmp, gif, pixels, png
from support.mutants import (
    ODD,
    Original,
    cut_off,
    flip_bits,
    flip_header_bits,
    inflate_a_length,
    lengthen,
    poison_weights,
    repeat_a_piece,
    retype_a_tensor,
    splice,
    swap_tensors,
)
from support.pairs import GREEDY
from support.projectors import SIGHTS

from specchat.backends.child import Child
from specchat.backends.preflight import preflight_child, run_projector_preflight
from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import CompletionTask
from specchat.domain.errors import EngineStoppedError, ModelFileError, ModelLoadError, UserError
from specchat.domain.model_ref import ModelFile
from specchat.domain.pictures import Picture
from specchat.domain.types import GenerationFinished, Message, ModelSettings, PairChoice, Role
from specchat.services.engines.subprocess_engine import SubprocessEngine
from specchat.services.generation.pair_loader import PairLoader
from specchat.services.generation.pair_profile import NullFactCache
from specchat.services.models.mmproj_lookup import require_fitting
from specchat.store.paths import Paths

SETTINGS = ModelSettings(n_ctx=512, threads=1)
NOBODY = CancelToken()
DRAWN = pixels(24, 20)
WHOLE = (png(DRAWN), bmp(DRAWN), gif(9, 7), JPEG)
NUMBERS = (
    "image_size",
    "patch_size",
    "embedding_length",
    "feed_forward_length",
    "block_count",
    "projection_dim",
    "attention.head_count",
)


def broken_pictures(count: int) -> Iterator[bytes]:
    random = Random(4)
    for i in range(count):
        data = bytearray(WHOLE[i % len(WHOLE)])
        for _ in range(random.randint(1, 3)):
            match random.randrange(4):
                case 0:
                    data[random.randrange(len(data))] ^= 1 << random.randrange(8)
                case 1:
                    del data[random.randrange(8, len(data)) :]
                case 2:
                    at = random.randrange(8, len(data))
                    data[at : at + 4] = random.randbytes(4)
                case _:
                    at = random.randrange(8, len(data))
                    data[at:at] = data[at : at + random.randrange(64)]
            if len(data) < 12:
                break
        yield bytes(data)


@pytest.fixture
def places(tmp_path: Path) -> Paths:
    return Paths(*(tmp_path / name for name in ("data", "config", "cache", "logs")))


@pytest.fixture(scope="module")
def target(models_dir: Path) -> Path:
    return SIGHTS["llava"].make(models_dir / "sight-for-damage")[0]


def test_fifty_pictures(places: Paths, target: Path) -> None:
    sentences, n_answers = list[UserError](), 0
    choice = PairChoice(ModelFile(target), None, SETTINGS, draft_type="none")
    with closing(SubprocessEngine(places)) as engine:
        assert engine.load(choice, NOBODY, lambda *_: None).sees_pictures
        for i, content in enumerate(broken_pictures(50)):
            asked = (Message(Role.USER, "?", pictures=(Picture(content, f"{i}.png"),)),)
            try:
                *_, end = engine.generate(CompletionTask(asked, GREEDY, 1), NOBODY)
                assert isinstance(end, GenerationFinished)
                n_answers += 1
            except UserError as error:
                sentences.append(error)
        assert engine.is_loaded
    assert len(sentences) + n_answers == 50
    assert len(sentences) > 15
    for sentence in sentences:
        assert not isinstance(sentence, EngineStoppedError)
        assert sentence.hint
        assert sentence.message.endswith(".")


MUTATIONS = (
    flip_bits,
    flip_header_bits,
    cut_off,
    lengthen,
    inflate_a_length,
    splice,
    repeat_a_piece,
    swap_tensors,
    retype_a_tensor,
    poison_weights,
)


def change_a_number(data: bytearray, random: Random) -> None:
    key = f"clip.vision.{random.choice(NUMBERS)}".encode()
    place = data.find(key)
    struct.pack_into("<I", data, place + len(key) + 4, random.choice(ODD))


def test_fifty_mmproj_files(tmp_path: Path, models_dir: Path) -> None:
    random, whole = Random(5), []
    for name, sight in SIGHTS.items():
        target, mmproj = sight.make(models_dir / f"sight-to-break-{name}")
        whole.append((target, Original.of(mmproj.read_bytes())))
    n_refused = 0
    with preflight_child() as child:
        for i in range(50):
            target, original = whole[i % len(whole)]
            data = bytearray(original.data)
            if i % 3 == 0:
                change_a_number(data, random)
            else:
                random.choice(MUTATIONS)(data, original, random)
            mmproj = tmp_path / f"mmproj-{i}.gguf"
            mmproj.write_bytes(data)
            refusal = _refusal(mmproj, target, child)
            if refusal is not None:
                n_refused += 1
                assert refusal.hint
                assert "mmproj" in refusal.message
            mmproj.unlink()
    assert n_refused > 20


def _refusal(mmproj: Path, target: Path, child: Child) -> UserError | None:
    try:
        require_fitting(mmproj, target)
        run_projector_preflight(mmproj, target, SETTINGS, NullFactCache(), child, NOBODY)
    except (ModelFileError, ModelLoadError) as error:
        return error
    return None


def test_a_file_of_another_kind(tmp_path: Path, target: Path) -> None:
    loader = PairLoader(NullFactCache(), NullFactCache())
    for name, content in (("empty.gguf", b""), ("text.gguf", b"hello"), ("target.gguf", target.read_bytes())):
        mmproj = tmp_path / name
        mmproj.write_bytes(content)
        choice = PairChoice(ModelFile(target), None, replace(SETTINGS, mmproj=mmproj), draft_type="none")
        with pytest.raises(ModelFileError, match=name):
            loader.load(choice, NOBODY)
