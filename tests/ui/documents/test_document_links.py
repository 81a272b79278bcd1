import pytest

from specchat.ui.documents.document_links import find_citations, linked_answer, passages_link


def test_a_link_to_the_passages_of_an_answer() -> None:
    assert linked_answer(passages_link(7)) == 7


@pytest.mark.parametrize("written", ["", "x", "-1", "7/..", "9" * 19, "9" * 5000])
def test_what_a_model_writes_may_be_none(written: str) -> None:
    """The database counts no further."""
    assert linked_answer(f"passages:{written}") is None


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("[report.pdf, pp. 3-5]", "document:report.pdf, pp. 3-5"),
        ("[list.csv, rows 3-5]", "document:list.csv, rows 3-5"),
        ("[code/, 2024/a-1.py:12]", "document:code/, 2024/a-1.py:12"),
        ("[code/, a.py:12-30]", "document:code/, a.py:12-30"),
    ],
)
def test_a_citation_is_a_link(text: str, link: str) -> None:
    assert list(find_citations(f"See {text}.")) == [(4, 4 + len(text), link)]
