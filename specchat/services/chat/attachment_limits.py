"""The limits of what one message can have attached, and its order."""

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum, auto

from specchat.domain.conversations import Attached, Attachment
from specchat.domain.picture_header import MOST_BYTES, MOST_PICTURES
from specchat.domain.pictures import Picture
from specchat.domain.recording_header import MOST_RECORDINGS
from specchat.domain.recordings import Recording
from specchat.services.chat.titles import make_unique_name


class AttachmentLimit(Enum):
    PICTURES = auto()
    RECORDINGS = auto()
    BYTES = auto()


def add_attachment(attachments: Sequence[Attached], added: Attached) -> tuple[Attached, ...] | AttachmentLimit:
    """Returns all attachments, or the limit that the new one exceeds. Pictures and recordings come first, as the model
    gets them. Files are searched and cited by their names, so each name is unique.
    """
    if isinstance(added, Attachment):
        added = replace(added, name=make_unique_name(added.name, [each.name for each in attachments]))
    pictures = [each for each in (*attachments, added) if isinstance(each, Picture)]
    recordings = [each for each in (*attachments, added) if isinstance(each, Recording)]
    files = [each for each in (*attachments, added) if isinstance(each, Attachment)]
    if len(pictures) > MOST_PICTURES:
        return AttachmentLimit.PICTURES
    if len(recordings) > MOST_RECORDINGS:
        return AttachmentLimit.RECORDINGS
    if sum(len(each.content) for each in (*pictures, *recordings)) > MOST_BYTES:
        return AttachmentLimit.BYTES
    return (*pictures, *recordings, *files)
