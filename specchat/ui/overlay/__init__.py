"""What speculation is doing: live over the transcript, in detail on request."""
