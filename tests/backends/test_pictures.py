"""Models that read pictures: what is encoded, kept and refused."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.drawings import JPEG, bmp, gif, jpeg_bomb, picture, pixels, png_bomb
from support.media_answers import NOBODY, encoder, prompt, reference, say
from support.pairs import DRAFT, loaded
from support.projectors import LLAVA, SIGHTS, other_width

from specchat.backends import media_encoder
from specchat.backends.llama_model import LlamaModel
from specchat.backends.media_encoder import MediaEncoder
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, ComputeError, MediaError, ModelLoadError
from specchat.domain.media import Media
from specchat.domain.pictures import Picture
from specchat.engine.slot_scheduler import SlotScheduler
from specchat.engine.tokens import FIRST_PICTURE, picture_rows

SIZES = [(60, 40), (40, 60), (16, 16), (200, 90), (1, 3)]
PICTURES = [picture(*size, seed=i) for i, size in enumerate(SIZES)]


@pytest.fixture(scope="module", params=SIGHTS)
def sight(request: pytest.FixtureRequest, models_dir: Path) -> Iterator[LlamaModel]:
    folder = models_dir / f"media-{request.param}"
    target, mmproj = SIGHTS[request.param].make(folder)
    with loaded(target, replace(DRAFT, n_ctx=1024, mmproj=mmproj, max_draft=7, branches=4)) as model:
        yield model


def test_a_state_that_is_kept(sight: LlamaModel) -> None:
    tokens = prompt(sight, PICTURES[0])
    sight.keep(0)
    wanted = say(sight, tokens, 8)
    sight.keep(len(tokens) - 1)
    state = sight.state()
    sight.keep(0)
    say(sight, prompt(sight, PICTURES[1]), 2)
    assert sight.restore(state)
    assert say(sight, tokens[-1:], 8) == wanted


def test_a_tree_after_the_cache_was_lost(sight: LlamaModel) -> None:
    tokens = prompt(sight, PICTURES[2])
    if sight.max_branches == 1 or len(tokens) > 400:
        return
    sight.keep(0)
    said = say(sight, tokens, 4)
    sight.keep(0)
    logits = sight.evaluate_tree(np.array([*tokens, *said[:2], 7], dtype=np.int32), (-1, 0, -1), NOBODY)
    assert [int(row.argmax()) for row in logits[:3]] == said[:3]


def test_a_picture_is_encoded_once(sight: LlamaModel, monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[str] = []
    encode = MediaEncoder._encode_media

    def noted(self: MediaEncoder, shown: Media | None, first: int, cancel: CancelToken) -> None:
        assert shown is not None
        encoded.append(shown.name)
        encode(self, shown, first, cancel)

    monkeypatch.setattr(MediaEncoder, "_encode_media", noted)
    new = picture(30, 30, seed=77)
    for _ in range(2):
        sight.keep(0)
        say(sight, prompt(sight, new, PICTURES[0], new), 1)
    assert encoded.count(new.name) == 1


def test_stopping_before_a_picture(sight: LlamaModel) -> None:
    cancel = CancelToken()
    cancel.cancel()
    sight.keep(0)
    with pytest.raises(Cancelled):
        sight.evaluate(prompt(sight, picture(30, 31, seed=9)), 1, cancel)
    assert len(sight.cached) == 0


def test_kinds_of_pictures(sight: LlamaModel) -> None:
    drawn = pixels(20, 16, seed=5)
    for content in (bmp(drawn), gif(8, 6), JPEG):
        shown = Picture(content, "a picture")
        wanted = reference(sight, [shown], 4)
        sight.keep(0)
        assert say(sight, prompt(sight, shown), 4) == wanted


def test_an_encoder_for_another_model(models_dir: Path) -> None:
    folder = models_dir / "sight-of-others"
    target, mmproj = other_width(LLAVA, 64).make(folder)
    with loaded(target, replace(DRAFT, mmproj=mmproj)) as model:
        with pytest.raises(ModelLoadError, match="was made for another model than target.gguf"):
            encoder(model).tokens(PICTURES[0])
        assert model.evaluate(np.zeros(1, dtype=np.int32), 1, NOBODY).shape[0] == 1


def test_a_picture_that_only_begins_well(sight: LlamaModel) -> None:
    broken = Picture(PICTURES[3].content[:100], "half.png")
    tokens = prompt(sight, broken)
    assert (tokens <= FIRST_PICTURE).any()
    sight.keep(0)
    with pytest.raises(MediaError, match="half.png is damaged: it can't be decoded"):
        sight.evaluate(tokens, 1, NOBODY)
    wanted = reference(sight, [PICTURES[0]], 4)
    sight.keep(0)
    assert say(sight, prompt(sight, PICTURES[0]), 4) == wanted


@pytest.mark.parametrize("content", [png_bomb(64 << 20), jpeg_bomb(5000, side=300)])
def test_pictures_that_are_made_to_take_gigabytes_or_hours(sight: LlamaModel, content: bytes) -> None:
    tokens = prompt(sight, Picture(content, "bomb"))
    sight.keep(0)
    with pytest.raises(MediaError, match="bomb is damaged: it can't be decoded"):
        sight.evaluate(tokens, 1, NOBODY)


def test_pictures_that_nobody_shows_any_more_are_forgotten(sight: LlamaModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server sees new ones for weeks. What was read stays usable, and no other picture gets the same ids."""
    monkeypatch.setattr(media_encoder, "_MOST_KNOWN", 3)
    shown = [picture(20, 20 + i, seed=i) for i in range(6)]
    tokens = prompt(sight, shown[0])
    sight.keep(0)
    wanted = say(sight, tokens, 8)
    sight.keep(len(tokens) - 1)
    state = sight.state()
    others = [prompt(sight, each) for each in shown[1:]]
    assert len(encoder(sight)._known) == 3
    sight.keep(0)
    with pytest.raises(ComputeError, match="no longer in memory"):
        say(sight, tokens, 1)
    assert sight.restore(state)
    assert say(sight, tokens[-1:], 8) == wanted
    again = prompt(sight, shown[0])
    rows = [set(each[each <= FIRST_PICTURE].tolist()) for each in (tokens, again, *others)]
    assert sum(map(len, rows)) == len(set.union(*rows))
    sight.keep(0)
    assert say(sight, again, 8) == wanted


