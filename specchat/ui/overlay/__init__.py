"""The stats overlay: live speculation stats over the transcript, with details on request."""
