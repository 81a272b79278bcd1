"""Does llama.cpp see the same tokens and compute the same logits as the training?"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import torch
from conversations import Conversation
from gguf_file import Floats
from model import Transformer
from tokenizer import ChatTokenizer

from specchat.backends.llama_model import LlamaModel
from specchat.domain.cancel_token import CancelToken
from specchat.domain.types import ModelSettings

TEXTS = (
    "What is a draft model?",
    "  two spaces,\ttabs and\n\n\nlines  \n  at the end   ",
    "don't I'VE we'll THEY'RE it's 'quoted' ''",
    "def f(x: int = 10) -> int:\n    return x ** 2  # 1,234.50\r\n\r\n",
    "naïve café, Straße, Ж, 世界, 👋🏽, e\u0301, ½, ²",
    "http://example.org/a_b?c=d&e=%20 --draft-max 8 -ngl 99 <b>bold</b>",
    "…—“quotes” \u00a0no-break\u3000wide",
)
_PROMPTS = ("What is a draft model?", "hello", "Tom has 3 apples and buys 4 more. How many are there?")
_QUANTISATION_NOISE = 0.2
"""Of the logits' spread: what Q8_0 weights and activations may change."""


def check_tokens(path: Path, tokenizer: ChatTokenizer, texts: tuple[str, ...] = TEXTS) -> None:
    with _loaded(path) as model:
        for text in texts:
            theirs = list(model.vocabulary.tokenize(text, add_special=False, parse_special=False))
            if theirs != tokenizer.encode(text):
                raise AssertionError(f"llama.cpp splits {text!r} otherwise: {theirs}, not {tokenizer.encode(text)}")


def check_logits(path: Path, network: Transformer, tokenizer: ChatTokenizer) -> float:
    """The largest difference found, as a part of the logits' spread."""
    worst = 0.0
    with _loaded(path) as model:
        for text in _PROMPTS:
            tokens = tokenizer.prompt(Conversation(((text, ""),)))
            model.keep(0)
            theirs = model.evaluate(np.asarray(tokens, np.int32), 1, CancelToken())[0].copy()
            ours = _logits(network, tokens)
            worst = max(worst, float(np.abs(theirs - ours).mean() / ours.std()))
    if worst > _QUANTISATION_NOISE:
        raise AssertionError(f"llama.cpp's logits differ by {worst:.1%} of their spread")
    return worst


def _logits(network: Transformer, tokens: list[int]) -> Floats:
    with torch.no_grad():
        hidden = network.hidden(torch.tensor([tokens]))
        return np.asarray(network.logits(hidden)[0, -1].float().numpy())


@contextmanager
def _loaded(path: Path) -> Iterator[LlamaModel]:
    model = LlamaModel(path, ModelSettings(n_ctx=512))
    try:
        yield model
    finally:
        model.close()
