"""What a model says about pictures and recordings, through the port and through mtmd's own functions."""

from collections.abc import Sequence

import numpy as np
from support.plain_sight import MARKER, greedy_answer

from specchat.backends.llama_model import LlamaModel
from specchat.backends.media_encoder import MediaEncoder
from specchat.domain.cancel_token import CancelToken
from specchat.domain.media import Media
from specchat.engine.tokens import Tokens, cut

BEFORE, AFTER = "look at", " what is there?"
NOBODY = CancelToken()


def encoder(model: LlamaModel) -> MediaEncoder:
    assert model.shared.media is not None
    return model.shared.media


def prompt(model: LlamaModel, *media: Media) -> Tokens:
    vocabulary = model.vocabulary
    tokens = [*vocabulary.added_before(), *vocabulary.tokenize(BEFORE, add_special=False, parse_special=True)]
    for each in media:
        after = vocabulary.tokenize(AFTER, add_special=False, parse_special=True)
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


def reference(model: LlamaModel, media: Sequence[Media], n: int) -> list[int]:
    words = BEFORE + f"{MARKER}{AFTER}" * len(media)
    return greedy_answer(model, encoder(model).path, words, media, n)
