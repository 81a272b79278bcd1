"""Why the engine refuses a recording. Its header is checked before anything decodes it."""

from specchat.domain.errors import IncapableError, MediaError
from specchat.domain.media import OTHER_MODEL, WITH_MMPROJ
from specchat.domain.recording_header import MAX_RECORDING_BYTES, MAX_SECONDS, RecordingHeader, RecordingRefusal
from specchat.domain.recordings import Recording
from specchat.domain.translatable_text import TranslatableText

_UNNAMED = TranslatableText("The recording")
_HEARABLE = TranslatableText("Use WAV, MP3 or FLAC.")
_ANOTHER = TranslatableText("Save the recording again, or choose another one.")
_SHORTER = TranslatableText("Use a shorter part of it.")


def require_hearable(recording: Recording) -> RecordingHeader:
    """Raises a MediaError for all that models must not get to hear."""
    match recording.found:
        case RecordingRefusal.UNKNOWN:
            raise _unknown_error(recording)
        case RecordingRefusal.TOO_LARGE:
            message = TranslatableText("{name} is larger than {n} MB.")
            hint = TranslatableText("Save it as MP3 or FLAC, or use a shorter part of it.")
            raise _error(recording, message, hint, n=MAX_RECORDING_BYTES >> 20)
        case RecordingRefusal.TOO_LONG:
            message = TranslatableText("{name} is longer than {n} minutes.")
            raise _error(recording, message, _SHORTER, n=MAX_SECONDS // 60)
        case RecordingRefusal.TOO_SHORT:
            raise _error(recording, TranslatableText("{name} has no sound in it."), _ANOTHER)
        case header:
            return header


def require_length(recording: Recording, most_seconds: int, model: str) -> None:
    """Some models hear a recording as a whole."""
    if recording.seconds > most_seconds:
        message = TranslatableText("{name} is too long for {model}, which hears at most {n} seconds at once.")
        raise _error(recording, message, _SHORTER, model=model, n=most_seconds)


def deaf_error(model: str, *, is_elsewhere: bool = False) -> IncapableError:
    """`is_elsewhere`: another engine has loaded it."""
    return IncapableError(
        "{name} can't hear recordings.",
        OTHER_MODEL if is_elsewhere else WITH_MMPROJ,
        name=model,
    )


def unhearable_error(recording: Recording) -> MediaError:
    return _error(recording, TranslatableText("{name} is damaged: it can't be decoded."), _ANOTHER)


def _unknown_error(recording: Recording) -> MediaError:
    content = recording.content
    if not content:
        return _error(recording, TranslatableText("{name} is empty."), TranslatableText("Choose another recording."))
    if content[:4] == b"OggS" or content[4:8] == b"ftyp":
        return _error(recording, TranslatableText("{name} has a format that llama.cpp can't read."), _HEARABLE)
    return _error(recording, TranslatableText("{name} is damaged, or not a recording that llama.cpp reads."), _HEARABLE)


def _error(recording: Recording, message: TranslatableText, hint: TranslatableText, **values: object) -> MediaError:
    return MediaError(message, hint, name=recording.name or _UNNAMED, **values)