def test_too_many_pictures_for_one_load(sight: LlamaModel, monkeypatch: pytest.MonkeyPatch) -> None:
    new = picture(30, 30, seed=99)
    with monkeypatch.context() as patched:
        patched.setattr(encoder(sight), "_next_id", -(1 << 31) + 2)
        with pytest.raises(ComputeError, match="too many pictures"):
            prompt(sight, new)
    assert len(prompt(sight, new))


@pytest.mark.parametrize("kind", SIGHTS)
def test_another_answer_that_begins_with_the_same_picture(models_dir: Path, kind: str) -> None:
    """It reads the beginning from the first one's cache, waits outside of the cache, and goes on."""
    target, mmproj = SIGHTS[kind].make(models_dir / f"media-{kind}")
    with loaded(target, replace(DRAFT, n_ctx=1024, mmproj=mmproj, slots=2)) as model:
        first, second = model.add_slots(2, SlotScheduler())
        tokens = prompt(first, PICTURES[0], PICTURES[1])
        wanted = say(first, tokens, 8)
        first.keep(len(tokens) - 1)
        (_, end), _ = picture_rows(tokens)
        second.copy_beginning(first, end + 1)
        assert second.next_position == first.position(end + 1)
        second.copy_beginning(first, len(tokens) - 1)
        assert say(second, tokens[-1:], 8) == wanted
        second.in_use = True
        second.keep(len(tokens) - 1)
        place = second.next_position
        second.suspend()
        assert second.n_held == 0
        second.resume()
        assert second.next_position == place
        assert say(second, tokens[-1:], 8) == wanted
