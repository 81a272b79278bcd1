"""Grammars in llama.cpp's notation: what they mean, and that hostile ones are only refused."""

import re

import pytest
from support.grammars import Texts

from specchat.domain.errors import SettingError
from specchat.engine.grammar.gbnf import LONGEST, read_grammar
from specchat.engine.grammar.matcher import Matcher


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
    ],
)
def test_what_a_grammar_allows(grammar: str, texts: list[str], others: list[str]) -> None:
    allowed = Texts(grammar)
    assert [text for text in texts if text not in allowed] == []
    assert [text for text in others if text in allowed] == []


def test_another_root() -> None:
    assert read_grammar('a ::= "x"\nb ::= a a', "b").root == 1


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
        read_grammar(grammar)


def test_the_place_is_told_but_not_what_stands_there() -> None:
    with pytest.raises(SettingError, match="makes no sense at character 17") as refused:
        read_grammar('root ::= "my"  \n$secret')
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "grammar",
    [
        'root ::= "a"{1001}',
        'root ::= ("a"{0,1000} "b"){0,1000} ' * 100,
        "root ::= " + "(" * 1000 + '"a"' + ")" * 1000,
        'root ::= "' + "a" * LONGEST + '"',
        "root ::= " + '"aaaaaaaa" ' * 50_000,
    ],
)
def test_what_is_too_large_is_refused(grammar: str) -> None:
    with pytest.raises(SettingError, match="too large|no sense"):
        Texts(grammar).may_begin("a")


@pytest.mark.parametrize(
    "grammar",
    [
        "\n".join(["root ::= r0", *(f"r{n} ::= r{n + 1} r{n + 1} | r{n + 1}" for n in range(200)), 'r200 ::= "a"?']),
        'root ::= "a" root "x" | "a" root "y" | ""',
        'root ::= t\nt ::= u t "e" | "z"\nu ::= ' + " | ".join(['[^b-z] "x"?'] * 950),
    ],
)
def test_what_goes_on_in_too_many_ways_is_refused(grammar: str) -> None:
    with pytest.raises(SettingError, match="too large or too ambiguous"):
        Texts(grammar).may_begin("a" * 64)


@pytest.mark.parametrize(
    ("grammar", "name"),
    [
        ('root ::= root "a" | "b"', "root"),
        ('root ::= sum\nsum ::= sum "+" [0-9] | [0-9]', "sum"),
        ('root ::= other "x"\nother ::= ("b"?) root | "a"', "root"),
        ('root ::= "(" list ")"\nlist ::= (list ",")? [a-z]', "list"),
        ('root ::= "x"\nloop ::= blank* loop blank | "y"\nblank ::= " "?', "loop"),
    ],
)
def test_left_recursion_is_called_so(grammar: str, name: str) -> None:
    said = re.escape(f"The grammar's rule {name} begins with itself (left recursion), so it has no end.")
    with pytest.raises(SettingError, match=said):
        read_grammar(grammar)


@pytest.mark.parametrize(
    "grammar",
    [
        'root ::= "a" root "b" | "ab"',
        'root ::= (("a"?)* "b"?)*',
        'root ::= root | "ab"',
        'root ::= "a" list\nlist ::= "b" list?',
    ],
)
def test_recursion_that_comes_to_an_end(grammar: str) -> None:
    assert "ab" in Texts(grammar)


def test_a_long_grammar_is_looked_through_quickly() -> None:
    """Each of the items may be empty, and each rule begins with the next."""
    read_grammar("root ::= " + "blank " * 90_000 + '\nblank ::= " "?')
    read_grammar("\n".join(["root ::= r0", *(f"r{n} ::= r{n + 1}" for n in range(30_000)), 'r30000 ::= "a"']))


def test_many_equal_ways_are_one() -> None:
    """Each rule twice: looked at one by one, they are more than can be counted."""
    rules = [f"r{n} ::= r{n + 1} | r{n + 1}" for n in range(200)]
    assert "a" in Texts("\n".join(["root ::= r0", *rules, 'r200 ::= "a"']))


@pytest.mark.parametrize(
    "grammar",
    [
        "root ::= (" + "|".join(["[^ -~]"] * 1900) + ")*",
        "root ::= [" + "".join(map(chr, range(0x4E00, 0x9000, 2))) + "]*",
        "root ::= (" + "|".join(f"[{chr(0x4E00 + n)}-{chr(0x9000 + n)}]" for n in range(1500)) + ")*",
    ],
    ids=["one place", "many ranges", "many places"],
)
def test_different_characters_cost_little(grammar: str) -> None:
    """As a whole vocabulary of them is looked at for one token."""
    matcher = Matcher(read_grammar(grammar))
    start = matcher.start()
    assert all(matcher.after(start, chr(code)) is not None for code in range(0x5400, 0x8E00, 2))


def test_a_limit_on_the_work_for_one_token() -> None:
    """Characters that each lead on in other ways."""
    ways = [f"[{chr(0x4E00 + n)}-{chr(0x9000 + n)}] rest" for n in range(1500)]
    matcher = Matcher(read_grammar("root ::= (" + "|".join(ways) + ')*\nrest ::= "a"? "b"?'))
    start = matcher.start()
    with pytest.raises(SettingError, match="too large or too ambiguous"):
        _ = [matcher.after(start, chr(code)) for code in range(0x4E00, 0x9500)]
    assert matcher.after(matcher.start(), "\u4e00ab") is not None, "another token, another try"
