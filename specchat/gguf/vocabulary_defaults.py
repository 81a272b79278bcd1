"""Defaults that llama.cpp assumes where a file says nothing (llama-vocab.cpp)."""

from dataclasses import dataclass, replace

NO_VOCABULARY = "none"
BPE = "bpe"


@dataclass(frozen=True, slots=True)
class VocabularyDefaults:
    kind: str
    """llama.cpp's vocabulary type; several tokenizer models share one."""
    bos: int | None = None
    eos: int | None = None
    add_bos: bool = False
    add_eos: bool = False
    splitting: str = ""
    """How text is cut before it becomes tokens; several values of `pre` mean the same."""

    @property
    def always_adds_bos(self) -> bool:
        return self.splitting == "gemma4"


_BY_MODEL = {
    "none": VocabularyDefaults(NO_VOCABULARY),
    "no_vocab": VocabularyDefaults(NO_VOCABULARY),
    "llama": VocabularyDefaults("spm", bos=1, eos=2, add_bos=True),
    "bert": VocabularyDefaults("wpm", bos=101, add_bos=True),
    "gpt2": VocabularyDefaults(BPE, bos=11, eos=11),
    "hybriddna": VocabularyDefaults(BPE, bos=11, eos=11),
    "whitespace": VocabularyDefaults(BPE, bos=11, eos=11),
    "gemma4": VocabularyDefaults(BPE),
    "t5": VocabularyDefaults("ugm", eos=1, add_eos=True),
    "rwkv": VocabularyDefaults("rwkv"),
    "test": VocabularyDefaults("test"),
    "plamo2": VocabularyDefaults("plamo2", bos=1, eos=2),
}
KNOWN_MODELS = frozenset(_BY_MODEL)

_SAME_SPLITTING = {
    "llama-bpe": "llama3 llama-v3 falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano",
    "gpt-2": "phi-2 jina-es jina-de gigachat jina-v2-es jina-v2-de a.x-4.0 mellum modern-bert exaone4"
    " jina-v1-en jina-v2-code roberta-bpe",
    "gemma4": "granite-embed-multi-311m",
    "qwen2": "deepseek-r1-qwen kormo f2llmv2 megrez",
    "glm4": "glm5",
    "gpt-4o": "llama4 kanana2 talkie",
    "tiny_aya": "cohere2moe",
    "bailingmoe": "bailingmoe2 llada-moe",
}
_SPLITTING = {alias: name for name, aliases in _SAME_SPLITTING.items() for alias in aliases.split()}
_ADDS_BOS = {"llama-bpe", "tekken", "chameleon"}
_HAS_NO_BOS = {"chatglm-bpe", "glm4"}


def defaults_for(model: str, pre: str | None) -> VocabularyDefaults:
    defaults = _BY_MODEL.get(model, VocabularyDefaults(model))
    if defaults.kind != BPE:
        return defaults
    name = pre or "default"
    splitting = _SPLITTING.get(name, name)
    return replace(
        defaults,
        splitting=splitting,
        add_bos=splitting in _ADDS_BOS,
        bos=None if splitting in _HAS_NO_BOS else defaults.bos,
    )
