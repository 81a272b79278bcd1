"""What this machine has."""

from specchat.backends.devices import available
from specchat.domain.types import Device


def devices() -> list[Device]:
    return available()
