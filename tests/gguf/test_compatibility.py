from dataclasses import dataclass, replace
from itertools import combinations, product

import pytest

from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import VocabularyVerdict
from specchat.gguf.compatibility import Compatibility, compare_tokenizers
from specchat.gguf.tokenizer import Tokenizer, TokenType

NORMAL, CONTROL, USER_DEFINED, UNUSED = (
    TokenType.NORMAL,
    TokenType.CONTROL,
    TokenType.USER_DEFINED,
    TokenType.UNUSED,
)
EARLY = ["<unk>", "<s>", "</s>", "<mask>", "<sep>"]
WORDS = [f"word{i}" for i in range(300)]


def vocabulary(texts: list[str]) -> Tokenizer:
    return Tokenizer(
        model="gpt2",
        kind="bpe",
        pre="qwen2",
        splitting="qwen2",
        sha256="",
        bos=1,
        eos=2,
        add_bos=True,
        add_eos=False,
        texts=tuple(text.encode() for text in texts),
        types=(CONTROL,) * len(EARLY) + (NORMAL,) * (len(texts) - len(EARLY)),
        n_vocab=len(texts),
    )


def retyped(tokenizer: Tokenizer, types: dict[int, TokenType]) -> Tokenizer:
    return replace(tokenizer, types=tuple(types.get(token, kind) for token, kind in enumerate(tokenizer.types)))


def retexted(tokenizer: Tokenizer, texts: dict[int, str]) -> Tokenizer:
    return replace(
        tokenizer,
        texts=tuple(texts[token].encode() if token in texts else text for token, text in enumerate(tokenizer.texts)),
    )


BASE = vocabulary(EARLY + WORDS)
TRANSLATED = ["other-vocabulary", "shared-tokens"]


def padded(number: int) -> Tokenizer:
    return vocabulary(EARLY + WORDS + [f"[PAD{i}]" for i in range(number)])


def extended(number: int) -> Tokenizer:
    return vocabulary(EARLY + WORDS + [f"more{i}" for i in range(number)])


def llama_accepts(target: Tokenizer, draft: Tokenizer) -> bool:
    """common_speculative_are_compatible, line by line."""
    if target.kind != draft.kind:
        return False
    if target.add_bos != draft.add_bos or (target.add_bos and target.bos != draft.bos):
        return False
    if target.add_eos != draft.add_eos or (target.add_eos and target.eos != draft.eos):
        return False
    if abs(target.n_vocab - draft.n_vocab) > 128:
        return False
    shared = min(target.n_vocab, draft.n_vocab)
    return all(target.texts[token] == draft.texts[token] for token in range(5, shared))


VOCABULARIES = {
    "base": BASE,
    "other kind": replace(BASE, model="llama", kind="spm", splitting=""),
    "other pre": replace(BASE, pre="llama-bpe", splitting="llama-bpe"),
    "no bos": replace(BASE, add_bos=False),
    "no bos, other id": replace(BASE, add_bos=False, bos=None),
    "other bos": replace(BASE, bos=3),
    "adds eos": replace(BASE, add_eos=True),
    "adds other eos": replace(BASE, add_eos=True, eos=4),
    "other eos": replace(BASE, eos=4),
    "other early token": retexted(BASE, {3: "<pad>"}),
    "one word": retexted(BASE, {200: "changed"}),
    "first compared word": retexted(BASE, {5: "changed"}),
    "marked differently": retyped(BASE, {200: USER_DEFINED}),
    "10 more": extended(10),
    "128 more": extended(128),
    "129 more": extended(129),
    "10 padding": padded(10),
    "128 padding": padded(128),
    "500 padding": padded(500),
    "500 padding but one": retexted(padded(500), {600: "a word"}),
    "reserved for a word": retexted(BASE, {200: "<|reserved_special_token_5|>"}),
    "unused": retyped(retexted(BASE, {200: "<unused7>"}), {200: UNUSED}),
    "other unused": retyped(retexted(BASE, {200: "whatever"}), {200: UNUSED}),
    "tool call": retyped(retexted(BASE, {200: "<tool_call>"}), {200: CONTROL}),
}
LONGER_WITH_PADDING = ["base", "other pre", "other eos", "other early token", "marked differently"]
SPARE_AT_200 = ["unused", "other unused", "reserved for a word"]
SPECIAL_AT_200 = ["tool call", "marked differently"]
KINDER_THAN_LLAMA = {
    frozenset(pair)
    for pair in (
        *product(["500 padding"], [*LONGER_WITH_PADDING, "10 padding", "128 padding"]),
        *combinations(SPARE_AT_200, 2),
        *product(SPARE_AT_200, SPECIAL_AT_200),
    )
}


