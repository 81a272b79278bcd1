"""Everything that may go wrong on purpose.

SpecchatError
├── UserError            the user can mend it: one sentence, and a hint what to do next (exit 1)
│   ├── ModelFileError       a file that is missing, damaged, or not a model
│   ├── ModelLoadError       llama.cpp refused the model or the settings
│   ├── ComputeError         llama.cpp failed while answering
│   ├── ContextFullError     prompt and answer do not fit the context
│   ├── TemplateError        the model's chat template failed or misbehaved
│   ├── SettingError         a value outside what is possible
│   └── IncompatibleError    a verdict rather than a mistake: the pair or the fit is the answer (exit 3)
├── DrafterError         a drafter failed: the answer goes on without it, and says so
├── Cancelled            the user stopped it: nothing to show
└── BugError             our fault
"""


class SpecchatError(Exception):
    """Root of the tree."""


class UserError(SpecchatError):
    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class ModelFileError(UserError):
    pass


class ModelLoadError(UserError):
    pass


class ComputeError(UserError):
    pass


class ContextFullError(UserError):
    pass


class TemplateError(UserError):
    pass


class SettingError(UserError):
    pass


class IncompatibleError(UserError):
    pass


class DrafterError(SpecchatError):
    pass


class Cancelled(SpecchatError):
    pass


class BugError(SpecchatError):
    pass
