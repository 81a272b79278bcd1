import re
from unicodedata import normalize

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from ui.transcript.texts import texts

from specchat.domain.conversations import SearchHit
from specchat.store.excerpt import excerpt
from specchat.ui.sidebar.snippets import BEFORE_HEARD, Snippet, build_snippet

TICKS = "```"


def hit(source: str, *words: str) -> SearchHit:
    pattern = "|".join(map(re.escape, words or ("needle",)))
    return SearchHit(1, "Title", 2, source, tuple(found.span() for found in re.finditer(pattern, source)))


def matched(snippet: Snippet) -> list[str]:
    return [snippet.text[start:end] for start, end in snippet.matches]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("a needle", "a needle"),
        ("a **needle**", "a needle"),
        ("**a needle", "**a needle"),
        ("***a** needle*", "a needle"),
        ("`a` needle", "a needle"),
        ("``a ` needle``", "a ` needle"),
        ("~~a~~ needle", "a needle"),
        ("# A needle", "A needle"),
        ("A needle\n===", "A needle"),
        ("- a\n- needle", "a needle"),
        ("1. a\n   - needle", "a needle"),
        ("> a\n> needle", "a needle"),
        ("a\n\n---\n\nneedle", "a needle"),
        ("a  \nneedle", "a needle"),
        ("a\r\nneedle", "a needle"),
        ("[a needle](http://x.y 'T')", "a needle"),
        ("![a needle](x.png)", "a needle"),
        ("[a][l] needle\n\n[l]: http://x.y", "a needle"),
        ("<http://x.y/needle>", "http://x.y/needle"),
        ("| a | **needle** |\n|:--|--:|\n| b | `c` |", "a needle b c"),
        ("a &amp; needle &lt;b&gt;", "a & needle <b>"),
        ("\\*a\\* needle", "*a* needle"),
        ("x_y_z needle 2 * 3 * 4", "x_y_z needle 2 * 3 * 4"),
        (f"{TICKS}\ndef needle(**a):  # b\n    `c`\n{TICKS}", "def needle(**a):  # b `c`"),
        (f"{TICKS}\nneedle", "needle"),
        ("<think>\nA *needle*.\n</think>\n\n*Yes*.", "A needle. Yes."),
        ("<think>A needle.</think>", "A needle."),
        ("$needle$ and $$\\frac{a}{b}$$", "$needle$ and $$\\frac{a}{b}$$"),
        ("*a* needle.</think>\n\n*Yes*.", "a needle. Yes."),
        ("`<think>` needle", "<think> needle"),
    ],
)
def test_words_are_shown_without_their_markup(source: str, text: str) -> None:
    snippet = build_snippet(hit(source))
    assert (snippet.text, matched(snippet)) == (text, ["needle"])


@pytest.mark.parametrize(
    ("source", "words", "shown"),
    [
        ("un**needle**d", ("needle",), ["needle"]),
        ("nee*dle*", ("nee", "dle"), ["nee", "dle"]),
        ("a `nee-dle` b", ("nee-dle",), ["nee-dle"]),
        ("**nee** - *dle*", ("nee** - *dle",), ["nee - dle"]),
        ("😀 **needle** 😀 `needle`", ("needle",), ["needle", "needle"]),
        ("[a](http://needle.org) **needle**", ("needle",), ["needle"]),
        ("[needle](http://needle.org)", ("needle",), ["needle"]),
        ("nee\ndle", ("nee\ndle",), ["nee dle"]),
        ("- nee\n- dle", ("nee\n- dle",), ["nee", "dle"]),
        ("AT&amp;needle", ("needle",), ["needle"]),
    ],
)
def test_the_match_is_where_it_was(source: str, words: tuple[str, ...], shown: list[str]) -> None:
    assert matched(build_snippet(hit(source, *words))) == shown


def test_what_matches_out_of_sight_marks_nothing() -> None:
    assert build_snippet(hit("See [this](http://needle.org).")) == Snippet("See this.")
    assert build_snippet(hit(f"{TICKS}needle\nx = 1\n{TICKS}")) == Snippet("x = 1")


def test_something_is_always_shown() -> None:
    assert build_snippet(hit("[needle]: http://x.y")) == Snippet("needle")
    assert build_snippet(SearchHit(1, "Title", 2, "no **match** at all")) == Snippet("no match at all")
    assert build_snippet(SearchHit(1, "Title", 2, "")) == Snippet("")


def test_it_is_cut_at_a_word_so_that_the_first_match_shows() -> None:
    snippet = build_snippet(hit("A *long way* to go **before\nthe needle** is found, and another `needle`"))
    assert snippet.text == "…before the needle is found, and another needle"
    assert matched(snippet) == ["needle", "needle"]


def test_more_comes_before_the_match_for_those_who_hear_it() -> None:
    source = hit("A long way to go before the **needle** is found")
    assert build_snippet(source, BEFORE_HEARD).text == "A long way to go before the needle is found"


def test_a_long_text_ends_with_a_word() -> None:
    snippet = build_snippet(hit("**needle** " + "word " * 200 + "needle"))
    assert snippet.text.endswith(" word…")
    assert len(snippet.text) < 250
    assert matched(snippet) == ["needle"]
    assert len(build_snippet(hit("needle" + "x" * 10_000)).text) < 250


@pytest.mark.parametrize("markup", ["**{}**", "`{}`", "[{}](http://x.y)", "> *{}*", "| {} |\n|---|\n| {} |"])
def test_markup_that_begins_or_ends_far_away_is_none_of_it(markup: str) -> None:
    text = "*One*.\n\n" + markup.replace("{}", "some words " * 100 + "a needle" + " more words" * 100) + "\n\n*Two*."
    part, matches = excerpt(text, tuple(found.span() for found in re.finditer("needle", text)))
    snippet = build_snippet(SearchHit(1, "Title", 2, part, matches))
    assert snippet.text.startswith("…words a needle more words")
    assert set(snippet.text.casefold()) <= set("abcdefghijklmnopqrstuvwxyz …")
    assert matched(snippet) == ["needle"]


def test_a_title_is_no_markdown() -> None:
    assert build_snippet(SearchHit(1, "A *b* needle", None, "A *b* needle", ((6, 12),))) == Snippet(
        "A *b* needle", ((6, 12),)
    )


@given(texts, texts, st.sampled_from(["needle", "*needle*", "`needle`", "[needle](x)", "- needle", "| needle |"]))
@example(before="$^", after="", match="needle")
def test_whatever_stands_around_it_the_match_is_marked(before: str, after: str, match: str) -> None:
    text = before + match + after
    part, matches = excerpt(text, tuple(found.span() for found in re.finditer("needle", text)))
    shown = matched(build_snippet(SearchHit(1, "Title", 2, part, matches)))
    # a formula has spaces and raised letters of its own
    assert {normalize("NFKC", words).strip() for words in shown} <= {"needle"}