@pytest.mark.parametrize("target", VOCABULARIES)
def test_the_verdict_is_that_of_llama_except_for_unused_tokens(target: str) -> None:
    for draft in VOCABULARIES:
        result = compare_tokenizers(VOCABULARIES[target], VOCABULARIES[draft])
        accepted = result.verdict in (VocabularyVerdict.IDENTICAL, VocabularyVerdict.COMPATIBLE)
        accepted_by_llama = llama_accepts(VOCABULARIES[target], VOCABULARIES[draft])
        kinder = frozenset((target, draft)) in KINDER_THAN_LLAMA
        assert (draft, accepted) == (draft, accepted_by_llama or kinder)
        assert not (accepted_by_llama and kinder)
        assert (result.verdict is VocabularyVerdict.IDENTICAL) == (target == draft)
        assert result.reasons
        assert all(reason.message.endswith(".") and reason.code for reason in result.reasons)
        assert all(isinstance(reason.message, TranslatableText) for reason in result.reasons)


def between(target: Tokenizer, draft: Tokenizer) -> tuple[str, list[str], Compatibility]:
    result = compare_tokenizers(target, draft)
    return result.verdict, [reason.code for reason in result.reasons], result


def test_identical() -> None:
    verdict, codes, result = between(BASE, BASE)
    assert (verdict, codes, result.first_difference) == ("identical", ["same-tokens"], None)
    assert result.reasons[0].message == "Same vocabulary of 305 tokens."
    assert (result.vocab_target, result.vocab_draft) == (305, 305)


def test_another_way_of_cutting_text_is_allowed_but_mentioned() -> None:
    verdict, codes, result = between(BASE, VOCABULARIES["other pre"])
    assert (verdict, codes) == ("compatible", ["same-tokens", "pre-tokenizer"])
    assert "fewer guesses" in result.reasons[1].message
    assert result.reasons[1].detail == "Target: gpt2, qwen2. Draft: gpt2, llama-bpe."


def test_names_for_the_same_way_of_cutting_text_are_the_same() -> None:
    assert between(BASE, replace(BASE, pre="deepseek-r1-qwen"))[0] == "identical"


def test_padding_of_any_length() -> None:
    verdict, codes, result = between(BASE, padded(500))
    assert (verdict, codes) == ("compatible", ["same-tokens", "padding"])
    assert result.reasons[1].message == "The draft has 500 more padding tokens than the target. They are never used."
    assert (result.vocab_target, result.vocab_draft, result.first_difference) == (305, 805, None)
    assert "The target has 1 more padding token than the draft." in between(padded(1), BASE)[2].reasons[1].message


def test_a_few_real_tokens_more() -> None:
    assert (
        between(BASE, extended(1))[2].reasons[1].message
        == "The draft has 1 more token than the target. The target always rejects it."
    )
    assert between(extended(128), BASE)[1] == ["same-tokens", "extra-tokens"]


def test_too_many_real_tokens_more() -> None:
    verdict, codes, result = between(BASE, extended(129))
    assert (verdict, codes) == ("translatable", [*TRANSLATED, "vocabulary-size"])
    assert result.reasons[2].message == "The target has 305 tokens, the draft 434."


def test_a_differing_word_is_named() -> None:
    verdict, codes, result = between(BASE, retexted(BASE, {200: "changed", 201: "too", 0: "x"}))
    assert (verdict, codes) == ("translatable", [*TRANSLATED, "token-text"])
    assert result.reasons[2].message == "Token 200 is 'word195' in the target, 'changed' in the draft."
    assert result.reasons[2].detail == "Tokens that differ, not counting unused ones: 2."
    difference = result.first_difference
    assert difference is not None
    assert (difference.id, difference.target, difference.draft) == (200, "word195", "changed")


