from hypothesis import given
from hypothesis import strategies as st

from specchat.ui.transcript.row_heights import RowHeights

heights = st.lists(st.integers(1, 1000), min_size=1, max_size=40)
changes = st.lists(
    st.one_of(
        st.tuples(st.just("set"), st.integers(0, 39), st.integers(1, 1000)),
        st.tuples(st.just("append"), st.integers(1, 1000), st.just(0)),
        st.tuples(st.just("truncate"), st.integers(1, 39), st.just(0)),
    ),
    max_size=20,
)


@given(heights, changes)
def test_sums_and_look_ups_are_those_of_a_list(start: list[int], steps: list[tuple[str, int, int]]) -> None:
    plain, tree = list(start), RowHeights(start)
    for what, first, second in steps:
        if what == "set" and first < len(plain):
            plain[first] = second
            tree.set(first, second)
        elif what == "append":
            plain.append(first)
            tree.append(first)
        elif what == "truncate":
            del plain[first:]
            tree.truncate(first)
    assert tree.total == sum(plain)
    assert [tree.top(n) for n in range(len(plain))] == [sum(plain[:n]) for n in range(len(plain))]
    for index, height in enumerate(plain):
        top = sum(plain[:index])
        assert tree.index_at(top) == index
        assert tree.index_at(top + height - 1) == index
    assert tree.index_at(-5) == 0
    assert tree.index_at(sum(plain) + 5) == len(plain) - 1
