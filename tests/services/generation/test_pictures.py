"""Answers about pictures: several at once, heads, limits, and who sees."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.drawings import picture
from support.ggufs import ModelRecipe, make_model, quieten
from support.pairs import GREEDY, collect
from support.projectors import LLAVA, QWEN2_VL, Sight, make_projector

from specchat.backends.media_markers import MediaMarkers
from specchat.backends.shielding import PromptText
from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import CompletionTask
from specchat.domain.engine import ChatTask
from specchat.domain.errors import ContextFullError, IncapableError, MediaError, ModelFileError
from specchat.domain.model_ref import ModelFile
from specchat.domain.pictures import Picture
from specchat.domain.types import GenerationRequest, Message, ModelSettings, PairChoice, Role
from specchat.services.engines.in_process import InProcessEngine
from specchat.services.generation.completion import build_completion_request
from specchat.services.generation.loaded_pair import LoadedPair
from specchat.services.generation.pair_loader import PairLoader
from specchat.services.generation.pair_profile import NullFactCache

SETTINGS = ModelSettings(n_ctx=1024, threads=1)
ASKED = (Message(Role.USER, "What is there?", pictures=(picture(), picture(40, 60, seed=1))),)


def make_seeing_pair(folder: Path, sight: Sight) -> tuple[Path, Path]:
    """The draft is the first layers of the target, which does not see."""
    recipe = quieten(sight.target, 2, 0.21)
    replace(sight, target=recipe).make(folder)
    return folder / "target.gguf", make_model(folder / "draft.gguf", replace(recipe, n_layer=2))


def load(choice: PairChoice) -> LoadedPair:
    return PairLoader(NullFactCache(), NullFactCache()).load(choice, CancelToken())


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoadedPair]:
    target, _ = LLAVA.make(tmp_path_factory.mktemp("seeing"))
    loaded = load(PairChoice(ModelFile(target), None, SETTINGS, draft_type="none"))
    yield loaded
    loaded.close()


def test_a_picture_that_is_none(pair: LoadedPair) -> None:
    with pytest.raises(MediaError, match="notes.txt is not a picture"):
        pair.prompts.build([Message(Role.USER, "?", pictures=(Picture(b"hello world", "notes.txt"),))])


def test_more_pictures_than_the_context_has_tokens(pair: LoadedPair) -> None:
    """They are not even looked at: that would hold up all others."""
    unseen = tuple(Picture(b"%d" % i) for i in range(64))
    asked = tuple(Message(Role.USER, "?", pictures=unseen) for _ in range(pair.target.n_ctx // 64 + 1))
    with pytest.raises(ContextFullError, match="The chat has 1,088 pictures and recordings, but .* only 1,024"):
        build_completion_request(pair, CompletionTask(asked, GREEDY, 1))


def test_a_template_that_changes_what_stands_for_a_picture() -> None:
    markers = MediaMarkers()
    (marked,) = markers.mark(ASKED[:1])
    digest = ASKED[0].pictures[0].digest
    text = marked.content.replace(digest, "abc")
    texts, pictures = markers.split(PromptText(text, ()), ASKED)
    assert pictures == [ASKED[0].pictures[1]]
    assert len(texts) == 2


def test_several_answers_at_once(tmp_path: Path) -> None:
    """Each sees its own picture."""
    target, draft = make_seeing_pair(tmp_path, QWEN2_VL)
    shown = [picture(60, 40, seed=i) for i in range(3)]
    choice = PairChoice(ModelFile(target), ModelFile(draft), replace(SETTINGS, slots=3), SETTINGS)
    pair = load(choice)
    try:
        alone = [_say(pair, each) for each in shown]
        together: list[list[int]] = [[] for _ in shown]

        def work(i: int) -> None:
            together[i] = _say(pair, shown[i])

        for i in range(3):
            pair.scheduler.start(lambda i=i: work(i))  # type: ignore[misc]
        pair.scheduler.run()
        assert [len(said) for said in together] == [24, 24, 24]
        assert together == alone
    finally:
        pair.close()


def _say(pair: LoadedPair, shown: Picture) -> list[int]:
    prompt = pair.prompts.build([Message(Role.USER, "What is there?", pictures=(shown,))])
    return collect(pair.generate(GenerationRequest(prompt, GREEDY, 24, ignore_eos=True), CancelToken())).tokens


def test_heads_begin_after_a_picture(tmp_path: Path) -> None:
    """One that reads the states of a target with recurrent layers, whose positions have several dimensions."""
    recipe = quieten(replace(QWEN2_VL.target, arch="qwen35", mtp_layers=1), 0, 0.05)
    target, _ = replace(QWEN2_VL, target=recipe).make(tmp_path)
    choice = PairChoice(ModelFile(target), None, replace(SETTINGS, exact=True), draft_type="mtp", draft_max=3)
    pair = load(choice)
    try:
        request = GenerationRequest(pair.prompts.build(ASKED), GREEDY, 48, ignore_eos=True)
        plain = collect(pair.generate(request, CancelToken(), pair.create_speculation("none", None)))
        pair.target.keep(0)
        guessed = collect(pair.generate(request, CancelToken(), pair.create_speculation("mtp", 3)))
        assert guessed.tokens == plain.tokens
        assert guessed.stats.n_accepted > 0
    finally:
        pair.close()


def test_who_sees_and_who_does_not(tmp_path: Path) -> None:
    target, _ = LLAVA.make(tmp_path)
    engine = InProcessEngine(PairLoader(NullFactCache(), NullFactCache()))
    alone = PairChoice(ModelFile(target), None, SETTINGS, draft_type="none")
    assert engine.load(alone, CancelToken(), lambda *_: None).sees_pictures
    engine.load(replace(alone, target_settings=replace(SETTINGS, text_only=True)), CancelToken(), lambda *_: None)
    for task in (CompletionTask(ASKED), ChatTask(ASKED)):
        with pytest.raises(IncapableError, match="target.gguf can't see pictures"):
            list(engine.generate(task, CancelToken()))
    engine.close()


def test_an_mmproj_file_that_does_not_fit(tmp_path: Path) -> None:
    """Named, it is an error; found, it is left out."""
    target = make_model(tmp_path / "target.gguf", ModelRecipe())
    mmproj = make_projector(tmp_path / "mmproj-target.gguf", replace(LLAVA.projector, width=64))
    choice = PairChoice(ModelFile(target), None, replace(SETTINGS, mmproj=mmproj), draft_type="none")
    with pytest.raises(ModelFileError, match="was made for another model"):
        load(choice)
    found = load(replace(choice, target_settings=SETTINGS))
    assert not found.prompts.sees_pictures
    found.close()
