"""Lists the compute devices of this machine."""

from specchat.backends.devices import available
from specchat.domain.types import Device


def list_devices() -> list[Device]:
    return available()
