"""Models that hear, against mtmd's own functions."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.audio_projectors import HEARINGS, QWEN25_OMNI
from support.drawings import picture
from support.pairs import DRAFT, loaded
from support.plain_sight import MARKER, greedy_answer
from support.recordings import flac, mp3, recording, tones, wav

from specchat.backends import media_encoder
from specchat.backends.llama_model import LlamaModel
from specchat.backends.media_encoder import MediaEncoder
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import MediaError
from specchat.domain.media import Media
from specchat.domain.recordings import Recording
from specchat.engine.tokens import Tokens, cut, picture_rows
from specchat.gguf.projector import read_projector

SOUNDS: dict[str, Media] = {
    "wav": recording(1.0, seed=1),
    "another rate": Recording(wav(tones(0.7, 2, 44100), 44100), "fast.wav"),
    "two channels": Recording(wav(tones(0.5, 3).repeat(2), channels=2), "wide.wav"),
    "flac": Recording(flac(tones(0.8, 4)), "short.flac"),
    "mp3": Recording(mp3(), "silent.mp3"),
    "longer than a piece": recording(31.0, seed=5),
}
NOBODY = CancelToken()


@pytest.fixture(scope="module", params=HEARINGS)
def hearing(request: pytest.FixtureRequest, models_dir: Path) -> Iterator[LlamaModel]:
    target, mmproj = HEARINGS[request.param].make(models_dir / f"hearing-{request.param}")
    with loaded(target, replace(DRAFT, n_ctx=2048, mmproj=mmproj, max_draft=7, branches=4)) as model:
        yield model


def encoder(model: LlamaModel) -> MediaEncoder:
    assert model.shared.media is not None
    return model.shared.media


def prompt(model: LlamaModel, *heard: Media) -> Tokens:
    vocabulary = model.vocabulary
    tokens = [*vocabulary.added_before(), *vocabulary.tokenize("listen", add_special=False, parse_special=True)]
    for each in heard:
        after = vocabulary.tokenize(" what is said?", add_special=False, parse_special=True)
        tokens += [*encoder(model).tokens(each), *after]
    return np.array(tokens, dtype=np.int32)


def say(model: LlamaModel, tokens: Tokens, n: int) -> list[int]:
    for begin, end in cut(tokens[:-1], 512):
        model.evaluate(tokens[begin:end], 0, NOBODY)
    said: list[int] = []
    last = tokens[-1:]
    for _ in range(n):
        said.append(int(model.evaluate(last, 1, NOBODY)[0].argmax()))
        last = np.array(said[-1:], dtype=np.int32)
    return said


def reference(model: LlamaModel, heard: Sequence[Media], n: int) -> list[int]:
    words = "listen" + "".join(f"{MARKER} what is said?" for _ in heard)
    return greedy_answer(model, encoder(model).path, words, heard, n)


def test_the_header_tells_what_it_computes_with(hearing: LlamaModel) -> None:
    encoder(hearing).open()
    reserved = sum(each.compute for each in encoder(hearing).allocated.values())
    assert abs(read_projector(encoder(hearing).path).compute - reserved) < 12 << 10  # the log has steps of 10 kB


@pytest.mark.parametrize("kind", SOUNDS)
def test_the_same_tokens_as_with_mtmds_own_functions(hearing: LlamaModel, kind: str) -> None:
    wanted = reference(hearing, [SOUNDS[kind]], 16)
    hearing.keep(0)
    assert say(hearing, prompt(hearing, SOUNDS[kind]), 16) == wanted


def test_what_is_heard_matters(hearing: LlamaModel) -> None:
    answers = set()
    for each in SOUNDS.values():
        hearing.keep(0)
        answers.add(tuple(say(hearing, prompt(hearing, each), 12)))
    assert len(answers) > 1


def test_a_picture_and_a_recording(models_dir: Path) -> None:
    target, mmproj = QWEN25_OMNI.make(models_dir / "hearing-omni")
    with loaded(target, replace(DRAFT, n_ctx=2048, mmproj=mmproj)) as model:
        both = [picture(60, 40, seed=1), SOUNDS["wav"]]
        wanted = reference(model, both, 16)
        model.keep(0)
        assert say(model, prompt(model, *both), 16) == wanted


def test_a_text_goes_back_to_any_place_but_the_middle_of_a_recording(hearing: LlamaModel) -> None:
    tokens = prompt(hearing, SOUNDS["wav"])
    hearing.keep(0)
    wanted = say(hearing, tokens, 6)
    ((begin, end),) = picture_rows(tokens)
    for length in (len(tokens) - 1, end, end - 1, begin + 1, begin):
        kept = hearing.keep(length)
        assert kept in (begin if begin < length < end else length, 0)
        assert say(hearing, tokens[kept:], 6) == wanted


def test_guesses_after_a_recording(hearing: LlamaModel) -> None:
    tokens = prompt(hearing, SOUNDS["flac"])
    hearing.keep(0)
    said = np.array(say(hearing, tokens, 6), dtype=np.int32)
    hearing.keep(len(tokens))
    logits = hearing.evaluate(said[:4], 4, NOBODY)
    assert [int(row.argmax()) for row in logits] == said[1:5].tolist()
    if hearing.max_branches > 1:
        hearing.keep(len(tokens))
        side = (int(said[1]) + 1) % 200
        tree = np.array([said[0], said[1], said[2], side], dtype=np.int32)
        logits = hearing.evaluate_tree(tree, (-1, 0, -1), NOBODY)
        assert [int(row.argmax()) for row in logits[:3]] == said[1:4].tolist()


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
