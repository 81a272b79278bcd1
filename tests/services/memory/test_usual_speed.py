from specchat.services.memory.usual_speed import usual_speed, usual_speed_here


def test_each_token_reads_the_model() -> None:
    assert usual_speed(5e9, 2) == 12e9 / 5e9
    assert usual_speed(10e9, 2) == usual_speed(5e9, 2) / 2


def test_more_cores_read_more_until_the_memory_gives_no_more() -> None:
    assert usual_speed(5e9, 4) > usual_speed(5e9, 2)
    assert usual_speed(5e9, 64) == usual_speed(5e9, 8)


def test_nothing_is_without_limits() -> None:
    assert usual_speed(0) == usual_speed(1e6) == 200
    assert usual_speed(1e15) > 0
    assert usual_speed_here(1e9) > 0
