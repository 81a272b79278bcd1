"""Reads what engines report of the guesses for everyone since they were started: it says nothing about one answer."""

from specchat.domain.cancel_token import CancelToken
from specchat.domain.connections import GuessTotals
from specchat.services.connections.engine_api import EngineApi
from specchat.services.connections.reported_figures import read_count, read_object, read_objects

_MOST = 1 << 53


def read_prometheus_totals(api: EngineApi, prefix: str, cancel: CancelToken) -> GuessTotals | None:
    """From /metrics; of several models their sum."""
    drafted, accepted = (
        f"{prefix}:spec_decode_num_draft_tokens_total",
        f"{prefix}:spec_decode_num_accepted_tokens_total",
    )
    sums = {drafted: 0.0, accepted: 0.0}
    for line in api.get_text(api.address.at("/metrics"), cancel).splitlines():
        name = line.partition("{")[0].partition(" ")[0]
        if name in sums:
            sums[name] += _number(line.rpartition(" ")[2])
    n_drafted, n_accepted = (read_count(value, _MOST) for value in sums.values())
    if not n_drafted or n_accepted is None or n_accepted > n_drafted:
        return None
    return GuessTotals(n_drafted, n_accepted)


def read_sglang_totals(api: EngineApi, cancel: CancelToken) -> GuessTotals | None:
    """It tells a mean alone."""
    states = read_objects(api.get(api.address.at("/server_info"), cancel).get("internal_states"))
    mean = read_object(states[0] if states else None).get("avg_spec_accept_length")
    if not isinstance(mean, int | float) or not 1 <= mean <= _MOST:  # also refuses nan
        return None
    return GuessTotals(mean_length=float(mean))


def _number(text: str) -> float:
    """Not a number: none."""
    try:
        return float(text)
    except ValueError:
        return float("nan")
