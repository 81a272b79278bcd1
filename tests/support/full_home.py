"""A home that has been used for a long time: many conversations, and many models in the folder."""

from collections.abc import Iterator
from itertools import cycle, islice, product
from random import Random

from support.ggufs import ModelRecipe, make_model
from support.model_homes import small_model
from support.sample_chats import CACHE, CODE, NOW, PROSE, THOUGHT
from support.talks import MARKDOWN, conversation, store

from specchat.domain.conversations import ConversationTree
from specchat.store.paths import Paths

_LEXICON = """
    sea tide harbour moon water boat letter bread table model token draft guess answer pair memory window garden river
    stone morning winter lantern copper paper violin orchard signal engine ladder mirror pocket kitchen bridge summer
    castle island needle button silver thunder candle marble feather compass anchor
"""
WORDS = tuple(_LEXICON.split())
FAMILIES = ("Llama-3.2", "Qwen2.5", "Gemma-2", "Mistral", "Phi-3.5", "SmolLM2", "Granite-3.1", "OLMo-2")
SIZES = ("0.5B", "1.5B", "3B", "7B", "14B")
QUANTS = ("Q4_K_M", "Q5_K_M", "Q6_K", "Q8_0", "F16")
_NAMES = tuple(product(FAMILIES, SIZES, QUANTS))
_FORMS = (MARKDOWN, PROSE, CODE, CACHE, THOUGHT)
_LONGEST_SHARE, _SECTIONS_OF_LONG = 0.1, 30
_AT_ONCE = 20
_STEP_S = 3600.0
_VOCABULARY = 32_000
_DAMAGED_EVERY, _REAL_EVERY, _LARGE_EVERY = 10, 25, 5


def fill_with_chats(places: Paths, chats: int, messages: int) -> list[int]:
    """A tenth of the messages are in the first one; the last one is the newest."""
    added: list[int] = []
    conversations = _conversations(chats, messages)
    while trees := list(islice(conversations, _AT_ONCE)):
        added += store(places, trees)
    return added


def fill_with_models(places: Paths, models: int) -> None:
    """Most have a header and no weights, some a large vocabulary, some can be loaded, some are damaged."""
    folder = places.data / "models"
    for number, (family, size, quant) in zip(range(models), cycle(_NAMES), strict=False):
        name = f"{family}-{size}-Instruct-{quant}"
        path = folder / f"someone-{number // len(_NAMES)}" / f"{name}.gguf"
        path.parent.mkdir(parents=True, exist_ok=True)
        if number % _REAL_EVERY == _REAL_EVERY - 1:
            make_model(path, ModelRecipe(seed=number, name=name))
        else:
            path.write_bytes(_model(number, name))


def _conversations(chats: int, messages: int) -> Iterator[ConversationTree]:
    random = Random(1)
    longest = max(1, round(messages / 2 * _LONGEST_SHARE))
    shares = [random.paretovariate(1.2) for _ in range(chats - 1)]
    left = messages // 2 - longest - len(shares)
    turns = [longest, *(1 + round(left * share / sum(shares)) for share in shares)]
    for number, length in enumerate(turns):
        talk = [(_sentence(random, 14), _answer(random, n)) for n in range(length)]
        yield conversation(_sentence(random, 4), talk, now=NOW - _STEP_S * (chats - number))


def _sentence(random: Random, words: int) -> str:
    return " ".join(random.choices(WORDS, k=words)).capitalize()


def _answer(random: Random, number: int) -> str:
    """One in forty goes on and on."""
    sections = _SECTIONS_OF_LONG if random.random() < 1 / 40 else random.choice((0, 0, 1, 1, 2))
    parts = [_sentence(random, random.randint(8, 60)) + "."]
    parts += [random.choice(_FORMS).replace("{n}", str(number)).replace("{{n}}", "{n}") for _ in range(sections)]
    return "\n\n".join(parts)


def _model(number: int, name: str) -> bytes:
    vocabulary = _VOCABULARY if number % _LARGE_EVERY == 0 else 10
    whole = small_model(
        name,
        rows=8 + number % 100,
        changes={
            "tokenizer.ggml.tokens": ["<unk>", "<s>", "</s>", *(f"t{n}" for n in range(3, vocabulary))],
            "tokenizer.ggml.scores": [0.0] * vocabulary,
            "tokenizer.ggml.token_type": [2, 3, 3, *[1] * (vocabulary - 3)],
        },
    )
    if number % _DAMAGED_EVERY != _DAMAGED_EVERY - 1:
        return whole
    broken = (b"", whole[:100], b"GGUF" + Random(number).randbytes(500), whole[: len(whole) // 2])
    return broken[number // _DAMAGED_EVERY % len(broken)]
