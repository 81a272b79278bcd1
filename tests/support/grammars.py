"""What grammars allow, and what one of their texts may be."""

from __future__ import annotations

from random import Random

import numpy as np
from llguidance import LLMatcher

from specchat.backends.grammar.gbnf import gbnf_to_lark
from specchat.backends.grammar.json_schema import json_rule, read_schema
from specchat.backends.grammar.token_grammar import compile_grammar, make_tokenizer

LONGEST = 5000
_END = 256
_BYTES = make_tokenizer([*(bytes((byte,)) for byte in range(_END)), b""], [_END])
_CLOSING = b'"]}'


class Texts:
    def __init__(self, grammar: str) -> None:
        """`grammar`: llguidance's."""
        self._matcher = compile_grammar(grammar, _BYTES)

    def __contains__(self, text: str) -> bool:
        matcher = self._matcher.deep_copy()
        return _reads(matcher, text) and matcher.is_accepting()

    def may_begin(self, text: str) -> bool:
        return _reads(self._matcher.deep_copy(), text)

    def error_after(self, text: str) -> str:
        """What ends the search for what comes next."""
        matcher = self._matcher.deep_copy()
        if _reads(matcher, text):
            matcher.compute_bitmask()
        return matcher.get_error()

    def some(self, random: Random) -> str:
        """One that ends soon."""
        while True:
            text = self._walk(random)
            if text is not None:
                return text

    def _walk(self, random: Random) -> str | None:
        matcher, said = self._matcher.deep_copy(), b""
        while len(said) < LONGEST:
            bytes_allowed = np.flatnonzero(np.frombuffer(matcher.compute_logit_bias(), dtype=np.uint8)).tolist()
            closing = [byte for byte in _CLOSING if byte in bytes_allowed]
            if bytes_allowed == [_END] or (_END in bytes_allowed and random.random() < 0.3):
                return said.decode()
            byte = random.choice(closing if closing and random.random() < 0.3 else bytes_allowed)
            if byte != _END:
                matcher.consume_token(byte)
                said += bytes((byte,))
        return None


def gbnf_texts(grammar: str) -> Texts:
    return Texts(gbnf_to_lark(grammar))


def json_texts(text: str) -> Texts:
    return Texts(f"start: {json_rule(read_schema(text), strict=True)}")


def _reads(matcher: LLMatcher, text: str) -> bool:
    tokens = list(text.encode("utf-8", "surrogatepass"))
    return matcher.try_consume_tokens(tokens) == len(tokens)
