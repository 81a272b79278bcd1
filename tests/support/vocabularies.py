"""Vocabularies of the two common kinds, small enough to read and real enough to tokenize."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count, islice, product

from support.gguf_writer import Value

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = 1, 2, 3, 4, 5, 6
TURN_START, TURN_END, END_OF_TEXT = "<|im_start|>", "<|im_end|>", "<|endoftext|>"

COMMON_WORDS = (
    "the of and to in is it you that he was for on are with as his they be at one have this from or had by"
    " but some what there we can out other were all your when up use word how said each she which do their"
    " time if will way about many then them would write like so these her long make thing see him two has"
    " look more day could go come did my sound no most number who over know water than call first people may"
    " down side been now find hello world model token draft target user assistant system return def import"
)
CODE = ("\n\n", "    ", "```", "==", "!=", "->", "):\n", "1", "2", "10", "42", "2024", "don't", "ing", "tion")
ACCENTED = ("é", "ü", "ß", "Ж", "世", "界")
SYLLABLES = [a + b for a, b in product("bdfgklmnprstvz", "aeiou")]


@dataclass(frozen=True)
class TokenTable:
    texts: tuple[str, ...]
    types: tuple[int, ...]
    metadata: tuple[tuple[str, Value], ...]
    spoken: tuple[bool, ...]
    """Readable text: the tokens that random weights may choose without harm."""

    def id(self, text: str) -> int:
        return self.texts.index(text)


@dataclass(frozen=True)
class BpeVocab:
    """Bytes, merges of common words, made-up words up to `size`, the control tokens, then the padding."""

    size: int = 1024
    pre: str = "llama-bpe"
    bos: str = END_OF_TEXT
    eos: str = TURN_END
    add_bos: bool | None = False
    control: tuple[str, ...] = (END_OF_TEXT, TURN_START, TURN_END)
    user_defined: tuple[str, ...] = ()
    padding: int = 0
    replaced: tuple[tuple[int, str], ...] = ()

    def table(self) -> TokenTable:
        return _bpe_table(self)

    def byte_tokens(self, raw: bytes) -> tuple[int, ...]:
        return tuple(raw)


@dataclass(frozen=True)
class SpmVocab:
    """<unk> <s> </s>, bytes, pieces with scores, made-up words up to `size`, ChatML's tokens, the padding."""

    size: int = 1024
    bos: str = "<s>"
    eos: str = "</s>"
    add_bos: bool | None = True
    control: tuple[str, ...] = (TURN_START, TURN_END)
    user_defined: tuple[str, ...] = ()
    padding: int = 0
    replaced: tuple[tuple[int, str], ...] = ()

    def table(self) -> TokenTable:
        return _spm_table(self)

    def byte_tokens(self, raw: bytes) -> tuple[int, ...]:
        return tuple(3 + byte for byte in raw)


Vocab = BpeVocab | SpmVocab


@cache
def byte_alphabet() -> tuple[str, ...]:
    """GPT-2's printable stand-in for each byte."""
    plain = {*range(33, 127), *range(161, 173), *range(174, 256)}
    strangers = [byte for byte in range(256) if byte not in plain]
    return tuple(chr(byte if byte in plain else 256 + strangers.index(byte)) for byte in range(256))


@cache
def _bpe_table(vocab: BpeVocab) -> TokenTable:
    alphabet = byte_alphabet()
    specials = len(vocab.control) + len(vocab.user_defined)
    room = vocab.size - 256 - specials
    merges = list(islice(_merges(), room))
    made_up = list(islice(made_up_words(alphabet[ord(" ")]), room - len(merges)))
    normal = [*alphabet, *("".join(pair) for pair in merges), *made_up]
    readable = set(map(alphabet.__getitem__, (10, *range(32, 127))))
    types = [NORMAL] * len(normal)
    texts, types = _with_specials(vocab, normal, types)
    spoken = [kind == NORMAL and set(text) <= readable for text, kind in zip(texts, types, strict=True)]
    own: dict[str, Value] = {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": vocab.pre,
        "tokenizer.ggml.merges": [" ".join(pair) for pair in merges],
    }
    return _table(vocab, texts, types, spoken, own)


