"""Recordings broken at random: a sentence each, or an answer, and the program goes on."""

import struct
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

from support.audio_projectors import AudioRecipe, Hearing
from support.ggufs import ModelRecipe
from support.pairs import GREEDY
from support.recordings import flac, mp3, tones, wav

from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import CompletionTask
from specchat.domain.errors import EngineStoppedError, UserError
from specchat.domain.model_ref import ModelFile
from specchat.domain.recordings import Recording
from specchat.domain.types import GenerationFinished, Message, ModelSettings, PairChoice, Role
from specchat.services.engines.subprocess_engine import SubprocessEngine
from specchat.store.paths import Paths

SETTINGS = ModelSettings(n_ctx=512, threads=2)
QUICK = Hearing(ModelRecipe(n_layer=1), AudioRecipe(n_embd=40, n_ff=40, n_head=1, n_layer=1))
NOBODY = CancelToken()
WHOLE = (wav(tones(0.3)), flac(tones(0.3)), mp3(12, claimed=12), wav(tones(0.3, rate=44100).repeat(2), 44100, 2))
ODD = (0, 1, 255, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF)


def broken(count: int) -> Iterator[bytes]:
    random = Random(11)
    for i in range(count):
        data = bytearray(WHOLE[i % len(WHOLE)])
        for _ in range(random.randint(1, 3)):
            match random.randrange(5):
                case 0:
                    data[random.randrange(len(data))] ^= 1 << random.randrange(8)
                case 1:
                    del data[random.randrange(8, len(data)) :]
                case 2:
                    struct.pack_into("<I", data, random.randrange(4, min(60, len(data) - 4)), random.choice(ODD))
                case 3:
                    at = random.randrange(8, len(data))
                    data[at : at + 64] = random.randbytes(64)
                case _:
                    at = random.randrange(8, len(data))
                    data[at:at] = data[at : at + random.randrange(64)]
            if len(data) < 80:
                break
        yield bytes(data)


def test_thirty_recordings(tmp_path: Path, models_dir: Path) -> None:
    places = Paths(*(tmp_path / name for name in ("data", "config", "cache", "logs")))
    target, _ = QUICK.make(models_dir / "hearing-for-damage")
    sentences, n_answers = list[UserError](), 0
    choice = PairChoice(ModelFile(target), None, SETTINGS, draft_type="none")
    with closing(SubprocessEngine(places)) as engine:
        pair = engine.load(choice, NOBODY, lambda *_: None)
        assert (pair.sees_pictures, pair.hears_recordings) == (False, True)
        for i, content in enumerate(broken(30)):
            asked = (Message(Role.USER, "?", recordings=(Recording(content, f"{i}.wav"),)),)
            try:
                *_, end = engine.generate(CompletionTask(asked, GREEDY, 1), NOBODY)
                assert isinstance(end, GenerationFinished)
                n_answers += 1
            except UserError as error:
                sentences.append(error)
        assert engine.is_loaded
    assert len(sentences) + n_answers == 30
    assert len(sentences) > 8
    for sentence in sentences:
        assert not isinstance(sentence, EngineStoppedError)
        assert sentence.hint
        assert sentence.message.endswith(".")
