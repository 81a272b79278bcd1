"""Models that read pictures or recordings, against mtmd's own functions."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.audio_projectors import HEARINGS, QWEN25_OMNI
from support.drawings import picture
from support.media_answers import NOBODY, encoder, prompt, reference, say
from support.pairs import DRAFT, loaded
from support.projectors import SIGHTS
from support.recordings import flac, mp3, recording, tones, wav

from specchat.backends.llama_model import LlamaModel
from specchat.domain.media import Media
from specchat.domain.recordings import Recording
from specchat.engine.tokens import picture_rows
from specchat.gguf.projector import read_projector

SIZES = [(60, 40), (40, 60), (16, 16), (200, 90), (1, 3), (90, 90)]
PICTURES = [picture(*size, seed=i) for i, size in enumerate(SIZES)]
RECORDINGS = [
    recording(1.0, seed=1),
    Recording(wav(tones(0.7, 2, 44100), 44100), "another rate.wav"),
    Recording(wav(tones(0.5, 3).repeat(2), channels=2), "two channels.wav"),
    Recording(flac(tones(0.8, 4)), "short.flac"),
    Recording(mp3(), "silent.mp3"),
    recording(31.0, seed=5, name="longer than a piece.wav"),
]


@pytest.fixture(scope="module", params=[*SIGHTS, *HEARINGS])
def model(request: pytest.FixtureRequest, models_dir: Path) -> Iterator[LlamaModel]:
    recipe = SIGHTS.get(request.param) or HEARINGS[request.param]
    target, mmproj = recipe.make(models_dir / f"media-{request.param}")
    with loaded(target, replace(DRAFT, n_ctx=4096, mmproj=mmproj, max_draft=7, branches=4)) as model:
        yield model


@pytest.fixture
def media(request: pytest.FixtureRequest) -> Sequence[Media]:
    """Those that the model reads."""
    return PICTURES if request.node.callspec.params["model"] in SIGHTS else RECORDINGS


def test_the_header_tells_what_it_computes_with(model: LlamaModel) -> None:
    encoder(model).open()
    reserved = sum(each.compute for each in encoder(model).allocated.values())
    assert abs(read_projector(encoder(model).path).compute - reserved) < 12 << 10  # the log has steps of 10 kB


@pytest.mark.parametrize("chosen", [[0], [1], [2], [3], [4], [5], [0, 1]])
def test_the_same_tokens_as_with_mtmds_own_functions(
    model: LlamaModel, media: Sequence[Media], chosen: Sequence[int]
) -> None:
    shown = [media[i] for i in chosen]
    wanted = reference(model, shown, 20)
    model.keep(0)
    assert say(model, prompt(model, *shown), 20) == wanted


def test_what_is_seen_or_heard_matters(model: LlamaModel, media: Sequence[Media]) -> None:
    answers = set()
    for each in media:
        model.keep(0)
        answers.add(tuple(say(model, prompt(model, each), 12)))
    assert len(answers) > 1


def test_a_picture_and_a_recording(models_dir: Path) -> None:
    target, mmproj = QWEN25_OMNI.make(models_dir / "media-omni")
    with loaded(target, replace(DRAFT, n_ctx=2048, mmproj=mmproj)) as model:
        both = [PICTURES[0], RECORDINGS[0]]
        wanted = reference(model, both, 16)
        model.keep(0)
        assert say(model, prompt(model, *both), 16) == wanted


def test_a_text_goes_back_to_any_place_but_the_middle_of_media(model: LlamaModel, media: Sequence[Media]) -> None:
    """And goes on from there as if it had never been longer."""
    tokens = prompt(model, *media[:2])
    model.keep(0)
    wanted = say(model, tokens, 8)
    first, second = picture_rows(tokens)
    for length in (len(tokens) - 1, second[1], second[1] - 1, second[0], first[1] + 1, first[0] + 1, 1):
        kept = model.keep(length)
        inside = next((begin for begin, end in (first, second) if begin < length < end), length)
        assert kept in (inside, 0)
        assert say(model, tokens[kept:], 8) == wanted


def test_several_tokens_at_once_and_trees(model: LlamaModel, media: Sequence[Media]) -> None:
    tokens = prompt(model, media[0])
    model.keep(0)
    said = np.array(say(model, tokens, 8), dtype=np.int32)
    model.keep(len(tokens))
    logits = model.evaluate(said[:4], 4, NOBODY)
    assert [int(row.argmax()) for row in logits] == said[1:5].tolist()
    if model.max_branches > 1:
        model.keep(len(tokens))
        side = (int(said[1]) + 1) % 200
        tree = np.array([said[0], said[1], said[2], side], dtype=np.int32)
        logits = model.evaluate_tree(tree, (-1, 0, -1), NOBODY)
        assert [int(row.argmax()) for row in logits[:3]] == said[1:4].tolist()
        assert model.evaluate(said[3:4], 1, NOBODY)[0].argmax() == said[4]
