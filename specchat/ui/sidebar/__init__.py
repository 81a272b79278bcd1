"""The conversations beside the transcript: to open, find and tidy them."""

from specchat.ui.sidebar.sidebar import Sidebar

__all__ = ["Sidebar"]
