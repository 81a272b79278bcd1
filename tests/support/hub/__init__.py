"""A Hugging Face Hub on this computer, for tests with the real client."""

from support.hub.blobs import LfsFile
from support.hub.faults import Fault
from support.hub.local_hub import LocalHub
from support.hub.traffic import Request

__all__ = ["Fault", "LfsFile", "LocalHub", "Request"]
