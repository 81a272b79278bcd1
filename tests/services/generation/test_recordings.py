"""Which models hear, and what they can hear."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from support.audio_projectors import ULTRAVOX, AudioRecipe, make_audio_projector
from support.drawings import picture
from support.projectors import LLAVA
from support.recordings import flac, recording, tones

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import IncapableError, MediaError
from specchat.domain.model_ref import ModelFile
from specchat.domain.recordings import Recording
from specchat.domain.types import Message, ModelSettings, PairChoice, Role
from specchat.services.generation.loaded_pair import LoadedPair
from specchat.services.generation.pair_loader import PairLoader
from specchat.services.generation.pair_profile import NullFactCache

SETTINGS = ModelSettings(n_ctx=2048, threads=2)
MEMO = recording(0.5)
ASKED = (Message(Role.USER, "What is said?", recordings=(MEMO,)),)


def load(target: Path) -> LoadedPair:
    choice = PairChoice(ModelFile(target), None, SETTINGS, SETTINGS)
    return PairLoader(NullFactCache(), NullFactCache()).load(choice, CancelToken())


def test_a_model_hears_only_what_it_can(tmp_path: Path) -> None:
    target, mmproj = ULTRAVOX.make(tmp_path / "hears")
    with closing(load(target)) as pair:
        assert (pair.prompts.sees_pictures, pair.prompts.hears_recordings) == (False, True)
        with pytest.raises(IncapableError, match="can't see pictures"):
            pair.prompts.build([Message(Role.USER, "?", pictures=(picture(60, 40),))])
        with pytest.raises(MediaError, match="memo.ogg has a format that llama.cpp can't read"):
            pair.prompts.build([Message(Role.USER, "?", recordings=(Recording(b"OggS" + bytes(99), "memo.ogg"),))])
    with closing(load(LLAVA.make(tmp_path / "sees")[0])) as pair:
        assert (pair.prompts.sees_pictures, pair.prompts.hears_recordings) == (True, False)
        with pytest.raises(IncapableError, match=r"target.gguf can't hear recordings\.$"):
            pair.prompts.build(ASKED)


def test_what_is_heard_as_a_whole_must_be_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = Recording(flac(tones(0.5), claimed=121 * 16000), "long.flac")
    with closing(load(ULTRAVOX.make(tmp_path)[0])) as pair:
        projector = pair.prompts._projector
        assert projector is not None
        monkeypatch.setitem(pair.prompts.__dict__, "_projector", replace(projector, most_seconds=120))
        with pytest.raises(MediaError, match="long.flac is too long for target.gguf, which hears at most 120 seconds"):
            pair.prompts.build([Message(Role.USER, "?", recordings=(long,))])


def test_an_encoder_that_makes_other_rows_than_llama_cpp_counts(tmp_path: Path) -> None:
    """It would end the process with the first recording: the target loads without it."""
    target = ULTRAVOX.make(tmp_path)[0]
    make_audio_projector(tmp_path / "mmproj-target.gguf", AudioRecipe(n_embd=64))
    with closing(load(target)) as pair:
        assert not pair.prompts.hears_recordings
