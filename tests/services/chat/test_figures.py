from specchat.domain.types import GenerationStats
from specchat.services.chat.stats_text import format_amounts, format_guesses


def test_one_token_has_no_pace() -> None:
    assert format_amounts(GenerationStats(n_generated=1)) == ["1 token"]
    assert format_amounts(GenerationStats(n_generated=12, tokens_per_s=3.14)) == ["12 tokens", "3.1 tokens/s"]
    assert format_amounts(GenerationStats(n_generated=1234)) == ["1,234 tokens"]


def test_what_is_too_short_to_tell_is_neither_saved_nor_lost() -> None:
    def saved(seconds: float) -> str:
        return format_guesses(GenerationStats(n_drafted=4, n_accepted=3, saved_s=seconds))[-1]

    assert [saved(0.5), saved(-0.5), saved(0.004), saved(-0.004)] == [
        "0.50 s saved",
        "0.50 s lost",
        "no time saved",
        "no time saved",
    ]
    assert format_guesses(GenerationStats(n_generated=4)) == ["no guesses"]
