"""Parses how users split a model over several devices."""

from collections.abc import Sequence

from specchat.domain.errors import SettingError

_MOST = 1e6


def parse_tensor_split(text: str) -> tuple[float, ...]:
    """Parses proportions separated by commas or, as in llama.cpp, by slashes."""
    try:
        shares = tuple(float(part) for part in text.replace("/", ",").split(","))
    except ValueError:
        shares = ()
    if not (any(shares) and all(0 <= share <= _MOST for share in shares)):  # also refuses nan
        raise SettingError(
            "{shares} is not a valid split.",
            "Enter one number for each device, such as 3,1.",
            shares=text.strip()[:80] or "''",
        )
    return shares


def require_devices(shares: Sequence[float], n_devices: int) -> None:
    """For each share that is not 0. Without any device there is nothing to share."""
    n_shares = max((number for number, share in enumerate(shares, 1) if share), default=0)
    if 0 < n_devices < n_shares:
        raise SettingError(
            "{n} shares are set for {devices} devices.",
            "Set one share per device. To list the devices, run: specchat devices",
            n=n_shares,
            devices=n_devices,
        )
