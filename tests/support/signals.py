import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def heard_by_children(*numbers: signal.Signals) -> Iterator[None]:
    """A signal that is ignored here is ignored by the programs started here as well; one with a handler is not."""
    ignored = [number for number in numbers if signal.getsignal(number) is signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, lambda *_: None)
    try:
        yield
    finally:
        for number in ignored:
            signal.signal(number, signal.SIG_IGN)
