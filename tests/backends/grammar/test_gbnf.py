"""Grammars in llama.cpp's notation: what they mean, and that hostile ones are only refused."""

import pytest
from support.grammars import gbnf_texts

from specchat.backends.grammar.gbnf import LONGEST, gbnf_to_lark
from specchat.domain.errors import SettingError


@pytest.mark.parametrize(
    ("grammar", "texts", "others"),
    [
        ('root ::= "yes" | "no"', ["yes", "no"], ["", "ye", "yesno", "maybe"]),
        ('root ::= "a"* "b"+ "c"?', ["b", "aab", "abbc", "bc"], ["", "a", "c", "acc", "bcc"]),
        ("root ::= [a-c] [^a-c] .", ["ax!", "cd\n", "b😀x"], ["aax", "xaa", "ax"]),
        ('root ::= "ab"{2}', ["abab"], ["ab", "abb", "ababab"]),
        ('root ::= "a"{2,3} "b"{1,}', ["aab", "aaabbb"], ["ab", "aaaab", "aaa"]),
        ('root ::= "a"{0} "b"', ["b"], ["ab", ""]),
        ('root ::= ("a" | "b" "c") ("d" |)', ["a", "ad", "bc", "bcd"], ["b", "abc", "d"]),
        ('root ::= item ("," item)*\nitem ::= [0-9]+', ["1", "12,3,456"], ["", ",", "1,", "1,,2"]),
        ('root ::= "(" root ")" | "x"', ["x", "((x))"], ["(x", "x)", "()"]),
        (
            r'root ::= "\"\\\n\t" [\]\-^\x41\u00e9\U0001F600]',
            ['"\\\n\t]', '"\\\n\t-', '"\\\n\t^', '"\\\n\tA', '"\\\n\té', '"\\\n\t😀'],
            [],
        ),
        ("root ::= [a-] [-z] [^^]", ["a-x", "--y", "az!"], ["b-x", "a-^"]),
        ('# begins\nroot ::=  # one\n  "a"\n  | other-1 # two\nother-1 ::= "b"', ["a", "b"], ["ab"]),
        ('root ::= ("a"?)* "b"', ["b", "aab"], ["a", ""]),
        ('root ::= ("ab" | "abc") "cd"', ["abcd", "abccd"], ["abc", "abd"]),
        ('root ::= .* "END"', ["END", "xENXEND"], ["xEN", "ENDx"]),
        ('root ::= some "a"\nsome ::= [a-c]*', ["a", "abca"], ["", "ab"]),
        ("root ::= [\\x00-\\U0010FFFF]", ["a", "\ud7ff", "\ue000"], [""]),
        ("root ::= [/] [a&&b] [+--]", ["/&-", "/b+"], ["/", "/c+"]),
    ],
)
def test_what_a_grammar_allows(grammar: str, texts: list[str], others: list[str]) -> None:
    allowed = gbnf_texts(grammar)
    assert [text for text in texts if text not in allowed] == []
    assert [text for text in others if text in allowed] == []


@pytest.mark.parametrize(
    "grammar",
    [
        "",
        "root",
        "root ::= (",
        'root ::= "a',
        "root ::= [",
        "root ::= []",
        "root ::= [z-a]",
        "root ::= )",
        "root ::= *",
        'root ::= "a"{3,2}',
        'root ::= "a"{,2}',
        'root ::= "a"{1 2}',
        r'root ::= "\q"',
        r'root ::= "\x4"',
        r'root ::= "\U00110000"',
        "root ::= <think>",
        "root ::= missing",
        'other ::= "a"',
        '"a" ::= "b"',
        "root = 1",
        "root ::= $",
    ],
)
def test_what_makes_no_sense_is_refused(grammar: str) -> None:
    with pytest.raises(SettingError):
        gbnf_to_lark(grammar)


def test_the_place_is_told_but_not_what_stands_there() -> None:
    with pytest.raises(SettingError, match="syntax error at character 17") as refused:
        gbnf_to_lark('root ::= "my"  \n$secret')
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "grammar",
    [
        'root ::= "a"{1001}',
        "root ::= " + "(" * 1000 + '"a"' + ")" * 1000,
        'root ::= "' + "a" * LONGEST + '"',
        "root ::= " + '"a" ' * 5000,
    ],
)
def test_what_is_too_large_is_refused(grammar: str) -> None:
    with pytest.raises(SettingError, match="too large"):
        gbnf_texts(grammar)


@pytest.mark.parametrize(
    "grammar",
    [
        "\n".join(["root ::= r0", *(f"r{n} ::= r{n + 1} r{n + 1} | r{n + 1}" for n in range(200)), 'r200 ::= "a"?']),
        'root ::= t\nt ::= u t "e" | "z"\nu ::= ' + " | ".join(['[^b-z] "x"?'] * 1900),
    ],
)
def test_what_goes_on_in_too_many_ways_is_found_out(grammar: str) -> None:
    assert gbnf_texts(grammar).error_after("a" * 8)


@pytest.mark.parametrize(
    ("grammar", "text"),
    [
        ('root ::= root "a" | "b"', "baa"),
        ('root ::= sum\nsum ::= sum "+" [0-9] | [0-9]', "1+2+3"),
        ('root ::= other "x"\nother ::= ("b"?) root | "a"', "baxx"),
        ('root ::= "(" list ")"\nlist ::= (list ",")? [a-z]', "(a,b,c)"),
        ('root ::= "a" root "b" | "ab"', "ab"),
        ('root ::= (("a"?)* "b"?)*', "ab"),
        ('root ::= root | "ab"', "ab"),
        ('root ::= "a" list\nlist ::= "b" list?', "ab"),
    ],
)
def test_recursion(grammar: str, text: str) -> None:
    allowed = gbnf_texts(grammar)
    assert text in allowed
    assert text + "?" not in allowed


def test_deep_groups() -> None:
    assert "aaa" in gbnf_texts("root ::= " + "(" * 60 + '"a"' + ")*" * 60)


def test_many_equal_ways_are_one() -> None:
    """Each rule twice: looked at one by one, they are more than can be counted."""
    rules = [f"r{n} ::= r{n + 1} | r{n + 1}" for n in range(200)]
    assert "a" in gbnf_texts("\n".join(["root ::= r0", *rules, 'r200 ::= "a"']))


def test_ambiguous_text_is_followed() -> None:
    assert "a" * 64 in gbnf_texts('root ::= root root | "a"')
