"""Finding the passages that a question is about."""

import random
import re
from collections.abc import Sequence

import pytest

from specchat.domain.documents import DocumentSource, mark
from specchat.services.chat.passages import find_passages, fuse_rankings, split_passages
from specchat.services.chat.token_estimate import estimate_tokens

WORDS = re.findall(
    r"\w+",
    "the river carries water from hills toward towns where mills once turned grain into flour and people traded "
    "cloth wool timber stone with boats that came before winter closed every harbour along that quiet coast",
)


def book(pages: int, facts: dict[int, str], words: Sequence[str] = WORDS) -> str:
    """Pages of much the same words, some of which tell something else as well."""
    rng = random.Random(7)

    def page(number: int) -> str:
        text = " ".join(rng.choices(words, k=260))
        at = len(text) // 2
        return f"{text[:at]} {facts.get(number, '')} {text[at:]}"

    return "".join(f"{mark(f'p. {n}')}{page(n)}\n\n" for n in range(1, pages + 1))


BOOK = book(200, {180: "The lighthouse keeper's name was Ottilie Brandt.", 17: "Prices rose in 1848."})


def labels(sources: Sequence[DocumentSource]) -> list[str]:
    return [passage.label for source in sources for passage in source.passages]


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("Who was the lighthouse keeper?", "p. 180"),
        ("Tell me about Ottilie", "p. 180"),
        ("What happened to the price in 1848?", "p. 17"),
        ("What does page 123 say?", "p. 123"),
        ("Was steht auf Seite 99?", "p. 99"),
    ],
)
def test_a_question_finds_its_page_of_200(question: str, page: str) -> None:
    found = labels(find_passages({"book.pdf": BOOK}, question, (), 1500))
    assert page in found
    assert len(found) <= 5


@pytest.mark.parametrize(("question", "label"), [("Who is in row 37?", "row 30"), ("And line 37?", "line 30")])
def test_a_question_finds_the_block_of_its_row_or_line(question: str, label: str) -> None:
    unit = label.split()[0]
    text = "".join(f"{mark(f'{unit} {n}')}{' '.join(WORDS)} {n}\n\n" for n in range(10, 1000, 10))
    assert label in labels(find_passages({"list.csv": text}, question, (), 1500))


def test_earlier_questions_count_less() -> None:
    sources = find_passages({"book.pdf": BOOK}, "And what happened in 1848?", ["Who was the lighthouse keeper?"], 3000)
    assert {"p. 17", "p. 180"} <= set(labels(sources))


def test_a_question_that_matches_nothing_gets_passages_from_everywhere() -> None:
    found = [int(label.removeprefix("p. ")) for label in labels(find_passages({"book.pdf": BOOK}, "??", (), 6000))]
    assert found == sorted(found)
    assert found[0] == 1
    assert found[-1] > 150
    assert len(found) > 10


@pytest.mark.parametrize("room", [50, 400, 2000, 7200])
def test_the_passages_fit_their_room(room: int) -> None:
    sources = find_passages({"book.pdf": BOOK}, "mills and boats", (), room)
    passages = [passage for source in sources for passage in source.passages]
    assert passages
    assert sum(estimate_tokens(BOOK[each.start : each.end]) for each in passages) <= room


def test_the_better_document_gives_more() -> None:
    other = book(50, {}, ["some", "quite", "other", "vocabulary", "without", "any", "such", "keeper"])
    sources = find_passages({"other.pdf": other, "book.pdf": BOOK}, "lighthouse Ottilie Brandt", (), 3000)
    assert "p. 180" in labels([source for source in sources if source.name == "book.pdf"])


def test_scripts_without_spaces_are_searched() -> None:
    pages = [f"{mark(f'p. {n}')}{'山川草木日月星雨風雪' * 30}\n\n" for n in range(1, 31)]
    pages[20] = f"{mark('p. 21')}{'山川草木' * 40}灯台守の名前は田中花子です{'日月星雨' * 40}\n\n"
    assert "p. 21" in labels(find_passages({"本.pdf": "".join(pages)}, "灯台守の名前は何ですか", (), 1500))


@pytest.mark.parametrize(
    "question", ['"', "AND OR NOT", "a* (b)", "NEAR(x y)", "col:umn", "\0", "'; DROP TABLE passage"]
)
def test_query_syntax_is_searched_as_text(question: str) -> None:
    assert find_passages({"a.txt": "some text " * 100}, question, (), 500)


def test_text_without_places_has_lines() -> None:
    text = "".join(f"line {n} of the log says nothing\n" for n in range(1, 5001)) + "the disk failed at noon\n"
    found = labels(find_passages({"a.log": text}, "When did the disk fail?", (), 800))
    assert any(4950 <= int(label.removeprefix("line ")) <= 5001 for label in found)


def test_passages_do_not_cross_pages() -> None:
    assert all(BOOK.count("\f", each.start, each.end) == 0 for each in split_passages(BOOK))


def test_rankings_are_fused_by_their_ranks() -> None:
    assert fuse_rankings([[1, 2, 3], [3, 1]], [1.0, 1.0])[:2] == [1, 3]
    assert fuse_rankings([[1], [2]], [1.0, 0.3]) == [1, 2]
