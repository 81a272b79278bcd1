from specchat.services.memory.speed_estimate import estimate_speed, estimate_speed_here


def test_each_token_reads_the_model() -> None:
    assert estimate_speed(5e9, 2) == 12e9 / 5e9
    assert estimate_speed(10e9, 2) == estimate_speed(5e9, 2) / 2


def test_more_cores_read_more_until_the_memory_gives_no_more() -> None:
    assert estimate_speed(5e9, 4) > estimate_speed(5e9, 2)
    assert estimate_speed(5e9, 64) == estimate_speed(5e9, 8)


def test_nothing_is_without_limits() -> None:
    assert estimate_speed(0) == estimate_speed(1e6) == 200
    assert estimate_speed(1e15) > 0
    assert estimate_speed_here(1e9) > 0
