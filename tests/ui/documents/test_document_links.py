import pytest

from specchat.ui.documents.document_links import linked_answer, passages_link


def test_a_link_to_the_passages_of_an_answer() -> None:
    assert linked_answer(passages_link(7)) == 7


@pytest.mark.parametrize("written", ["", "x", "-1", "7/..", "9" * 19, "9" * 5000])
def test_what_a_model_writes_may_be_none(written: str) -> None:
    """The database counts no further."""
    assert linked_answer(f"passages:{written}") is None
