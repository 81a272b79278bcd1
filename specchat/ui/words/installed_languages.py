"""Lists and installs the translations in resources/translations."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from specchat.services.program.resources import resources

ENGLISH = "en"
_OURS = "specchat_"


def available_languages() -> dict[str, str]:
    """By code, each in its own words; the sources are in English."""
    codes = sorted(file.stem.removeprefix(_OURS) for file in _folder().glob(f"{_OURS}*.qm"))
    return {ENGLISH: "English"} | {code: QLocale(code).nativeLanguageName() for code in codes}


def install_translation(application: QApplication, language: str = "") -> str:
    """Without a language the system's counts. Holds for widgets made afterwards; tells which language it is."""
    chosen = language if language in available_languages() else _system_language()
    if language == chosen:
        QLocale.setDefault(QLocale(chosen))
    for installed in application.findChildren(QTranslator):
        application.removeTranslator(installed)
    qt = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    for file in (qt / f"qtbase_{chosen}.qm", _folder() / f"{_OURS}{chosen}.qm"):
        translator = QTranslator(application)
        if translator.load(str(file)):
            application.installTranslator(translator)
    return chosen


def current_language() -> str:
    """Each translation translates the code of English into its own."""
    return QCoreApplication.translate("Language", "en")


def _system_language() -> str:
    wanted = (tag.partition("-")[0] for tag in QLocale.system().uiLanguages())
    known = available_languages()
    return next((language for language in wanted if language in known), ENGLISH)


def _folder() -> Path:
    return resources() / "translations"
