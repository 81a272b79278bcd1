import pytest

from specchat.domain.documents import (
    Passage,
    count_places,
    describe_range,
    find_place,
    is_marked,
    mark,
    readable_text,
    regions,
    windows,
)

PAGES = "".join(f"{mark(f'p. {n}')}Text of page {n}.\n\n" for n in range(1, 13))
ROWS = f"{mark('row 2')}name,age\nAda,36\nBob,41\n\n{mark('row 4')}name,age\nCleo,29\nDan,50\n\n"
CHAPTER = f"{mark('ch. 1 par. 1')}One.\n\nTwo.\n\nThree.\n\n{mark('ch. 2 par. 1')}Four.\n\n"
CODE = f"{mark('src/a.py:1')}import b\nimport c\n\n{mark('b.py:1')}x = 1\n"


def test_marks_are_read_without_their_form_feeds() -> None:
    assert is_marked(PAGES)
    assert readable_text(PAGES).startswith("[p. 1]\nText of page 1.\n\n[p. 2]\n")
    assert "\f" not in readable_text(PAGES)


@pytest.mark.parametrize("text", ["", "plain", "\fpage break", "one\n\f[p. 2]\ntwo", "[p. 1]\n"])
def test_text_without_marks_is_unchanged(text: str) -> None:
    assert not is_marked(text)
    assert readable_text(text) == text
    assert regions(text) == (Passage(0, len(text), "line 1"),)


def test_labels_are_one_line_without_brackets() -> None:
    assert mark("a [b]\nc") == "\f[a b c]\n"
    assert len(mark("x" * 1000)) < 130


@pytest.mark.parametrize(
    ("text", "label", "found"),
    [
        (PAGES, "p. 7", "Text of page 7.\n\n"),
        (PAGES, "pp. 7-9", "Text of page 7.\n\n"),
        (PAGES, "p. 7\N{EN DASH}9", "Text of page 7.\n\n"),
        (CODE, "src/a.py:2", "import c"),
        ("one\ntwo\n", "line 2", "two"),
        (f"{mark('2024-q1/notes-2.md:1')}one\ntwo\n", "2024-q1/notes-2.md:2", "two"),
        (f"{mark('2024-q1/notes-2.md:1')}one\ntwo\n", "2024-q1/notes-2.md:2-9", "two"),
        (ROWS, "row 3", "name,age\nAda,36\nBob,41\n\n"),
        (ROWS, "rows 4-5", "name,age\nCleo,29\nDan,50\n\n"),
        (CHAPTER, "ch. 1 par. 3 - ch. 2 par. 1", "One.\n\nTwo.\n\nThree.\n\n"),
    ],
)
def test_a_cited_place_is_found(text: str, label: str, found: str) -> None:
    place = find_place(text, label)
    assert place is not None
    assert text[place.start : place.end] == found


@pytest.mark.parametrize("label", ["p. 99", "page 7", "src/a.py:99", "", "a:" + "9" * 5000, "p. " + "9" * 5000])
def test_a_place_that_does_not_exist_is_not_found(label: str) -> None:
    assert find_place(PAGES, label) is None
    assert find_place(CODE, label) is None
    assert find_place(ROWS, label.replace("p.", "row")) is None
    assert find_place(CHAPTER, label.replace("p.", "ch. 1 par.")) is None
    assert find_place("one", label.replace("a:", "line ")) is None


def test_places_are_counted() -> None:
    assert count_places(PAGES) == ("p.", 12)
    assert count_places(CODE) == ("", 2)
    assert count_places(f"{mark('ch. 3 par. 12')}text") == ("ch.", 3)
    assert count_places("plain") == ("", 0)


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (["p. 3", "p. 9", "p. 180"], "pp. 3-180"),
        (["p. 3"], "p. 3"),
        (["row 2", "row 90"], "row 2-90"),
        (["ch. 1 par. 1", "ch. 12 par. 3"], "ch. 1-12"),
        (["a.py:1", "b.py:7"], "a.py:1 - b.py:7"),
        ([], ""),
    ],
)
def test_ranges_are_described(labels: list[str], words: str) -> None:
    assert describe_range([Passage(0, 1, label) for label in labels]) == words


@pytest.mark.parametrize("text", ["word " * 2000, "x" * 5000, "Line.\n" * 1000, "A sentence. Another one. " * 300])
def test_windows_cover_all_and_overlap_a_little(text: str) -> None:
    parts = list(windows(text, Passage(0, len(text), ""), 1200, 200))
    assert parts[0][0] == 0
    assert parts[-1][1] == len(text)
    assert all(before[0] < after[0] <= before[1] for before, after in zip(parts, parts[1:], strict=False))
    assert all(end - start <= 1600 for start, end in parts)
