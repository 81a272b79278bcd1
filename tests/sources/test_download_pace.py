import pytest

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled
from specchat.sources.bandwidth import BandwidthLimit, SpeedMeter


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_limit_is_shared_and_nothing_is_saved_up() -> None:
    clock = Clock()
    bandwidth = BandwidthLimit(1000, clock)
    assert [bandwidth.seconds_to_wait(500) for _ in range(3)] == [0.5, 1.0, 1.5]
    clock.now += 60
    assert bandwidth.seconds_to_wait(500) == 0.5
    bandwidth.bytes_per_second = None
    assert bandwidth.seconds_to_wait(1 << 40) == 0


def test_waiting_ends_when_cancelled() -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        BandwidthLimit(1).wait_for(1 << 40, cancel)


def test_speed_is_that_of_the_last_seconds() -> None:
    clock = Clock()
    speed = SpeedMeter(clock)
    assert speed.bytes_per_second == 0
    clock.now += 1
    speed.add(500)
    assert speed.bytes_per_second == 500
    clock.now += 1
    assert speed.bytes_per_second == 250
    clock.now += 60
    assert speed.bytes_per_second == 0
    speed.add(1000)
    assert speed.bytes_per_second == 200
