"""What each of several devices gets of a model, as a user writes it."""

from specchat.domain.errors import SettingError

_MOST = 1e6


def parse_tensor_split(text: str) -> tuple[float, ...]:
    """In proportion, separated by commas or, as llama.cpp has it too, by slashes."""
    try:
        shares = tuple(float(part) for part in text.replace("/", ",").split(","))
    except ValueError:
        shares = ()
    if not (any(shares) and all(0 <= share <= _MOST for share in shares)):  # also refuses nan
        raise SettingError(
            "{shares} can't be the shares of devices.",
            "Write one number for each device, such as 3, 1.",
            shares=text.strip()[:80] or "''",
        )
    return shares
