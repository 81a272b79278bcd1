"""The errors that users or callers are expected to handle.

What only one layer knows of lies with it, and is derived from these.

SpecchatError
├── UserError            the user can mend it: one sentence, and a hint what to do next (exit 1)
│   ├── ModelFileError       a file that is missing, damaged, or not a model
│   ├── ModelLoadError       llama.cpp refused the model or the settings
│   │   └── MemoryShortageError  for want of memory: a smaller context may do
│   ├── ComputeError         llama.cpp failed while answering
│   ├── EngineStoppedError   the process that computes has ended, or was ended as it hung
│   ├── ContextFullError     prompt and answer do not fit the context
│   ├── MediaError           a picture or recording that is damaged, too large, or of another kind
│   ├── TemplateError        the model's chat template failed or misbehaved
│   ├── SettingError         a value outside what is possible
│   ├── IncapableError       the loaded model cannot do that at all
│   ├── UnknownModelError    no model here has this name
│   ├── QueueFullError       too many wait for the models
│   ├── NotReadyError        nothing is loaded yet, or any more; or a helper process was stopped
│   ├── StorageError         nothing can be kept at the moment
│   │   ├── StorageFullError     for want of room
│   │   └── StorageBusyError     because of another program
│   ├── DeletedChatError     the chat is gone for good
│   ├── DamagedChatsError    the file of the conversations cannot be read; it can be set aside
│   ├── RemoteEngineError    another engine refused, failed, or makes no sense
│   │   ├── EngineUnreachableError  there is no way to it
│   │   ├── EngineLostError      the connection was lost, or the engine fell silent
│   │   ├── EngineKeyError       it wants another key
│   │   ├── EngineRejectedError  it doesn't accept what was asked
│   │   ├── ServedModelGoneError  it has no such model
│   │   └── EngineBusyError      it has too much to do
│   │       └── EngineLoadingError  it loads its model
│   ├── RpcError             another machine is out of reach, in use, or of another version
│   ├── HubError             the Hub refused, or there is no way to it
│   │   ├── HubAccessError       for want of a token, an accepted licence or a permission
│   │   ├── HubNotFoundError     no such repository, revision or file
│   │   ├── HubOfflineError      no connection, or none is wanted
│   │   └── HubTemporaryError    it may pass: worth another try
│   └── IncompatibleError    a verdict rather than a mistake: the pair or the fit is the answer (exit 3)
├── DrafterError         a drafter failed: the answer goes on without it, and says so
├── Cancelled            the user stopped it: nothing to show
└── BugError             our fault
"""

from specchat.domain.speculation_status import DrafterFailure
from specchat.domain.translatable_text import TranslatableText

NO_MODEL = TranslatableText("No model is loaded.")


class SpecchatError(Exception):
    """Root of the tree."""


class UserError(SpecchatError):
    def __init__(self, message: str, hint: str, /, **values: object) -> None:
        """Both may have {fields}, which the values fill."""
        self.message = TranslatableText(message, **values)
        self.hint = TranslatableText(hint, **values)
        super().__init__(self.message)


class ModelFileError(UserError):
    pass


class ModelLoadError(UserError):
    pass


class MemoryShortageError(ModelLoadError):
    pass


class ComputeError(UserError):
    pass


class EngineStoppedError(UserError):
    used_gpu = False
    """It computed with a graphics card, whose driver may be why."""


class ContextFullError(UserError):
    pass


class MediaError(UserError):
    pass


class StillAnsweringError(UserError):
    pass


class TemplateError(UserError):
    pass


class SettingError(UserError):
    pass


class IncapableError(UserError):
    pass


class UnknownModelError(UserError):
    pass


class QueueFullError(UserError):
    pass


class NotReadyError(UserError):
    pass


class StorageError(UserError):
    pass


class StorageFullError(StorageError):
    pass


class StorageBusyError(StorageError):
    pass


class DeletedChatError(UserError):
    pass


class DamagedChatsError(UserError):
    pass


class RemoteEngineError(UserError):
    pass


class EngineUnreachableError(RemoteEngineError):
    pass


class EngineLostError(RemoteEngineError):
    pass


class EngineKeyError(RemoteEngineError):
    pass


class EngineRejectedError(RemoteEngineError):
    pass


class ServedModelGoneError(RemoteEngineError):
    pass


class EngineBusyError(RemoteEngineError):
    pass


class EngineLoadingError(EngineBusyError):
    pass


class RpcError(UserError):
    pass


class HubError(UserError):
    pass


class HubAccessError(HubError):
    pass


class HubUnknownTokenError(HubAccessError):
    """The Hub does not know the token; what was asked for may be open to everyone."""


class HubNotFoundError(HubError):
    pass


class HubOfflineError(HubError):
    pass


class HubTemporaryError(HubError):
    def __init__(self, message: str, hint: str, /, *, wait: float = 0, **values: object) -> None:
        """`wait`: the seconds that the Hub asks to let pass first."""
        super().__init__(message, hint, wait=round(wait), **values)
        self.wait = wait


class IncompatibleError(UserError):
    pass


class DrafterError(SpecchatError):
    def __init__(self, failed: DrafterFailure) -> None:
        super().__init__(failed)
        self.failed = failed


class Cancelled(SpecchatError):
    pass


class BugError(SpecchatError):
    pass
