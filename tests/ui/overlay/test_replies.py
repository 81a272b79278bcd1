import pytest

from specchat.domain.types import GenerationStats
from specchat.ui.overlay.reply_stats import ReplyStats, compute_total


def reply(**stats: object) -> ReplyStats:
    return ReplyStats("Hello", GenerationStats(**stats), "target.gguf")  # type: ignore[arg-type]


def test_nothing_together_is_nothing() -> None:
    nothing = compute_total([])
    assert nothing.n_generated == nothing.acceptance_rate == nothing.plain_s == 0
    assert nothing.accepted_per_position == ()


def test_rates_are_of_the_sums() -> None:
    together = compute_total(
        [
            reply(n_generated=11, n_drafted=10, n_accepted=9, n_verify_steps=2, tokens_per_s=10.0, saved_s=1.0),
            reply(n_generated=41, n_drafted=90, n_accepted=1, n_verify_steps=40, tokens_per_s=10.0, saved_s=-2.0),
        ]
    )
    assert together.acceptance_rate == pytest.approx(0.1)
    assert together.mean_accepted_length == pytest.approx(52 / 42)
    assert together.tokens_per_s == pytest.approx(10)
    assert (together.streaming_s, together.saved_s, together.plain_s) == pytest.approx((5, -1, 4))


def test_positions_count_by_the_passes_of_the_replies_that_have_them() -> None:
    together = compute_total(
        [
            reply(n_verify_steps=30, accepted_per_position=(0.8, 0.4)),
            reply(n_verify_steps=10, accepted_per_position=(0.4,)),
            reply(n_verify_steps=99),
        ]
    )
    assert together.accepted_per_position == pytest.approx((0.7, 0.4))
