"""Models that hear: what is encoded and refused."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.audio_projectors import HEARINGS
from support.media_answers import encoder, prompt, say
from support.pairs import DRAFT, loaded
from support.recordings import flac, recording, tones

from specchat.backends import media_encoder
from specchat.backends.llama_model import LlamaModel
from specchat.domain.errors import MediaError
from specchat.domain.recordings import Recording


@pytest.fixture(scope="module")
def hearing(models_dir: Path) -> Iterator[LlamaModel]:
    target, mmproj = HEARINGS["ultravox"].make(models_dir / "media-ultravox")
    with loaded(target, replace(DRAFT, n_ctx=2048, mmproj=mmproj, max_draft=7, branches=4)) as model:
        yield model


def test_more_than_is_kept_is_encoded_piece_by_piece(hearing: LlamaModel, monkeypatch: pytest.MonkeyPatch) -> None:
    long = recording(31.0, seed=9)
    hearing.keep(0)
    wanted = say(hearing, prompt(hearing, long), 6)
    encoder(hearing)._encoded.clear()
    monkeypatch.setattr(media_encoder, "_MAX_ENCODED", 1000)
    hearing.keep(0)
    assert say(hearing, prompt(hearing, long), 6) == wanted
    assert len(encoder(hearing)._encoded) == 1


def test_a_recording_that_only_begins_well(hearing: LlamaModel) -> None:
    broken = Recording(flac(tones(2.0))[:60], "half.flac")
    with pytest.raises(MediaError, match="half.flac is damaged"):
        prompt(hearing, broken)


def test_nothing_is_heard_that_is_too_long(hearing: LlamaModel) -> None:
    with pytest.raises(MediaError, match="long.flac is longer than 30 minutes"):
        prompt(hearing, Recording(flac(tones(0.5), claimed=1 << 35), "long.flac"))
