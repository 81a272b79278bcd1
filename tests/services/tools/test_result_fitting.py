import pytest

from specchat.domain.conversations import StoredMessage
from specchat.domain.types import Role
from specchat.services.chat.token_estimate import estimate_tokens
from specchat.services.tools.result_fitting import fit_result

LONG = "warm " * 10_000


def message(text: str, role: Role = Role.USER) -> StoredMessage:
    return StoredMessage(0, 1, None, role, text, 0.0)


def test_results_together_leave_room_for_the_answer() -> None:
    """However many follow each other."""
    path = [message(LONG), message(LONG, Role.ASSISTANT), message("Is it warm?")]
    for _ in range(4):
        path.append(message(fit_result(LONG, path, 8192), Role.TOOL))
    sizes = [estimate_tokens(each.text) for each in path[3:]]
    assert sizes == sorted(sizes, reverse=True)
    assert 8192 / 3 < sizes[0] <= 8192 / 2
    assert sum(sizes) < 0.8 * 8192


@pytest.mark.parametrize(("text", "n_ctx"), [("It is warm.", 512), (LONG, 0), (LONG, 131_072)])
def test_what_fits_stays_as_it_is(text: str, n_ctx: int) -> None:
    assert fit_result(text, [message("Is it warm?")], n_ctx) == text


def test_the_note_counts_what_was_left_out_before() -> None:
    text = fit_result(f"{'z' * 50_000}\n[1,950,000 more characters left out]", [message("Is it warm?")], 8192)
    kept, note = text.split("\n")
    assert set(kept) == {"z"}
    assert note == f"[{2_000_000 - len(kept):,} more characters left out]"
    assert note == text[len(kept) + 1 :]


def test_some_of_a_result_is_read_after_a_question_that_fills_the_context() -> None:
    assert 100 < estimate_tokens(fit_result(LONG, [message(LONG)], 8192)) < 600
