"""What someone does who uses the window all day, over and over and by hand, and how long each wait was."""

from support.day.working_day import WorkingDay

__all__ = ["WorkingDay"]
