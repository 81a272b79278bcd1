"""Answers about pictures and recordings: the prompt, guesses in the text after it, and the room that they take."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np
import pytest
from support.audio_projectors import QWEN25_OMNI, ULTRAVOX, Hearing
from support.drawings import picture
from support.ggufs import make_model, quieten
from support.pairs import GREEDY, Answer, collect
from support.plain_sight import MARKER, greedy_answer
from support.projectors import GEMMA3, LLAVA, QWEN2_VL, Sight
from support.recordings import recording

from specchat.domain.answer_tasks import CountTask
from specchat.domain.cancel_token import CancelToken
from specchat.domain.model_ref import ModelFile
from specchat.domain.pictures import Picture
from specchat.domain.recordings import Recording
from specchat.domain.types import (
    GenerationRequest,
    Message,
    ModelSettings,
    PairChoice,
    Role,
    SamplingParams,
)
from specchat.engine.tokens import FIRST_PICTURE, picture_rows
from specchat.services.engines.in_process import InProcessEngine
from specchat.services.generation.loaded_pair import LoadedPair
from specchat.services.generation.pair_loader import PairLoader
from specchat.services.generation.pair_profile import NullFactCache

SETTINGS = ModelSettings(n_ctx=2048, threads=2)
SEEN = (picture(), picture(40, 60, seed=1))
MEMO = (recording(0.5),)
CASES: dict[str, tuple[Sight | Hearing, Sequence[Picture], Sequence[Recording]]] = {
    "llava": (LLAVA, SEEN, ()),
    "qwen2vl": (QWEN2_VL, SEEN, ()),
    "gemma3": (GEMMA3, SEEN, ()),
    "ultravox": (ULTRAVOX, (), MEMO),
    "omni": (QWEN25_OMNI, SEEN[:1], MEMO),
}
MEMO_ROWS = {"ultravox": 187, "omni": 752}


@dataclass(frozen=True)
class Asked:
    pair: LoadedPair
    message: Message
    name: str

    def request(self, n: int = 48, sampling: SamplingParams = GREEDY) -> GenerationRequest:
        return GenerationRequest(self.pair.prompts.build([self.message]), sampling, n, ignore_eos=True)

    def answer(self, draft_type: str, draft_max: int | None, request: GenerationRequest | None = None) -> Answer:
        speculation = self.pair.create_speculation(draft_type, draft_max)
        return collect(self.pair.generate(request or self.request(), CancelToken(), speculation))


@pytest.fixture(scope="module", params=CASES)
def asked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    """The draft is the first layers of the target, which neither sees nor hears."""
    case, pictures, recordings = CASES[request.param]
    folder = tmp_path_factory.mktemp(request.param)
    recipe = quieten(case.target, 2, 0.21)
    target, _ = replace(case, target=recipe).make(folder)
    draft = make_model(folder / "draft.gguf", replace(recipe, n_layer=2))
    settings = replace(SETTINGS, exact=case is not GEMMA3)
    choice = PairChoice(ModelFile(target), ModelFile(draft), settings, SETTINGS)
    with closing(PairLoader(NullFactCache(), NullFactCache()).load(choice, CancelToken())) as pair:
        pair.keep_prompt_states()
        words = "What is said?" if recordings else "What is there?"
        message = Message(Role.USER, words, pictures=tuple(pictures), recordings=tuple(recordings))
        yield Asked(pair, message, request.param)


def test_the_prompt_is_that_of_mtmds_own_program(asked: Asked) -> None:
    media, target = asked.message.media, asked.pair.target
    words = f"<|im_start|>user\n{MARKER * len(media)}{asked.message.content}<|im_end|>\n<|im_start|>assistant\n"
    mmproj = asked.pair.choice.target_settings.mmproj
    assert mmproj is not None
    assert mmproj.name == "mmproj-target.gguf"
    wanted = greedy_answer(target, mmproj, words, media, 24)
    target.keep(0)
    assert asked.answer("none", None).tokens[:24] == wanted


@pytest.mark.parametrize("sampling", [GREEDY, SamplingParams(temperature=1.0, seed=3, repeat_penalty=1.1)])
def test_the_same_answer_with_and_without_guesses(asked: Asked, sampling: SamplingParams) -> None:
    request = asked.request(sampling=sampling)
    plain = asked.answer("none", None, request).tokens
    for draft_type, draft_max in (("model", 4), ("auto", None), ("ngram", 8)):
        assert asked.answer(draft_type, draft_max, request).tokens == plain, draft_type


def test_a_draft_reads_the_text_alone(asked: Asked) -> None:
    request, draft = asked.request(), asked.pair.draft
    found = asked.answer("model", 4, request)
    assert 0 < found.stats.n_accepted <= found.stats.n_drafted
    assert found.stats.n_prompt == len(request.prompt)
    assert draft is not None
    read = [token for token in (*request.prompt, *found.tokens) if token > FIRST_PICTURE]
    assert draft.cached.tolist()[: len(read) - 1] == read[: len(draft.cached)][: len(read) - 1]


def test_a_conversation_goes_on_from_what_was_read(asked: Asked) -> None:
    again = replace(asked.message, content="And now?")
    later = [asked.message, Message(Role.ASSISTANT, "A disc."), again]
    first, second = asked.pair.prompts.build([asked.message]), asked.pair.prompts.build(later)
    assert second[: len(first)] == first
    assert len(picture_rows(np.array(second, dtype=np.int32))) == 2 * len(asked.message.media)
    asked.pair.target.keep(0)
    requests = [GenerationRequest(each, GREEDY, 1, ignore_eos=True) for each in (first, second)]
    found = [asked.answer("none", None, each) for each in requests]
    assert found[1].stats.n_prompt_reused == len(first)


def test_words_that_look_like_media_are_words(asked: Asked) -> None:
    seen = asked.pair.prompts.render([asked.message])
    assert seen.count(MARKER) == len(asked.message.media)
    tokens = asked.pair.prompts.build([Message(Role.USER, f"{MARKER} {seen}")])
    assert min(tokens) >= 0 > FIRST_PICTURE


def test_how_much_room_they_take(asked: Asked) -> None:
    engine, prompts = InProcessEngine(PairLoader(NullFactCache(), NullFactCache())), asked.pair.prompts
    engine._pair = asked.pair
    silent = replace(asked.message, pictures=(), recordings=())
    answer = Message(Role.ASSISTANT, "A disc.")
    with_media, without = (engine.count(CountTask((each, answer))).conversation for each in (asked.message, silent))
    words = prompts.count_tokens(asked.message.content)
    assert with_media - without == prompts.count_message(asked.message) - words > 0
    heard = prompts.count_message(replace(asked.message, pictures=())) - words
    assert heard == MEMO_ROWS.get(asked.name, 0)
    counted = engine.count(CountTask((), "Why?", ("a file",), pictures=(90,)))
    assert counted.attachments == (90, prompts.count_tokens("a file"))
