"""Answers about recordings: the prompt, and guesses in the text after it."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from support.audio_projectors import QWEN25_OMNI, ULTRAVOX, AudioRecipe, make_audio_projector
from support.drawings import picture
from support.ggufs import make_model, quieten
from support.pairs import GREEDY, collect
from support.plain_sight import MARKER, greedy_answer
from support.projectors import LLAVA
from support.recordings import flac, recording, tones

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import IncapableError, MediaError
from specchat.domain.media import Media
from specchat.domain.model_ref import ModelFile
from specchat.domain.recordings import Recording
from specchat.domain.types import GenerationRequest, Message, ModelSettings, PairChoice, Role, SamplingParams
from specchat.services.generation.loaded_pair import LoadedPair
from specchat.services.generation.pair_loader import PairLoader
from specchat.services.generation.pair_profile import NullFactCache

SETTINGS = ModelSettings(n_ctx=2048, threads=2)
MEMO = recording(0.5)
ASKED = (Message(Role.USER, "What is said?", recordings=(MEMO,)),)


def load(target: Path, draft: Path | None = None, settings: ModelSettings = SETTINGS) -> LoadedPair:
    choice = PairChoice(ModelFile(target), ModelFile(draft) if draft is not None else None, settings, SETTINGS)
    return PairLoader(NullFactCache(), NullFactCache()).load(choice, CancelToken())


@pytest.fixture(scope="module", params=[ULTRAVOX, QWEN25_OMNI], ids=["ultravox", "omni"])
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoadedPair]:
    """The draft is the first layers of the target, which does not hear."""
    folder = tmp_path_factory.mktemp("hearing")
    recipe = quieten(request.param.target, 2, 0.21)
    target, _ = replace(request.param, target=recipe).make(folder)
    draft = make_model(folder / "draft.gguf", replace(recipe, n_layer=2))
    with closing(load(target, draft, replace(SETTINGS, exact=True))) as loaded:
        yield loaded


def test_the_prompt_is_that_of_mtmds_own_program(pair: LoadedPair) -> None:
    seen = (picture(60, 40),) if pair.prompts.sees_pictures else ()
    media: tuple[Media, ...] = (*seen, MEMO)
    words = f"<|im_start|>user\n{MARKER * len(media)}What is said?<|im_end|>\n<|im_start|>assistant\n"
    mmproj = pair.choice.target_settings.mmproj
    assert mmproj is not None
    wanted = greedy_answer(pair.target, mmproj, words, media, 24)
    pair.target.keep(0)
    prompt = pair.prompts.build([replace(ASKED[0], pictures=seen)])
    assert (
        collect(pair.generate(GenerationRequest(prompt, GREEDY, 24, ignore_eos=True), CancelToken())).tokens == wanted
    )


@pytest.mark.parametrize("sampling", [GREEDY, SamplingParams(temperature=1.0, seed=3, repeat_penalty=1.1)])
def test_the_same_answer_with_and_without_guesses(pair: LoadedPair, sampling: SamplingParams) -> None:
    request = GenerationRequest(pair.prompts.build(ASKED), sampling, 48, ignore_eos=True)
    plain = collect(pair.generate(request, CancelToken(), pair.create_speculation("none", None))).tokens
    for draft_type, draft_max in (("model", 4), ("auto", None), ("ngram", 8)):
        found = collect(pair.generate(request, CancelToken(), pair.create_speculation(draft_type, draft_max)))
        assert found.tokens == plain, draft_type
        assert draft_type != "model" or found.stats.n_accepted > 0


def test_how_much_room_a_recording_takes(pair: LoadedPair) -> None:
    rows = pair.prompts.count_message(ASKED[0]) - pair.prompts.count_tokens(ASKED[0].content)
    assert rows == (752 if pair.prompts.sees_pictures else 187)


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
