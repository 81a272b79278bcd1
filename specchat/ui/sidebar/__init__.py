"""The sidebar that lists, searches and manages the conversations."""

from specchat.ui.sidebar.sidebar import Sidebar

__all__ = ["Sidebar"]
