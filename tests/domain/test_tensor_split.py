import pytest

from specchat.domain.errors import SettingError
from specchat.domain.tensor_split import parse_tensor_split, require_devices


def test_shares_are_written_with_commas_or_slashes() -> None:
    assert parse_tensor_split("3, 1") == parse_tensor_split("3/1") == (3, 1)


@pytest.mark.parametrize("wrong", ["", "0,0", "a", "-1,2", "nan", "inf", "1,,2"])
def test_what_is_no_share(wrong: str) -> None:
    with pytest.raises(SettingError, match="is not a valid split"):
        parse_tensor_split(wrong)


@pytest.mark.parametrize(("shares", "n_devices"), [((3, 1), 2), ((1,), 3), ((1, 1, 0), 2), ((1, 1), 0), ((), 1)])
def test_no_more_shares_than_devices(shares: tuple[float, ...], n_devices: int) -> None:
    require_devices(shares, n_devices)


def test_a_share_that_no_device_would_take() -> None:
    with pytest.raises(SettingError, match="3 shares are set for 2 devices"):
        require_devices((1, 0, 1), 2)