def test_early_tokens_are_reported() -> None:
    verdict, codes, result = between(BASE, VOCABULARIES["other early token"])
    assert (verdict, codes) == ("compatible", ["early-tokens"])
    assert result.first_difference is not None
    assert result.first_difference.id == 3


def test_several_obstacles_are_all_named_the_most_telling_first() -> None:
    other = replace(retexted(extended(200), {7: "x"}), add_bos=False, add_eos=True)
    assert between(BASE, other)[1] == [*TRANSLATED, "token-text", "vocabulary-size", "add-bos", "add-eos"]
    assert between(BASE, replace(BASE, bos=3))[1] == [*TRANSLATED, "bos-token"]
    assert between(*(VOCABULARIES[name] for name in ("adds eos", "adds other eos")))[1] == [*TRANSLATED, "eos-token"]


def test_another_kind_needs_no_further_reason() -> None:
    verdict, codes, result = between(BASE, VOCABULARIES["other kind"])
    assert (verdict, codes) == ("translatable", [*TRANSLATED, "tokenizer-kind"])
    assert "gpt2 (bpe) and llama (spm)" in result.reasons[-1].message


@dataclass(frozen=True)
class Spare:
    text: str
    kind: TokenType = CONTROL


SPARE = [
    Spare("[PAD151700]"),
    Spare("[PAD]"),
    Spare("<pad>"),
    Spare("<unused12>"),
    Spare("[unused3]"),
    Spare("<|dummy_3|>"),
    Spare("<reserved_106>"),
    Spare("<|reserved_special_token_5|>"),
    Spare("<extra_id_99>"),
    Spare("anything", UNUSED),
]
NOT_SPARE = [
    Spare("pad"),
    Spare("<|fim_pad|>"),
    Spare("unused"),
    Spare("<unused>"),
    Spare("x<pad>"),
    Spare("<tool_call>"),
    Spare("[PAD1"),
]


@pytest.mark.parametrize("spare", SPARE)
def test_spare_tokens_may_stand_for_special_ones(spare: Spare) -> None:
    filled = retyped(retexted(BASE, {100: spare.text}), {100: spare.kind})
    special = retyped(retexted(BASE, {100: "<think>"}), {100: USER_DEFINED})
    for target, draft in ((filled, special), (special, filled)):
        verdict, codes, _ = between(target, draft)
        assert verdict == "compatible"
        assert codes[0] == "unused-tokens"


@pytest.mark.parametrize("spare", SPARE)
def test_spare_tokens_may_not_stand_for_words(spare: Spare) -> None:
    filled = retyped(retexted(BASE, {100: spare.text}), {100: spare.kind})
    assert between(filled, BASE)[:2] == ("translatable", [*TRANSLATED, "token-text"])
    assert between(BASE, filled)[:2] == ("translatable", [*TRANSLATED, "token-text"])


@pytest.mark.parametrize("token", NOT_SPARE)
def test_other_tokens_are_not_taken_for_spare_ones(token: Spare) -> None:
    other = retyped(retexted(BASE, {100: token.text}), {100: token.kind})
    special = retyped(retexted(BASE, {100: "<think>"}), {100: USER_DEFINED})
    assert between(other, special)[0] == "translatable"


def test_tokens_are_shown_without_what_moves_a_cursor() -> None:
    result = compare_tokenizers(BASE, retexted(BASE, {50: "\x1b[2J" + "x" * 100}))
    assert result.reasons[0].message.isprintable()
    assert len(result.reasons[0].message) < 120


def test_models_without_a_vocabulary() -> None:
    none = replace(BASE, kind="none", texts=(), types=())
    assert between(none, none)[:2] == ("incompatible", ["no-vocabulary"])
    assert between(BASE, none)[2].reasons[0].message == "The draft has no token list."
    assert between(none, BASE)[2].reasons[0].message == "The target has no token list."
