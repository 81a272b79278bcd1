"""Which tokens a grammar allows: what is allowed at once is what the mask leaves."""

from collections.abc import Iterator

import numpy as np
import pytest
from support.ggufs import ModelRecipe, make_model
from support.pairs import DRAFT, loaded
from support.vocabularies import BpeVocab, SpmVocab, Vocab

from specchat.backends.grammar.gbnf import gbnf_to_lark
from specchat.backends.grammar.token_grammar import GrammarCompiler, GrammarConstraint
from specchat.backends.llama_model import LlamaModel
from specchat.domain.errors import BugError, SettingError

MARKER = "<tool_call>"
VOCABS: tuple[Vocab, ...] = (
    BpeVocab(control=("<|endoftext|>", "<|im_start|>", "<|im_end|>", MARKER)),
    SpmVocab(control=("<|im_start|>", "<|im_end|>", MARKER)),
)
JSON = r"""
root ::= "{" ws ("\"" char* "\"" ":" ws number ("," ws "\"" char* "\"" ":" ws number)*)? "}"
char ::= [^"\\] | "\\" ["\\n]
number ::= "-"? [0-9]+ ("." [0-9]+)?
ws ::= " "?
"""


@pytest.fixture(scope="module", params=VOCABS, ids=["bpe", "spm"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlamaModel]:
    path = tmp_path_factory.mktemp("model") / "model.gguf"
    with loaded(make_model(path, ModelRecipe(vocab=request.param, n_layer=1)), DRAFT) as model:
        yield model


def constraint(model: LlamaModel, grammar: str, markers: dict[int, bytes] | None = None) -> GrammarConstraint:
    return GrammarCompiler(model, model.vocabulary.tokenize_on).constraint(gbnf_to_lark(grammar), markers or {})


def saying(model: LlamaModel, piece: bytes) -> int:
    return next(token for token in range(model.n_vocab) if model.piece(token) == piece)


def left(limit: GrammarConstraint, model: LlamaModel) -> set[int]:
    masked = limit.mask(np.arange(model.n_vocab, dtype=np.float32))
    kept = np.flatnonzero(np.isfinite(masked))
    assert np.array_equal(masked[kept], kept)
    return set(kept.tolist())


def allowed(limit: GrammarConstraint, model: LlamaModel) -> set[int]:
    return {token for token in range(model.n_vocab) if limit.allows(token)}


def test_one_by_one_or_all_at_once(model: LlamaModel) -> None:
    limit, random = constraint(model, JSON), np.random.default_rng(0)
    for _ in range(120):
        found = allowed(limit, model)
        assert left(limit, model) == found
        token = int(random.choice(sorted(found)))
        limit.accept(token)
        if model.is_end_token(token):
            break


def test_a_character_may_come_in_pieces(model: LlamaModel) -> None:
    limit = constraint(model, 'root ::= ("é" | "世" | "😀" | [Ā-ſ])+ "."')
    for byte in "é世😀".encode():
        assert left(limit, model) == allowed(limit, model)
        assert limit.allows(saying(model, bytes((byte,))))
        limit.accept(saying(model, bytes((byte,))))
    limit.accept(saying(model, b"\xc4"))
    assert not limit.allows(saying(model, b".")), "half a character"
    assert {model.piece(token)[0] for token in left(limit, model)} <= set(range(0x80, 0xC0))


def test_bytes_that_make_no_character_are_refused(model: LlamaModel) -> None:
    limit = constraint(model, "root ::= .*")
    for byte in (b"\x80", b"\xc0", b"\xf8", b"\xff"):
        assert not limit.allows(saying(model, byte))
    limit.accept(saying(model, b"\xe4"))
    assert not limit.allows(saying(model, b"\xc3"))


def test_only_the_end_follows_a_complete_text(model: LlamaModel) -> None:
    limit = constraint(model, 'root ::= "yes"')
    ends = {token for token in range(model.n_vocab) if model.is_end_token(token)}
    assert ends.isdisjoint(left(limit, model))
    for letter in (b"y", b"e", b"s"):
        limit.accept(saying(model, letter))
    assert left(limit, model) == ends == allowed(limit, model)
    limit.accept(min(ends))


def test_control_tokens_say_nothing_unless_they_are_named(model: LlamaModel) -> None:
    marker = model.vocabulary.tokenize(MARKER, add_special=False, parse_special=True)[-1]
    assert model.piece(marker) == b""
    silent = constraint(model, "root ::= .*")
    assert not silent.allows(marker)
    assert marker not in left(silent, model)
    heard = constraint(model, f'root ::= "{MARKER}" [0-9]+', {marker: MARKER.encode()})
    assert heard.allows(marker)
    assert marker in left(heard, model)
    heard.accept(marker)
    assert not heard.allows(marker)


def test_where_the_vocabulary_ends(model: LlamaModel) -> None:
    limit = constraint(model, r"root ::= [^\x00-\U0010FFFF]")
    with pytest.raises(SettingError, match="allows none of the model's tokens"):
        limit.mask(np.zeros(model.n_vocab, dtype=np.float32))


def test_what_is_forbidden_cannot_be_accepted(model: LlamaModel) -> None:
    limit = constraint(model, 'root ::= "yes"')
    with pytest.raises(BugError):
        limit.accept(saying(model, b"n"))


def test_a_long_answer_is_followed_all_the_same(model: LlamaModel) -> None:
    """Longer than what is remembered of it."""
    limit = constraint(model, 'root ::= item{1000}\nitem ::= "a"{0,200} "b"')
    a, b = saying(model, b"a"), saying(model, b"b")
    for _ in range(60):
        for _ in range(200):
            limit.accept(a)
        assert not limit.allows(a)
        limit.accept(b)
    assert left(limit, model) == allowed(limit, model)


def test_a_grammar_without_texts(model: LlamaModel) -> None:
    with pytest.raises(SettingError, match="allows none of the model's tokens"):
        constraint(model, "root ::= root").mask(np.zeros(model.n_vocab, dtype=np.float32))


def test_answers_do_not_disturb_each_other(model: LlamaModel) -> None:
    compiler, grammar = GrammarCompiler(model, model.vocabulary.tokenize_on), gbnf_to_lark('root ::= "yes" | "no"')
    first, second = (compiler.constraint(grammar, {}) for _ in range(2))
    first.accept(saying(model, b"y"))
    assert second.allows(saying(model, b"n"))
    assert left(compiler.constraint(grammar, {}), model) == left(second, model) != left(first, model)


def test_an_answer_with_too_many_ways_to_go_on(model: LlamaModel) -> None:
    rules = [f"r{n} ::= r{n + 1} r{n + 1} | r{n + 1}" for n in range(200)]
    limit = constraint(model, "\n".join(["root ::= r0", *rules, 'r200 ::= "a"?']))
    logits = np.zeros(model.n_vocab, dtype=np.float32)

    def follow() -> None:
        for _ in range(64):
            limit.mask(logits)
            limit.accept(saying(model, b"a"))

    with pytest.raises(SettingError, match="too large or too ambiguous"):
        follow()