@cache
def _spm_table(vocab: SpmVocab) -> TokenTable:
    byte_tokens = [f"<0x{byte:02X}>" for byte in range(256)]
    head = ["<unk>", "<s>", "</s>", *byte_tokens]
    types = [UNKNOWN, CONTROL, CONTROL] + [BYTE] * 256
    room = vocab.size - len(head) - len(vocab.control) - len(vocab.user_defined)
    pieces = list(islice(_pieces(), room))
    pieces += islice(made_up_words("▁"), room - len(pieces))
    texts, types = _with_specials(vocab, head + pieces, types + [NORMAL] * len(pieces))
    own: dict[str, Value] = {
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.pre": "default",
        "tokenizer.ggml.scores": [0.0 if kind != NORMAL else -float(i) for i, kind in enumerate(types)],
    }
    ascii_only = [text.replace("▁", " ").isascii() for text in texts]
    spoken = [kind == NORMAL and plain for kind, plain in zip(types, ascii_only, strict=True)]
    return _table(vocab, texts, types, spoken, own)


def _with_specials(vocab: Vocab, texts: list[str], types: list[int]) -> tuple[list[str], list[int]]:
    texts = [*texts, *vocab.user_defined, *vocab.control]
    texts += [f"[PAD{len(texts) + i}]" for i in range(vocab.padding)]
    types = [
        *types,
        *[USER_DEFINED] * len(vocab.user_defined),
        *[CONTROL] * len(vocab.control),
        *[UNUSED] * vocab.padding,
    ]
    for token, text in vocab.replaced:
        texts[token] = text
    return texts, types


def _table(vocab: Vocab, texts: list[str], types: list[int], spoken: list[bool], own: dict[str, Value]) -> TokenTable:
    metadata: dict[str, Value] = {
        **own,
        "tokenizer.ggml.tokens": texts,
        "tokenizer.ggml.token_type": types,
        "tokenizer.ggml.bos_token_id": texts.index(vocab.bos),
        "tokenizer.ggml.eos_token_id": texts.index(vocab.eos),
    }
    if vocab.padding:
        metadata["tokenizer.ggml.padding_token_id"] = len(texts) - 1
    if vocab.add_bos is not None:
        metadata["tokenizer.ggml.add_bos_token"] = vocab.add_bos
    return TokenTable(tuple(texts), tuple(types), tuple(metadata.items()), tuple(spoken))


def _merges() -> list[tuple[str, str]]:
    """Each word grows letter by letter, so every beginning of a word is a token too."""
    alphabet, words = byte_alphabet(), COMMON_WORDS.split()
    merges: dict[tuple[str, str], None] = {}
    for word in (*CODE, *ACCENTED, *(f" {word}" for word in words), *words):
        letters = [alphabet[byte] for byte in word.encode()]
        for end in range(1, len(letters)):
            merges["".join(letters[:end]), letters[end]] = None
    return list(merges)


def _pieces() -> list[str]:
    words = COMMON_WORDS.split()
    characters = [chr(code) for code in range(33, 127)]
    pieces = dict.fromkeys(["▁", *characters, *ACCENTED])
    for word in (*CODE, *(f"▁{word}" for word in words), *words):
        text = word.replace(" ", "▁")
        pieces |= dict.fromkeys(text[:end] for end in range(1, len(text) + 1) if "\n" not in text)
    return list(pieces)


def made_up_words(space: str) -> Iterator[str]:
    """Three syllables and more, so that none of them is one of the real words."""
    for syllables in count(3):
        for word in product(SYLLABLES, repeat=syllables):
            yield space + "".join(reversed(word))
